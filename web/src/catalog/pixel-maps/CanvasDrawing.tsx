import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { Canvas, PixelRectangle, PixelSides, TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { useRef } from 'react'
import type { PointerEvent } from 'react'
import { sizeText } from './measures.ts'
import { moveSide, resizeSide } from './moveSide.ts'
import styles from './CanvasDrawing.module.css'

interface CanvasDrawingProps {
  canvas: Canvas
  sides: PixelSides
  /** Sides that lie where they may not. */
  problems?: Partial<Record<TruckSide, string>>
  /** Makes the sides movable. The numbers beside the drawing do the same by keyboard. */
  onChange?: (side: TruckSide, rectangle: PixelRectangle) => void
}

interface Drag {
  side: TruckSide
  act: typeof moveSide
  from: DOMPoint
  rectangle: PixelRectangle
}

/** Moves and resizes the sides by the pointer: `grab` gives the handlers of what can be dragged. */
function useSideDrag({ canvas, sides, onChange }: CanvasDrawingProps) {
  const drag = useRef<Drag>(null)
  const svg = useRef<SVGSVGElement>(null)

  const pointOf = ({ clientX, clientY }: PointerEvent) =>
    new DOMPoint(clientX, clientY).matrixTransform(svg.current?.getScreenCTM()?.inverse())

  const grab = (side: TruckSide, act: typeof moveSide) => ({
    onPointerDown: (event: PointerEvent<SVGElement>) => {
      if (!onChange || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { side, act, from: pointOf(event), rectangle: sides[side] }
    },
    onPointerMove: (event: PointerEvent<SVGElement>) => {
      if (!drag.current || !onChange) return
      const { act, from, rectangle } = drag.current
      const to = pointOf(event)
      const step = event.altKey ? 1 : undefined
      onChange(side, act(canvas, rectangle, { dx: to.x - from.x, dy: to.y - from.y, step }))
    },
    onPointerUp: () => {
      drag.current = null
    },
  })

  return { svg, grab }
}

/** The canvas and its sides, to scale. */
export function CanvasDrawing(props: CanvasDrawingProps) {
  const { canvas, sides, problems = {}, onChange } = props
  const { svg, grab } = useSideDrag(props)
  // A drawing is about 640 wide on the screen; letters and handles are sized for that.
  const unit = Math.max(canvas.width / 640, canvas.height / 320)

  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${canvas.width} ${canvas.height}`}
      preserveAspectRatio="xMinYMid"
      className={styles.drawing}
      data-movable={onChange !== undefined}
      role="img"
      aria-label={`Canvas of ${sizeText(canvas)} pixels: ${truckSides.map((side) => placeText(side, sides[side])).join('; ')}`}
    >
      <rect width={canvas.width} height={canvas.height} className={styles.canvas} />
      {truckSides.map((side) => {
        const { x, y, width, height } = sides[side]
        const letters = Math.min(unit * 15, height / 3, width / 6)
        return (
          <g key={side} data-side={side} data-bad={problems[side] !== undefined} className={styles.side}>
            <rect x={x} y={y} width={width} height={height} {...grab(side, moveSide)} />
            <text x={x + width / 2} y={y + height / 2} fontSize={letters} dy="-0.2em">
              {truckSideLabel[side]}
            </text>
            <text x={x + width / 2} y={y + height / 2} fontSize={letters * 0.85} dy="1em">
              {sizeText(sides[side])}
            </text>
            {onChange && (
              <rect
                x={x + width - Math.min(unit * 14, width)}
                y={y + height - Math.min(unit * 14, height)}
                width={Math.min(unit * 14, width)}
                height={Math.min(unit * 14, height)}
                className={styles.handle}
                {...grab(side, resizeSide)}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}

const placeText = (side: TruckSide, rectangle: PixelRectangle) =>
  `${truckSideLabel[side].toLowerCase()} ${sizeText(rectangle)} at ${rectangle.x}, ${rectangle.y}`
