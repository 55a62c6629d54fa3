export { pixelMapRecords } from './queries.ts'
export { pixelMapRoutes } from './routes.ts'
