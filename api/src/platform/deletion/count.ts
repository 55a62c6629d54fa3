import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { SqlFragment } from '../db/records/fragments.ts'

/** Counts the rows of a table, in a fragment from its name on: `photo where …`. */
export async function countRows(db: Db, from: SqlFragment): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}
