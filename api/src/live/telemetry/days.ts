import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { dayOf, type DayTable, keptSince, makeDays } from '../../platform/db/days.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { DAY_MS } from './time-ranges.ts'

// Late records and records around midnight find their day.
const PAST_DAYS = 8
const COMING_DAYS = 2

/** Creates the partitions of the coming days and drops those that are older than the retention. */
export async function createAndDropDays(db: Db, at?: number): Promise<void> {
  const now = at ?? (await sharedNow(db))
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
    // Dropping waits for readers of the table, and later readers wait behind it. Better to try again in an hour.
    await sql`set local lock_timeout = '5s'`.execute(db)
    await sql`call drop_days(${table}, ${dayOf(before)}::date)`.execute(db)
  })

export const rotateDays = defineJob({
  name: 'days',
  every: '1h',
  lock: 'node',
  atStart: 'wait',
  run: ({ db, now }) => createAndDropDays(db, now),
})
