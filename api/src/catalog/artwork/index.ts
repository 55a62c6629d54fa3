import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { artworkRoutes } from './routes.ts'

export { artworkRecords, firstArtworkSets, IS_APPROVED_SET, isArtworkApproved } from './queries.ts'
export { createArtworkSet, updateArtworkSet } from './save.ts'

export const artworkModule = defineModule({
  name: 'catalog/artwork',
  tables: { artwork_set: record, artwork_set_file: partOfRecord },
  routes: artworkRoutes,
})
