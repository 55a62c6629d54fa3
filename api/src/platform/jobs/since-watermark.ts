import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

// Covers the moment between the start of a transaction and its appearance in pg_stat_activity.
const MARGIN_MS = 5000

/**
 * The moment up to which all stored rows are visible. Rows carry the start of their transaction, so a transaction that
 * still runs will add rows with a time in the past.
 */
const SETTLED = sql<{ until: string }>`
  select least(now(), min(xact_start)) - make_interval(secs => ${sql.lit(MARGIN_MS / 1000)}) as until
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`

/** The moment up to which all stored rows are visible to a statement that begins after this call. */
export async function settledUntil(db: Db): Promise<string> {
  const { rows } = await SETTLED.execute(db)
  return rows[0]?.until ?? '-infinity'
}

// A node of the version before locks the row during its run.
const unlocked = (column: 'job' | 'done_until', job: string) => sql<{ done_until: string }>`
  select ${sql.ref(column)} from job_watermark where job = ${job} for update skip locked`

/** The moment up to which a job is done, a day ago at first; undefined while a node of the version before works on. */
export async function readWatermark(db: Db, job: string): Promise<string | undefined> {
  await sql`insert into job_watermark (job, done_until) values (${job}, now() - interval '1 day') on conflict do nothing`.execute(
    db,
  )
  const { rows } = await unlocked('done_until', job).execute(db)
  return rows[0]?.done_until
}

/** Moves a watermark forward: to what is settled, or less far where a run has ended before. */
export const writeWatermark = (db: Db, job: string, settled: string, doneUntil = 'infinity') =>
  sql`update job_watermark
         set done_until = greatest(done_until, least(${settled}::timestamptz, ${doneUntil}::timestamptz))
       where job in (${unlocked('job', job)})`.execute(db)
