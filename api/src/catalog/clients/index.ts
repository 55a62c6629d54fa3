export { clientRecords } from './queries.ts'
export { clientRoutes } from './routes.ts'
