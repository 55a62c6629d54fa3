import { metersBetween } from '../platform/geo.ts'
import type { Point, TrackPoint } from '../platform/geo.ts'

/**
 * The rules for the address that a screen shows. The player on the truck, the simulator and the SD report share them.
 */

/** An address of a shift's address set. */
export interface SdPlace extends Point {
  uid: string
  radiusM: number
}

export const sdRules = {
  /** Another address replaces the shown one if it is nearer by this much; a shown address stays this far beyond its radius. */
  marginM: 150,
  /** This many fixes in a row must agree before the address changes. */
  agreeing: 2,
  /** The shortest time that an address is shown. */
  holdMs: 30_000,
  /** Limits on how far a truck can have come at its speed. */
  slack: 1.5,
  wanderM: 60,
  topSpeed: 45,
} as const

export interface SdState {
  /** The shown address; null for the artwork of the shift. */
  shown: string | null
  /** When it was shown first. */
  since: number
  /** The address that the last fixes call for, and how many fixes. */
  wanted: { place: string | null; count: number } | null
  /** The last credible fix. */
  fix: TrackPoint | null
  /** A fix that the next one must confirm. */
  doubted: TrackPoint | null
}

export const sdInitialState: SdState = {
  shown: null,
  since: Number.NEGATIVE_INFINITY,
  wanted: null,
  fix: null,
  doubted: null,
}

function canReach(from: TrackPoint, to: TrackPoint): boolean {
  const speeds = [from.speedKmh, to.speedKmh].filter((speed) => speed !== null)
  const fastest = speeds.length > 0 ? Math.min(Math.max(...speeds) / 3.6, sdRules.topSpeed) : sdRules.topSpeed
  const reach = (fastest * Math.max(0, to.at - from.at)) / 1000
  return metersBetween(from, to) <= reach * sdRules.slack + sdRules.wanderM
}

/** The address to show at a place: the nearest in range, where the shown address has a margin. */
export function wantedPlace(at: Point, places: readonly SdPlace[], shown: string | null): string | null {
  let best: { uid: string; meters: number } | undefined
  for (const place of places) {
    const isShown = place.uid === shown
    const meters = metersBetween(at, place)
    if (meters > place.radiusM + (isShown ? sdRules.marginM : 0)) continue
    // The margin of the shown address.
    const rank = isShown ? meters - sdRules.marginM : meters
    if (!best || rank < best.meters || (rank === best.meters && place.uid < best.uid))
      best = { uid: place.uid, meters: rank }
  }
  return best?.uid ?? null
}

/** The state after one more fix. A fix out of reach changes nothing until the next one confirms it. */
export function withSdFix(state: SdState, fix: TrackPoint, places: readonly SdPlace[]): SdState {
  if (state.fix && fix.at <= state.fix.at) return state
  const isCredible =
    !state.fix || canReach(state.fix, fix) || (state.doubted !== null && isMoving(fix) && canReach(state.doubted, fix))
  if (!isCredible) return { ...state, doubted: fix }
  const place = wantedPlace(fix, places, state.shown)
  const next: SdState = { ...state, fix, doubted: null }
  if (place === state.shown) return { ...next, wanted: null }
  const count = state.wanted?.place === place ? state.wanted.count + 1 : 1
  if (count < sdRules.agreeing || fix.at - state.since < sdRules.holdMs) return { ...next, wanted: { place, count } }
  return { ...next, shown: place, since: fix.at, wanted: null }
}

// A parked truck that suddenly appears elsewhere has not moved; a truck that reports speed drove through a gap.
const isMoving = ({ speedKmh }: TrackPoint) => speedKmh === null || speedKmh >= 5
