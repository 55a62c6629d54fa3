import type { BatchAck, Play, RowAck } from '@roadshow/contract'
import { MAX_AGE_MS, MAX_ROWS, type PlayLog } from './plays.ts'

// Well below what a message may hold, so that an hour of backlog goes out in a few of them.
const BATCH = 400
const FIRST_RETRY_MS = 2000
const LONGEST_RETRY_MS = 300_000
const AGE_CHECK_MS = 3_600_000
// Deleting in pieces leaves time for the screen.
const LOSE_AT_ONCE = 1000

/** Sends a batch; undefined if no answer came. */
export type SendPlays = (plays: Play[]) => Promise<BatchAck | undefined>

interface SenderOptions {
  log: PlayLog
  send: SendPlays
  /** Hears which plays the server has said are on disk. */
  onStored?: ((playIds: string[]) => void) | undefined
  /** From 0 up to 1: spreads the retries of a fleet. */
  random?: () => number
}

/** How long to wait after so many failures in a row. */
export const retryDelayMs = (failures: number, random: number): number =>
  Math.round(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.5 + random / 2))

/** Sends completed plays until the server has answered each. Only one batch is under way at a time. */
export class PlaySender {
  readonly #options: SenderOptions
  readonly #random: () => number
  #isBusy = false
  #failures = 0
  #retryAt = Number.NEGATIVE_INFINITY
  #ageCheckAt = Number.NEGATIVE_INFINITY
  #batchSize = BATCH
  /** The change of the log that deleted plays last: until it is saved, the store still has them. */
  #deletion = 0
  /** Plays that the server has, and plays that it refused for good, since the start. */
  sent = 0
  rejected = 0

  constructor(options: SenderOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** Sends what waits, batch after batch, if it is time to. */
  async flush(now: number): Promise<void> {
    if (this.#isBlocked || this.#options.log.waiting === 0 || now < this.#retryAt) return
    this.#isBusy = true
    try {
      await this.#sendAll(now)
    } finally {
      this.#isBusy = false
    }
  }

  /** The connection is back: no need to wait any longer. */
  retryNow(): void {
    this.#retryAt = Number.NEGATIVE_INFINITY
  }

  /** Deletes what is too much to keep. Plays that the server may take now are only deleted if there are too many. */
  async trim(now: number, isClockConfirmed: boolean): Promise<void> {
    const isTooMany = this.#options.log.waiting > MAX_ROWS
    const checksAge = isClockConfirmed && this.#failures > 0 && now >= this.#ageCheckAt
    if (this.#isBlocked || !(isTooMany || checksAge)) return
    this.#isBusy = true
    try {
      if (checksAge) this.#ageCheckAt = now + AGE_CHECK_MS
      await this.#loseOldest(checksAge ? now - MAX_AGE_MS : Number.NEGATIVE_INFINITY)
    } finally {
      this.#isBusy = false
    }
  }

  get #isBlocked(): boolean {
    return this.#isBusy || !this.#options.log.isSaved(this.#deletion)
  }

  async #loseOldest(before: number): Promise<void> {
    const { log } = this.#options
    const plays = await log.oldest(LOSE_AT_ONCE, 0)
    const excess = log.waiting - MAX_ROWS
    const lost = plays.filter(({ startedAt }, index) => index < excess || Date.parse(startedAt) < before)
    if (lost.length > 0) log.lose(lost)
    this.#deletion = log.version
  }

  async #sendAll(now: number): Promise<void> {
    // Rows that are to come later do not hold up the rows behind them.
    let above = 0
    for (;;) {
      const batch = await this.#options.log.oldest(this.#batchSize, above)
      const last = batch.at(-1)
      if (!last) return
      const acks = await this.#acksOf(batch)
      if (!acks) return this.#fail(now)
      this.#failures = 0
      this.#batchSize = BATCH
      this.#take(batch, acks)
      above = last.sequence
    }
  }

  async #acksOf(batch: Play[]): Promise<readonly RowAck[] | undefined> {
    const answer = await this.#options.send(batch)
    return answer && 'rows' in answer ? answer.rows : undefined
  }

  /** Accepted or duplicate is on disk; rejected would be rejected again; anything else is sent again later. */
  #take(batch: readonly Play[], acks: readonly RowAck[]): void {
    const results = new Map(acks.map(({ id, result }) => [id, result]))
    const isStored = ({ playId }: Play) => results.get(playId) === 'accepted' || results.get(playId) === 'duplicate'
    const stored = batch.filter(isStored)
    const rejected = batch.filter(({ playId }) => results.get(playId) === 'rejected')
    if (stored.length > 0) this.#options.onStored?.(stored.map(({ playId }) => playId))
    this.#options.log.remove([...stored, ...rejected])
    this.#deletion = this.#options.log.version
    this.sent += stored.length
    this.rejected += rejected.length
  }

  #fail(now: number): void {
    this.#failures++
    this.#retryAt = now + retryDelayMs(this.#failures, this.#random())
    // A batch that is too much for the server, or for the connection, goes through in parts.
    this.#batchSize = Math.max(1, Math.ceil(this.#batchSize / 2))
  }
}
