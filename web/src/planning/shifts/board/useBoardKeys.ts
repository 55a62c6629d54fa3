import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import type { KeyboardEvent, RefObject } from 'react'
import type { NewShiftPlace } from '../useSchedule.ts'
import type { BoardIndex, BoardRowModel } from './boardModel.ts'
import { nudgeTarget } from './placement/placement.ts'
import type { Placement, PlacementFrame } from './placement/placement.ts'
import { nextTabStop } from './tabStops.ts'
import type { TabStop } from './tabStops.ts'
import type { BoardFocus } from './useBoardFocus.ts'
import type { PlacementControl } from './placement/usePlacement.ts'
import type { BoardSelection } from './useSelection.ts'

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const HEAD_HEIGHT = 40

function scrollToRow(scroller: HTMLElement | null, row: BoardRowModel | undefined): void {
  if (!row || !scroller) return
  const lowest = scroller.clientHeight - row.height - HEAD_HEIGHT
  if (row.top < scroller.scrollTop) scroller.scrollTop = row.top
  else if (row.top > scroller.scrollTop + lowest) scroller.scrollTop = row.top - lowest
}

// The list of shortcuts shows them.
const READER_KEYS = [
  ['Arrows', 'Go to another cell or shift of the board'],
  ['Enter', 'Open the shift'],
]
const PLANNER_KEYS = [
  ['N', 'Plan a shift in the cell'],
  ['M', 'Move the shift'],
  ['C', 'Copy the shift'],
  ['Space', 'Select the shift'],
  ['Ctrl A', 'Select all shifts'],
  ['Delete', 'Delete the shift'],
]

interface BoardKeysOptions {
  scroller: RefObject<HTMLElement | null>
  frame: PlacementFrame
  index: BoardIndex
  mayPlan: boolean
  focus: BoardFocus
  placement: PlacementControl
  selection: BoardSelection
  onLift: (shift: BoardShift, copies: boolean) => void
  onCreate: (place: NewShiftPlace) => void
  onChangePlan: (kind: ShiftPlanChangeKind, shifts: readonly BoardShift[]) => void
}

/** The keys of the board: arrows move the focus or the lifted shift, N creates, M moves, C copies, Space selects. */
export function useBoardKeys(options: BoardKeysOptions) {
  const { scroller, frame, index, mayPlan, focus, placement, selection, onLift, onCreate, onChangePlan } = options

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

  /** Keys that change the plan; answers whether the key was one of them. */
  const planByKey = (key: string, stop: TabStop, shift: BoardShift | undefined): boolean => {
    if (!mayPlan) return false
    if (key === 'Escape' && (selection.shifts.length > 0 || selection.isSelecting)) selection.clear()
    else if (key === 'n' || (key === 'Enter' && !shift)) onCreate({ truckUid: stop.truckUid, date: stop.day })
    else if (!shift) return false
    else if (key === 'm' || key === 'c') onLift(shift, key === 'c')
    else if (key === ' ') selection.toggle(shift)
    else if (key === 'Delete') onChangePlan('delete', selection.has(shift.uid) ? selection.shifts : [shift])
    else return false
    return true
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (mayPlan && key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return selection.selectAll()
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (mayPlan && key === ' ' && event.shiftKey && focus.current) {
      event.preventDefault()
      return selection.toggleRow(focus.current.truckUid)
    }
    if (placement.current?.by === 'keys' && event.key !== 'Tab') return placeByKey(event, placement.current)
    const { current } = focus
    if (!current) return
    const shift = current.shiftUid ? index.shifts.get(current.shiftUid) : undefined
    const to = nextTabStop(current, key, frame, frame.byHours)
    if (to) focus.goTo(to)
    else if (!planByKey(key, current, shift)) return
    event.preventDefault()
  }
  // Some browsers press a button when the space bar is let go.
  const onKeyUp = (event: KeyboardEvent) => {
    if (mayPlan && event.key === ' ') event.preventDefault()
  }
  return { onKeyDown, onKeyUp, 'data-keys': JSON.stringify(mayPlan ? [...READER_KEYS, ...PLANNER_KEYS] : READER_KEYS) }
}
