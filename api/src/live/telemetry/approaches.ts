import { metersBetween, sdRules, sdInitialState, type SdPlace, type SdState, withSdFix } from '@roadshow/contract'
import type { TrackPoint } from '@roadshow/contract'
import { compareFixes, EMPTY_TRACK, withFix } from './miles.ts'

/** A visit of a truck to the surroundings of an address. Times in milliseconds since 1970. */
export interface Approach {
  addressUid: string
  enteredAt: number
  leftAt: number
  nearestM: number
  /** Whether the rules would have shown the address at some moment of the visit. */
  isDue: boolean
}

// Only a long silence splits a visit in two.
const SAME_VISIT_MS = 10 * 60_000

/**
 * Every visit of a track to addresses. A visit lasts from the first credible fix within the radius until one clearly
 * outside of it, so that driving along the border is one visit.
 */
export function approachesOf(fixes: readonly TrackPoint[], places: readonly SdPlace[]): Approach[] {
  const done: Approach[] = []
  const open = new Map<string, Approach>()
  let screen = sdInitialState
  for (const fix of credibleFixes(fixes)) {
    screen = shownAt(screen, fix, places)
    for (const place of places) {
      const meters = metersBetween(fix, place)
      const visit = open.get(place.uid)
      const isThere = meters <= place.radiusM + (visit ? sdRules.marginM : 0)
      if (visit && (!isThere || fix.at - visit.leftAt > SAME_VISIT_MS)) {
        done.push(visit)
        open.delete(place.uid)
      }
      if (!isThere) continue
      const same = open.get(place.uid)
      if (same) Object.assign(same, { leftAt: fix.at, nearestM: Math.min(same.nearestM, meters) })
      else if (meters <= place.radiusM)
        open.set(place.uid, {
          addressUid: place.uid,
          enteredAt: fix.at,
          leftAt: fix.at,
          nearestM: meters,
          isDue: false,
        })
    }
    const due = open.get(screen.shown ?? '')
    if (due) due.isDue = true
  }
  return [...done, ...open.values()].toSorted(
    (one, other) => one.enteredAt - other.enteredAt || one.addressUid.localeCompare(other.addressUid),
  )
}

/**
 * The state of a player at a fix of the tracker. A tracker reports now and then while the player has a fix each second,
 * so one fix stands for as many as must agree.
 */
const shownAt = (screen: SdState, fix: TrackPoint, places: readonly SdPlace[]): SdState =>
  Array.from({ length: sdRules.agreeing }).reduce<SdState>(
    (state, _, n) => withSdFix(state, { ...fix, at: fix.at + n }, places),
    screen,
  )

/** The credible fixes of a track, in order, each moment once. */
export function* credibleFixes(fixes: readonly TrackPoint[]): Generator<TrackPoint> {
  let track = EMPTY_TRACK
  for (const fix of fixes.toSorted(compareFixes)) {
    const next = withFix(track, fix)
    if (next !== track && next.elsewhere === null) yield fix
    track = next
  }
}
