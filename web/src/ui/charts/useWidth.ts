import { useLayoutEffect, useRef, useState } from 'react'

const USUAL_WIDTH = 640

/** The width of an element, followed as it changes, so that a chart is drawn in the pixels of the screen. */
export function useWidth<E extends Element>() {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(USUAL_WIDTH)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = () => setWidth(Math.round(current.getBoundingClientRect().width) || USUAL_WIDTH)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
