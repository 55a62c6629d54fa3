import { isOutsider } from '@roadshow/contract'
import { sql } from 'kysely'
import type { SqlFragment } from './fragments.ts'
import type { Actor } from './scope.ts'

/** The text of a row, under the alias of its table, in which an actor searches. */
export type SearchText = (actor: Pick<Actor, 'role'>, alias: string) => SqlFragment

/**
 * Declares in which text a kind of record is searched. Staff searches the indexed column `search_text`. Outsiders must
 * not find a record by words that they may not read: `open` is the part of the text that they see, if it is not all.
 */
export const searchText =
  (open?: (t: SqlFragment) => SqlFragment): SearchText =>
  (actor, alias) =>
    open && isOutsider(actor)
      ? // No index serves this; the few rows of one client need none.
        sql`lower((${open(sql.id(alias))}) collate "default")`
      : sql`${sql.id(alias, 'search_text')}`
