import { sql } from 'kysely'
import { defineJob } from '../../platform/jobs/define-job.ts'

const MOST_AT_ONCE = 1000

/**
 * Ends sessions that are due, so that their pages hear of it as of any other end. One statement on a small
 * index serves all sockets of the node; what another node is ending is skipped.
 */
export const endDueSessions = defineJob('end-due-sessions', ({ db }) =>
  sql`
    update session set ended_at = now(), end_reason = 'expired'
     where uid in (select uid from session where ended_at is null and expires_at <= now()
                    order by expires_at limit ${MOST_AT_ONCE} for update skip locked)`.execute(db),
)
