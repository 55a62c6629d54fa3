import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { useCall } from '../../api/useCall.ts'

/** The trucks that artwork is checked against, by pixel map. */
export const useTruckGroups = () => useCall(artworkSets.trucks)
