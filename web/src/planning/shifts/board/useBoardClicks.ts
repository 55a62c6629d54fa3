import type { BoardShift } from '@roadshow/contract/planning/shifts'
import type { MouseEvent } from 'react'
import type { NewShiftPlace } from '../useSchedule.ts'
import { timeOf } from './boardModel.ts'
import type { OpenShiftMenu } from './ShiftMenu.tsx'
import type { PlacementControl } from './placement/usePlacement.ts'
import type { BoardSelection } from './useSelection.ts'

interface BoardClicksOptions {
  byHours: boolean
  mayPlan: boolean
  shiftOf: (bar: Element) => BoardShift | undefined
  placement: PlacementControl
  selection: BoardSelection
  /** Whether the click ends a drag. */
  takeDrop: () => boolean
  onMenu: (menu: OpenShiftMenu) => void
  onOpen: (uid: string) => void
  onCreate: (place: NewShiftPlace) => void
}

const startAt = (cell: HTMLElement, x: number) => {
  const { left, width } = cell.getBoundingClientRect()
  return timeOf(Math.floor(((x - left) / Math.max(1, width)) * 24) * 60)
}

/** Clicks on the board: on a bar, on a free cell, and for the menu of a bar. */
export function useBoardClicks(options: BoardClicksOptions) {
  const { byHours, mayPlan, shiftOf, placement, selection, takeDrop, onMenu, onOpen, onCreate } = options
  return {
    onClick(event: MouseEvent) {
      if (takeDrop()) return
      const target = event.target as Element
      const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
      if (row !== undefined) return mayPlan && !placement.current ? selection.toggleRow(row) : undefined
      const cell = target.closest<HTMLElement>('[data-day]')
      const { truck: truckUid = '', day: date = '' } = cell?.dataset ?? {}
      const { current } = placement
      if (current?.by === 'keys') {
        if (cell) placement.drop({ ...current, target: { ...current.target, truckUid, date } })
        return
      }
      const bar = target.closest('[data-shift]')
      const shift = bar && shiftOf(bar)
      if (shift && mayPlan && event.shiftKey) return selection.extendTo(shift)
      if (shift && mayPlan && (event.ctrlKey || event.metaKey || selection.isSelecting)) return selection.toggle(shift)
      if (shift) return onOpen(shift.uid)
      if (cell && mayPlan && !selection.isSelecting)
        onCreate({ truckUid, date, ...(byHours && { start: startAt(cell, event.clientX) }) })
    },
    onContextMenu(event: MouseEvent) {
      const bar = (event.target as Element).closest('[data-shift]')
      const shift = bar && shiftOf(bar)
      if (!shift) return
      event.preventDefault()
      const { left, bottom } = bar.getBoundingClientRect()
      // A menu that is opened by a key has no pointer position.
      onMenu({ shift, x: event.clientX || left, y: event.clientY || bottom })
    },
  }
}
