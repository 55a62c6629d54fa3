import type { ListOf } from '../../api/useList.ts'
import type { Column } from './columns.ts'

/** Rows that are selected, to act on all of them at once. */
export interface RowSelection<Row> {
  chosen: ReadonlySet<string>
  onChoose: (rows: readonly Row[], isChosen: boolean) => void
  nameOf: (row: Row) => string
}

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
  /** With it, each row has a checkbox. */
  selection?: RowSelection<Row> | undefined
}
