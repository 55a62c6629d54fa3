import { sweepAuditLog } from '../../accounts/audit-log/index.ts'
import { sweepHistory } from '../../platform/history/sweep.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { readSettings } from './queries.ts'

/** Ends what lower neighborhoods keep as long as the settings say, which they cannot read themselves. */
export const keepRetention = defineJob({
  name: 'sweep-history',
  every: '1h',
  lock: 'cluster',
  run: async ({ db, signal }) => {
    const { keepHistoryDays, keepAuditLogDays } = await readSettings(db)
    await sweepHistory(db, keepHistoryDays, signal)
    await sweepAuditLog(db, keepAuditLogDays, signal)
  },
})
