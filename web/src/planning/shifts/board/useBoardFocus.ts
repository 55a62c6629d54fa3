import { useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent, RefObject } from 'react'
import type { BoardIndex } from './boardModel.ts'
import { resolveTabStop } from './tabStops.ts'
import type { BoardFrame, TabStop } from './tabStops.ts'

const selectorOf = ({ shiftUid, truckUid, day }: TabStop) =>
  shiftUid ? `[data-shift="${shiftUid}"]` : `[data-truck="${truckUid}"][data-day="${day}"]`

interface BoardFocusOptions extends BoardFrame {
  canvas: RefObject<HTMLElement | null>
  index: BoardIndex
  today: string
}

/** The one cell or bar of the board that the Tab key reaches, and the focus that follows it. */
export function useBoardFocus({ canvas, index, rows, days, today }: BoardFocusOptions) {
  const hadFocus = useRef(false)
  const wantsFocus = useRef(false)
  const [stop, setStop] = useState<TabStop>()
  const current = resolveTabStop(stop, { rows, days }, index, today)

  // The focused bar may be drawn in another place now, or be drawn for the first time.
  useLayoutEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body
    if ((!wantsFocus.current && !isLost) || !current || !canvas.current) return
    const found = canvas.current.querySelector<HTMLElement>(selectorOf(current))
    found?.focus({ preventScroll: true })
    if (wantsFocus.current) found?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    wantsFocus.current = false
  }, [canvas, current])

  /** Focuses the tab stop after the next render. */
  const focusAfterRender = () => {
    wantsFocus.current = true
  }
  return {
    current,
    focusAfterRender,
    goTo(to: TabStop) {
      focusAfterRender()
      setStop(to)
    },
    handlers: {
      onFocus({ target }: FocusEvent) {
        hadFocus.current = true
        const bar = target.closest('[data-shift]')
        const { truck: truckUid, day } = target.closest<HTMLElement>('[data-day]')?.dataset ?? {}
        if (truckUid && day) setStop({ truckUid, day, shiftUid: bar?.getAttribute('data-shift') ?? undefined })
      },
      onBlur({ relatedTarget }: FocusEvent) {
        if (relatedTarget) hadFocus.current = false
      },
    },
  }
}
export type BoardFocus = ReturnType<typeof useBoardFocus>
