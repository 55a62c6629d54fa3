import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'

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

/**
 * Runs work on the rows stored since its last run on any node; the first run covers the last day. It returns false if
 * another node is running it, or if it was aborted. A failed or aborted run is repeated from the same moment.
 */
export const sinceWatermark =
  (db: Db, job: string, work: (since: string, signal?: AbortSignal) => Promise<unknown>) =>
  (signal?: AbortSignal): Promise<boolean> =>
    inTransaction(db, async (held) => {
      await sql`insert into job_watermark (job, done_until) values (${job}, now() - interval '1 day') on conflict do nothing`.execute(
        db,
      )
      const last = sql<{
        done_until: string
      }>`select done_until from job_watermark where job = ${job} for update skip locked`
      const since = (await last.execute(held)).rows[0]?.done_until
      if (since === undefined) return false
      const settled = await settledUntil(db)
      await work(since, signal)
      if (signal?.aborted) return false
      await sql`update job_watermark set done_until = greatest(done_until, ${settled}) where job = ${job}`.execute(held)
      return true
    })
