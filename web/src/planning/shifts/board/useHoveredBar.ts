import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useState } from 'react'
import type { MouseEvent, RefObject } from 'react'

export interface HoveredBar {
  shift: BoardShift
  right: number
  top: number
}

interface HoveredBarOptions {
  canvas: RefObject<HTMLElement | null>
  shiftOf: (bar: Element) => BoardShift | undefined
  isEnabled: boolean
}

/** The bar under the pointer, where its actions button appears. */
export function useHoveredBar({ canvas, shiftOf, isEnabled }: HoveredBarOptions) {
  const [hovered, setHovered] = useState<HoveredBar>()
  return {
    hovered,
    clear: () => setHovered(undefined),
    onMouseOver: (event: MouseEvent) => {
      const bar = (event.target as Element).closest<HTMLElement>('[data-shift]')
      const shift = bar ? shiftOf(bar) : undefined
      if (!bar || !shift || !isEnabled || !canvas.current) return setHovered(undefined)
      const { right, top } = bar.getBoundingClientRect()
      const around = canvas.current.getBoundingClientRect()
      setHovered({ shift, right: around.right - right, top: top - around.top })
    },
  }
}
