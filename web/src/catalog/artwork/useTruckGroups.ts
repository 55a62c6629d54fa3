import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'

/** The trucks that artwork is checked against, by pixel map. */
export const useTruckGroups = () =>
  useQuery({
    queryKey: keyOf(artworkSets.trucks),
    queryFn: async ({ signal }) => (await call(artworkSets.trucks, {}, { signal })).data,
  })
