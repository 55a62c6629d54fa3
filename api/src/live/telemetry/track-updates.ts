import type { TrackPoint } from '@roadshow/contract'
import { compareFixes, type TrackProgress } from './miles.ts'
import type { TrackerFix, OdometerReading } from './records.ts'
import { DAY_MS, type TimeRange, startOfDay } from './time-ranges.ts'

/** What is new of a truck: its fixes in their order, and other hours that are to be looked at again. */
export interface TruckUpdate {
  truck: string
  fixes: TrackPoint[]
  readings: { at: number }[]
  hours: TimeRange[]
}

/** A shift that takes place, in the hours that its truck really was on it. */
export interface MeasuredShift extends TimeRange {
  uid: string
  truck: string
  stored: { track: TrackProgress; odometerMetres: number | null } | null
}

export interface TrackUpdate {
  now: number
  fixes?: TrackerFix[]
  readings?: OdometerReading[]
  /** Hours of trucks in which shifts were changed. */
  due?: (TimeRange & { truck: string })[]
}

/** What is new, truck by truck. */
export function groupByTruck({ fixes = [], readings = [], due = [] }: TrackUpdate): TruckUpdate[] {
  const trucks = new Map<string, TruckUpdate>()
  const touched = (truck: string): TruckUpdate => {
    const known = trucks.get(truck) ?? { truck, fixes: [], readings: [], hours: [] }
    trucks.set(truck, known)
    return known
  }
  for (const fix of fixes) touched(fix.truck).fixes.push(fix)
  for (const { truck, at } of readings) touched(truck).readings.push({ at })
  for (const { truck, ...span } of due) touched(truck).hours.push(span)
  for (const { fixes: given } of trucks.values()) given.sort(compareFixes)
  return [...trucks.values()]
}

/** The whole days (UTC) that the news of a truck fall into. */
export function daysAround({ fixes, readings, hours }: TruckUpdate): TimeRange {
  const from = [...[...fixes.slice(0, 1), ...readings].map(({ at }) => at), ...hours.map((span) => span.from)]
  const to = [...[...fixes.slice(-1), ...readings].map(({ at }) => at), ...hours.map((span) => span.to)]
  return { from: startOfDay(Math.min(...from)), to: startOfDay(Math.max(...to)) + DAY_MS }
}
