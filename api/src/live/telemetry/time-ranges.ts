import { DAY_MS } from '@roadshow/contract'

/** A range of time without its end, in milliseconds since 1970. */
export interface TimeRange {
  from: number
  to: number
}

export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

export const rangesOverlap = (one: TimeRange, other: TimeRange): boolean => one.from < other.to && other.from < one.to
