import { metersBetween } from '../platform/geo.ts'
import type { TrackPoint } from '../platform/geo.ts'

/** After a longer silence, the way between two fixes is not known. */
export const GAP_MS = 5 * 60_000

// A truck that stood before and after a gap, and is nearly where it was, has not moved.
const STANDING_KMH = 5
export const STOOD_M = 500

export const isStanding = ({ speedKmh }: TrackPoint): boolean => (speedKmh ?? 0) < STANDING_KMH

/** Whether a truck stood before and after a silence and is nearly where it was: it has not moved. */
export const stayedPut = (before: TrackPoint, after: TrackPoint): boolean =>
  isStanding(before) && isStanding(after) && metersBetween(before, after) < STOOD_M
