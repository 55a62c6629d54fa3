import { succeeds } from './promises.ts'

type Stop = () => Promise<unknown> | void

/** A signal that comes sooner is the same one again: npm passes on what the terminal has sent already. */
const SAME_SIGNAL_MS = 1000
/** Less than service managers wait before they kill. */
const LONGEST_MS = 60_000

interface Options {
  /** Settles once everything is started, or has failed to. */
  started: () => Promise<unknown>
  log: (error: unknown) => void
}

/**
 * Stops a node without interrupting users. It announces the stop and hands its background work to other nodes; waits until
 * load balancers have turned away; then finishes the calls it has begun and closes everything else, last opened first.
 */
export class Shutdown {
  readonly #background: Stop[] = []
  readonly #resources: Stop[] = []
  #announce: (() => void) | undefined
  #beforeForcedExit: (() => void) | undefined
  #drainMs = 0
  #stopping: Promise<void> | undefined
  #signaledAt: number | undefined

  constructor(private readonly options: Options) {}

  /** How the node announces that it stops, and how long it goes on serving after that. */
  drain(announce: () => void, drainMs: number): void {
    this.#announce = announce
    this.#drainMs = drainMs
  }

  /** Background work, which another node takes over. */
  stopFirst(stop: Stop): void {
    this.#background.push(stop)
  }

  /** What calls need until the last of them is answered; closed in reverse order. */
  closeLast(close: Stop): void {
    this.#resources.push(close)
  }

  /** Runs, without being waited for, before an exit that waits for nothing. */
  onForcedExit(work: () => void): void {
    this.#beforeForcedExit = work
  }

  /** Ends the process on a signal; at once on a second signal, or when stopping takes too long. */
  onSignal(): void {
    const now = Date.now()
    if (this.#signaledAt !== undefined) {
      if (now - this.#signaledAt >= SAME_SIGNAL_MS) this.#exitNow()
      return
    }
    this.#signaledAt = now
    setTimeout(() => this.#exitNow(), this.#drainMs + LONGEST_MS).unref()
    void this.stop().then(() => process.exit(0))
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#run()
    return this.#stopping
  }

  #exitNow(): never {
    this.#beforeForcedExit?.()
    process.exit(1)
  }

  async #run(): Promise<void> {
    this.#announceOnce()
    // A start that is under way is waited for, so that nothing outlives this process.
    const isStarted = await succeeds(this.options.started())
    this.#announceOnce()
    const drained = isStarted && new Promise((resolve) => setTimeout(resolve, this.#drainMs))
    await Promise.all(this.#background.toReversed().map((stop) => this.#try(stop)))
    await drained
    for (const close of this.#resources.toReversed()) await this.#try(close)
  }

  #announceOnce(): void {
    this.#announce?.()
    this.#announce = undefined
  }

  async #try(stop: Stop): Promise<void> {
    try {
      await stop()
    } catch (error) {
      this.options.log(error)
    }
  }
}
