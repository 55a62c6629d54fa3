import { metersBetween, type TrackPoint } from '@roadshow/contract'

/** Increases when the same points would give other miles, so that published figures can be distinguished. */
export const MILES_VERSION = 1

/** The state of a track after some of its fixes, in the order of their times. */
export interface TrackProgress {
  /** The fix up to which distance is counted. */
  anchor: TrackPoint | null
  /** The newest fix. */
  last: TrackPoint | null
  /** How far the truck can have come since the anchor, by the speeds it reported. */
  reachM: number
  /** A place out of reach for the truck, and how many fixes in a row report it. */
  elsewhere: { fix: TrackPoint; count: number } | null
  metres: number
  /** The part of the distance that spans gaps, where only both ends are known. */
  estimatedMetres: number
  /** The time that is covered by fixes, without gaps. */
  heardMs: number
  fixes: number
}

export const EMPTY_TRACK: TrackProgress = {
  anchor: null,
  last: null,
  reachM: 0,
  elsewhere: null,
  metres: 0,
  estimatedMetres: 0,
  heardMs: 0,
  fixes: 0,
}

// Within this distance of the anchor a truck stands still, and only its fixes wander.
const STANDING_M = 50
const GAP_MS = 5 * 60_000
/** 45 m/s, a hundred miles an hour: faster than any truck. */
const TOP_SPEED = 45
// A truck that stood before and after a gap, and is nearly where it was, has not moved.
const STOOD_KMH = 5
const STOOD_M = 500
// A tracker rounds its speed, logs it between two turns, and is a little late.
const SLACK = 1.5
const AGREEING = 3
const FUTURE_MS = 5 * 60_000

/** Whether a fix is possible at all. */
export const isPlausibleFix = ({ at, latitude, longitude }: TrackPoint, now: number): boolean =>
  Math.abs(latitude) <= 90 &&
  Math.abs(longitude) <= 180 &&
  !(latitude === 0 && longitude === 0) &&
  at <= now + FUTURE_MS

/**
 * Extends a track by fixes. Distance counts from the last counted fix once the truck is far enough from it: summing each
 * step would turn the wandering of a parked truck into miles, and dropping short steps would lose a crawl. A place out
 * of reach by the reported speeds is ignored until several fixes in a row agree on it; then counting continues from
 * there, and the jump itself adds no distance.
 */
export function withFixes(track: TrackProgress, fixes: readonly TrackPoint[]): TrackProgress {
  // One copy for all fixes: a page of a feed has 50,000.
  const longer = { ...track }
  for (const fix of fixes) add(longer, fix)
  return longer
}

export const withFix = (track: TrackProgress, fix: TrackPoint): TrackProgress => withFixes(track, [fix])

function add(track: TrackProgress, fix: TrackPoint): void {
  const { anchor, last } = track
  if (!anchor || !last) return begin(track, fix)
  // A repeated fix.
  if (fix.at <= last.at) return
  const ms = fix.at - last.at
  const isGap = ms > GAP_MS
  track.last = fix
  track.fixes++
  if (!isGap) track.heardMs += ms
  track.reachM += isGap ? (TOP_SPEED * ms) / 1000 : reachable(last, fix)
  const metres = metersBetween(anchor, fix)
  if (metres < STANDING_M) {
    track.elsewhere = null
    return
  }
  if (metres > track.reachM * SLACK + STANDING_M) return doubtFix(track, fix)
  continueFrom(track, fix)
  if (isGap && metres < STOOD_M && stood(last) && stood(fix)) return
  track.metres += metres
  if (isGap) track.estimatedMetres += metres
}

function begin(track: TrackProgress, fix: TrackPoint): void {
  track.anchor = fix
  track.last = fix
  track.fixes = 1
}

function continueFrom(track: TrackProgress, fix: TrackPoint): void {
  track.anchor = fix
  track.reachM = 0
  track.elsewhere = null
}

const stood = ({ speedKmh }: TrackPoint) => (speedKmh ?? 0) < STOOD_KMH

/** How far a truck can have come between two fixes. */
function reachable(from: TrackPoint, to: TrackPoint): number {
  const fastest = Math.max(from.speedKmh ?? -1, to.speedKmh ?? -1) / 3.6
  return (Math.min(fastest < 0 ? TOP_SPEED : fastest, TOP_SPEED) * (to.at - from.at)) / 1000
}

/** Ignores a place out of reach until several fixes in a row agree on it. */
function doubtFix(track: TrackProgress, fix: TrackPoint): void {
  const before = track.elsewhere?.fix
  const agrees = before && metersBetween(before, fix) < reachable(before, fix) * SLACK + STANDING_M
  const count = agrees ? (track.elsewhere?.count ?? 0) + 1 : 1
  if (count < AGREEING) track.elsewhere = { fix, count }
  else continueFrom(track, fix)
}

/** A whole track from fixes in any order, possibly repeated. */
export function trackOf(fixes: readonly TrackPoint[], now = Number.POSITIVE_INFINITY): TrackProgress {
  return withFixes(EMPTY_TRACK, fixes.filter((fix) => isPlausibleFix(fix, now)).toSorted(compareFixes))
}

/** By time, and by place where the times are equal, so that the order is always the same. */
export const compareFixes = (one: TrackPoint, other: TrackPoint): number =>
  one.at - other.at || one.latitude - other.latitude || one.longitude - other.longitude

const AGREE = 0.15

/** The distance of a shift: by the odometer where it agrees with the track, otherwise by the track. */
export function shiftDistance(track: TrackProgress, odometer: { firstM: number; lastM: number } | null) {
  const byOdometer = odometer && odometer.lastM >= odometer.firstM ? odometer.lastM - odometer.firstM : null
  const measuredMetres = track.metres - track.estimatedMetres
  // Across gaps of the track, only the odometer has counted.
  const agrees =
    byOdometer !== null &&
    (track.estimatedMetres > 0
      ? byOdometer >= measuredMetres * (1 - AGREE)
      : Math.abs(byOdometer - track.metres) <= track.metres * AGREE)
  return {
    metres: agrees && byOdometer !== null ? byOdometer : track.metres,
    source: agrees ? ('odometer' as const) : ('gps' as const),
    gpsMetres: track.metres,
    odometerMetres: byOdometer,
    estimatedMetres: agrees ? 0 : track.estimatedMetres,
  }
}
