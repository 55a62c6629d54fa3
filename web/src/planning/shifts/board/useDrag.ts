import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { PointerEvent, RefObject } from 'react'
import { isSameTarget, dragTarget } from './placement.ts'
import type { Grip, Placement } from './placement.ts'
import type { BoardRowModel } from './boardModel.ts'

const BEGINS_AFTER = 4
const EDGE = 7
const SCROLLS_WITHIN = 40
const SCROLL_STEP = 14
export const FIRST_COLUMN = 132

interface Held {
  shift: BoardShift
  grip: Grip
  x: number
  y: number
  pointerId: number
  took: number
  hasBegun: boolean
}

interface DragParts {
  scroller: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLElement | null>
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
  shiftOf: (element: Element) => BoardShift | undefined
  mayMove: (shift: BoardShift) => boolean
  placing: Placement | undefined
  onPlacing: (placing: Placement | undefined) => void
  onDrop: (placing: Placement) => void
}

const copiesWith = ({ altKey, ctrlKey, metaKey }: PointerEvent) => altKey || ctrlKey || metaKey

/** How far down and across the columns a point is. */
function pointIn(canvas: HTMLElement, x: number, y: number) {
  const { left, top, width } = canvas.getBoundingClientRect()
  return { across: (x - left - FIRST_COLUMN) / Math.max(1, width - FIRST_COLUMN), y: y - top }
}

/** Dragging shifts with the pointer: a whole one to another truck, day or hour, or in the hours one of its ends. */
export function useDrag(parts: DragParts) {
  const { scroller, canvas, rows, days, byHours, shiftOf, mayMove, placing, onPlacing, onDrop } = parts
  const held = useRef<Held>(undefined)
  const point = useRef({ x: 0, y: 0, copies: false })
  const hasDropped = useRef(false)

  const follow = () => {
    const now = held.current
    if (!now?.hasBegun || !canvas.current) return
    const { across, y } = pointIn(canvas.current, point.current.x, point.current.y)
    const target = dragTarget(now.shift, { rows, days, byHours }, { grip: now.grip, across, y, took: now.took })
    const { copies: wantsCopy } = point.current
    const copies = (wantsCopy && now.grip === 'whole') || !mayMove(now.shift)
    if (placing?.by === 'pointer' && isSameTarget(placing.target, target) && placing.copies === copies) return
    onPlacing({ shift: now.shift, copies, by: 'pointer', target })
  }

  const stop = () => {
    held.current = undefined
    onPlacing(undefined)
  }

  // Near an edge the board scrolls on by itself, and what is under the pointer changes.
  const scrollOn = useEffectEvent(() => {
    const element = scroller.current
    if (!element || !held.current?.hasBegun) return
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const { x, y } = point.current
    const way = (from: number, to: number, at: number) =>
      at < from + SCROLLS_WITHIN ? -1 : at > to - SCROLLS_WITHIN ? 1 : 0
    const byY = way(top + SCROLLS_WITHIN, bottom, y) * SCROLL_STEP
    const byX = way(left + FIRST_COLUMN, right, x) * SCROLL_STEP
    if (byY === 0 && byX === 0) return
    element.scrollBy(byX, byY)
    follow()
  })
  const cancelByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') stop()
  })
  const isDragging = placing?.by === 'pointer'
  useEffect(() => {
    if (!isDragging) return
    let frame = requestAnimationFrame(function next() {
      scrollOn()
      frame = requestAnimationFrame(next)
    })
    const cancel = (event: KeyboardEvent) => cancelByKey(event)
    window.addEventListener('keydown', cancel)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', cancel)
    }
  }, [isDragging])

  return {
    /** Whether the click that follows belongs to a drag; asked once. */
    takeDrop() {
      const dropped = hasDropped.current
      hasDropped.current = false
      return dropped
    },
    handlers: {
      onPointerDown(event: PointerEvent) {
        hasDropped.current = false
        const bar = (event.target as Element).closest('[data-shift]')
        const shift = bar && shiftOf(bar)
        // A finger scrolls; it moves shifts by the menu.
        if (!shift || !canvas.current || event.button !== 0 || event.pointerType === 'touch') return
        if (!mayMove(shift) && !copiesWith(event)) return
        const { left, right } = bar.getBoundingClientRect()
        const isWide = right - left > 4 * EDGE
        const grip =
          byHours && isWide && event.clientX - left < EDGE
            ? 'start'
            : byHours && isWide && right - event.clientX < EDGE
              ? 'end'
              : 'whole'
        const { clientX: x, clientY: y, pointerId } = event
        held.current = { shift, grip, x, y, pointerId, took: pointIn(canvas.current, x, y).across, hasBegun: false }
      },
      onPointerMove(event: PointerEvent) {
        const now = held.current
        if (!now) return
        point.current = { x: event.clientX, y: event.clientY, copies: copiesWith(event) }
        if (!now.hasBegun) {
          if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < BEGINS_AFTER) return
          now.hasBegun = true
          scroller.current?.setPointerCapture?.(now.pointerId)
        }
        follow()
      },
      onPointerUp() {
        const now = held.current
        held.current = undefined
        if (!now?.hasBegun) return
        hasDropped.current = true
        if (placing) onDrop(placing)
      },
      onPointerCancel: stop,
    },
  }
}
