import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { sweepNetworks } from './known-networks.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes ended sessions, reset links, attempts and known networks after their time. */
async function sweepExpired(db: Db): Promise<void> {
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from pending_sign_in where expires_at < now()`.execute(db)
  await sql`delete from throttle where last_at < now() - interval '2 days'`.execute(db)
  await sql`delete from session where expires_at < now() - interval '30 days'`.execute(db)
  await sweepNetworks(db)
}

export const sweepSignIn = defineJob({
  name: 'sweep-sessions',
  every: '10m',
  lock: 'node',
  run: ({ db }) => sweepExpired(db),
})

const MOST_AT_ONCE = 1000

/**
 * Ends sessions that are due, so that their pages are told by the same way as of any other end. One statement on a small
 * index serves all sockets of the node; what another node is ending is skipped.
 */
export const endDueSessions = defineJob({
  name: 'end-due-sessions',
  every: '500ms',
  lock: 'node',
  run: ({ db }) =>
    sql`
    update session set ended_at = now(), end_reason = 'expired'
     where uid in (select uid from session where ended_at is null and expires_at <= now()
                    order by expires_at limit ${MOST_AT_ONCE} for update skip locked)`.execute(db),
})
