import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

/** The assumed heights of a row and of the place, before the first layout. */
const ROW_PX = 40
const PLACE_PX = 600
// Rows drawn beyond either edge.
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

/** The rows of a long table that are in view. Rows differ in height, because their texts wrap: each is measured when it is drawn. */
export function useVirtualRows(count: number) {
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: PLACE_PX })
  const [{ known, assumed }, setHeights] = useState<RowHeights>({ known: new Map(), assumed: ROW_PX })

  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight || PLACE_PX })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])

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
  const first = Math.max(0, rowAt(view.top, count, heightOf).index - OVERSCAN)
  const last = Math.min(count, rowAt(view.top + view.height, count, heightOf).index + 1 + OVERSCAN)
  const [above, below] = useMemo(() => {
    const sum = (from: number, to: number) => {
      let all = 0
      for (let index = from; index < to; index++) all += known.get(index) ?? assumed
      return all
    }
    return [sum(0, first), sum(last, count)]
  }, [known, assumed, first, last, count])
  return { place, measure, first, last, above, below }
}
