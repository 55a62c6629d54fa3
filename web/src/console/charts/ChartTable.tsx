import { Link } from '@tanstack/react-router'
import type { ChartLink } from '../../ui/charts/ChartMark.tsx'
import { PagedFactTable } from '../../ui/rows/FactTable.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'

interface ChartTableColumn<Row> {
  title: string
  /** A figure, or a text. */
  cell: (row: Row) => number | string
  /** The rows behind the figure. */
  link?: (row: Row) => ChartLink
}

interface ChartTableProps<Row> {
  label: string
  /** The first one names the row. */
  columns: readonly ChartTableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** Every figure of a chart; the file has the same rows. */
export const ChartTable = <Row,>({ columns, ...table }: ChartTableProps<Row>) => (
  <PagedFactTable
    {...table}
    isFramed
    isWide
    columns={columns.map((column, index) => ({
      title: column.title,
      isNumber: index > 0,
      render: (row: Row) => <CellValue column={column} row={row} />,
    }))}
  />
)

/** The value of a cell, which leads to its rows where there are any. */
function CellValue<Row>({ column: { cell, link }, row }: { column: ChartTableColumn<Row>; row: Row }) {
  const value = cell(row)
  const text = typeof value === 'number' ? formatCount(value) : value
  return link && value !== 0 ? <Link {...link(row)}>{text}</Link> : text
}
