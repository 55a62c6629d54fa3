import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'

// Between the moment that a transaction goes by and the one at which others see that it has begun.
const MARGIN_MS = 5000

/**
 * The moment up to which everything that is stored can be seen. Rows carry the time at which their transaction began, so
 * what is under way now will appear at a moment that has passed.
 */
const SETTLED = sql<{ until: string }>`
  select least(now(), min(xact_start)) - make_interval(secs => ${sql.lit(MARGIN_MS / 1000)}) as until
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`

/**
 * Work on what was stored since it was last done, whichever node that was; at first, on that of the last day. It answers
 * false when another node is at it, or it was left off. What fails or is left off is done again from the same moment.
 */
export const sinceWatermark =
  (db: Db, job: string, work: (since: string, signal?: AbortSignal) => Promise<unknown>) =>
  (signal?: AbortSignal): Promise<boolean> =>
    inTransaction(db, async (held) => {
      await sql`insert into look values (${job}, now() - interval '1 day') on conflict do nothing`.execute(db)
      const last = sql<{ until: string }>`select until from look where job = ${job} for update skip locked`
      const since = (await last.execute(held)).rows[0]?.until
      if (since === undefined) return false
      const settled = (await SETTLED.execute(db)).rows[0]?.until
      await work(since, signal)
      if (signal?.aborted) return false
      await sql`update look set until = greatest(until, ${settled}) where job = ${job}`.execute(held)
      return true
    })
