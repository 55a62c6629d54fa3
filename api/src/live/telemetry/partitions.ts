import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { mergePastDays } from '../../platform/db/merge-days.ts'
import { dayOf, dropPartitionsBefore, ensurePartitions, keptSince } from '../../platform/db/partitions.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { playsKeptSince, readSettings } from '../../catalog/settings/index.ts'

// Late records and records around midnight find their partition.
const PAST_DAYS = 8
const COMING_DAYS = 2

/** Creates the partitions of the coming days. */
export async function createPartitions(db: Db, at?: number): Promise<void> {
  const now = at ?? (await sharedNow(db))
  const days = Array.from({ length: PAST_DAYS + COMING_DAYS + 1 }, (_, index) =>
    dayOf(now + (index - PAST_DAYS) * DAY_MS),
  )
  await ensurePartitions(db, 'position', days)
  await ensurePartitions(db, 'play', days)
}

/** Drops the partitions that are older than the retention as a whole, one transaction each. */
export async function dropOldPartitions(db: Db, at?: number, signal?: AbortSignal): Promise<void> {
  const now = at ?? (await sharedNow(db))
  const settings = await readSettings(db)
  const kept = keptSince(settings.keepPositionsDays, now)
  await dropPartitionsBefore(db, 'position', { before: kept, signal })
  await dropPartitionsBefore(db, 'play', { before: playsKeptSince(settings, now), signal })
  await dropOldReadings(db, new Date(kept), signal)
}

/** Truck by truck: each deletion is small and finds its rows by the index, wherever the truck's rows are. */
async function dropOldReadings(db: Db, before: Date, signal?: AbortSignal): Promise<void> {
  for (const { uid } of await db.selectFrom('truck').select('uid').execute()) {
    if (signal?.aborted) return
    await sql`delete from odometer_reading where truck_uid = ${uid} and at < ${before}`.execute(db)
  }
}

export const createPartitionsJob = defineJob('create-partitions', ({ db, now }) => createPartitions(db, now))

export const dropPartitionsJob = defineJob('drop-partitions', ({ db, now, timeUp }) =>
  dropOldPartitions(db, now, timeUp),
)

// An export may read for minutes.
const PATIENCE_MS = 120_000

/** Merges the single days of databases that older versions made. */
export const mergeDaysJob = defineJob('merge-days', async ({ db, now, timeUp }) => {
  for (const table of ['position', 'play'] as const)
    await mergePastDays(db, table, { now, signal: timeUp, patienceMs: PATIENCE_MS })
})
