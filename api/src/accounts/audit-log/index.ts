export { auditor } from './queries.ts'
export { auditLogRoutes } from './routes.ts'
