import { boxPath, ellipsePath, truckPaint } from './drawn-truck.ts'
import type { TruckShape } from './drawn-truck.ts'

// Apart from the other sides, which the first screens load.

/** The drawing seen from behind, with the place of its screen. */
export const TRUCK_REAR = { width: 244, height: 244, screen: { x: 47, y: 32, width: 150, height: 150 } } as const

/** Seen from behind, where the screen takes the place of the doors. */
export const truckRearShapes: readonly TruckShape[] = [
  { d: ellipsePath(122, 233, 100, 7), opacity: 0.24 },
  { d: boxPath({ x: 50, y: 186, width: 30, height: 46 }, 6), fill: truckPaint.tyre },
  { d: boxPath({ x: 164, y: 186, width: 30, height: 46 }, 6), fill: truckPaint.tyre },
  { d: boxPath({ x: 36, y: 20, width: 172, height: 180 }, 3), fill: truckPaint.box },
  { d: 'M36 196H208V210H36Z', fill: truckPaint.trim },
  { d: boxPath({ x: 42, y: 199, width: 16, height: 8 }, 2), fill: '#C6373C' },
  { d: boxPath({ x: 186, y: 199, width: 16, height: 8 }, 2), fill: '#C6373C' },
  { d: boxPath({ x: 102, y: 200, width: 40, height: 7 }, 1), fill: '#E8ECF3' },
]
