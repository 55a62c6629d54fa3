import { defineModule } from '../../platform/module.ts'
import { sweepAuditLog } from './sweep.ts'
import { auditLogRoutes } from './routes.ts'

export { createAuditor } from './queries.ts'

export const auditLogModule = defineModule({
  name: 'accounts/audit-log',
  tables: ['audit_log'],
  routes: auditLogRoutes,
  jobs: [sweepAuditLog],
})
