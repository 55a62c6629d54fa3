import { artworkSets } from '@roadshow/contract/catalog/artwork'

/** Where an artwork set opens that another record names. */
export const artworkSetPlace = { list: artworkSets.list, opensIn: { path: '/artworks' } } as const
