import type { TrackPoint } from '@roadshow/contract'
import { inOrder, type Track } from './miles.ts'
import type { SaidFix, SaidReading } from './records.ts'
import { DAY_MS, type Span, startOfDay } from './time-ranges.ts'

/** What is new of a truck: its fixes in their order, and other hours that are to be looked at again. */
export interface Touched {
  truck: string
  fixes: TrackPoint[]
  readings: { at: number }[]
  hours: Span[]
}

/** A shift that takes place, in the hours that its truck really was on it. */
export interface DrivenShift extends Span {
  uid: string
  truck: string
  stored: { track: Track; odometerMetres: number | null } | null
}

export interface News {
  now: number
  fixes?: SaidFix[]
  readings?: SaidReading[]
  /** Hours of trucks in which shifts were changed. */
  due?: (Span & { truck: string })[]
}

/** What is new, truck by truck. */
export function byTruck({ fixes = [], readings = [], due = [] }: News): Touched[] {
  const trucks = new Map<string, Touched>()
  const touched = (truck: string): Touched => {
    const known = trucks.get(truck) ?? { truck, fixes: [], readings: [], hours: [] }
    trucks.set(truck, known)
    return known
  }
  for (const fix of fixes) touched(fix.truck).fixes.push(fix)
  for (const { truck, at } of readings) touched(truck).readings.push({ at })
  for (const { truck, ...span } of due) touched(truck).hours.push(span)
  for (const { fixes: given } of trucks.values()) given.sort(inOrder)
  return [...trucks.values()]
}

/** The whole days (UTC) that the news of a truck fall into. */
export function daysAround({ fixes, readings, hours }: Touched): Span {
  const from = [...[...fixes.slice(0, 1), ...readings].map(({ at }) => at), ...hours.map((span) => span.from)]
  const to = [...[...fixes.slice(-1), ...readings].map(({ at }) => at), ...hours.map((span) => span.to)]
  return { from: startOfDay(Math.min(...from)), to: startOfDay(Math.max(...to)) + DAY_MS }
}
