import type { TrackPoint } from '@roadshow/contract'
import { type Track, withFixes } from './miles.ts'

/** A stretch of time, its end not included; in milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

export const DAY_MS = 86_400_000
export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

export interface SpanTrack extends Span {
  track: Track
}

export const within = <T extends { at: number }>({ from, to }: Span, all: readonly T[]): T[] =>
  all.filter(({ at }) => at >= from && at < to)

export const sameSpan = (one: Span, other: Span): boolean => one.from === other.from && one.to === other.to

export const overlap = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to

/** What is left of a span when others are taken out. */
export function without(whole: Span, taken: readonly Span[]): Span[] {
  const left: Span[] = []
  let { from } = whole
  for (const span of taken.toSorted((one, other) => one.from - other.from)) {
    if (span.from > from) left.push({ from, to: Math.min(span.from, whole.to) })
    from = Math.max(from, span.to)
    if (from >= whole.to) break
  }
  if (from < whole.to) left.push({ from, to: whole.to })
  return left.filter((span) => span.from < span.to)
}

/** A track that goes on with newer fixes, given in their order. Undefined when one of them belongs into its past. */
export function goneOn(track: Track, fixes: readonly TrackPoint[]): Track | undefined {
  const [first] = fixes
  if (first && track.last && first.at <= track.last.at) return undefined
  return withFixes(track, fixes)
}
