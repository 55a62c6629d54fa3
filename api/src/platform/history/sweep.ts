import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { repeatWhileFull } from '../db/delete-older.ts'

const AT_ONCE = 5000

/**
 * Deletes changes of records that are older than this many days, in bounded pieces. Numbers follow time, so the oldest
 * are found without an index on it; the database refuses to delete younger ones than three years.
 */
export async function sweepHistory(db: Db, days: number, signal?: AbortSignal): Promise<void> {
  const piece = sql`
    delete from history where id = any(array(
      select id from (select id, at from history order by id limit ${sql.lit(AT_ONCE)}) oldest
       where at < now() - make_interval(days => ${days})))`
  await repeatWhileFull(() => piece.execute(db), signal, AT_ONCE)
}
