import type { ReactNode } from 'react'
import type { ListOf } from '../api/useList.ts'

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
  /** What people of the business write for each other; others get nothing of it. */
  staffOnly?: true
}

/** The keys a list can be sorted by, read from its contract. */
export function sortsOf<Row>(list: ListOf<Row>): string[] {
  const { sort } = list.query.shape as { sort?: { unwrap?: () => { options?: unknown } } }
  const options = sort?.unwrap?.().options
  return Array.isArray(options) ? options.map(String).filter((name) => !name.startsWith('-')) : []
}
