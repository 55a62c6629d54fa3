import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { useScrollView } from '../../../ui/rows/useVirtualRows.ts'
import { useIsPrinting } from '../../../ui/useIsPrinting.ts'
import { rowAt } from './boardModel.ts'
import type { BoardRowModel } from './boardModel.ts'

// Rows are drawn beyond the edges, and scrolling is read in steps; a transition lets it and dragging stay smooth.
const OVERSCAN_PX = 140
const STEP_PX = 90
// Browsers lay out and paint new rows in one go: this many do not disturb scrolling.
const ROWS_A_FRAME = 8

interface RowSpan {
  first: number
  last: number
}

/** The wanted rows that are drawn already, or else the first of them. */
function keptOf(drawn: RowSpan, { first, last }: RowSpan): RowSpan {
  const kept = { first: Math.max(drawn.first, first), last: Math.min(drawn.last, last) }
  return kept.first <= kept.last ? kept : { first, last: Math.min(last, first + ROWS_A_FRAME - 1) }
}

/** A few more of the wanted rows, those below first. */
function grown(kept: RowSpan, { first, last }: RowSpan): RowSpan {
  const below = Math.min(ROWS_A_FRAME, last - kept.last)
  const above = Math.min(ROWS_A_FRAME - below, kept.first - first)
  return { first: kept.first - above, last: kept.last + below }
}

const NONE: RowSpan = { first: 0, last: -1 }

/** Draws a few wanted rows per frame, and starts over when other days are shown. */
function useGradually(wanted: RowSpan, days: readonly string[]): RowSpan {
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

/** The rows to draw: the visible ones and a few around them. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly BoardRowModel[],
  days: readonly string[],
): RowSpan {
  const sight = useScrollView(scroller, { step: STEP_PX, update: startTransition })
  // Visible rows are drawn first, the overscan in a second step.
  const beyond = useDeferredValue(OVERSCAN_PX, 0)
  const isPrinting = useIsPrinting()
  const first = rowAt(rows, sight.top - beyond)
  const last = rowAt(rows, sight.top + STEP_PX + sight.height + beyond)
  const drawn = useGradually({ first, last }, days)
  return isPrinting ? { first: 0, last: rows.length - 1 } : drawn
}
