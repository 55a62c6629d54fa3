import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { rowAt } from './boardModel.ts'
import type { BoardRowModel } from './boardModel.ts'

// Rows are drawn some way beyond the edge, and the edge is looked at in steps: most scrolling draws nothing new.
const BEYOND_PX = 140
const STEP_PX = 90
// Where nothing is laid out yet, a screen's worth is drawn.
const USUAL_HEIGHT = 600

/** The rows to draw: those in sight of the scroller and a few around them. */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, rows: readonly BoardRowModel[]) {
  const [sight, setSight] = useState({ top: 0, height: USUAL_HEIGHT })
  // What is in sight comes first, what lies beyond in a second step.
  const beyond = useDeferredValue(BEYOND_PX, 0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const top = Math.floor(element.scrollTop / STEP_PX) * STEP_PX
      const height = element.clientHeight || USUAL_HEIGHT
      // Drawing rows may be interrupted: scrolling and dragging go on meanwhile.
      startTransition(() => setSight((now) => (now.top === top && now.height === height ? now : { top, height })))
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  return {
    first: rowAt(rows, sight.top - beyond),
    last: rowAt(rows, sight.top + STEP_PX + sight.height + beyond),
  }
}
