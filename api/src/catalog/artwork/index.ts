import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { recordsOf } from '../in-use/index.ts'
import { defineModule } from '../../platform/module.ts'
import { artworkRoutes } from './routes.ts'

export { artworkRecords, firstArtworkSets, IS_APPROVED_SET, isArtworkApproved } from './queries.ts'
export { createArtworkSet, updateArtworkSet } from './save.ts'

export const artworkModule = defineModule({
  name: 'catalog/artwork',
  tables: { artwork_set: record, artwork_set_file: partOfRecord },
  routes: artworkRoutes,
  dependents: [
    recordsOf('artworkSets', 'artwork_set', {
      program: { column: 'program_uid', screen: (uid) => `/artworks?program=${uid}` },
    }),
  ],
})
