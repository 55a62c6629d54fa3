import { useId } from 'react'
import type { ReactNode } from 'react'
import { fontFamily } from './colors.ts'

/** The driver side’s screen: children are drawn in a box of this size. */
const SCREEN = { width: 282, height: 138 }

// A truck keeps its paint in the dark, so these are not the theme's.
const paint = {
  cab: '#FFB224',
  cabShade: '#DB9108',
  cabRoof: '#FFCD6B',
  glass: '#1B2536',
  trim: '#3B475C',
  box: '#2E394D',
  boxTop: '#4A5870',
  boxRear: '#232C3D',
  tyre: '#252E3D',
  frame: '#1B2331',
  off: '#0A0E15',
  rearLit: '#DB9108',
  hub: '#C3CBD8',
  rim: '#8A96A9',
}

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

function Wheel({ x }: { x: number }) {
  return (
    <g>
      <circle cx={x} cy={206} r={27} fill={paint.tyre} />
      <circle cx={x} cy={206} r={15.5} fill={paint.rim} />
      <circle cx={x} cy={206} r={12} fill={paint.hub} />
      <circle cx={x} cy={206} r={4} fill={paint.trim} />
    </g>
  )
}

function Cab() {
  return (
    <g>
      <path d="M124 84H136V200H124Z" fill={paint.frame} />
      <path d="M58 76L90 61H154L124 76Z" fill={paint.cabRoof} />
      <path d="M46 206A36 36 0 0 1 118 206Z" fill={paint.frame} />
      <path
        d="M22 200V152Q22 146 25 140L49 84Q53 74 63 74H120Q126 74 126 80V206H116A34 34 0 0 0 48 206H28Q22 206 22 200Z"
        fill={paint.cab}
      />
      <path d="M41 132L59 90Q61 86 66 86H106Q110 86 110 90V128Q110 132 106 132Z" fill={paint.glass} />
      <path d="M58 132L77 86H88L69 132Z" fill="#FFFFFF" opacity={0.14} />
      <path d="M36 142H112M117 82V178" stroke={paint.cabShade} strokeWidth={2} strokeLinecap="round" />
      <rect x={95} y={149} width={15} height={4} rx={2} fill={paint.glass} />
      <path d="M42 101L29 98" stroke={paint.trim} strokeWidth={3} />
      <rect x={21} y={95} width={9} height={27} rx={3} fill={paint.trim} />
      <path d="M22 156H33Q37 156 37 160V167Q37 171 33 171H22Z" fill="#FFF6E0" />
      <rect x={16} y={187} width={36} height={15} rx={4} fill={paint.trim} />
    </g>
  )
}

function Box() {
  return (
    <g>
      <path d="M126 196H436V208H126Z" fill={paint.frame} />
      <path d="M436 196L466 182V194L436 208Z" fill={paint.frame} />
      <path d="M134 38L164 24H466L436 38Z" fill={paint.boxTop} />
      <path d="M436 38L466 24V182L436 196Z" fill={paint.boxRear} />
      <path d="M441 46L461 36.7V173L441 182.3Z" fill={paint.rearLit} />
      <rect x={134} y={38} width={302} height={158} fill={paint.box} />
      <path d="M152 208H318L314 220H158Z" fill={paint.trim} />
      <path d="M398 208H424V216H398Z" fill={paint.trim} />
    </g>
  )
}

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
      <ellipse cx={244} cy={233} rx={224} ry={7} opacity={0.24} />
      <Cab />
      <Box />
      <g transform="translate(144 48)" clipPath={`url(#${id}screen)`}>
        <rect width={SCREEN.width} height={SCREEN.height} fill={says || children ? paint.off : paint.cab} />
        {children ?? (says && <Sign says={says} />)}
        <rect width={SCREEN.width} height={SCREEN.height} fill={`url(#${id}led)`} />
      </g>
      <Wheel x={82} />
      <Wheel x={362} />
    </svg>
  )
}
