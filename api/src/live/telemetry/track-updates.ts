import type { TrackPoint } from '@roadshow/contract'
import { compareFixes, type TrackProgress } from './miles.ts'
import type { TrackerFix, OdometerReading } from './records.ts'
import { DAY_MS, type TimeRange, startOfDay } from './time-ranges.ts'

/** The news of a truck: fixes in their order, and hours to measure again. */
export interface TruckUpdate {
  truck: string
  fixes: TrackPoint[]
  readings: { at: number }[]
  hours: TimeRange[]
}

/** A shift that takes place, with the actual hours of its truck. */
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

/** Groups an update by truck. */
export function groupByTruck({ fixes = [], readings = [], due = [] }: TrackUpdate): TruckUpdate[] {
  const trucks = new Map<string, TruckUpdate>()
  const updateOf = (truck: string): TruckUpdate => {
    const known = trucks.get(truck) ?? { truck, fixes: [], readings: [], hours: [] }
    trucks.set(truck, known)
    return known
  }
  for (const fix of fixes) updateOf(fix.truck).fixes.push(fix)
  for (const { truck, at } of readings) updateOf(truck).readings.push({ at })
  for (const { truck, ...span } of due) updateOf(truck).hours.push(span)
  for (const update of trucks.values()) update.fixes.sort(compareFixes)
  return [...trucks.values()]
}

/** The whole days (UTC) that an update of a truck touches. */
export function daysAround({ fixes, readings, hours }: TruckUpdate): TimeRange {
  const from = [...[...fixes.slice(0, 1), ...readings].map(({ at }) => at), ...hours.map((span) => span.from)]
  const to = [...[...fixes.slice(-1), ...readings].map(({ at }) => at), ...hours.map((span) => span.to)]
  return { from: startOfDay(Math.min(...from)), to: startOfDay(Math.max(...to)) + DAY_MS }
}
