/** The device's clock beside the server's. All times of the core are the server's, in milliseconds since 1970. */

/** A difference below this is the noise of the network. */
const NOISE_MS = 250

/** What one answer of the server says, by the steady clock: its time is that of the middle between asking and hearing. */
export interface ClockSample {
  askedAt: number
  heardAt: number
  serverTime: number
}

/** The clocks of a device, in milliseconds since 1970. */
export interface DeviceClocks {
  /** What it takes for the time of day. It is set now and then, by hours if it was wrong. */
  wall: () => number
  /** Runs on whatever the other is set to, from some moment on. */
  steady: () => number
}

/**
 * Corrects the device's clock by the server's. Before the first answer, the device's own time of day counts, with what it was
 * off before a restart; from then on its steady clock, so that setting the other one moves nothing.
 */
export class DeviceClock {
  readonly #clocks: DeviceClocks
  readonly #keptOffsetMs: number | null
  /** How far the steady clock is ahead of the server's. */
  #steadyOffsetMs: number | null = null

  /** @param keptOffsetMs what was known before a restart */
  constructor(clocks: DeviceClocks, keptOffsetMs: number | null = null) {
    this.#clocks = clocks
    this.#keptOffsetMs = keptOffsetMs
  }

  /** Whether the server has answered since the start; an offset from before a restart may be out of date. */
  get isConfirmed(): boolean {
    return this.#steadyOffsetMs !== null
  }

  /** How far the device's time of day is ahead of the server's; null if no answer ever came. */
  get offsetMs(): number | null {
    return this.isConfirmed ? Math.round(this.#clocks.wall() - this.now()) : this.#keptOffsetMs
  }

  /** The clock by which answers of the server are timed. */
  steady(): number {
    return this.#clocks.steady()
  }

  /** The server's time. */
  now(): number {
    const { wall, steady } = this.#clocks
    return this.#steadyOffsetMs === null ? wall() - (this.#keptOffsetMs ?? 0) : steady() - this.#steadyOffsetMs
  }

  /** Takes in an answer. Small differences change nothing, so that spots do not shift by the noise of a network. */
  hear({ askedAt, heardAt, serverTime }: ClockSample): void {
    const offset = Math.round((askedAt + heardAt) / 2 - serverTime)
    const noise = Math.max(NOISE_MS, (heardAt - askedAt) / 2)
    const isKnown = this.isConfirmed || this.#keptOffsetMs !== null
    const known = isKnown ? Math.round(this.#clocks.steady() - this.now()) : Number.POSITIVE_INFINITY
    this.#steadyOffsetMs = Math.abs(offset - known) > noise ? offset : known
  }
}
