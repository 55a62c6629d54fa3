import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useMemo, useState } from 'react'
import type { BoardIndex } from '../boardModel.ts'
import { clashesAt, isSameTarget, placeTogether } from './placement.ts'
import type { PlacedShift, Placement } from './placement.ts'

interface PlacementOptions {
  index: BoardIndex
  mayPlan: boolean
  /** The shifts that are chosen and move together. */
  selected: readonly BoardShift[]
  onMove: (placed: readonly PlacedShift[]) => void
  onCopy: (placed: readonly PlacedShift[]) => void
}

/** The shift that is being moved or copied on the board, those that go with it, and the shifts they would clash with. */
export function usePlacement({ index, mayPlan, selected, onMove, onCopy }: PlacementOptions) {
  const [placement, setPlacement] = useState<Placement>()
  const canMove = (shift: BoardShift) => mayPlan && shift.status === 'planned'
  const placeAll = (now: Placement): PlacedShift[] =>
    placeTogether(now, now.copies ? selected : selected.filter(({ status }) => status === 'planned'))
  const placed = useMemo(
    () => (placement ? placeAll(placement) : []),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- placeAll depends on these alone
    [placement, selected],
  )
  const clashes = useMemo(
    () => (placement ? clashesAt(index, placed, placement.copies) : []),
    [index, placement, placed],
  )
  return {
    current: placement,
    placed,
    clashes,
    canMove,
    set: setPlacement,
    drop(now: Placement) {
      setPlacement(undefined)
      const all = placeAll(now)
      if (now.copies) onCopy(all)
      else if (all.some(({ shift, target }) => !isSameTarget(target, shift))) onMove(all)
    },
  }
}
export type PlacementControl = ReturnType<typeof usePlacement>
