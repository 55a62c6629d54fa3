export { pixelMapRecords } from './queries.ts'
export { pixelRoutes } from './routes.ts'
