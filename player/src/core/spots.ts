import type { PlayerData, PlayerSet } from '@roadshow/contract'
import type { SdPlace } from '@roadshow/contract/live/smart-directional'
import { loopProblem } from '@roadshow/contract/planning/loop-capacity'
import { exclusiveLoop, type Loop, PICTURE_MS, spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import type { Turn } from '@roadshow/contract/planning/loop-rules'

/** Decides what a screen shows, by the manifest, the time, the SD address and the files that are there. */

export interface PlannedSpots {
  uid: string
  startsAt: number
  endsAt: number
  spotMs: number | null
  /** An exclusive shift is a loop of one line. */
  loop: Loop
  /** What the lines show, by uid. */
  lines: ReadonlyMap<string, PlannedLine>
  /** Why the lines do not fit into an hour. */
  loopProblem: string | null
  places: readonly SdPlace[]
  /** The artwork of each SD address; null for the artwork of the shift. */
  addressArtwork: ReadonlyMap<string, PlayerSet | null>
}

interface PlannedLine {
  /** It belongs to the program of the shift. */
  isOwn: boolean
  spotMs: number | null
  artwork: PlayerSet | null
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
  /** When it must make room, however long it is. */
  endsBy: number
}

type ManifestShift = PlayerData['shifts'][number]

export function spotPlanOf(
  { shifts, fallback }: Pick<PlayerData, 'shifts' | 'fallback'>,
  pictureMs = PICTURE_MS,
): SpotPlan {
  const planned = shifts.map((shift) => ({
    uid: shift.uid,
    startsAt: Date.parse(shift.startsAt),
    endsAt: Date.parse(shift.endsAt),
    spotMs: shift.spotMs ?? null,
    ...loopOf(shift, fallback ?? null, pictureMs),
    places: shift.addresses.map(({ uid, latitude, longitude, radiusM }) => ({ uid, latitude, longitude, radiusM })),
    addressArtwork: new Map(shift.addresses.map(({ uid, artwork }) => [uid, artwork])),
  }))
  return { shifts: planned.toSorted((one, other) => one.startsAt - other.startsAt), fallback: fallback ?? null }
}

function loopOf(
  { uid, programUid, spotMs = null, artwork, loop: shared }: ManifestShift,
  fallback: PlayerSet | null,
  pictureMs: number,
): Pick<PlannedSpots, 'loop' | 'lines' | 'loopProblem'> {
  const lengthOf = (length: number | null, set: PlayerSet | null) => spotLengthMs(length, set, pictureMs)
  if (!shared) {
    const lines = new Map([[uid, { isOwn: true, spotMs, artwork }]])
    return { loop: exclusiveLoop(uid, lengthOf(spotMs, artwork)), lines, loopProblem: null }
  }
  const loop: Loop = {
    lines: shared.lines.map((line) => ({
      uid: line.uid,
      spotMs: lengthOf(line.spotMs, line.artwork),
      share: line.share,
      daypart: line.daypart,
      addressUids: line.addressUids,
    })),
    restMs: lengthOf(null, fallback),
    zone: shared.zone,
    seed: uid,
  }
  const lines = new Map(
    shared.lines.map((line) => [
      line.uid,
      { isOwn: line.programUid === programUid, spotMs: line.spotMs, artwork: line.artwork },
    ]),
  )
  return { loop, lines, loopProblem: loopProblem(loop) }
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

const usable = (set: PlayerSet | null | undefined, isReady: (set: PlayerSet) => boolean): PlayerSet | undefined =>
  set && set.files.length > 0 && isReady(set) ? set : undefined

/** The artwork of the address where the truck is, which takes the screen for itself; undefined if it has none that is there. */
export function addressSceneOf(shift: PlannedSpots, { place, isReady, pictureMs }: Surroundings): Scene | undefined {
  const set = place === null ? undefined : usable(shift.addressArtwork.get(place), isReady)
  return set && sceneFor(shift, { set, addressUid: place, spotMs: spotLengthMs(shift.spotMs, set, pictureMs) })
}

/** What to show in a turn: the artwork of its line, else the fallback; undefined is black. */
export function turnSceneOf(
  shift: PlannedSpots,
  turn: Turn,
  fallback: PlayerSet | null,
  { place, isReady, pictureMs }: Surroundings,
): Scene | undefined {
  const line = turn.line ? shift.lines.get(turn.line.uid) : undefined
  const own = usable(line?.artwork, isReady)
  const set = own ?? usable(fallback, isReady)
  if (!set) return undefined
  // A program's artwork stands for an address that has none of its own, but not for one whose own files are missing.
  const isForAddress =
    turn.line?.addressUids !== null ||
    (line?.isOwn === true && place !== null && shift.addressArtwork.get(place) === null)
  const length = turn.endsAt === turn.endsBy ? turn.endsAt - turn.startsAt : undefined
  return sceneFor(shift, {
    set,
    addressUid: own && isForAddress ? place : null,
    spotMs: length ?? spotLengthMs(line?.spotMs ?? null, set, pictureMs),
    endsBy: turn.endsBy,
  })
}

const sceneFor = (
  { uid, endsAt }: PlannedSpots,
  { endsBy = Infinity, ...shown }: Pick<Scene, 'set' | 'addressUid' | 'spotMs'> & { endsBy?: number },
): Scene => ({ shiftUid: uid, shiftEndsAt: endsAt, endsBy, ...shown })

/** Whether a change takes effect at once. A changed set of the same shift and address waits for the next spot. */
export const cutsSpot = (running: Scene, scene: Scene | undefined): boolean =>
  !scene || running.shiftUid !== scene.shiftUid || running.addressUid !== scene.addressUid
