import type { TrackPoint } from '@roadshow/contract'
import { type TrackProgress, withFixes } from './miles.ts'

/** A range of time without its end, in milliseconds since 1970. */
export interface TimeRange {
  from: number
  to: number
}

export const DAY_MS = 86_400_000
export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

export interface RangeTrack extends TimeRange {
  track: TrackProgress
}

export const pointsWithin = <T extends { at: number }>({ from, to }: TimeRange, all: readonly T[]): T[] =>
  all.filter(({ at }) => at >= from && at < to)

export const isSameRange = (one: TimeRange, other: TimeRange): boolean => one.from === other.from && one.to === other.to

export const rangesOverlap = (one: TimeRange, other: TimeRange): boolean => one.from < other.to && other.from < one.to

/** The parts of a range that the others leave. */
export function subtractRanges(whole: TimeRange, taken: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = []
  let { from } = whole
  for (const span of taken.toSorted((one, other) => one.from - other.from)) {
    if (span.from > from) left.push({ from, to: Math.min(span.from, whole.to) })
    from = Math.max(from, span.to)
    if (from >= whole.to) break
  }
  if (from < whole.to) left.push({ from, to: whole.to })
  return left.filter((span) => span.from < span.to)
}

/** Extends a track by newer fixes in their order. Undefined if a fix is older than the end of the track. */
export function extendTrack(track: TrackProgress, fixes: readonly TrackPoint[]): TrackProgress | undefined {
  const [first] = fixes
  if (first && track.last && first.at <= track.last.at) return undefined
  return withFixes(track, fixes)
}
