import { localDay, type TruckDayMiles } from '@roadshow/contract'
import type { UnassignedHour } from '../telemetry/index.ts'

/** A shift of a truck that takes place, with the hours of its hold (milliseconds since 1970) and its miles, if known. */
export interface ShiftOfTruck {
  uid: string
  clientUid: string
  program: string
  date: string
  zone: string
  start: string
  end: string
  from: number
  to: number
  metres: number | null
  gpsMetres: number | null
  source: 'gps' | 'odometer' | null
}

/** What a truck's days are put together from. */
export interface DayFacts {
  /** In the order of their start. */
  shifts: readonly ShiftOfTruck[]
  hours: readonly UnassignedHour[]
  /** The zone of the truck's home market. */
  homeZone: string
}

/**
 * The zone of a truck's day: that of the shift it was on last. A truck before its first shift is in the zone of that
 * shift, and a truck without any in the zone of its home market.
 */
export function zoneAt(at: number, { shifts, homeZone }: Pick<DayFacts, 'shifts' | 'homeZone'>): string {
  const last = shifts.findLast(({ from }) => from <= at)
  return last?.zone ?? shifts[0]?.zone ?? homeZone
}

const sumOf = (all: readonly (number | null)[]): number | null => {
  const known = all.filter((each) => each !== null)
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
}

/**
 * The days of a truck that have a shift or data, in their order. A shift with all its miles belongs to the day on which
 * it began; unassigned miles belong to the local day on which they were driven. Shifts and unassigned add up to the day.
 */
export function milesByDay(facts: DayFacts, first: string, last: string): TruckDayMiles[] {
  const days = new Map<string, { shifts: ShiftOfTruck[]; unassigned: number | null }>()
  const dayOf = (date: string) => {
    const known = days.get(date) ?? { shifts: [], unassigned: null }
    if (date >= first && date <= last) days.set(date, known)
    return known
  }
  for (const shift of facts.shifts) dayOf(shift.date).shifts.push(shift)
  for (const { from, meters } of facts.hours) {
    const day = dayOf(localDay(zoneAt(from, facts), from))
    day.unassigned = (day.unassigned ?? 0) + meters
  }
  return [...days]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, { shifts, unassigned }]) => ({
      uid: date,
      date,
      shifts: shifts.map(({ uid, program, start, end, metres, source }) => ({
        uid,
        program,
        start,
        end,
        metres,
        source,
      })),
      shiftMetres: sumOf(shifts.map(({ metres }) => metres)),
      unassignedMetres: unassigned,
      metres: sumOf([...shifts.map(({ metres }) => metres), unassigned]),
      gpsMetres: sumOf([...shifts.map(({ gpsMetres }) => gpsMetres), unassigned]),
    }))
}

/** The present day of a truck: the day of the shift it is on, otherwise the local day. */
export function presentDay(facts: Pick<DayFacts, 'shifts' | 'homeZone'>, now: number): string {
  const current = facts.shifts.findLast(({ from, to }) => from <= now && now < to)
  return current?.date ?? localDay(zoneAt(now, facts), now)
}

/**
 * The hours of a truck's day, between two midnights of its zone. A shift that runs over midnight moves both ends: its
 * hours belong to the day on which it began.
 */
export function hoursOfDay(
  date: string,
  midnights: { from: number; to: number },
  shifts: readonly ShiftOfTruck[],
): { from: number; to: number } {
  const over = (isMine: (shift: ShiftOfTruck) => boolean, midnight: number) =>
    shifts.reduce((end, shift) => (isMine(shift) && shift.from < midnight ? Math.max(end, shift.to) : end), midnight)
  return {
    from: over((shift) => shift.date < date, midnights.from),
    to: over((shift) => shift.date <= date, midnights.to),
  }
}
