import {
  TRUCK_SIDE,
  truckPaint as paint,
  truckSideShapes,
  truckWheelShapes,
} from '@roadshow/contract/catalog/drawn-truck'
import type { TruckShape } from '@roadshow/contract/catalog/drawn-truck'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { fontFamily } from './colors.ts'

const { screen: SCREEN } = TRUCK_SIDE

const AVERAGE_LETTER = 0.6
const LINE_HEIGHT = 1.15
const LARGEST_LETTERS = 50
const MARGIN = 24

/** The words in this many lines at most, each about as long as the others. */
function inLines(says: string, count: number): string[] {
  const length = Math.ceil(says.length / count)
  return says.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + word.length > length
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
}

function letterSize(lines: string[]): number {
  const longest = Math.max(...lines.map((line) => line.length))
  const wide = (SCREEN.width - 2 * MARGIN) / (AVERAGE_LETTER * longest)
  return Math.min(LARGEST_LETTERS, wide, (SCREEN.height - 2 * MARGIN) / (LINE_HEIGHT * lines.length))
}

/** Letters as large as the screen allows: a long name gets more lines or smaller letters, never a cut. */
function Sign({ says }: { says: string }) {
  const [lines = []] = [1, 2, 3].map((count) => inLines(says, count)).toSorted((a, b) => letterSize(b) - letterSize(a))
  const size = letterSize(lines)
  return (
    <text
      y={SCREEN.height / 2 + (0.36 - ((lines.length - 1) / 2) * LINE_HEIGHT) * size}
      textAnchor="middle"
      fontFamily={fontFamily}
      fontWeight={750}
      fontSize={size}
      letterSpacing="-0.02em"
      fill={paint.cab}
    >
      {lines.map((line, at) => (
        <tspan key={at} x={SCREEN.width / 2} dy={at && size * LINE_HEIGHT}>
          {line}
        </tspan>
      ))}
    </text>
  )
}

/** The parts of the drawing. */
export const TruckShapes = ({ shapes }: { shapes: readonly TruckShape[] }) =>
  shapes.map((shape, at) => (
    <path key={at} {...shape} {...(shape.stroke && { fill: 'none', strokeLinecap: 'round' as const })} />
  ))

interface Props {
  /** What the driver side shows in letters. */
  says?: string
  /** What the driver side shows instead: SVG content for a box of 282 × 138. */
  children?: ReactNode
  /** The drawing's name for people who do not see it; without one it is decoration. */
  title?: string
  width?: number | string
  className?: string
}

/** The brand's figure: a truck seen from its driver side, a little from behind, with its screens lit: plain, if it is given nothing to show. */
export function DrawnTruck({ says, children, title, width = 480, className }: Props) {
  const id = useId()
  return (
    <svg
      viewBox="0 0 480 244"
      width={width}
      className={className}
      {...(title ? { role: 'img', 'aria-labelledby': `${id}title` } : { 'aria-hidden': true })}
    >
      {title && <title id={`${id}title`}>{title}</title>}
      <defs>
        <clipPath id={`${id}screen`}>
          <rect width={SCREEN.width} height={SCREEN.height} rx={2} />
        </clipPath>
        <pattern id={`${id}led`} width={3} height={3} patternUnits="userSpaceOnUse">
          <path d="M0 2.5H3M2.5 0V3" stroke={paint.off} strokeOpacity={0.2} />
        </pattern>
      </defs>
      <TruckShapes shapes={truckSideShapes} />
      <g transform={`translate(${SCREEN.x} ${SCREEN.y})`} clipPath={`url(#${id}screen)`}>
        <rect width={SCREEN.width} height={SCREEN.height} fill={says || children ? paint.off : paint.cab} />
        {children ?? (says && <Sign says={says} />)}
        <rect width={SCREEN.width} height={SCREEN.height} fill={`url(#${id}led)`} />
      </g>
      <TruckShapes shapes={truckWheelShapes} />
    </svg>
  )
}
