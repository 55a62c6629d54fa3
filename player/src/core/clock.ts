/** The device's clock beside the server's. All times of the core are the server's, in milliseconds since 1970. */

/** A difference below this is the noise of the network. */
const NOISE_MS = 250

/** What one answer of the server says about the clock: its time is that of the middle between asking and hearing. */
export interface ClockSample {
  askedAt: number
  heardAt: number
  serverTime: number
}

/** Corrects the device's clock by the server's. Before the first answer, the device's own time counts. */
export class DeviceClock {
  readonly #now: () => number
  #offsetMs: number | null
  /** Whether the server has answered since the start; an offset from before a restart may be out of date. */
  isConfirmed = false

  /** @param offsetMs what was known before a restart */
  constructor(now: () => number, offsetMs: number | null = null) {
    this.#now = now
    this.#offsetMs = offsetMs
  }

  /** How far the device's clock is ahead of the server's; null if no answer ever came. */
  get offsetMs(): number | null {
    return this.#offsetMs
  }

  /** The server's time. */
  now(): number {
    return this.#now() - (this.#offsetMs ?? 0)
  }

  /** Takes in an answer. Small differences change nothing, so that spots do not shift by the noise of a network. */
  hear({ askedAt, heardAt, serverTime }: ClockSample): void {
    const offset = Math.round((askedAt + heardAt) / 2 - serverTime)
    const noise = Math.max(NOISE_MS, (heardAt - askedAt) / 2)
    if (this.#offsetMs === null || Math.abs(offset - this.#offsetMs) > noise) this.#offsetMs = offset
    this.isConfirmed = true
  }
}
