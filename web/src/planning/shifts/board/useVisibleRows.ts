import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { rowAt } from './boardModel.ts'
import type { BoardRowModel } from './boardModel.ts'

// Rows are drawn some way beyond the edge, and the edge is looked at in steps: most scrolling draws nothing new.
const BEYOND_PX = 140
const STEP_PX = 90
// Where nothing is laid out yet, a screen's worth is drawn.
const USUAL_HEIGHT = 600

// A browser lays out and paints what is new in one go: as many rows as it does without holding up who scrolls.
const ROWS_A_FRAME = 8

interface Stretch {
  first: number
  last: number
}

/** What is drawn already of the wanted rows, or else the first of them. */
function keptOf(drawn: Stretch, { first, last }: Stretch): Stretch {
  const kept = { first: Math.max(drawn.first, first), last: Math.min(drawn.last, last) }
  return kept.first <= kept.last ? kept : { first, last: Math.min(last, first + ROWS_A_FRAME - 1) }
}

/** A few more of the wanted rows, below first. */
function grown(kept: Stretch, { first, last }: Stretch): Stretch {
  const below = Math.min(ROWS_A_FRAME, last - kept.last)
  const above = Math.min(ROWS_A_FRAME - below, kept.first - first)
  return { first: kept.first - above, last: kept.last + below }
}

const NONE: Stretch = { first: 0, last: -1 }

/** Draws the wanted rows a few each frame; anew from the first of them when other days are shown. */
function useGradually(wanted: Stretch, days: readonly string[]): Stretch {
  const [drawn, setDrawn] = useState({ ...NONE, days })
  const kept = keptOf(drawn.days === days ? drawn : NONE, wanted)
  const { first, last } = grown(kept, wanted)
  useEffect(() => {
    if (drawn.first === first && drawn.last === last && drawn.days === days) return
    const frame = requestAnimationFrame(() => setDrawn({ first, last, days }))
    return () => cancelAnimationFrame(frame)
  }, [drawn, first, last, days])
  return kept
}

/** The rows to draw: those in sight of the scroller and a few around them. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly BoardRowModel[],
  days: readonly string[],
): Stretch {
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
  const first = rowAt(rows, sight.top - beyond)
  const last = rowAt(rows, sight.top + STEP_PX + sight.height + beyond)
  return useGradually({ first, last }, days)
}
