import { useState } from 'react'
import type { KeyboardEvent } from 'react'

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** The bars of a chart as one stop of the Tab key, with arrows from one to the next, and the one whose figures are shown. */
export function useMarks(count: number) {
  const [current, setCurrent] = useState(0)
  const [shown, setShown] = useState<number>()
  const stop = Math.min(current, Math.max(0, count - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = step(stop, count - 1)
    setCurrent(next)
    event.currentTarget.closest('svg')?.querySelectorAll<SVGElement>('[tabindex]')[next]?.focus()
  }
  const markProps = (index: number) => ({
    isTabStop: index === stop,
    onKeyDown,
    onActive: (isActive: boolean) => {
      if (isActive) setCurrent(index)
      setShown(isActive ? index : undefined)
    },
  })
  return { shown, markProps }
}
