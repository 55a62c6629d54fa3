import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useMemo, useState } from 'react'
import type { BoardIndex } from './boardModel.ts'
import { clashesAt, isSameTarget } from './placement.ts'
import type { Placement, PlacementTarget } from './placement.ts'

interface PlacementOptions {
  index: BoardIndex
  mayPlan: boolean
  onMove: (shift: BoardShift, target: PlacementTarget) => void
  onCopy: (shift: BoardShift, target: PlacementTarget) => void
}

/** The shift that is being moved or copied on the board, and the shifts it would clash with. */
export function usePlacement({ index, mayPlan, onMove, onCopy }: PlacementOptions) {
  const [placement, setPlacement] = useState<Placement>()
  const clashes = useMemo(() => (placement ? clashesAt(index, placement) : []), [index, placement])
  return {
    current: placement,
    clashes,
    canMove: (shift: BoardShift) => mayPlan && shift.status === 'planned',
    set: setPlacement,
    drop({ shift, copies, target }: Placement) {
      setPlacement(undefined)
      if (copies) onCopy(shift, target)
      else if (!isSameTarget(target, shift)) onMove(shift, target)
    },
  }
}
export type PlacementControl = ReturnType<typeof usePlacement>
