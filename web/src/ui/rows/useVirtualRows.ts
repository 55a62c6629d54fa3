import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** The assumed heights of a row and of the place, before the first layout. */
const ROW_PX = 40
const PLACE_PX = 600
const OVERSCAN = 10

interface RowHeights {
  known: ReadonlyMap<number, number>
  /** The height of a row that was not drawn yet: the mean of those that were drawn first. */
  assumed: number
}

/** The first row that ends below a height, and the height above it. */
function rowAt(top: number, count: number, heightOf: (index: number) => number): { index: number; above: number } {
  let above = 0
  for (let index = 0; index < count; index++) {
    const next = above + heightOf(index)
    if (next > top) return { index, above }
    above = next
  }
  return { index: count, above }
}

interface ScrollViewOptions {
  /** The assumed height before the first layout. */
  height?: number
  /** Scrolling is read in steps, so that most scroll events draw nothing. */
  step?: number
  /** How the view is set, such as by `startTransition`. */
  update?: (set: () => void) => void
}

const atOnce = (set: () => void) => set()

/** The part of a scrolled place that is in view. */
export function useScrollView(
  place: RefObject<HTMLElement | null>,
  { height = PLACE_PX, step = 1, update = atOnce }: ScrollViewOptions = {},
) {
  const [view, setView] = useState({ top: 0, height })
  const look = useCallback(() => {
    const element = place.current
    if (!element) return
    const next = { top: Math.floor(element.scrollTop / step) * step, height: element.clientHeight || height }
    update(() => setView((now) => (now.top === next.top && now.height === next.height ? now : next)))
  }, [place, height, step, update])
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [place, look])
  return { ...view, look }
}

interface VirtualRowsOptions {
  /** The height of a row, which is only assumed where rows are measured. */
  rowPx?: number
  /** The assumed height of the place. */
  placePx?: number
  /** Rows drawn beyond either edge. */
  overscan?: number
}

/** The rows of a long list or table that are in view. Rows whose texts wrap differ in height: `measure` takes their heights when they are drawn. */
export function useVirtualRows(
  count: number,
  { rowPx = ROW_PX, placePx = PLACE_PX, overscan = OVERSCAN }: VirtualRowsOptions = {},
) {
  const place = useRef<HTMLDivElement>(null)
  const { look, ...view } = useScrollView(place, { height: placePx })
  const [{ known, assumed }, setHeights] = useState<RowHeights>({ known: new Map(), assumed: rowPx })

  /** Measures the drawn rows of a table's body, from one place to another. */
  const measure = useCallback((body: HTMLElement | null, from: number, to: number) => {
    const drawn = [...(body?.querySelectorAll<HTMLElement>('[data-index]') ?? [])]
    setHeights((before) => {
      const news = drawn
        .map((row) => [Number(row.dataset.index), row.offsetHeight] as const)
        .filter(([index, height]) => height > 0 && from <= index && index < to && before.known.get(index) !== height)
      if (news.length === 0) return before
      const mean = news.reduce((sum, [, height]) => sum + height, 0) / news.length
      // Set once: later changes of it would move the rows in view.
      const assumed = before.known.size === 0 ? mean : before.assumed
      return { known: new Map([...before.known, ...news]), assumed }
    })
  }, [])

  const heightOf = (index: number) => known.get(index) ?? assumed
  const first = Math.max(0, rowAt(view.top, count, heightOf).index - overscan)
  const last = Math.min(count, rowAt(view.top + view.height, count, heightOf).index + 1 + overscan)
  const [above, below] = useMemo(() => {
    const sum = (from: number, to: number) => {
      let all = 0
      for (let index = from; index < to; index++) all += known.get(index) ?? assumed
      return all
    }
    return [sum(0, first), sum(last, count)]
  }, [known, assumed, first, last, count])
  /** Scrolls a row into view. */
  const reveal = (index: number) => {
    const element = place.current
    if (!element) return
    let top = 0
    for (let before = 0; before < index; before++) top += heightOf(before)
    const bottom = top + heightOf(index)
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
    look()
  }
  return { place, height: view.height, measure, reveal, first, last, above, below }
}
