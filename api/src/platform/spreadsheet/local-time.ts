import { timestamp } from '@roadshow/contract'

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
