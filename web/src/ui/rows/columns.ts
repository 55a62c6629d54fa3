import type { ReactNode } from 'react'
import type { ListOf } from '../../api/useList.ts'

/** One column of a list. Its header sorts when the list's `sort` knows the key. */
export interface Column<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** In pixels; a column without one shares what is left. */
  width?: number
  /** Numbers stand at the right, where their digits line up. */
  align?: 'right'
  /** Left out where there is little room: on phones and narrow windows. */
  secondary?: true
  /** Shown only to those who choose it. */
  isExtra?: true
  /** On phones a row of the list is one line: its first column and these. It opens with the rest. */
  inBrief?: true
  /** On phones, text such as an email address has the whole width of its card. */
  isLong?: true
  /** What people of the business write for each other; others get nothing of it. */
  staffOnly?: true
}

/** A row with what its list answers beside it, as soon as that is known. */
export type WithFacts<Row, Facts> = Row & { facts?: Facts | undefined }

/** The keys a list can be sorted by, read from its contract. */
export function sortsOf<Row>(list: ListOf<Row>): string[] {
  const { sort } = list.query.shape as { sort?: { unwrap?: () => { options?: unknown } } }
  const options = sort?.unwrap?.().options
  return Array.isArray(options) ? options.map(String).filter((name) => !name.startsWith('-')) : []
}

/** What a column without a width needs at least to be read. */
const SHARED_WIDTH = 150

/**
 * The columns that fit into a width: secondary ones are left out from the last on, the others always stay. Of columns that a
 * person chose only the first one always stays.
 */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  isChosen: boolean = false,
): Column<Row>[] {
  const kept = [...columns]
  const needed = () => kept.reduce((sum, column) => sum + (column.width ?? SHARED_WIDTH), 0)
  while (needed() > width) {
    const last = isChosen ? kept.length - 1 : kept.findLastIndex(({ secondary }) => secondary)
    if (last < (isChosen ? 1 : 0)) break
    kept.splice(last, 1)
  }
  return kept
}
