import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { mergePastDays } from '../../platform/db/merge-days.ts'
import { dayOf, ensurePartitions, partitionedTables } from '../../platform/db/partitions.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { SweepContext } from '../../platform/lifetimes/lifetime.ts'

// Late records and records around midnight find their partition.
const PAST_DAYS = 8
const COMING_DAYS = 2

/** Creates the partitions of the coming days. */
export async function createPartitions(db: Db, at?: number): Promise<void> {
  const now = at ?? (await sharedNow(db))
  const days = Array.from({ length: PAST_DAYS + COMING_DAYS + 1 }, (_, index) =>
    dayOf(now + (index - PAST_DAYS) * DAY_MS),
  )
  for (const table of partitionedTables) await ensurePartitions(db, table, days)
}

const TRUCKS_AT_ONCE = 50

/**
 * Some trucks at a time: each deletion is small and finds its rows by the index, wherever the rows of a truck are. A truck with
 * readings has a present state.
 */
export async function deleteOldReadings({ db, signal }: SweepContext, before: string): Promise<boolean> {
  const trucks = (await db.selectFrom('truck_now').select('truck_uid').execute()).map((row) => row.truck_uid)
  while (trucks.length > 0 && !signal.aborted)
    await sql`
      delete from odometer_reading
       where truck_uid = any(${trucks.splice(0, TRUCKS_AT_ONCE)}::uuid[]) and at < ${before}`.execute(db)
  return false
}

export const createPartitionsJob = defineJob('create-partitions', ({ db, now }) => createPartitions(db, now))

// An export may read for minutes.
const PATIENCE_MS = 120_000

/** Merges the single days of databases that older versions made. */
export const mergeDaysJob = defineJob('merge-days', async ({ db, now, timeUp }) => {
  for (const table of ['position', 'play'] as const)
    await mergePastDays(db, table, { now, signal: timeUp, patienceMs: PATIENCE_MS })
})
