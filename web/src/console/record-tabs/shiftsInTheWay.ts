import { shifts } from '@roadshow/contract/planning/shifts'
import { InTheWay } from '../../planning/shifts/in-the-way/InTheWay.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** Below a refusal because of shifts: what takes them out of the way. */
const shiftsInTheWay: readonly SlotPart<SlotProps['shiftsInTheWay']>[] = [
  { key: 'shifts', label: 'Shifts in the way', needs: shifts.list, Content: InTheWay },
]

export default shiftsInTheWay
