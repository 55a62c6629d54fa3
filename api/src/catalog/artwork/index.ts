export { artworkRecords, FILES_HASH, firstSets } from './queries.ts'
export { artworkRoutes } from './routes.ts'
export { createSet, updateSet } from './rules.ts'
