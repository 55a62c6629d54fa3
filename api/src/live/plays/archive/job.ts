import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { waitForOldSnapshots } from '../../../platform/db/old-snapshots.ts'
import {
  dropPartition,
  listPartitions,
  NotNow,
  type Partition,
  withShortLocks,
} from '../../../platform/db/partitions.ts'
import { type BacklogContext, defineJob, type JobContext } from '../../../platform/jobs/define-job.ts'
import type { SweepContext } from '../../../platform/lifetimes/lifetime.ts'
import { jobsWaiting } from '../../../platform/observability/metrics.ts'
import { parquetOf } from '../../../platform/parquet/index.ts'
import { UNGRADED } from '../grading-queue.ts'
import { archiveFailures, playsArchived } from '../metrics.ts'
import { leftovers, LEFTOVERS_AT_ONCE, removeLeftover } from './files.ts'
import { archivedBefore } from './rules.ts'
import type { PlayStores } from './stores.ts'
import { archiveDay } from './write.ts'

const JOB = 'archive-plays'

/** Whether changes of evidence about a day still wait for grading: they would bring it back at once. */
const AWAITS_GRADING = sql`exists (
  select from ${UNGRADED} e
   where e.first_at < d.day + interval '2 days' and e.last_at > d.day - interval '1 day')`

/** The days (UTC) of a partition that have plays and are due, oldest first. */
async function dueDays(db: Db, { from, until }: Partition, before: string): Promise<string[]> {
  const [first, end] = [new Date(from).toISOString(), new Date(Math.min(until, Date.parse(before))).toISOString()]
  const { rows } = await sql<{ day: string }>`
    select to_char(d.day, 'YYYY-MM-DD') as day
      from (select distinct date_trunc('day', p.started_at) as day from play p
             where p.started_at >= ${first}::timestamptz and p.started_at < ${end}::timestamptz) d
     where not ${AWAITS_GRADING} order by d.day`.execute(db)
  return rows.map(({ day }) => day)
}

// An export may read for minutes.
const PATIENCE_MS = 60_000

/** Drops a partition of past days if it is empty. Plays that arrive for it later create it again. */
async function dropEmpty(db: Db, { name }: Partition, signal: AbortSignal | undefined): Promise<void> {
  const { rows } = await sql`select from ${sql.id(name)} limit 1`.execute(db)
  if (rows.length > 0 || !(await waitForOldSnapshots(db, { signal, patienceMs: PATIENCE_MS }))) return
  await withShortLocks(db, async (db) => {
    await sql`lock table ${sql.id(name)} in access exclusive mode`.execute(db)
    const { rows } = await sql`select from ${sql.id(name)} limit 1`.execute(db)
    if (rows.length > 0) throw new NotNow()
    await dropPartition(db, 'play', name)
  })
}

interface ArchiveRun extends PlayStores {
  afterDays: number
  now: number
  /** Ends the run between two days. */
  signal?: AbortSignal
  /** Ends the run between two days as well, once one is archived: days that fail come first in each run. */
  softLimit?: AbortSignal
  onError: (error: unknown) => void
}

/** Archives every day that is due, oldest first, and drops partitions that are empty then. A day that fails waits. */
export async function archivePlays({
  afterDays,
  now,
  signal,
  softLimit,
  onError,
  ...stores
}: ArchiveRun): Promise<void> {
  const before = archivedBefore(now, afterDays)
  let archived = 0
  const isOver = () => signal?.aborted || (softLimit?.aborted && archived > 0)
  for (const partition of await listPartitions(stores.db, 'play')) {
    if (partition.from >= Date.parse(before)) break
    if (isOver()) return
    const days = await dueDays(stores.db, partition, before)
    for (const [done, day] of days.entries()) {
      if (isOver()) return
      jobsWaiting.set({ job: JOB }, days.length - done)
      try {
        const plays = await archiveDay(stores, day)
        if (plays !== undefined) archived++
        playsArchived.inc(plays ?? 0)
      } catch (error) {
        archiveFailures.inc()
        onError(error)
      }
    }
    if (partition.until <= Date.parse(before)) await dropEmpty(stores.db, partition, softLimit ?? signal)
  }
  jobsWaiting.set({ job: JOB }, 0)
}

/** Removes blobs that are no longer part of the archive. Answers whether more may be left. */
export async function removeLeftovers({ db, blobs, signal }: SweepContext, before: string): Promise<boolean> {
  const due = await leftovers(db, before)
  try {
    for (const blob of due) {
      if (signal.aborted) return false
      await removeLeftover(db, blob, () => blobs.remove(blob))
    }
  } catch (error) {
    archiveFailures.inc()
    throw error
  }
  return due.length === LEFTOVERS_AT_ONCE
}

const HARD_LIMIT_MS = 180_000

async function run({ db, blobs, env, now, signal, timeUp, log }: JobContext & BacklogContext): Promise<void> {
  const { archiveAfterDays: afterDays } = env
  if (afterDays === undefined) return
  const hardLimit = AbortSignal.any([signal, AbortSignal.timeout(HARD_LIMIT_MS)])
  const parquet = parquetOf({ blobs, env })
  await archivePlays({ db, parquet, afterDays, now, signal: hardLimit, softLimit: timeUp, onError: log })
}

/** A run takes the days that it has time for. A backlog of many days takes many runs, so they are frequent. */
export const archivePlaysJob = defineJob(JOB, run)
