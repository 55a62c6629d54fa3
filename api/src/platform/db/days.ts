import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The tables that are partitioned by day (UTC). */
export type DayTable = 'position' | 'play'

const DAY_MS = 86_400_000

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The oldest moment that is kept with this retention. */
export const keptSince = (days: number, now: number): number => (Math.floor(now / DAY_MS) - days) * DAY_MS

/** Creates the missing partitions of a table for these days. */
export async function makeDays(db: Db, table: DayTable, days: Iterable<string>): Promise<void> {
  for (const day of [...days].toSorted()) await sql`call ensure_day(${table}, ${day}::date)`.execute(db)
}

/** Days whose partitions are known to exist. Empty after a start, and after a partition was found missing. */
const found: Record<DayTable, Set<string>> = { position: new Set(), play: new Set() }

const NO_SUCH_DAY = '23514'

/** Writes rows of some days after creating their partitions; known partitions are not checked again. */
export async function withDays<T>(
  db: Db,
  table: DayTable,
  days: ReadonlySet<string>,
  write: () => Promise<T>,
): Promise<T> {
  const known = found[table]
  const make = async () => {
    await makeDays(
      db,
      table,
      [...days].filter((day) => !known.has(day)),
    )
    for (const day of days) known.add(day)
  }
  await make()
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DAY) throw error
    known.clear()
    await make()
    return write()
  }
}
