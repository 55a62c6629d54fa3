// The drawn truck as shapes: the console, public pages and PDFs draw the same one. No schemas: the sign-in page loads it.

/** A part of the drawing: an SVG path with its paint, in the order in which parts cover each other. */
export interface TruckShape {
  d: string
  fill?: string
  stroke?: string
  strokeWidth?: number
  opacity?: number
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The drawing seen from the driver side, with the place of its screen. */
export const TRUCK_SIDE = { width: 480, height: 244, screen: { x: 144, y: 48, width: 282, height: 138 } } as const

// A truck keeps its paint in the dark, so these are not the theme's.
export const truckPaint = {
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
} as const

/** An ellipse around a point. */
export const ellipsePath = (x: number, y: number, rx: number, ry: number) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`

/** A box with rounded corners. */
export const boxPath = ({ x, y, width, height }: Box, r: number) =>
  `M${x + r} ${y}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - width}q${-r} 0 ${-r} ${-r}v${2 * r - height}q0 ${-r} ${r} ${-r}Z`

const wheel = (x: number): TruckShape[] => [
  { d: ellipsePath(x, 206, 27, 27), fill: truckPaint.tyre },
  { d: ellipsePath(x, 206, 15.5, 15.5), fill: truckPaint.rim },
  { d: ellipsePath(x, 206, 12, 12), fill: truckPaint.hub },
  { d: ellipsePath(x, 206, 4, 4), fill: truckPaint.trim },
]

const cab: readonly TruckShape[] = [
  { d: 'M124 84H136V200H124Z', fill: truckPaint.frame },
  { d: 'M58 76L90 61H154L124 76Z', fill: truckPaint.cabRoof },
  { d: 'M46 206A36 36 0 0 1 118 206Z', fill: truckPaint.frame },
  {
    d: 'M22 200V152Q22 146 25 140L49 84Q53 74 63 74H120Q126 74 126 80V206H116A34 34 0 0 0 48 206H28Q22 206 22 200Z',
    fill: truckPaint.cab,
  },
  { d: 'M41 132L59 90Q61 86 66 86H106Q110 86 110 90V128Q110 132 106 132Z', fill: truckPaint.glass },
  { d: 'M58 132L77 86H88L69 132Z', fill: '#FFFFFF', opacity: 0.14 },
  { d: 'M36 142H112M117 82V178', stroke: truckPaint.cabShade, strokeWidth: 2 },
  { d: boxPath({ x: 95, y: 149, width: 15, height: 4 }, 2), fill: truckPaint.glass },
  { d: 'M42 101L29 98', stroke: truckPaint.trim, strokeWidth: 3 },
  { d: boxPath({ x: 21, y: 95, width: 9, height: 27 }, 3), fill: truckPaint.trim },
  { d: 'M22 156H33Q37 156 37 160V167Q37 171 33 171H22Z', fill: '#FFF6E0' },
  { d: boxPath({ x: 16, y: 187, width: 36, height: 15 }, 4), fill: truckPaint.trim },
]

const box: readonly TruckShape[] = [
  { d: 'M126 196H436V208H126Z', fill: truckPaint.frame },
  { d: 'M436 196L466 182V194L436 208Z', fill: truckPaint.frame },
  { d: 'M134 38L164 24H466L436 38Z', fill: truckPaint.boxTop },
  { d: 'M436 38L466 24V182L436 196Z', fill: truckPaint.boxRear },
  { d: 'M441 46L461 36.7V173L441 182.3Z', fill: truckPaint.rearLit },
  { d: 'M134 38H436V196H134Z', fill: truckPaint.box },
  { d: 'M152 208H318L314 220H158Z', fill: truckPaint.trim },
  { d: 'M398 208H424V216H398Z', fill: truckPaint.trim },
]

/** Seen from the driver side, a little from behind, without what its screen shows. */
export const truckSideShapes: readonly TruckShape[] = [
  { d: ellipsePath(244, 233, 224, 7), opacity: 0.24 },
  ...cab,
  ...box,
]

/** Its wheels, which cover a little of the screen. */
export const truckWheelShapes: readonly TruckShape[] = [...wheel(82), ...wheel(362)]
