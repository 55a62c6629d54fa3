export { createAuditor } from './queries.ts'
export { auditLogRoutes } from './routes.ts'
