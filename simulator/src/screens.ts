import {
  type Play,
  type PlayerData,
  type PlayerFile,
  type PlayerSet,
  sdInitialState,
  type SdState,
  withSdFix,
} from '@roadshow/contract'
import type { LoggedPosition } from './tracker.ts'

type Shift = PlayerData['shifts'][number]

/** How long a picture is shown until the next play of it begins, unless said otherwise. */
export const PICTURE_MS = 15_000
const SHORTEST_MS = 500

interface Showing {
  set: PlayerSet
  file: PlayerFile
  addressUid: string | null
  startedAt: number
  place: LoggedPosition
}

/**
 * The screens of a truck: three sides, each showing its artwork over and over, near an SD address what belongs there.
 * Every showing is a play, written down when it ends.
 */
export class Screens {
  #sequence: number
  #shift: Shift | undefined
  #sd: SdState = sdInitialState
  #showing: Showing[] = []
  readonly #plays: Play[] = []
  readonly #pictureMs: number

  /** @param nextSequence the number of its next play */
  constructor(nextSequence: number, pictureMs = PICTURE_MS) {
    this.#sequence = nextSequence
    this.#pictureMs = pictureMs
  }

  /** The truck is here now. Gives back the plays that have ended by then. */
  see(fix: LoggedPosition, { shifts }: Pick<PlayerData, 'shifts'>): Play[] {
    const shift = shifts.find(({ startsAt, endsAt }) => fix.at >= Date.parse(startsAt) && fix.at < Date.parse(endsAt))
    if (shift?.uid !== this.#shift?.uid) this.#change(shift, fix)
    this.#shift = shift
    if (shift) this.#show(shift, fix)
    return this.#plays.splice(0)
  }

  /** Another shift, or none: what was shown ends with its shift. */
  #change(shift: Shift | undefined, fix: LoggedPosition): void {
    const end = this.#shift ? Math.min(fix.at, Date.parse(this.#shift.endsAt)) : fix.at
    this.#goOn(end, fix)
    this.#cut(end)
    this.#shift = shift
    this.#sd = sdInitialState
  }

  #show(shift: Shift, fix: LoggedPosition): void {
    this.#goOn(fix.at, fix)
    const places = shift.addresses.map(({ uid, latitude, longitude, radiusM }) => ({
      uid,
      latitude,
      longitude,
      radiusM,
    }))
    this.#sd = withSdFix(this.#sd, fix, places)
    const address = shift.addresses.find(({ uid }) => uid === this.#sd.shown)
    const set = address?.artwork ?? shift.artwork
    const [now] = this.#showing
    const addressUid = set && address ? address.uid : null
    if (set && now?.set.artworkSetUid === set.artworkSetUid && now.addressUid === addressUid && isSame(now.set, set))
      return
    this.#cut(fix.at)
    if (set) this.#showing = set.files.map((file) => ({ set, file, addressUid, startedAt: fix.at, place: fix }))
  }

  /** Artwork that reached its end starts again. */
  #goOn(until: number, place: LoggedPosition): void {
    this.#showing = this.#showing.map((showing) => {
      let { startedAt } = showing
      const length = Math.max(showing.file.durationMs ?? this.#pictureMs, SHORTEST_MS)
      let current = showing
      while (startedAt + length <= until) {
        this.#write(current, length)
        startedAt += length
        current = { ...showing, startedAt, place }
      }
      return current
    })
  }

  #cut(at: number): void {
    for (const showing of this.#showing) {
      const length = at - showing.startedAt
      if (length >= SHORTEST_MS) this.#write(showing, length)
    }
    this.#showing = []
  }

  #write({ set, file, addressUid, startedAt, place }: Showing, durationMs: number): void {
    const sequence = this.#sequence++
    this.#plays.push({
      playId: `${startedAt.toString(36)}-${sequence}`,
      sequence,
      artworkSetUid: set.artworkSetUid,
      sha256: file.sha256,
      side: file.side,
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      place: { latitude: place.latitude, longitude: place.longitude },
      addressUid,
    })
  }
}

const isSame = (one: PlayerSet, other: PlayerSet) =>
  one === other || one.files.every(({ sha256 }, index) => sha256 === other.files[index]?.sha256)
