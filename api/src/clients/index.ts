export { clientRecords, holdClient } from './queries.ts'
export { clientRoutes } from './routes.ts'
