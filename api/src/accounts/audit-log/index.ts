import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { auditLogRoutes } from './routes.ts'

export { createAuditor } from './queries.ts'

export const auditLogModule = defineModule({
  name: 'accounts/audit-log',
  tables: {
    audit_log: keptFor('keepAuditLogDays', 'at', { bound: 'Never younger than 400 days: the database refuses.' }),
  },
  routes: auditLogRoutes,
})
