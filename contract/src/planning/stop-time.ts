// Where the window of a planned stop lies. This file has no schemas, so that a page can use it without loading zod.
import { addDays, instantAt, type ShiftHours } from './shift-time.ts'

/** From one time of day to another, in the zone of the shift: `17:00` to `19:00`. */
export interface StopWindow {
  from: string
  to: string
}

const DAY_MINUTES = 24 * 60
const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
/** The minutes by the clock from the start of a shift to a time of day. */
const minutesAfter = (start: string, clock: string) => (minutesOf(clock) - minutesOf(start) + DAY_MINUTES) % DAY_MINUTES

/** Whether a window lies inside a shift, by the clock. The database checks the same (shift_stops_fit). */
export function isInsideShift({ start, end }: Pick<ShiftHours, 'start' | 'end'>, { from, to }: StopWindow): boolean {
  const [opens, closes] = [minutesAfter(start, from), minutesAfter(start, to)]
  return opens < closes && closes <= minutesAfter(start, end)
}

export interface StopRange {
  /** In milliseconds since 1970; undefined where clocks skip that time. */
  opensAt: number | undefined
  closesAt: number | undefined
}

/**
 * When a window opens and closes. Windows are kept as times of day, so a shift that moves to another day takes them
 * along in local time; a time before the start of the shift is on the next day.
 */
export function stopRange({ date, start, zone }: ShiftHours, { from, to }: StopWindow): StopRange {
  const instant = (clock: string) => instantAt(clock < start ? addDays(date, 1) : date, clock, zone)
  return { opensAt: instant(from), closesAt: instant(to) }
}
