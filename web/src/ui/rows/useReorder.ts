import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

interface Drag {
  id: string
  over: string | undefined
  isAfter: boolean
}

interface ReorderOptions {
  ids: readonly string[]
  nameOf: (id: string) => string
  /** `to` is the place in the list without the moved item. */
  onMove: (from: number, to: number) => void
}

// Within this distance of the window's edge the page scrolls.
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

/** The item under the pointer, and whether the gap is after it. */
function itemAt(x: number, y: number, list: HTMLElement | null) {
  const place = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]')
  const over = place?.dataset['place']
  if (!place || over === undefined) return undefined
  const { left, top, width, height } = place.getBoundingClientRect()
  // Items stand below each other, or side by side.
  const isRow = width > (list?.clientWidth ?? 0) / 2
  return { over, isAfter: isRow ? y > top + height / 2 : x > left + width / 2 }
}

function scrollNearEdge(y: number): void {
  if (y < EDGE_PX) scrollBy(0, -STEP_PX)
  if (y > innerHeight - EDGE_PX) scrollBy(0, STEP_PX)
}

/** Reorders items by dragging their handles, with a finger too, or with the arrow keys on a handle. */
export function useReorder({ ids, nameOf, onMove }: ReorderOptions) {
  const [drag, setDrag] = useState<Drag>()
  const [announcement, announce] = useState('')
  const list = useRef<HTMLElement>(null)
  const refocus = useRef<string>(undefined)

  // An item that moved in the document has lost the focus.
  useEffect(() => {
    if (refocus.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${refocus.current}"]`)?.focus()
    refocus.current = undefined
  })

  const move = (id: string, to: number) => {
    const from = ids.indexOf(id)
    if (from < 0 || to === from || to < 0 || to >= ids.length) return
    onMove(from, to)
    announce(`${nameOf(id)} is now ${to + 1} of ${ids.length}.`)
  }
  const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (!drag) return
    scrollNearEdge(y)
    const item = itemAt(x, y, list.current)
    if (item && ids.includes(item.over)) setDrag({ ...drag, ...item })
  }
  const drop = () => {
    setDrag(undefined)
    if (!drag || drag.over === undefined || drag.over === drag.id) return
    const from = ids.indexOf(drag.id)
    const gap = ids.indexOf(drag.over) + (drag.isAfter ? 1 : 0)
    move(drag.id, gap > from ? gap - 1 : gap)
  }
  const onKeyDown = (id: string) => (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    refocus.current = id
    move(id, step(ids.indexOf(id), ids.length - 1))
  }
  const onPointerDown = (id: string) => (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ id, over: undefined, isAfter: false })
  }
  const pointer = { onPointerMove: follow, onPointerUp: drop, onPointerCancel: () => setDrag(undefined) }
  return {
    list,
    /** The last move, for screen readers. */
    announcement,
    place: (id: string) => placeProps(id, drag),
    handle: (id: string) => ({
      ...handleProps(id, nameOf(id)),
      onPointerDown: onPointerDown(id),
      ...pointer,
      onKeyDown: onKeyDown(id),
    }),
  }
}

const handleProps = (id: string, name: string) => ({
  type: 'button' as const,
  'data-handle': id,
  'aria-label': `Move ${name}`,
  title: 'Drag, or use the arrow keys',
})

const placeProps = (id: string, drag: Drag | undefined) => ({
  'data-place': id,
  'data-dragged': drag?.id === id,
  'data-gap': drag?.over === id && drag.id !== id ? (drag.isAfter ? 'after' : 'before') : undefined,
})
