import type { TruckSide } from '@roadshow/contract'

/** A play on one side of a truck. Times in milliseconds. */
export interface TimedPlay {
  side: TruckSide
  at: number
  durationMs: number
  /** For how long its file may be shown at once. */
  longestMs: number
}

/** Players begin the next ad a little early, so that the screen never is dark. */
const TOLERATED_MS = 1000

/** A picture, a video that is repeated, or a file that its set never had. */
export const LONGEST_REPEATED_MS = 600_000

/** For how long a file may be shown at once. A video is repeated while a spot lasts, which other sides may make longer. */
export const longestShowingMs = (fileMs: number | null | undefined): number =>
  Math.max(fileMs ?? 0, LONGEST_REPEATED_MS)

const endOf = ({ at, durationMs }: TimedPlay) => at + durationMs

/** Whether the length of a play is possible for its file. */
export const isTooLong = ({ durationMs, longestMs }: Pick<TimedPlay, 'durationMs' | 'longestMs'>): boolean =>
  durationMs > longestMs

/**
 * The plays that overlap another one on the same side: it is unknown which of them was seen. A play that is longer than
 * possible puts no other in doubt, because its length is wrong.
 */
export function findOverlaps<P extends TimedPlay>(plays: readonly P[]): Set<P> {
  const overlapping = new Set<P>()
  const longest = new Map<TruckSide, P>()
  const inOrder = plays.filter((play) => !isTooLong(play)).toSorted((one, other) => one.at - other.at)
  for (const play of inOrder) {
    const before = longest.get(play.side)
    if (before && Math.min(endOf(before), endOf(play)) - play.at > TOLERATED_MS) {
      overlapping.add(before)
      overlapping.add(play)
    }
    if (!before || endOf(play) > endOf(before)) longest.set(play.side, play)
  }
  return overlapping
}
