import { shiftRange, timestamp } from '@roadshow/contract'

/** An instant on the clocks of a zone: `2026-07-01 20:00:00`; empty without an instant. */
export const formatLocalTime = (instant: string | number | Date | null, zone: string): string =>
  instant === null ? '' : timestamp(instant, zone)

/** The day in a zone at an instant. */
export const localDayOf = (now: Date, zone: string): string => formatLocalTime(now, zone).slice(0, 10)

/** Whether a text names a time zone, rather than says "the zone of each row". */
export function isZone(text: string): boolean {
  try {
    return timestamp(0, text) !== ''
  } catch {
    return false
  }
}

/** The instant at which clocks of a zone showed a time; null where they skipped it. */
export function instantOfClock(clock: string, zone: string): number | null {
  const [date, time, seconds] = [clock.slice(0, 10), clock.slice(11, 16), Number(clock.slice(17, 19))]
  const { startsAt } = shiftRange({ date, start: time, end: time, zone })
  return startsAt === undefined ? null : startsAt + seconds * 1000
}
