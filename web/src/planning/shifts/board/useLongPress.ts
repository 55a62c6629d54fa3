import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useEffect, useRef } from 'react'
import type { PointerEvent } from 'react'
import type { OpenShiftMenu } from './ShiftMenu.tsx'

const PRESS_MS = 500
const MOVED_PX = 10

interface LongPressOptions {
  shiftOf: (bar: Element) => BoardShift | undefined
  onMenu: (menu: OpenShiftMenu) => void
}

type PointerHandlers = Partial<
  Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', (event: PointerEvent) => void>
>

/** Handlers that call those of two others. */
export const bothHandlers = (one: PointerHandlers, other: PointerHandlers): PointerHandlers => ({
  onPointerDown: (event) => (one.onPointerDown?.(event), other.onPointerDown?.(event)),
  onPointerMove: (event) => (one.onPointerMove?.(event), other.onPointerMove?.(event)),
  onPointerUp: (event) => (one.onPointerUp?.(event), other.onPointerUp?.(event)),
  onPointerCancel: (event) => (one.onPointerCancel?.(event), other.onPointerCancel?.(event)),
})

/** A finger that rests on a bar opens its menu. Not every phone asks for a context menu then. */
export function useLongPress({ shiftOf, onMenu }: LongPressOptions) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const from = useRef({ x: 0, y: 0 })
  const hasOpened = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    /** Whether the click that follows belongs to a press that opened the menu; it is answered once. */
    takePress() {
      const { current } = hasOpened
      hasOpened.current = false
      return current
    },
    handlers: {
      onPointerDown({ pointerType, target, clientX: x, clientY: y }: PointerEvent) {
        hasOpened.current = false
        const bar = (target as Element).closest('[data-shift]')
        const shift = bar && shiftOf(bar)
        if (!shift || pointerType !== 'touch') return
        from.current = { x, y }
        timer.current = setTimeout(() => {
          hasOpened.current = true
          onMenu({ shift, x, y })
        }, PRESS_MS)
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        if (Math.hypot(clientX - from.current.x, clientY - from.current.y) > MOVED_PX) stop()
      },
      onPointerUp: stop,
      onPointerCancel: stop,
    },
  }
}
