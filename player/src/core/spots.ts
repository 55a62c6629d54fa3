import type { PlayerData, PlayerSet } from '@roadshow/contract'
import type { SdPlace } from '@roadshow/contract/live/smart-directional'

/** Decides what a screen shows, by the manifest, the time, the SD address and the files that are there. */

/** How long a set of pictures is shown unless the program says otherwise. */
export const PICTURE_MS = 15_000
/** A shorter showing is not counted as a play. */
export const SHORTEST_PLAY_MS = 500

export interface PlannedSpots {
  uid: string
  startsAt: number
  endsAt: number
  spotMs: number | null
  artwork: PlayerSet | null
  places: readonly SdPlace[]
  /** The artwork of each SD address; null for the artwork of the shift. */
  addressArtwork: ReadonlyMap<string, PlayerSet | null>
}

/** A manifest with its times as numbers: made once, because it is asked in every frame. */
export interface SpotPlan {
  /** By start. */
  shifts: readonly PlannedSpots[]
  fallback: PlayerSet | null
}

/** What belongs on the screen, until something else does. */
export interface Scene {
  shiftUid: string
  shiftEndsAt: number
  set: PlayerSet
  /** The SD address that the set is shown for. */
  addressUid: string | null
  spotMs: number
}

export function spotPlanOf({ shifts, fallback }: Pick<PlayerData, 'shifts' | 'fallback'>): SpotPlan {
  const planned = shifts.map((shift) => ({
    uid: shift.uid,
    startsAt: Date.parse(shift.startsAt),
    endsAt: Date.parse(shift.endsAt),
    spotMs: shift.spotMs ?? null,
    artwork: shift.artwork,
    places: shift.addresses.map(({ uid, latitude, longitude, radiusM }) => ({ uid, latitude, longitude, radiusM })),
    addressArtwork: new Map(shift.addresses.map(({ uid, artwork }) => [uid, artwork])),
  }))
  return { shifts: planned.toSorted((one, other) => one.startsAt - other.startsAt), fallback: fallback ?? null }
}

/** The shift at a moment. Of two at once it is the one that began later, as the server counts its plays. */
export function shiftAt({ shifts }: SpotPlan, at: number): PlannedSpots | undefined {
  for (let index = shifts.length - 1; index >= 0; index--) {
    const shift = shifts[index]
    if (shift && at >= shift.startsAt && at < shift.endsAt) return shift
  }
  return undefined
}

interface Surroundings {
  /** The address that the smart-directional rules call for. */
  place: string | null
  /** Whether every file of a set is on the device. */
  isReady: (set: PlayerSet) => boolean
  pictureMs: number
}

/** What to show in a shift: the artwork of the address, else of the shift, else the fallback; undefined is black. */
export function sceneOf(
  shift: PlannedSpots,
  fallback: PlayerSet | null,
  { place, isReady, pictureMs }: Surroundings,
): Scene | undefined {
  const own = place === null ? undefined : shift.addressArtwork.get(place)
  const usable = (set: PlayerSet | null | undefined) => (set && set.files.length > 0 && isReady(set) ? set : undefined)
  const forAddress = usable(own)
  const forShift = forAddress ? undefined : usable(shift.artwork)
  const set = forAddress ?? forShift ?? usable(fallback)
  if (!set) return undefined
  // The shift's artwork stands for an address that has none of its own, but not for one whose own files are missing.
  const isForAddress = forAddress !== undefined || (forShift !== undefined && own === null)
  return {
    shiftUid: shift.uid,
    shiftEndsAt: shift.endsAt,
    set,
    addressUid: isForAddress ? place : null,
    spotMs: spotLengthMs(shift.spotMs, set, pictureMs),
  }
}

/** The length of a spot on all sides: of the program, else of the longest video, else of a picture. */
export function spotLengthMs(spotMs: number | null, { files }: PlayerSet, pictureMs = PICTURE_MS): number {
  let longest = 0
  for (const { durationMs } of files) longest = Math.max(longest, durationMs ?? 0)
  return Math.max(spotMs ?? (longest > 0 ? longest : pictureMs), SHORTEST_PLAY_MS)
}

/** Whether a change takes effect at once. A changed set of the same shift and address waits for the next spot. */
export const cutsSpot = (running: Scene, scene: Scene | undefined): boolean =>
  !scene || running.shiftUid !== scene.shiftUid || running.addressUid !== scene.addressUid
