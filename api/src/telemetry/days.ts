import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'
import { repeat } from '../repeat.ts'
import { readSettings } from '../settings/index.ts'
import { DAY_MS, startOfDay } from './spans.ts'

/** The tables that are cut by day (UTC). */
type DayTable = 'position' | 'play'

const EVERY_MS = 60 * 60_000
// What comes late, and what comes around midnight, finds its day there.
const PAST_DAYS = 8
const COMING_DAYS = 2

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Makes the parts of a table for these days, where they are not there yet. */
export async function makeDays(db: Db, table: DayTable, days: Iterable<string>): Promise<void> {
  for (const day of days) await sql`call ensure_day(${table}, ${day}::date)`.execute(db)
}

/** The first moment that is still kept when so many days are. */
export const keptSince = (days: number, now: number): number => startOfDay(now) - days * DAY_MS

/** Makes the days to come and drops those that have been kept long enough. */
export async function turnDays(db: Db, now = Date.now()): Promise<void> {
  const { keepPositionsDays, keepPlaysDays } = await readSettings(db)
  const days = Array.from({ length: PAST_DAYS + COMING_DAYS + 1 }, (_, index) =>
    dayOf(now + (index - PAST_DAYS) * DAY_MS),
  )
  await makeDays(db, 'position', days)
  await makeDays(db, 'play', days)
  const kept = keptSince(keepPositionsDays, now)
  await dropDays(db, 'position', kept)
  await dropDays(db, 'play', keptSince(keepPlaysDays, now))
  await sql`delete from odometer_reading where at < ${new Date(kept)}`.execute(db)
}

const dropDays = (db: Db, table: DayTable, before: number): Promise<void> =>
  inTransaction(db, async (db) => {
    // Dropping waits for whoever reads the table, and everybody else waits behind it: rather try again in an hour.
    await sql`set local lock_timeout = '5s'`.execute(db)
    await sql`call drop_days(${table}, ${dayOf(before)}::date)`.execute(db)
  })

/** Turns the days now and every hour until stopped; every node may, since each step can be done twice. */
export async function keepDays(db: Db, log: (error: unknown) => void): Promise<{ stop(): Promise<void> }> {
  await turnDays(db).catch(log)
  return repeat(() => turnDays(db), EVERY_MS, log)
}
