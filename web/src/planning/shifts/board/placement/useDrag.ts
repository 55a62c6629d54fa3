import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { PointerEvent, RefObject } from 'react'
import { dragTarget, isSameTarget } from './placement.ts'
import type { Grip, PlacementFrame } from './placement.ts'
import type { PlacementControl } from './usePlacement.ts'

const START_PX = 4
const EDGE_PX = 7
const AUTOSCROLL_WITHIN_PX = 40
const AUTOSCROLL_STEP_PX = 14
export const FIRST_COLUMN = 132

interface HeldBar {
  shift: BoardShift
  grip: Grip
  x: number
  y: number
  pointerId: number
  grabbedAt: number
  hasBegun: boolean
}

interface DragOptions {
  scroller: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLElement | null>
  frame: PlacementFrame
  shiftOf: (bar: Element) => BoardShift | undefined
  placement: PlacementControl
}

const wantsCopy = ({ altKey, ctrlKey, metaKey }: PointerEvent) => altKey || ctrlKey || metaKey

/** A point of the screen in the canvas: the share of the columns, and pixels from the top. */
function pointIn(canvas: HTMLElement, x: number, y: number) {
  const { left, top, width } = canvas.getBoundingClientRect()
  return { across: (x - left - FIRST_COLUMN) / Math.max(1, width - FIRST_COLUMN), y: y - top }
}

/** The part of a bar under the pointer; only the hours view can drag its ends. */
function gripAt(bar: Element, x: number, byHours: boolean): Grip {
  const { left, right } = bar.getBoundingClientRect()
  if (!byHours || right - left <= 4 * EDGE_PX) return 'whole'
  if (x - left < EDGE_PX) return 'start'
  return right - x < EDGE_PX ? 'end' : 'whole'
}

function takeFlag(flag: RefObject<boolean>): boolean {
  const { current } = flag
  flag.current = false
  return current
}

/** Drags shifts with the pointer: to another truck, day or hour, or in the hours view by one end. */
export function useDrag({ scroller, canvas, frame, shiftOf, placement }: DragOptions) {
  const held = useRef<HeldBar>(undefined)
  const point = useRef({ x: 0, y: 0, copies: false })
  const hasDropped = useRef(false)

  const follow = () => {
    const now = held.current
    if (!now?.hasBegun || !canvas.current) return
    const { across, y } = pointIn(canvas.current, point.current.x, point.current.y)
    const target = dragTarget(now.shift, frame, { grip: now.grip, across, y, grabbedAt: now.grabbedAt })
    const copies = (point.current.copies && now.grip === 'whole') || !placement.canMove(now.shift)
    const before = placement.current
    if (before?.by === 'pointer' && isSameTarget(before.target, target) && before.copies === copies) return
    placement.set({ shift: now.shift, copies, by: 'pointer', target })
  }
  const cancel = () => {
    held.current = undefined
    placement.set(undefined)
  }
  const begin = (now: HeldBar) => {
    now.hasBegun = true
    scroller.current?.setPointerCapture?.(now.pointerId)
  }
  useAutoscroll({
    scroller,
    isDragging: placement.current?.by === 'pointer',
    pointer: () => (held.current?.hasBegun ? point.current : undefined),
    onScrolled: follow,
    onCancel: cancel,
  })

  return {
    /** Whether the next click ends a drag; it is answered once. */
    takeDrop: () => takeFlag(hasDropped),
    handlers: {
      onPointerDown(event: PointerEvent) {
        hasDropped.current = false
        if (canvas.current) held.current = holdBar(event, canvas.current, { shiftOf, placement, frame }) ?? held.current
      },
      onPointerMove(event: PointerEvent) {
        const now = held.current
        if (!now) return
        point.current = { x: event.clientX, y: event.clientY, copies: wantsCopy(event) }
        if (!now.hasBegun && Math.hypot(event.clientX - now.x, event.clientY - now.y) < START_PX) return
        if (!now.hasBegun) begin(now)
        follow()
      },
      onPointerUp() {
        const now = held.current
        held.current = undefined
        if (!now?.hasBegun) return
        hasDropped.current = true
        if (placement.current) placement.drop(placement.current)
      },
      onPointerCancel: cancel,
    },
  }
}

/** The bar that a press takes hold of, if it may be dragged. */
function holdBar(
  event: PointerEvent,
  canvas: HTMLElement,
  { shiftOf, placement, frame }: Pick<DragOptions, 'shiftOf' | 'placement' | 'frame'>,
): HeldBar | undefined {
  const bar = (event.target as Element).closest('[data-shift]')
  const shift = bar && shiftOf(bar)
  // A finger scrolls the board; it moves shifts with the menu.
  if (!shift || event.button !== 0 || event.pointerType === 'touch') return undefined
  if (!placement.canMove(shift) && !wantsCopy(event)) return undefined
  const { clientX: x, clientY: y, pointerId } = event
  const grip = gripAt(bar, x, frame.byHours)
  return { shift, grip, x, y, pointerId, grabbedAt: pointIn(canvas, x, y).across, hasBegun: false }
}

interface AutoscrollOptions {
  scroller: RefObject<HTMLElement | null>
  isDragging: boolean
  pointer: () => { x: number; y: number } | undefined
  onScrolled: () => void
  onCancel: () => void
}

const directionAt = (from: number, to: number, at: number) =>
  at < from + AUTOSCROLL_WITHIN_PX ? -1 : at > to - AUTOSCROLL_WITHIN_PX ? 1 : 0

/** While a bar is dragged, the board scrolls when the pointer is near an edge, and Escape cancels. */
function useAutoscroll({ scroller, isDragging, pointer, onScrolled, onCancel }: AutoscrollOptions) {
  const scroll = useEffectEvent(() => {
    const element = scroller.current
    const at = pointer()
    if (!element || !at) return
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const byY = directionAt(top + AUTOSCROLL_WITHIN_PX, bottom, at.y) * AUTOSCROLL_STEP_PX
    const byX = directionAt(left + FIRST_COLUMN, right, at.x) * AUTOSCROLL_STEP_PX
    if (byY === 0 && byX === 0) return
    element.scrollBy(byX, byY)
    onScrolled()
  })
  const cancelByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
  })
  useEffect(() => {
    if (!isDragging) return
    let frame = requestAnimationFrame(function next() {
      scroll()
      frame = requestAnimationFrame(next)
    })
    const onKeyDown = (event: KeyboardEvent) => cancelByKey(event)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [isDragging])
}
