import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { sweepNetworks } from './known-networks.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes ended sessions, reset links, attempts and known networks after their time. */
async function sweepExpired(db: Db, signal: AbortSignal): Promise<void> {
  await deleteOlder(db, 'password_reset', { column: 'expires_at', before: sql`now() - interval '1 day'`, signal })
  await deleteOlder(db, 'pending_sign_in', { column: 'expires_at', before: sql`now()`, signal })
  // No index on last_at: each attempt changes it, and the table holds two days of attempts.
  await deleteOlder(db, 'throttle', { column: 'last_at', before: sql`now() - interval '2 days'`, signal })
  await deleteOlder(db, 'session', { column: 'expires_at', before: sql`now() - interval '30 days'`, signal })
  await sweepNetworks(db, signal)
}

export const sweepSignIn = defineJob('sweep-sessions', ({ db, timeUp: signal }) => sweepExpired(db, signal))

const MOST_AT_ONCE = 1000

/**
 * Ends sessions that are due, so that their pages are told by the same way as of any other end. One statement on a small
 * index serves all sockets of the node; what another node is ending is skipped.
 */
export const endDueSessions = defineJob('end-due-sessions', ({ db }) =>
  sql`
    update session set ended_at = now(), end_reason = 'expired'
     where uid in (select uid from session where ended_at is null and expires_at <= now()
                    order by expires_at limit ${MOST_AT_ONCE} for update skip locked)`.execute(db),
)
