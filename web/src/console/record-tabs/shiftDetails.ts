import { pops } from '@roadshow/contract/proof/pop'
import { impressions } from '@roadshow/contract/proof/impressions'
import { ShiftImpressions } from '../../proof/impressions/ShiftImpressions.tsx'
import ShiftPhotos from '../../proof/photos/ShiftPhotos.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The parts of a shift's details that belong to other domains. */
const shiftDetails: readonly SlotPart<SlotProps['shiftDetails']>[] = [
  { key: 'impressions', label: 'Estimated impressions', needs: impressions.shift, Content: ShiftImpressions },
  {
    key: 'photos',
    label: 'Photos',
    needs: pops.photos,
    isShown: ({ photos }) => photos > 0,
    Content: ShiftPhotos,
  },
]

export default shiftDetails
