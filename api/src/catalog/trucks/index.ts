export { truckRecords } from './queries.ts'
export { truckRoutes } from './routes.ts'
