import { KEEP_AUDIT_DAYS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes entries after the time that the audit log is kept. */
export async function sweepEntries(db: Db): Promise<void> {
  await sql`delete from audit_log where at < now() - make_interval(days => ${KEEP_AUDIT_DAYS})`.execute(db)
}

export const sweepAuditLog = defineJob({
  name: 'sweep-audit-log',
  every: '10m',
  lock: 'node',
  run: ({ db }) => sweepEntries(db),
})
