import { DAY_MS, type TrackPoint } from '@roadshow/contract'
import { compareFixes, LONGEST_GAP_MS } from './miles.ts'
import type { TrackerFix, OdometerReading } from './records.ts'
import { type TimeRange, startOfDay } from './time-ranges.ts'

/** The news of a truck: fixes in their order, and hours to measure again. */
export interface TruckUpdate {
  truck: string
  fixes: TrackPoint[]
  readings: { at: number }[]
  hours: TimeRange[]
  /** Days (UTC) that lost fixes, so that they are computed from all that is stored. */
  staleDays: Set<number>
}

export interface TrackUpdate {
  now: number
  fixes?: TrackerFix[]
  readings?: OdometerReading[]
  /** Hours of trucks to measure again. */
  due?: (TimeRange & { truck: string })[]
  /** Fixes that do not count any more: those of another source do. */
  removed?: { truck: string; at: number }[]
}

/** Groups an update by truck. */
export function groupByTruck({ fixes = [], readings = [], due = [], removed = [] }: TrackUpdate): TruckUpdate[] {
  const trucks = new Map<string, TruckUpdate>()
  const updateOf = (truck: string): TruckUpdate => {
    const known = trucks.get(truck) ?? { truck, fixes: [], readings: [], hours: [], staleDays: new Set() }
    trucks.set(truck, known)
    return known
  }
  for (const fix of fixes) updateOf(fix.truck).fixes.push(fix)
  for (const { truck, at } of readings) updateOf(truck).readings.push({ at })
  for (const { truck, ...span } of due) updateOf(truck).hours.push(span)
  for (const { truck, at } of removed) updateOf(truck).staleDays.add(startOfDay(at))
  for (const update of trucks.values()) update.fixes.sort(compareFixes)
  return [...trucks.values()]
}

/** The days (UTC) whose tracks an update may change, in their order. */
export function daysOf({ fixes, hours, staleDays }: TruckUpdate): number[] {
  const days = new Set([...staleDays, ...fixes.map(({ at }) => startOfDay(at))])
  // The step that ends a silence may belong to the hours and be counted with the fixes of the next day.
  for (const { from, to } of hours)
    for (let day = startOfDay(from); day < to + LONGEST_GAP_MS; day += DAY_MS) days.add(day)
  return [...days].toSorted((one, other) => one - other)
}

/** The time around an update in which a shift may be touched: by its track, or by the readings around its edges. */
export function timeAround({ fixes, readings, hours, staleDays }: TruckUpdate): TimeRange {
  const heard = [...fixes.slice(0, 1), ...fixes.slice(-1), ...readings].map(({ at }) => at)
  const points = [...heard, ...[...staleDays].flatMap((day) => [day, day + DAY_MS - 1])]
  const from = [...points, ...hours.map((span) => span.from)].reduce((one, other) => Math.min(one, other))
  const to = [...points, ...hours.map((span) => span.to)].reduce((one, other) => Math.max(one, other))
  return { from: startOfDay(from) - LONGEST_GAP_MS, to: startOfDay(to + LONGEST_GAP_MS) + DAY_MS }
}
