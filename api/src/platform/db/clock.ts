import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The database's time as SQL, in milliseconds since 1970. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * The database's time, shared by all nodes. A node whose own clock has jumped would refuse what devices send, and drop
 * days that must be kept.
 */
export async function sharedNow(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW_MS)} as now`.execute(db)
  return Math.floor(rows[0]?.now ?? NaN)
}
