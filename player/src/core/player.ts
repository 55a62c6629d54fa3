import type { PlayerData, PlayerSet, TrackPoint } from '@roadshow/contract'
import { sdInitialState, type SdState, withSdFix } from '@roadshow/contract/live/smart-directional'
import { type Loop, SHORTEST_PLAY_MS } from '@roadshow/contract/planning/loop-lines'
import { PICTURE_MS } from '@roadshow/contract/planning/loop-lines'
import { type Turn, turnAt } from '@roadshow/contract/planning/loop-rules'
import type { PlayLog } from './plays.ts'
import { type PositionSource, PositionSources } from './positions.ts'
import { PlaySender, type SendPlays } from './sending.ts'
import {
  addressSceneOf,
  cutsSpot,
  type PlannedSpots,
  type Scene,
  shiftAt,
  type SpotPlan,
  spotPlanOf,
  turnSceneOf,
} from './spots.ts'

/** How long before its start a spot is written to the store. */
const LEAD_MS = 1000
/** A store that takes longer does not hold up the screen. */
const LONGEST_WRITE_MS = 2000
const BEAT_MS = 5000
/** After a longer silence of its host the screen is taken as having been dark, or its clock as having been set. */
const LONGEST_TICK_MS = 10_000
/** A clock that goes back by less stands still until it has caught up. */
const STEP_BACK_MS = 1000

/** What the player runs in: a browser, or a simulated truck. */
export interface PlayerHost {
  /** Whether every file of a set is on the device and can be shown. */
  isReady(set: PlayerSet): boolean
  sendPlays: SendPlays
  /** Hears which plays the server has said are on disk. */
  onStored?: ((playIds: string[]) => void) | undefined
}

/** One showing on all sides. */
export interface Spot extends Scene {
  /** Another one for each spot. */
  number: number
  startedAt: number
  endsAt: number
}

interface NextSpot {
  scene: Scene
  startsAt: number
  /** The change of the log that must be saved before it starts. */
  version: number
  /** Its time came before it was saved. */
  isLate: boolean
}

/** A turn of a loop that is on the screen, or would be if its files were there. */
interface RunningTurn {
  loop: Loop
  place: string | null
  turn: Turn
}

interface PlayerOptions {
  host: PlayerHost
  log: PlayLog
  /** How long pictures are shown unless the program says otherwise. */
  pictureMs?: number
}

/**
 * The player without a screen. Its host calls `tick` in every frame, or for every fix, with the server's time, and shows
 * the spot that it returns. Each play is in the store before its spot starts.
 */
export class TruckPlayer {
  readonly log: PlayLog
  readonly sender: PlaySender
  readonly positions = new PositionSources()
  readonly #host: PlayerHost
  readonly #isReady: (set: PlayerSet) => boolean
  readonly #pictureMs: number
  #plan: SpotPlan = { shifts: [], fallback: null }
  #shiftUid: string | undefined
  #sd: SdState = sdInitialState
  #fix: TrackPoint | undefined
  #running: Spot | undefined
  #next: NextSpot | undefined
  #turnNow: RunningTurn | undefined
  #number = 0
  #tickedAt = Number.NEGATIVE_INFINITY
  #beatAt = 0
  #isHeld = false

  constructor({ host, log, pictureMs = PICTURE_MS }: PlayerOptions) {
    this.#host = host
    this.#isReady = (set) => this.#host.isReady(set)
    this.log = log
    this.sender = new PlaySender({ log, send: (plays) => host.sendPlays(plays), onStored: host.onStored })
    this.#pictureMs = pictureMs
  }

  /** Takes in a manifest. A changed set takes effect with the next spot, everything else at once. */
  update(data: Pick<PlayerData, 'shifts' | 'fallback'>): void {
    this.#plan = spotPlanOf(data, this.#pictureMs)
  }

  /** Takes in a fix of a source. */
  locate(source: PositionSource, fix: TrackPoint, now: number): void {
    if (this.positions.hear(source, fix, now)) this.#fix = fix
  }

  /** Shows no spots and counts no plays, while a test pattern or nothing is on the screen. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  /** The spot to show at this moment; undefined is black. */
  tick(now: number): Spot | undefined {
    const at = this.#steady(now)
    this.#rollOn(at)
    const scene = this.#look(at)
    const running = this.#running
    if (running ? cutsSpot(running, scene) : scene !== undefined) this.#change(scene, at)
    if (at >= this.#beatAt && (this.#running || this.log.problem !== null)) this.#beat(at)
    return this.#running
  }

  /** What will be shown next as far as is known, to decode it ahead: after the running spot, or in the next shift. */
  upcoming(now: number): { scene: Scene; startsAt: number } | undefined {
    if (this.#next) return this.#next
    const darkUntil = this.#turnNow && this.#turnNow.turn.endsBy < Infinity ? this.#turnNow.turn.endsAt : undefined
    const nextShift = this.#plan.shifts.find((shift) => shift.startsAt >= now)
    const startsAt = this.#running?.endsAt ?? darkUntil ?? nextShift?.startsAt
    const scene = startsAt === undefined ? undefined : this.#sceneAt(startsAt)
    return scene && startsAt !== undefined ? { scene, startsAt } : undefined
  }

  /** Why the loop of the current shift cannot be shown as it is planned. */
  loopProblem(now: number): string | null {
    return shiftAt(this.#plan, now)?.loopProblem ?? null
  }

  /** Sends what waits, if it is time to, and deletes what is too much to keep. */
  async send(now: number, isClockConfirmed = false): Promise<void> {
    await this.sender.trim(now, isClockConfirmed)
    await this.sender.flush(now)
  }

  /** Ends what is shown, before the host restarts. */
  stop(now: number): void {
    this.#end(this.#steady(now))
  }

  /** The time to go by. The screen did not run while its host was silent: what was shown ended with the last tick. */
  #steady(now: number): number {
    const passed = now - this.#tickedAt
    if (passed < 0 && passed >= -STEP_BACK_MS) return this.#tickedAt
    if (passed < 0 || passed > LONGEST_TICK_MS) {
      this.#end(this.#tickedAt)
      this.#turnNow = undefined
    }
    this.#tickedAt = now
    return now
  }

  /** Spots that reached their end are followed by the next. */
  #rollOn(at: number): void {
    while (this.#running && at >= this.#running.endsAt - LEAD_MS) {
      const { endsAt } = this.#running
      const scene = at < endsAt ? this.#sceneAt(endsAt) : this.#sceneNow(endsAt)
      if (scene) this.#prepare(scene, endsAt, at)
      else if (this.#next) this.#discardNext()
      if (at < endsAt) return
      if (!scene) return this.#end(endsAt)
      if (!this.#turn(at)) return
    }
  }

  /** Another shift, another address, or nothing. */
  #change(scene: Scene | undefined, at: number): void {
    if (!scene) return this.#end(at)
    if (this.#next && !isSameScene(this.#next.scene, scene)) this.#discardNext()
    // What was shown too shortly to count leaves its numbers to what follows.
    if (this.#running && !this.#next && at - this.#running.startedAt < SHORTEST_PLAY_MS) this.#end(at)
    this.#prepare(scene, at, at)
    this.#turn(at)
  }

  #look(at: number): Scene | undefined {
    const shift = shiftAt(this.#plan, at)
    if (shift?.uid !== this.#shiftUid) {
      this.#shiftUid = shift?.uid
      this.#sd = sdInitialState
    }
    if (shift && this.#fix) this.#sd = withSdFix(this.#sd, this.#fix, shift.places)
    this.#fix = undefined
    return this.#sceneNow(at)
  }

  /** What belongs on the screen from now on. A loop that goes on is followed turn by turn. */
  #sceneNow(at: number): Scene | undefined {
    this.#turnNow = this.#turnAt(at)
    return this.#sceneIn(this.#turnNow, at)
  }

  #sceneAt(at: number): Scene | undefined {
    return this.#sceneIn(this.#turnAt(at), at)
  }

  #sceneIn(running: RunningTurn | undefined, at: number): Scene | undefined {
    const shift = this.#shiftAt(at)
    if (!shift) return undefined
    const surroundings = { place: this.#placeIn(shift), isReady: this.#isReady, pictureMs: this.#pictureMs }
    if (!running) return addressSceneOf(shift, surroundings)
    return turnSceneOf(shift, running.turn, this.#plan.fallback, surroundings)
  }

  /** The turn of the loop; undefined outside of shifts, and while an address has the screen. */
  #turnAt(at: number): RunningTurn | undefined {
    const shift = this.#shiftAt(at)
    if (!shift) return undefined
    const place = this.#placeIn(shift)
    if (addressSceneOf(shift, { place, isReady: this.#isReady, pictureMs: this.#pictureMs })) return undefined
    const { loop } = shift
    const known = this.#turnNow
    const goesOn = known?.loop === loop && known.place === place && known.turn.startsAt <= at
    let turn = goesOn ? known.turn : turnAt(loop, at, place)
    while (turn.endsAt <= at) turn = turnAt(loop, turn.endsAt, place)
    return { loop, place, turn }
  }

  #shiftAt(at: number): PlannedSpots | undefined {
    return this.#isHeld ? undefined : shiftAt(this.#plan, at)
  }

  #placeIn(shift: PlannedSpots): string | null {
    return shift.uid === this.#shiftUid ? this.#sd.shown : null
  }

  /** Writes a spot to the store before it starts, unless that has been done. */
  #prepare(scene: Scene, startsAt: number, at: number): void {
    if (this.#next) {
      if (isSameScene(this.#next.scene, scene) && this.#next.startsAt <= startsAt) return
      this.#discardNext()
    }
    const { set, addressUid } = scene
    const position = this.positions.position(at)
    const place = position && { latitude: position.latitude, longitude: position.longitude }
    const drafts = set.files.map(({ sha256, side }) => ({
      artworkSetUid: set.artworkSetUid,
      sha256,
      side,
      place,
      addressUid,
    }))
    this.log.prepare(drafts, startsAt, at)
    this.#next = { scene, startsAt, version: this.log.version, isLate: false }
  }

  #discardNext(): void {
    this.log.discardNext()
    this.#next = undefined
  }

  /** Starts the prepared spot, once it is saved. The spot before is on the screen until then. */
  #turn(at: number): boolean {
    const next = this.#next
    if (!next || at < next.startsAt) return false
    if (!this.log.isSaved(next.version) && at - next.startsAt < LONGEST_WRITE_MS) {
      next.isLate = true
      return false
    }
    const startedAt = next.isLate ? at : next.startsAt
    const { scene } = next
    this.log.turn(startedAt)
    // Where lines share the screen, a spot survives a kill from the moment on from which it counts.
    this.#beatAt = at + (scene.endsBy < Infinity ? SHORTEST_PLAY_MS : BEAT_MS)
    this.#number++
    const endsAt = Math.min(startedAt + scene.spotMs, scene.endsBy, scene.shiftEndsAt)
    this.#running = {
      shiftUid: scene.shiftUid,
      shiftEndsAt: scene.shiftEndsAt,
      set: scene.set,
      addressUid: scene.addressUid,
      spotMs: scene.spotMs,
      endsBy: scene.endsBy,
      number: this.#number,
      startedAt,
      endsAt,
    }
    this.#next = undefined
    return true
  }

  #beat(at: number): void {
    this.#beatAt = at + BEAT_MS
    this.log.beat(at)
  }

  #end(at: number): void {
    if (this.#next) this.#discardNext()
    if (this.#running) this.log.end(at)
    this.#running = undefined
  }
}

const isSameScene = (one: Scene, other: Scene): boolean =>
  one.shiftUid === other.shiftUid &&
  one.addressUid === other.addressUid &&
  one.spotMs === other.spotMs &&
  one.endsBy === other.endsBy &&
  one.shiftEndsAt === other.shiftEndsAt &&
  isSameSet(one.set, other.set)

const isSameSet = (one: PlayerSet, other: PlayerSet): boolean =>
  one === other ||
  (one.artworkSetUid === other.artworkSetUid &&
    one.files.length === other.files.length &&
    one.files.every(({ sha256 }, index) => sha256 === other.files[index]?.sha256))
