/** What the load has seen and been promised; looked at when it is over. */
export interface PromisedRecord {
  table: 'truck' | 'client' | 'shift'
  version: number
  note: string
  isDeleted: boolean
}

const SAMPLES = 20

/** How long a person waits for an answer, attempts of the page included, before it counts as none. */
export const IN_TIME_MS = 10_000

export class Findings {
  /** Records as their writers were told that they are, by uid. */
  readonly records = new Map<string, PromisedRecord>()
  /** Names that were given to one record each. */
  readonly names = new Map<string, PromisedRecord['table']>()
  /** Things that people did which did not work, however often they tried. */
  readonly failures: string[] = []
  /** Answers that say that the server is at fault. */
  readonly internal: string[] = []
  /** Nodes that ended unexpectedly, and calls and hostile clients that were left hanging. */
  readonly deaths: string[] = []
  readonly hung: string[] = []
  /** Which reads have been answered. */
  readonly reads = new Set<string>()
  actions = 0
  calls = 0
  /** Calls that did not work at first. */
  retried = 0
  fed = 0
  /** Calls as a person sees them: one, however often the page tried it. */
  asked = 0
  answeredInTime = 0
  /** Calls that came too late or not at all: when each began, what it was and how it ended. */
  readonly late: string[] = []
  #failed = 0

  noteOutcome(call: { name: string; status: number; isAnswered: boolean; tookMs: number; tries: number }): void {
    this.asked++
    if (call.isAnswered && call.tookMs <= IN_TIME_MS) {
      this.answeredInTime++
      return
    }
    const begun = new Date(Date.now() - call.tookMs).toISOString().slice(11, 19)
    const seconds = (call.tookMs / 1000).toFixed(1)
    this.late.push(`Late: ${begun} ${call.name}, ${call.status} after ${seconds} s and ${call.tries} tries`)
  }

  fail(what: string): void {
    this.#failed++
    if (this.failures.length < SAMPLES) this.failures.push(what)
  }

  get failed(): number {
    return this.#failed
  }
}
