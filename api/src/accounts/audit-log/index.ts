import { auditLog } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { auditEntries, auditSheet } from './queries.ts'

export { createAuditor, noteAsSystem } from './queries.ts'

export const auditLogModule = defineModule({
  name: 'accounts/audit-log',
  tables: {
    audit_log: keptFor('keepAuditLogDays', 'at', { bound: 'Never younger than 400 days: the database refuses.' }),
  },
  routes: (app) => serve(app, auditLog.list, (call) => listOrExport(call, auditEntries, auditSheet)),
})
