import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The tables that are cut by day (UTC). */
export type DayTable = 'position' | 'play'

const DAY_MS = 86_400_000

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The first moment that is still kept when so many days are. */
export const keptSince = (days: number, now: number): number => (Math.floor(now / DAY_MS) - days) * DAY_MS

/** Makes the parts of a table for these days, where they are not there yet. */
export async function makeDays(db: Db, table: DayTable, days: Iterable<string>): Promise<void> {
  for (const day of [...days].toSorted()) await sql`call ensure_day(${table}, ${day}::date)`.execute(db)
}

/** Days that were found there. Known again after a start, and after one turned out to be gone. */
const found: Record<DayTable, Set<string>> = { position: new Set(), play: new Set() }

const NO_SUCH_DAY = '23514'

/** Writes rows of some days, whose parts are made first; those that are known to be there are not asked for. */
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
