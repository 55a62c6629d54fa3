import { DAY_MS, type Play } from '@roadshow/contract'
import { SHORTEST_PLAY_MS } from '@roadshow/contract/planning/loop-lines'

/** The most plays that a device keeps while it cannot send. The oldest beyond are lost, and counted. */
export const MAX_ROWS = 300_000
/** Plays that waited longer than this are lost, and counted. */
export const MAX_AGE_MS = 30 * DAY_MS

/** The plays of a spot that has not ended: their duration is 0. */
export interface OpenSpot {
  startedAt: number
  plays: Play[]
}

/** What a device must know after a restart, beside its completed plays. */
export interface PlayLogHead {
  /** The number of the next play. */
  nextSequence: number
  /** The running spot, and perhaps the next one, which is written ahead. */
  open: readonly OpenSpot[]
  /** When the screen was last known to show what is open. */
  heartbeatAt: number
  /** How many plays were deleted unsent because there were too many, or because they were too old. */
  lost: number
}

/** Written together or not at all. */
export interface PlayChange {
  head: PlayLogHead
  /** Completed plays. */
  add: readonly Play[]
  /** Sequence numbers of completed plays to delete; some may be gone already. */
  remove: readonly number[]
}

/** Where a device keeps its plays. A store that needs no waiting returns its results at once. */
export interface PlayStore {
  read(): Promise<{ head: PlayLogHead | null; waiting: number }>
  /** One transaction, durable when it is done. Calls never overlap. */
  write(change: PlayChange): Promise<void> | undefined
  /** The completed plays with the lowest sequence numbers above one, in their order. */
  oldest(limit: number, above: number): Promise<Play[]> | Play[]
}

/** What is known of a play before it begins. */
export type PlayDraft = Required<Omit<Play, 'playId' | 'sequence' | 'startedAt' | 'durationMs'>>

export const emptyHead: PlayLogHead = { nextSequence: 1, open: [], heartbeatAt: 0, lost: 0 }

interface LogOptions {
  store: PlayStore
  /** Random, another one after each start: ids of plays are made of it. */
  startId: string
  head?: PlayLogHead
  waiting?: number
}

/** The plays of a device: each opened before its spot begins, completed when it ends, kept until it is acknowledged. */
export class PlayLog {
  readonly #store: PlayStore
  readonly #startId: string
  #head: PlayLogHead
  #waiting: number
  #add: Play[] = []
  #remove: number[] = []
  #isWriting = false
  /** Counts the changes, and the changes that are durable. */
  #version = 0
  #savedVersion = 0
  /** What the store said when it last failed. */
  problem: string | null = null

  constructor({ store, startId, head = emptyHead, waiting = 0 }: LogOptions) {
    this.#store = store
    this.#startId = startId
    this.#head = head
    this.#waiting = waiting
  }

  /** Continues after a restart or a crash. Open plays ended with the last heartbeat. */
  static async recover(store: PlayStore, startId: string): Promise<PlayLog> {
    const { head, waiting } = await store.read()
    const log = new PlayLog({ store, startId, head: head ?? emptyHead, waiting })
    log.end(log.#head.heartbeatAt)
    return log
  }

  /** Completed plays that are not acknowledged. */
  get waiting(): number {
    return this.#waiting
  }

  get lost(): number {
    return this.#head.lost
  }

  /** How many plays this device has completed since it counts from 1. */
  get completed(): number {
    const open = this.#head.open.reduce((sum, { plays }) => sum + plays.length, 0)
    return this.#head.nextSequence - 1 - open
  }

  /** The number of the last change; see `isSaved`. */
  get version(): number {
    return this.#version
  }

  /** Whether a change would survive a power cut. */
  isSaved(version: number): boolean {
    return this.#savedVersion >= version
  }

  /** Opens the plays of the next spot, which starts when the open one ends. */
  prepare(drafts: readonly PlayDraft[], startsAt: number, now: number): void {
    const first = this.#head.nextSequence
    const startedAt = new Date(startsAt).toISOString()
    const plays = drafts.map((draft, index): Play => {
      const sequence = first + index
      return {
        playId: `${this.#startId}-${sequence}`,
        sequence,
        artworkSetUid: draft.artworkSetUid,
        sha256: draft.sha256,
        side: draft.side,
        startedAt,
        durationMs: 0,
        place: draft.place,
        addressUid: draft.addressUid,
      }
    })
    const { open, lost } = this.#head
    const spot = { startedAt: startsAt, plays }
    this.#save({
      nextSequence: first + plays.length,
      open: open.length === 0 ? [spot] : [...open, spot],
      heartbeatAt: now,
      lost,
    })
  }

  /** Changes to the spot that was opened last: the one before ends when it starts. */
  turn(at: number): void {
    const next = this.#head.open.at(-1)
    if (!next) return
    const { open, nextSequence, lost } = this.#head
    if (open.length > 1) this.#endSpots(open.slice(0, -1), at, true)
    const opened = next.startedAt === at ? next : startedLater(next, at)
    this.#save({ nextSequence, open: [opened], heartbeatAt: at, lost })
  }

  /** Ends what is open. A spot that had not started, or only just, is as if it had never been. */
  end(at: number): void {
    if (this.#head.open.length === 0) return
    const unused = this.#endSpots(this.#head.open, at, false)
    this.#save({ ...this.#head, nextSequence: this.#head.nextSequence - unused, open: [], heartbeatAt: at })
  }

  /** Gives up a spot that was written ahead. Its numbers are free again. */
  discardNext(): void {
    const next = this.#head.open.at(-1)
    if (!next) return
    const nextSequence = this.#head.nextSequence - next.plays.length
    this.#save({ ...this.#head, nextSequence, open: this.#head.open.slice(0, -1) })
  }

  /** The screen still shows what is open. Also tries again to write what could not be written. */
  beat(at: number): void {
    const { nextSequence, open, lost } = this.#head
    this.#save({ nextSequence, open, heartbeatAt: at, lost })
  }

  oldest(limit: number, above: number): Promise<Play[]> | Play[] {
    return this.#store.oldest(limit, above)
  }

  /** Deletes plays that the server has answered. */
  remove(plays: readonly Play[]): void {
    if (plays.length === 0) return
    for (const { sequence } of plays) this.#remove.push(sequence)
    this.#waiting -= plays.length
    this.#save(this.#head)
  }

  /** Deletes plays that can no longer be kept. */
  lose(plays: readonly Play[]): void {
    this.#head = { ...this.#head, lost: this.#head.lost + plays.length }
    this.remove(plays)
  }

  /**
   * Completes spots from the last one back, and says how many numbers at the end are free again. A short spot with
   * numbers after it is completed nevertheless: a missing number would be a missing play.
   */
  #endSpots(spots: readonly OpenSpot[], at: number, hasLater: boolean): number {
    let [until, unused, isKept] = [at, 0, hasLater]
    const completed: Play[][] = []
    for (const { startedAt, plays } of spots.toReversed()) {
      const durationMs = Math.max(0, Math.round(until - startedAt))
      isKept ||= durationMs >= SHORTEST_PLAY_MS
      if (isKept) completed.push(plays.map((play) => completedPlay(play, durationMs)))
      else unused += plays.length
      until = Math.min(until, startedAt)
    }
    for (const plays of completed.toReversed()) {
      this.#add.push(...plays)
      this.#waiting += plays.length
    }
    return unused
  }

  #save(head: PlayLogHead): void {
    this.#head = head
    this.#version++
    if (!this.#isWriting) this.#write()
  }

  #write(): void {
    const [version, change] = [this.#version, { head: this.#head, add: this.#add, remove: this.#remove }]
    this.#add = []
    this.#remove = []
    const writing = this.#store.write(change)
    if (!writing) return void (this.#savedVersion = version)
    this.#isWriting = true
    void writing.then(
      () => this.#written(version),
      (error: unknown) => this.#failed(change, error),
    )
  }

  #written(version: number): void {
    this.#isWriting = false
    this.#savedVersion = version
    this.problem = null
    if (this.#version > version) this.#write()
  }

  /** What could not be written is written with the next change, a heartbeat at the latest. */
  #failed({ add, remove }: PlayChange, error: unknown): void {
    this.#isWriting = false
    this.problem = String(error)
    this.#add = [...add, ...this.#add]
    this.#remove = [...remove, ...this.#remove]
  }
}

// Written out, because a load generator completes thousands of them a second.
const completedPlay = (play: Play, durationMs: number): Play => ({
  playId: play.playId,
  sequence: play.sequence,
  artworkSetUid: play.artworkSetUid,
  sha256: play.sha256,
  side: play.side,
  startedAt: play.startedAt,
  durationMs,
  place: play.place,
  addressUid: play.addressUid,
})

const startedLater = ({ plays }: OpenSpot, at: number): OpenSpot => {
  const startedAt = new Date(at).toISOString()
  return { startedAt: at, plays: plays.map((play) => ({ ...play, startedAt })) }
}
