import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

interface Drag {
  id: string
  over: string | undefined
  isAfter: boolean
}

interface Ordered {
  ids: readonly string[]
  nameOf: (id: string) => string
  /** One of them leaves its place for another, counted without it. */
  onMove: (from: number, to: number) => void
}

// So near to an edge of the window the page scrolls along.
const EDGE_PX = 72
const STEP_PX = 18

const steps: Record<string, (from: number, last: number) => number> = {
  ArrowUp: (from) => from - 1,
  ArrowLeft: (from) => from - 1,
  ArrowDown: (from) => from + 1,
  ArrowRight: (from) => from + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Puts things in order by dragging their handles, with a finger too, or by the arrow keys on them. */
export function useReorder({ ids, nameOf, onMove }: Ordered) {
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLElement>(null)
  const refocus = useRef<string>(undefined)

  // What moved in the document has lost the focus.
  useEffect(() => {
    if (refocus.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${refocus.current}"]`)?.focus()
    refocus.current = undefined
  })

  const move = (id: string, to: number) => {
    const from = ids.indexOf(id)
    if (from < 0 || to === from || to < 0 || to >= ids.length) return
    onMove(from, to)
    setSaid(`${nameOf(id)} is now ${to + 1} of ${ids.length}.`)
  }

  const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (!drag) return
    if (y < EDGE_PX) scrollBy(0, -STEP_PX)
    if (y > innerHeight - EDGE_PX) scrollBy(0, STEP_PX)
    const place = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]')
    const over = place?.dataset['place']
    if (!place || over === undefined || !ids.includes(over)) return
    const { left, top, width, height } = place.getBoundingClientRect()
    // One below the other, or side by side.
    const isRow = width > (list.current?.clientWidth ?? 0) / 2
    setDrag({ ...drag, over, isAfter: isRow ? y > top + height / 2 : x > left + width / 2 })
  }

  const drop = () => {
    setDrag(undefined)
    if (!drag || drag.over === undefined || drag.over === drag.id) return
    const from = ids.indexOf(drag.id)
    const gap = ids.indexOf(drag.over) + (drag.isAfter ? 1 : 0)
    move(drag.id, gap > from ? gap - 1 : gap)
  }

  return {
    list,
    /** What has just moved, for those who do not see it. */
    said,
    place: (id: string) => ({
      'data-place': id,
      'data-dragged': drag?.id === id,
      'data-gap': drag?.over === id && drag.id !== id ? (drag.isAfter ? 'after' : 'before') : undefined,
    }),
    handle: (id: string) => ({
      type: 'button' as const,
      'data-handle': id,
      'aria-label': `Move ${nameOf(id)}`,
      title: 'Drag, or use the arrow keys',
      onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id, over: undefined, isAfter: false })
      },
      onPointerMove: follow,
      onPointerUp: drop,
      onPointerCancel: () => setDrag(undefined),
      onKeyDown: (event: KeyboardEvent) => {
        const step = steps[event.key]
        if (!step) return
        event.preventDefault()
        refocus.current = id
        move(id, step(ids.indexOf(id), ids.length - 1))
      },
    }),
  }
}
