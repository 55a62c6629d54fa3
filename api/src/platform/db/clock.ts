import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The database's time as SQL, in milliseconds since 1970. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * The time by the clock that all nodes share. By its own, a node whose clock has jumped would refuse for good what devices
 * send, and drop days that are to be kept.
 */
export async function sharedNow(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW_MS)} as now`.execute(db)
  return Math.floor(rows[0]?.now ?? NaN)
}
