export { artworkRecords, FILES_HASH } from './queries.ts'
export { artworkRoutes } from './routes.ts'
