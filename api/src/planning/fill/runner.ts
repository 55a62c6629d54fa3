import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { semaphore } from '../../platform/runtime/semaphore.ts'
import { noteProgress, storeFailure, storeResult } from './fill-proposals.ts'
import { propose, type Search } from './propose.ts'
import type { Progress } from './solve.ts'

/** Each search keeps a core busy. */
const AT_ONCE = 2
const MOST_WAITING = 6
const BEAT_MS = 1000

const FAILED = 'No proposal could be made. Please try again with fewer days or markets.'
const STOPPED = 'The server was restarted. Please start the search again.'

interface Running {
  controller: AbortController
  done: Promise<void>
}

/** Looks for fill proposals on this node, a few at a time, each in a thread of its own. */
export class FillRunner {
  readonly #db: Db
  readonly #log: (error: unknown) => void
  readonly #running = new Map<string, Running>()
  readonly #inTurn = semaphore(AT_ONCE)

  constructor(db: Db, log: (error: unknown) => void) {
    this.#db = db
    this.#log = log
  }

  refuseIfBusy(): void {
    if (this.#running.size < AT_ONCE + MOST_WAITING) return
    throw new AppError('unavailable', {
      text: 'Several people are using Fill right now. Please try again in a minute.',
      retryAfter: 30,
    })
  }

  start(uid: string, search: Search): void {
    const controller = new AbortController()
    const done = this.#run(uid, search, controller).finally(() => this.#running.delete(uid))
    this.#running.set(uid, { controller, done })
  }

  /** Ends a search on this node at once; other nodes notice within a second. */
  cancel(uid: string): void {
    this.#running.get(uid)?.controller.abort()
  }

  async stop(): Promise<void> {
    const all = [...this.#running]
    await Promise.all(all.map(([uid]) => storeFailure(this.#db, uid, STOPPED).catch(this.#log)))
    for (const [, { controller }] of all) controller.abort()
    await Promise.all(all.map(([, { done }]) => done))
  }

  async #run(uid: string, search: Search, controller: AbortController): Promise<void> {
    let progress: Progress = { step: 'placing', placed: null }
    const beat = async () => {
      if (!(await noteProgress(this.#db, uid, progress))) controller.abort()
    }
    const timer = setInterval(() => void beat().catch(this.#log), BEAT_MS)
    try {
      await this.#inTurn(1, async () => {
        const { signal } = controller
        if (signal.aborted) return
        const result = await propose(search, signal, { onProgress: (next) => (progress = next) })
        await storeResult(this.#db, uid, result)
      })
    } catch (error) {
      if (controller.signal.aborted) return
      this.#log(error)
      await storeFailure(this.#db, uid, FAILED).catch(this.#log)
    } finally {
      clearInterval(timer)
    }
  }
}
