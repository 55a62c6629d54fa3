export { artworkRecords, FILES_HASH, firstArtworkSets } from './queries.ts'
export { artworkRoutes } from './routes.ts'
export { createArtworkSet, updateArtworkSet } from './rules.ts'
