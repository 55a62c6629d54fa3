import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { AppError } from './app-error.ts'
import { withinMs } from './promises.ts'
import { reasonOf } from './reason.ts'

interface Declared {
  /** The label of its metric, and its name at /readyz. */
  name: string
  /** How sentences begin that are about it: "The file storage". */
  label: string
  /** What does not work while it is away, as a sentence. */
  effect: string
  /** Settles if the service works. It runs at once, and again and again while the service is away. */
  probe?: (signal: AbortSignal) => Promise<unknown>
  /** The longest wait between two probes. */
  longestWaitMs?: number
}

interface Log {
  info(sentence: string): void
  warn(sentence: string): void
}

export interface Degraded {
  service: string
  label: string
  since: string
  effect: string
}

/** How a service did last on this node, in milliseconds since 1970. */
export interface ServiceStanding {
  isAway: boolean
  answeredAt: number | undefined
  failure: { at: number; reason: string } | undefined
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5000
const PROBE_MS = 10_000
const RETRY_SECONDS = 30

/** One service that the node uses and can do without for a while. */
export class ExternalService {
  readonly #declared: Declared
  readonly #note: (level: keyof Log, sentence: string) => void
  readonly #stopping = new AbortController()
  readonly #onReturn: (() => void)[] = []
  #awaySince: number | undefined
  #answeredAt: number | undefined
  #failure: { at: number; reason: string } | undefined
  #isProbing = false
  #firstProbe: Promise<void> | undefined

  constructor(declared: Declared, note: (level: keyof Log, sentence: string) => void) {
    this.#declared = declared
    this.#note = note
    if (declared.probe) this.#firstProbe = this.#probeOnce().finally(() => (this.#firstProbe = undefined))
  }

  get name(): string {
    return this.#declared.name
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined
  }

  get degraded(): Degraded | undefined {
    if (this.#awaySince === undefined) return undefined
    const { name: service, label, effect } = this.#declared
    return { service, label, since: new Date(this.#awaySince).toISOString(), effect }
  }

  /** How it did last on this node. */
  get standing(): ServiceStanding {
    return { isAway: this.isAway, answeredAt: this.#answeredAt, failure: this.#failure }
  }

  /** Runs when the service is back. */
  onReturn(work: () => void): void {
    this.#onReturn.push(work)
  }

  /** Notes a failure. The first one is logged; from then on the service is probed until it answers. */
  failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#failure = { at: Date.now(), reason: reasonOf(error) }
    if (this.#awaySince === undefined) {
      const { label, effect } = this.#declared
      this.#awaySince = Date.now()
      this.#note('warn', `${label} can't be used: ${reasonOf(error)}. ${effect}`)
    }
    if (this.#declared.probe) void this.#probeUntilBack()
  }

  answered(): void {
    this.#answeredAt = Date.now()
    if (this.#awaySince === undefined) return
    const seconds = Math.round((Date.now() - this.#awaySince) / 1000)
    this.#awaySince = undefined
    this.#note('info', `${this.#declared.label} is back after ${seconds} s.`)
    for (const work of this.#onReturn) work()
  }

  /** Another node uses the service from now on. */
  forget(): void {
    this.#awaySince = undefined
  }

  /** The answer to a call that needs the service while it is away. */
  unavailable(): AppError {
    const text = `${this.#declared.label} can't be reached right now. Please try again in a minute.`
    return new AppError('unavailable', { text, retryAfter: RETRY_SECONDS })
  }

  refuseIfAway(): void {
    if (this.isAway) throw this.unavailable()
  }

  /** Runs work with the service. While it is away, or turns out to be, the caller gets 503 with a sentence at once. */
  async run<T>(work: () => Promise<T>, isAbsence: (error: unknown) => boolean): Promise<T> {
    await this.#firstProbe
    this.refuseIfAway()
    try {
      return await work()
    } catch (error) {
      if (!isAbsence(error)) throw error
      this.failed(error)
      throw Object.assign(this.unavailable(), { cause: error })
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #probeOnce(): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PROBE_MS)])
    try {
      await withinMs(PROBE_MS, this.#declared.probe?.(signal))
      this.answered()
    } catch (error) {
      this.failed(error)
    }
  }

  async #probeUntilBack(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const { signal } = this.#stopping
    const { longestWaitMs = LONGEST_WAIT_MS } = this.#declared
    for (let tries = 0; this.isAway && !signal.aborted; tries++) {
      const longest = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries, 10), longestWaitMs)
      // The time is random, so that nodes do not probe all at once.
      await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {})
      if (this.isAway && !signal.aborted) await this.#probeOnce()
    }
    this.#isProbing = false
  }
}

/** The services outside this node and its database: which of them are away is logged, measured and told at /readyz. */
export class ExternalServices {
  readonly #services: ExternalService[] = []
  readonly #registry = new Registry()
  #unlogged: [level: keyof Log, sentence: string][] = []
  #log: Log | undefined

  constructor() {
    const services = this.#services
    void new Gauge({
      name: 'roadshow_external_service_up',
      help: 'Whether a service that this node uses answers: 1 or 0.',
      labelNames: ['service'],
      registers: [this.#registry],
      collect() {
        for (const { name, isAway } of services) this.set({ service: name }, isAway ? 0 : 1)
      },
    })
  }

  watch(declared: Declared): ExternalService {
    const service = new ExternalService(declared, (level, sentence) => this.#note(level, sentence))
    this.#services.push(service)
    return service
  }

  get degraded(): Degraded[] {
    return this.#services.flatMap(({ degraded }) => degraded ?? [])
  }

  /** How a service did last on this node; undefined if the node does not use it. */
  standingOf(name: string): ServiceStanding | undefined {
    return this.#services.find((service) => service.name === name)?.standing
  }

  /** Where sentences go. Those from before the app had a log are written now. */
  logTo(log: Log): void {
    this.#log = log
    for (const [level, sentence] of this.#unlogged.splice(0)) log[level](sentence)
  }

  metrics(): Promise<string> {
    return this.#registry.metrics()
  }

  stop(): void {
    for (const service of this.#services) service.stop()
  }

  #note(level: keyof Log, sentence: string): void {
    if (this.#log) this.#log[level](sentence)
    else this.#unlogged.push([level, sentence])
  }
}
