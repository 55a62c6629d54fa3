import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { Pager } from './Pager.tsx'
import styles from './FactTable.module.css'

export interface FactColumn<Row> {
  /** What stands above it, with the unit of its figures: `Miles`. */
  title: string
  render: (row: Row) => ReactNode
  /** Figures stand under each other at the right. */
  isNumber?: boolean
  /** Left out below this width of the window. */
  from?: 'tablet' | 'desktop'
}

interface FactTableProps<Row> {
  /** What the table is about, for those who do not see it. */
  label?: string
  /** What stands above it. */
  caption?: string
  /** The first one names the row. */
  columns: readonly FactColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => string | number
  /** The line below all others. */
  total?: Row
  rowProps?: (row: Row) => ComponentProps<'tr'> & Record<`data-${string}`, unknown>
  /** On paper of its own, each row on one line. */
  isFramed?: boolean
  /** It may be wider than its place, and is then scrolled sideways beside its first column. */
  isWide?: boolean
  className?: string
}

/** A table of facts, a line each. Lists of records have `DataTable`. */
export function FactTable<Row>(props: FactTableProps<Row>) {
  const { label, caption, columns, rows, rowKey, total, rowProps, isFramed = false, isWide = false, className } = props
  const table = (
    <table className={`${styles.table} ${className ?? ''}`} data-framed={isFramed} aria-label={label}>
      {caption && <caption>{caption}</caption>}
      {columns.some(({ title }) => title !== '') && (
        <thead>
          <tr>
            {columns.map(({ title, ...column }) => (
              <th key={title} scope="col" {...marks(column)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <FactRow key={rowKey(row, index)} columns={columns} row={row} more={rowProps?.(row)} />
        ))}
      </tbody>
      {total && (
        <tfoot>
          <FactRow columns={columns} row={total} />
        </tfoot>
      )}
    </table>
  )
  if (!isWide) return table
  return (
    // The arrow keys scroll it without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.frame} role="region" aria-label={`${label ?? caption ?? ''}, scrolls sideways`} tabIndex={0}>
      {table}
    </div>
  )
}

const marks = ({ isNumber, from }: Pick<FactColumn<never>, 'isNumber' | 'from'>) => ({
  'data-number': isNumber,
  'data-from': from,
})

interface FactRowProps<Row> {
  columns: readonly FactColumn<Row>[]
  row: Row
  more?: ComponentProps<'tr'> | undefined
}

const FactRow = <Row,>({ columns: [name, ...columns], row, more }: FactRowProps<Row>) => (
  <tr {...more}>
    {name && (
      <th scope="row" {...marks(name)}>
        {name.render(row)}
      </th>
    )}
    {columns.map(({ title, render, ...column }) => (
      <td key={title} {...marks(column)}>
        {render(row)}
      </td>
    ))}
  </tr>
)

/** A table of many facts, a page at a time. */
export function PagedFactTable<Row>({ rows, ...table }: FactTableProps<Row>) {
  const [asked, setPage] = useState(1)
  // Other filters may have fewer pages.
  const page = Math.min(asked, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)))
  return (
    <>
      <FactTable {...table} rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
      <Pager page={page} perPage={PAGE_SIZE} total={rows.length} onChange={setPage} />
    </>
  )
}
