import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { secondsUntil, waitMessage } from './rules.ts'

/** A key with a number of free attempts. Each further attempt doubles the wait, up to 15 minutes. */
export interface AttemptLimit {
  key: string
  free: number
}

// Counting and refusing are one statement: simultaneous attempts wait for the row and are counted one by one.
const COUNT_ATTEMPT = prepared(`
  insert into throttle as t (key, failures, blocked_until, last_at)
  values ($1, 1, clock_timestamp(), clock_timestamp())
  on conflict (key) do update set
    failures = case when t.last_at < now() - interval '1 day' then 1 else t.failures + 1 end,
    blocked_until = clock_timestamp() + case
      when t.last_at < now() - interval '1 day' or t.failures < $2 then interval '0'
      else least(power(2, least(t.failures - $2, 20)), 900) * interval '1 second' end,
    last_at = clock_timestamp()
  where t.blocked_until <= clock_timestamp()
  returning key`)

/** Counts an attempt against each limit; refuses it while one of them is blocked. */
export async function countAttempt(db: Db, limits: AttemptLimit[]): Promise<void> {
  for (const { key, free } of limits) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(COUNT_ATTEMPT, [key, free]))
    if (rows.length === 0) throw await refusal(db, key)
  }
}

async function refusal(db: Db, key: string): Promise<AppError> {
  const limit = await db.selectFrom('throttle').select('blocked_until').where('key', '=', key).executeTakeFirst()
  // A success at the same moment may have removed the row.
  const seconds = secondsUntil(limit ? Date.parse(limit.blocked_until) : 0, Date.now())
  return new AppError('tooMany', { text: waitMessage(seconds), retryAfter: seconds })
}

/** Takes back a successful attempt, and clears the failures of its account. */
export async function recordSuccess(db: Db, account: AttemptLimit, address: AttemptLimit): Promise<void> {
  await db.deleteFrom('throttle').where('key', '=', account.key).execute()
  await db
    .updateTable('throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', '=', address.key)
    .where('failures', '>', 0)
    .execute()
}
