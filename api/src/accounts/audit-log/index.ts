import { defineModule } from '../../platform/module.ts'
import { auditLogRoutes } from './routes.ts'

export { createAuditor } from './queries.ts'
export { sweepAuditLog } from './sweep.ts'

export const auditLogModule = defineModule({
  name: 'accounts/audit-log',
  tables: ['audit_log'],
  routes: auditLogRoutes,
})
