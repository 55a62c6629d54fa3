type Undo = () => Promise<unknown> | void

/** A signal that comes sooner is the same one once more: npm passes on what the terminal has told us already. */
const SAME_SIGNAL_MS = 1000
/** Less than service managers wait before they kill. */
const LONGEST_MS = 60_000

interface Options {
  /** Settles once everything is started, or has failed to. */
  started: () => Promise<unknown>
  log: (error: unknown) => void
}

/**
 * Ends a node so that nobody notices. First it says that it goes, and leaves its own work to other nodes; then it waits
 * until whoever sends it calls has turned away; then it finishes what it has begun and lets everything go, last first.
 */
export class Shutdown {
  readonly #options: Options
  readonly #works: Undo[] = []
  readonly #needed: Undo[] = []
  #announce: (() => void) | undefined
  #hurry: (() => void) | undefined
  #drainMs = 0
  #stopping: Promise<void> | undefined
  #signalledAt: number | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** How it says that it goes, and how long it is heard. */
  announceBy(announce: () => void, drainMs: number): void {
    this.#announce = announce
    this.#drainMs = drainMs
  }

  /** Work that another node takes over. */
  work(undo: Undo): void {
    this.#works.push(undo)
  }

  /** What calls need, until the last of them is answered. */
  needed(undo: Undo): void {
    this.#needed.push(undo)
  }

  /** What is done without waiting when there is no time left. */
  hurryBy(hurry: () => void): void {
    this.#hurry = hurry
  }

  /** Ends the process on a signal; at once on a second one, or when it takes too long. */
  onSignal(): void {
    const now = Date.now()
    if (this.#signalledAt !== undefined) {
      if (now - this.#signalledAt >= SAME_SIGNAL_MS) this.#endNow()
      return
    }
    this.#signalledAt = now
    setTimeout(() => this.#endNow(), this.#drainMs + LONGEST_MS).unref()
    void this.stop().then(() => process.exit(0))
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#run()
    return this.#stopping
  }

  #endNow(): never {
    this.#hurry?.()
    process.exit(1)
  }

  async #run(): Promise<void> {
    // What is half started is waited for, so that nothing outlives this process.
    const isStarted = await this.#options.started().then(
      () => true,
      () => false,
    )
    this.#announce?.()
    const drained = isStarted && new Promise((resolve) => setTimeout(resolve, this.#drainMs))
    await Promise.all(this.#works.toReversed().map((undo) => this.#try(undo)))
    await drained
    for (const undo of this.#needed.toReversed()) await this.#try(undo)
  }

  async #try(undo: Undo): Promise<void> {
    try {
      await undo()
    } catch (error) {
      this.#options.log(error)
    }
  }
}
