import { sql } from 'kysely'
import { type ListQuery, noOwnRows, records } from '../../../platform/db/records/records.ts'

/** Rows of table `pop`, to lock and to write; lists of POPs are read in editor/queries.ts. */
export const popRows = records<'pop', { uid: string; version: number }, ListQuery>({
  table: 'pop',
  noun: 'POP',
  columns: { uid: sql`t.uid`, version: sql`t.version` },
  sorts: {},
  filters: {},
  own: noOwnRows,
})
