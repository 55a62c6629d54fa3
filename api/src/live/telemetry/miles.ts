import { GAP_MS, isStanding, metersBetween, STOOD_M, type TrackPoint } from '@roadshow/contract'

/** Increases when the same points would give other miles, so that published figures can be distinguished. */
export const MILES_VERSION = 2

/** Where a track stands after some of its fixes, in the order of their times. */
export interface TrackState {
  /** The fix up to which distance is counted. */
  anchor: TrackPoint | null
  /** The newest fix. */
  last: TrackPoint | null
  /** How far the truck can have come since the anchor, by the speeds it reported. */
  reachM: number
  /** A place out of reach for the truck, and how many fixes in a row report it. */
  elsewhere: { fix: TrackPoint; count: number } | null
}

export const EMPTY_STATE: TrackState = { anchor: null, last: null, reachM: 0, elsewhere: null }

/** What the fixes of some hours amount to. */
export interface TrackTotals {
  meters: number
  /** The part of the distance that spans gaps, where only both ends are known. */
  estimatedMeters: number
  /** The time that is covered by fixes, without gaps. */
  heardMs: number
  fixes: number
}

export const NO_TOTALS: TrackTotals = { meters: 0, estimatedMeters: 0, heardMs: 0, fixes: 0 }

export interface TrackProgress extends TrackState, TrackTotals {}

export const EMPTY_TRACK: TrackProgress = { ...EMPTY_STATE, ...NO_TOTALS }

/** What one fix adds: the time since the fix before it, and the distance that is counted over this time. */
export interface TrackStep {
  from: number
  to: number
  meters: number
  isGap: boolean
}

// Within this distance of the anchor a truck stands still, and only its fixes wander.
const STANDING_M = 50
/** After a longer silence a track begins again: where the truck has been meanwhile is unknown. */
export const LONGEST_GAP_MS = 12 * 60 * 60_000
/** 45 m/s, a hundred miles an hour: faster than any truck. */
export const TOP_SPEED = 45
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
function withFixes(track: TrackProgress, fixes: readonly TrackPoint[]): TrackProgress {
  // One copy for all fixes: a page of a source has 50,000.
  const longer = { ...track }
  for (const fix of fixes) {
    const step = advance(longer, fix)
    if (!step) continue
    longer.fixes++
    addDistance(longer, step)
  }
  return longer
}

export const withFix = (track: TrackProgress, fix: TrackPoint): TrackProgress => withFixes(track, [fix])

/** Adds the time and distance of a step; its fix is counted apart. */
export function addDistance(totals: TrackTotals, { from, to, meters, isGap }: TrackStep): void {
  totals.meters += meters
  if (isGap) totals.estimatedMeters += meters
  else totals.heardMs += to - from
}

/** Moves a track on by a fix, in place; answers what the fix adds, or undefined for a repeated fix. */
export function advance(track: TrackState, fix: TrackPoint): TrackStep | undefined {
  const { anchor, last } = track
  if (!anchor || !last || fix.at - last.at > LONGEST_GAP_MS) return begin(track, fix)
  if (fix.at <= last.at) return undefined
  const step = { from: last.at, to: fix.at, meters: 0, isGap: fix.at - last.at > GAP_MS }
  track.last = fix
  track.reachM += step.isGap ? (TOP_SPEED * (fix.at - last.at)) / 1000 : reachable(last, fix)
  const meters = metersBetween(anchor, fix)
  if (meters < STANDING_M) {
    track.elsewhere = null
    return step
  }
  if (meters > track.reachM * SLACK + STANDING_M) {
    doubtFix(track, fix)
    return step
  }
  continueFrom(track, fix)
  if (step.isGap && meters < STOOD_M && isStanding(last) && isStanding(fix)) return step
  step.meters = meters
  return step
}

function begin(track: TrackState, fix: TrackPoint): TrackStep {
  continueFrom(track, fix)
  track.last = fix
  return { from: fix.at, to: fix.at, meters: 0, isGap: false }
}

function continueFrom(track: TrackState, fix: TrackPoint): void {
  track.anchor = fix
  track.reachM = 0
  track.elsewhere = null
}

/** How far a truck can have come between two fixes. */
function reachable(from: TrackPoint, to: TrackPoint): number {
  const fastest = Math.max(from.speedKmh ?? -1, to.speedKmh ?? -1) / 3.6
  return (Math.min(fastest < 0 ? TOP_SPEED : fastest, TOP_SPEED) * (to.at - from.at)) / 1000
}

/** Ignores a place out of reach until several fixes in a row agree on it. */
function doubtFix(track: TrackState, fix: TrackPoint): void {
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

/**
 * By time, then by place and speed, so that the order is always the same. Of two fixes of one truck and one millisecond
 * the first in this order counts, whichever of them arrives first.
 */
export const compareFixes = (one: TrackPoint, other: TrackPoint): number =>
  one.at - other.at ||
  one.latitude - other.latitude ||
  one.longitude - other.longitude ||
  compareSpeeds(one.speedKmh, other.speedKmh)

/** An unknown speed comes last. */
const compareSpeeds = (one: number | null, other: number | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one - other

const AGREE = 0.15

/** The distance of a shift: by the odometer where it agrees with the track, otherwise by the track. */
export function shiftDistance(track: TrackTotals, odometerMetres: number | null) {
  const measuredMeters = track.meters - track.estimatedMeters
  // Across gaps of the track, only the odometer has counted.
  const agrees =
    odometerMetres !== null &&
    (track.estimatedMeters > 0
      ? odometerMetres >= measuredMeters * (1 - AGREE)
      : Math.abs(odometerMetres - track.meters) <= track.meters * AGREE)
  return {
    metres: agrees ? odometerMetres : track.meters,
    source: agrees ? ('odometer' as const) : ('gps' as const),
    gpsMetres: track.meters,
    odometerMetres,
    estimatedMetres: agrees ? 0 : track.estimatedMeters,
  }
}
