export { marketRecords } from './queries.ts'
export { marketRoutes } from './routes.ts'
