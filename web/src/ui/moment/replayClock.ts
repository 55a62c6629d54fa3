const MINUTE = 60_000

/** How much of the day goes by in a second. */
export const paces = { 60: '1 min a second', 300: '5 min a second', 900: '15 min a second' } as const
export type Pace = keyof typeof paces

/**
 * The moment of a replay. It lies outside of React: the parts that show it listen for what they need of it, so that a step
 * moves a marker and a few words and draws nothing else again.
 */
export class ReplayClock {
  at: number
  isPlaying = false
  pace: Pace = 60
  readonly #listeners = new Set<() => void>()
  #frame: number | undefined
  #drawnAt = 0

  constructor(
    public from: number,
    public to: number,
    at: number,
  ) {
    this.at = Math.min(Math.max(at, from), to)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  moveTo = (at: number): void => {
    const next = Math.min(Math.max(at, this.from), this.to)
    if (next === this.at) return
    this.at = next
    this.#tell()
  }

  extendTo = (to: number): void => {
    this.to = to
  }

  /** Goes to the next whole minute, or the one before. */
  step = (minutes: number): void => {
    const [whole, isWhole] = [Math.floor(this.at / MINUTE) * MINUTE, this.at % MINUTE === 0]
    this.moveTo(whole + (minutes < 0 && !isWhole ? minutes + 1 : minutes) * MINUTE)
  }

  setPace = (pace: Pace): void => {
    this.pace = pace
    this.#tell()
  }

  toggle = (): void => (this.isPlaying ? this.pause() : this.play())

  play = (): void => {
    if (this.isPlaying) return
    // At the end it begins again.
    if (this.at >= this.to) this.at = this.from
    this.isPlaying = true
    this.#drawnAt = performance.now()
    this.#frame = requestAnimationFrame(this.#run)
    this.#tell()
  }

  pause = (): void => {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    if (!this.isPlaying) return
    this.isPlaying = false
    this.#tell()
  }

  #run = (now: number): void => {
    // A tab that was hidden goes on where it was.
    const passed = Math.min(100, Math.max(0, now - this.#drawnAt))
    this.#drawnAt = now
    this.at = Math.min(this.at + passed * this.pace, this.to)
    if (this.at >= this.to) this.pause()
    else {
      this.#frame = requestAnimationFrame(this.#run)
      this.#tell()
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
