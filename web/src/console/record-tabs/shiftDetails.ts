import { pops } from '@roadshow/contract/proof/pop'
import ShiftPhotos from '../../proof/photos/ShiftPhotos.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The parts of a shift's details that belong to other domains. */
const shiftDetails: readonly SlotPart<SlotProps['shiftDetails']>[] = [
  {
    key: 'photos',
    label: 'Photos',
    needs: pops.photos,
    isShown: ({ photos }) => photos > 0,
    Content: ShiftPhotos,
  },
]

export default shiftDetails
