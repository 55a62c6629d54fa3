import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { pops } from '@roadshow/contract/proof/pop'
import { ShiftsInTheWay } from '../../planning/shifts/in-the-way/ShiftsInTheWay.tsx'
import { shiftsInTheWay } from '../../planning/shifts/in-the-way/inTheWayDialog.ts'
import { PageInTheWay } from '../../proof/pop/publication/PageInTheWay.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** Beside what refuses something: what takes it out of the way. */
const inTheWay: readonly SlotPart<SlotProps['inTheWay']>[] = [
  {
    key: 'shifts',
    label: 'Shifts in the way',
    needs: shiftPlanChanges.apply,
    isShown: ({ thing }) => shiftsInTheWay(thing).shifts.some(({ isPlanned }) => isPlanned),
    Content: ShiftsInTheWay,
  },
  {
    key: 'page',
    label: 'Public page in the way',
    needs: pops.withdraw,
    isShown: ({ thing }) => thing.act?.kind === 'withdraw',
    Content: PageInTheWay,
  },
]

export default inTheWay
