import type { BoardShift } from '@roadshow/contract/planning/shifts'
import type { KeyboardEvent, RefObject } from 'react'
import type { NewShiftPlace } from '../useSchedule.ts'
import type { BoardIndex, BoardRowModel } from './boardModel.ts'
import { nudgeTarget } from './placement.ts'
import type { Placement, PlacementFrame } from './placement.ts'
import { nextTabStop } from './tabStops.ts'
import type { BoardFocus } from './useBoardFocus.ts'
import type { PlacementControl } from './usePlacement.ts'

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const HEAD_HEIGHT = 40

function scrollToRow(scroller: HTMLElement | null, row: BoardRowModel | undefined): void {
  if (!row || !scroller) return
  const lowest = scroller.clientHeight - row.height - HEAD_HEIGHT
  if (row.top < scroller.scrollTop) scroller.scrollTop = row.top
  else if (row.top > scroller.scrollTop + lowest) scroller.scrollTop = row.top - lowest
}

interface BoardKeysOptions {
  scroller: RefObject<HTMLElement | null>
  frame: PlacementFrame
  index: BoardIndex
  mayPlan: boolean
  focus: BoardFocus
  placement: PlacementControl
  onLift: (shift: BoardShift, copies: boolean) => void
  onCreate: (place: NewShiftPlace) => void
}

/** The keys of the board: arrows move the focus or the lifted shift, N creates, M moves, C copies. */
export function useBoardKeys(options: BoardKeysOptions) {
  const { scroller, frame, index, mayPlan, focus, placement, onLift, onCreate } = options

  const placeByKey = (event: KeyboardEvent, now: Placement) => {
    event.preventDefault()
    if (event.key === 'Escape') placement.set(undefined)
    else if (event.key === 'Enter') {
      focus.focusAfterRender()
      placement.drop(now)
    } else if (ARROWS.includes(event.key)) {
      const target = nudgeTarget(now.target, event.key, event.shiftKey, frame)
      placement.set({ ...now, target })
      const row = frame.rows.find(({ truck }) => truck?.uid === target.truckUid)
      scrollToRow(scroller.current, row)
    }
  }

  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (placement.current?.by === 'keys' && event.key !== 'Tab') return placeByKey(event, placement.current)
    const { current } = focus
    if (!current) return
    const shift = current.shiftUid ? index.shifts.get(current.shiftUid) : undefined
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const to = nextTabStop(current, key, frame, frame.byHours)
    if (to) focus.goTo(to)
    else if (mayPlan && (key === 'n' || (key === 'Enter' && !shift))) {
      onCreate({ truckUid: current.truckUid, date: current.day })
    } else if (mayPlan && shift && (key === 'm' || key === 'c')) onLift(shift, key === 'c')
    else return
    event.preventDefault()
  }
}
