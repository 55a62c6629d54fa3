import type { NodeLog } from '../observability/log.ts'
import type { Trace } from '../observability/trace.ts'
import { AppError } from '../runtime/app-error.ts'
import { passingFailure } from '../runtime/passing-failure.ts'
import { reasonOf } from '../runtime/reason.ts'

const isPassing = (error: unknown): boolean =>
  error instanceof AppError ? error.code === 'unavailable' : error instanceof Error && Boolean(passingFailure(error))

/**
 * Logs the failures of a job by its name. While the database or another service is away, jobs fail several times a second:
 * such failures have one line when they begin and one when they are over.
 */
export class JobTrouble {
  #since: number | undefined
  #isInRun = false

  constructor(
    private readonly job: string,
    private readonly log: NodeLog,
  ) {}

  failed(error: unknown, trace?: Trace): void {
    const about = { job: this.job, trace }
    if (!isPassing(error)) return this.log(error, about)
    this.#isInRun = true
    if (this.#since !== undefined) return
    this.#since = Date.now()
    this.log(`The job ${this.job} waits: ${reasonOf(error)}.`, { ...about, level: 'warn' })
  }

  /** A run has ended. */
  ended(): void {
    if (this.#since !== undefined && !this.#isInRun) {
      const seconds = Math.round((Date.now() - this.#since) / 1000)
      this.log(`The job ${this.job} works again after ${seconds} s.`, { job: this.job })
      this.#since = undefined
    }
    this.#isInRun = false
  }
}
