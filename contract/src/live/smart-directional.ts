import { metersBetween } from '../platform/geo.ts'
import type { Point, TrackPoint } from '../platform/geo.ts'

/**
 * Which address a screen shows. One set of rules for the player on the truck, for the simulator, and for the report
 * that tells what should have been shown.
 */

/** An address of the set that a truck carries. */
export interface SdPlace extends Point {
  uid: string
  radiusM: number
}

export const sdRules = {
  /** Another address is shown once it is nearer than the shown one by this much; a shown one is left this far outside. */
  marginM: 150,
  /** As many fixes in a row must agree before anything changes. */
  agreeing: 2,
  /** What is shown stays at least this long. */
  holdMs: 30_000,
  /** A truck cannot have come farther than its speed allows, give or take. */
  slack: 1.5,
  wanderM: 60,
  topSpeed: 45,
} as const

export interface SdState {
  /** The address that is shown; null is the fallback art. */
  shown: string | null
  /** Since when. */
  since: number
  /** What the last fixes would rather show, and how many of them. */
  wanted: { place: string | null; count: number } | null
  /** The last fix that was believed. */
  fix: TrackPoint | null
  /** A fix that was not believed yet. */
  doubted: TrackPoint | null
}

export const sdStart: SdState = { shown: null, since: Number.NEGATIVE_INFINITY, wanted: null, fix: null, doubted: null }

function canReach(from: TrackPoint, to: TrackPoint): boolean {
  const speeds = [from.speedKmh, to.speedKmh].filter((speed) => speed !== null)
  const fastest = speeds.length > 0 ? Math.min(Math.max(...speeds) / 3.6, sdRules.topSpeed) : sdRules.topSpeed
  const reach = (fastest * Math.max(0, to.at - from.at)) / 1000
  return metersBetween(from, to) <= reach * sdRules.slack + sdRules.wanderM
}

/** The address that a place calls for, given what is shown: the nearest in range, the shown one as long as it nearly is. */
export function wantedPlace(at: Point, places: readonly SdPlace[], shown: string | null): string | null {
  let best: { uid: string; metres: number } | undefined
  for (const place of places) {
    const isShown = place.uid === shown
    const metres = metersBetween(at, place)
    if (metres > place.radiusM + (isShown ? sdRules.marginM : 0)) continue
    // The shown one has its margin to its credit.
    const rank = isShown ? metres - sdRules.marginM : metres
    if (!best || rank < best.metres || (rank === best.metres && place.uid < best.uid))
      best = { uid: place.uid, metres: rank }
  }
  return best?.uid ?? null
}

/** What is shown after one more fix. A fix that the truck cannot have reached changes nothing until the next agrees with it. */
export function withSdFix(state: SdState, fix: TrackPoint, places: readonly SdPlace[]): SdState {
  if (state.fix && fix.at <= state.fix.at) return state
  const isBelieved =
    !state.fix || canReach(state.fix, fix) || (state.doubted !== null && isMoving(fix) && canReach(state.doubted, fix))
  if (!isBelieved) return { ...state, doubted: fix }
  const place = wantedPlace(fix, places, state.shown)
  const next: SdState = { ...state, fix, doubted: null }
  if (place === state.shown) return { ...next, wanted: null }
  const count = state.wanted?.place === place ? state.wanted.count + 1 : 1
  if (count < sdRules.agreeing || fix.at - state.since < sdRules.holdMs) return { ...next, wanted: { place, count } }
  return { ...next, shown: place, since: fix.at, wanted: null }
}

// A parked truck that is suddenly elsewhere is where it was; one that reports speed has been carried on unheard.
const isMoving = ({ speedKmh }: TrackPoint) => speedKmh === null || speedKmh >= 5
