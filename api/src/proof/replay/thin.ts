import { GAP_MS, metersBetween, type TrackPoint } from '@roadshow/contract'

// Positions are sent in steps of three feet: what differs by less is the same.
const FIRST_TOLERANCE_M = 3
const TOLERANCE_KMH = 3

/** Where a truck that drives straight from one fix to another is at a moment. */
function between(one: TrackPoint, other: TrackPoint, at: number) {
  const share = (at - one.at) / (other.at - one.at)
  return {
    latitude: one.latitude + (other.latitude - one.latitude) * share,
    longitude: one.longitude + (other.longitude - one.longitude) * share,
  }
}

/** Whether the fixes between two others are where a line between the two has them, and as fast as the first. */
function isSaidBy(fixes: readonly TrackPoint[], first: number, last: number, toleranceM: number): boolean {
  const [start, end] = [fixes[first], fixes[last]]
  if (!start || !end || end.at - start.at > GAP_MS) return false
  for (let index = first + 1; index < last; index++) {
    const fix = fixes[index] as TrackPoint
    if (Math.abs((fix.speedKmh ?? 0) - (start.speedKmh ?? 0)) > TOLERANCE_KMH) return false
    if (metersBetween(fix, between(start, end, fix.at)) > toleranceM) return false
  }
  return true
}

// A longer look ahead would make thinning slow where a truck stands for hours.
const MOST_SKIPPED = 30

function thinBy(fixes: readonly TrackPoint[], toleranceM: number): TrackPoint[] {
  const kept: TrackPoint[] = []
  let at = 0
  while (at < fixes.length) {
    kept.push(fixes[at] as TrackPoint)
    let next = at + 1
    while (next + 1 < fixes.length && next - at < MOST_SKIPPED && isSaidBy(fixes, at, next + 1, toleranceM)) next++
    at = next
  }
  return kept
}

/**
 * At most about so many fixes of a track. All are kept while they are few enough; then those are left out first that lie
 * where the ones around them already say, in time as in space. Stops, turns and gaps stay.
 */
export function thinTrack(fixes: readonly TrackPoint[], most: number): readonly TrackPoint[] {
  let thinned = fixes
  for (let tolerance = FIRST_TOLERANCE_M; thinned.length > most && tolerance < 200; tolerance *= 2)
    thinned = thinBy(fixes, tolerance)
  return thinned
}
