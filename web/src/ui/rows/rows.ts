import type { ListOf } from '../../api/useList.ts'
import type { Column } from './columns.ts'

/** What a table and a stack of cards both need to show rows. */
export interface RowsProps<Row> {
  list: ListOf<Row>
  columns: readonly Column<Row>[]
  /** A person chose these columns. */
  isChosen?: boolean
  /** Undefined while the first page loads. */
  rows: Row[] | undefined
  /** These rows are of another page, shown until the right ones arrive. */
  stale: boolean
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  isError: (row: Row) => boolean
  label: string
  /** The screen that the rows belong to, where they are shown on another one. */
  to?: string
  /** The rows are only read: they open nothing. */
  isPlain?: boolean
}
