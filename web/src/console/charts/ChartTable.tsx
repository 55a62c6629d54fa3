import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ChartLink } from '../../ui/charts/ChartMark.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Pager } from '../../ui/Pager.tsx'
import styles from './charts.module.css'

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
export function ChartTable<Row>({ label, columns, rows, rowKey }: ChartTableProps<Row>) {
  const [asked, setPage] = useState(1)
  const page = Math.min(asked, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)))
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it is too wide, it is scrolled by the keys */}
      <div className={styles.frame} role="region" aria-label={`Table: ${label}`} tabIndex={0}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.title} scope="row">
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.title}>
                      <CellValue column={column} row={row} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} perPage={PAGE_SIZE} total={rows.length} onChange={setPage} />
    </>
  )
}

/** The value of a cell, which leads to its rows where there are any. */
function CellValue<Row>({ column: { cell, link }, row }: { column: ChartTableColumn<Row>; row: Row }) {
  const value = cell(row)
  const text = typeof value === 'number' ? formatCount(value) : value
  return link && value !== 0 ? <Link {...link(row)}>{text}</Link> : text
}
