import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'

/** Since when single plays are listed. Read beforehand: the workers of a cluster cannot tell. */
export async function readKeptSince(db: Db): Promise<string> {
  const { rows } = await prepared(sql<{ since: string }>`select plays_kept_since() as since`).execute(db)
  return rows[0]?.since ?? '-infinity'
}
