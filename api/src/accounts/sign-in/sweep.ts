import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { sweepNetworks } from './known-networks.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes ended sessions, reset links, attempts and known networks after their time. */
async function sweepExpired(db: Db): Promise<void> {
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(db)
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
