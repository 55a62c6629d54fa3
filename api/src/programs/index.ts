export { programRecords } from './queries.ts'
export { programRoutes } from './routes.ts'
