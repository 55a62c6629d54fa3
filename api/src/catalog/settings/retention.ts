import { sweepAuditLog } from '../../accounts/audit-log/index.ts'
import { sweepHistory } from '../../platform/history/sweep.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { readSettings } from './queries.ts'

/** Ends what lower neighborhoods keep as long as the settings say, which they cannot read themselves. */
export const keepRetention = defineJob('sweep-history', async ({ db, timeUp: signal }) => {
  const { keepHistoryDays, keepAuditLogDays } = await readSettings(db)
  await sweepHistory(db, keepHistoryDays, signal)
  await sweepAuditLog(db, keepAuditLogDays, signal)
})
