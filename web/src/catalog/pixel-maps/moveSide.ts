import type { Canvas, PixelRectangle } from '@roadshow/contract/catalog/pixel-maps'

// LED modules are built in eights.
const STEP = 8

const snapped = (value: number, step: number) => Math.round(value / step) * step
const within = (value: number, min: number, max: number) => Math.max(min, Math.min(value, Math.max(min, max)))

/** How far the pointer went, in pixels of the canvas. */
interface SideDrag {
  dx: number
  dy: number
  step?: number | undefined
}

/** A rectangle moved by hand: in whole steps, and never beyond the canvas. */
export function moveSide(canvas: Canvas, rectangle: PixelRectangle, { dx, dy, step = STEP }: SideDrag): PixelRectangle {
  return {
    ...rectangle,
    x: within(snapped(rectangle.x + dx, step), 0, canvas.width - rectangle.width),
    y: within(snapped(rectangle.y + dy, step), 0, canvas.height - rectangle.height),
  }
}

/** A rectangle resized by its lower right corner. */
export function resizeSide(
  canvas: Canvas,
  rectangle: PixelRectangle,
  { dx, dy, step = STEP }: SideDrag,
): PixelRectangle {
  return {
    ...rectangle,
    width: within(snapped(rectangle.width + dx, step), Math.min(step, rectangle.width), canvas.width - rectangle.x),
    height: within(snapped(rectangle.height + dy, step), Math.min(step, rectangle.height), canvas.height - rectangle.y),
  }
}
