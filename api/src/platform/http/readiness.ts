import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../runtime/app-error.ts'
import { build } from '../runtime/build.ts'
import type { Degraded, ExternalServices } from '../runtime/external-services.ts'
import type { Db } from '../db/connection.ts'
import { isMigrated } from '../db/migrate.ts'
import type { App } from './app.ts'

/** Whether load balancers should send calls to this node. They ask at /readyz. */
interface Readiness {
  /** As it was when the node last looked, a few seconds ago at most. */
  readonly isReady: boolean
  /** Takes this node out of rotation for good and states why. It still answers calls. */
  notReady(reason: string): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness
  }
}

const ANSWER_MS = 3000
// A database that answered this recently is only busy. Taking its node out would load the other nodes more.
const BUSY_MS = 10_000
const RETRY_SECONDS = 5
/** How often a node looks by itself: metrics and the log must not depend on a load balancer that asks. */
const LOOK_MS = 5000

const unavailable = (text: string) => new AppError('unavailable', { text, retryAfter: RETRY_SECONDS })

/** Knows whether the database can be worked with, and logs when that changes. */
class DatabaseReadiness {
  /** Why it can't be worked with. */
  problem: string | undefined
  #answeredAt = -Infinity
  #lostAt = 0
  #looking: Promise<void> | undefined

  constructor(
    private readonly db: Db,
    private readonly log: App['log'],
  ) {}

  /** Those that ask while it looks share its answer: while the database hangs, that takes some seconds. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #look(): Promise<void> {
    let failure: unknown
    const looking = isMigrated(this.db).catch((error: unknown) => {
      failure = error
      return 'failed' as const
    })
    // Load balancers wait only briefly, and a hanging database never answers.
    const hasSchema = await Promise.race([looking, sleep(ANSWER_MS, 'silent' as const, { ref: false })])
    if (hasSchema === 'silent' && performance.now() - this.#answeredAt < BUSY_MS) return
    if (typeof hasSchema === 'string') return this.#note('The database does not answer.', failure)
    this.#answeredAt = performance.now()
    this.#note(hasSchema ? undefined : 'The database is not migrated yet.')
  }

  /** Only changes are logged. */
  #note(problem: string | undefined, error?: unknown): void {
    const wasReady = this.problem === undefined
    this.problem = problem
    if (wasReady === (problem === undefined)) return
    if (problem !== undefined) {
      this.#lostAt = Date.now()
      return this.log.warn({ err: error }, `This node is not ready: ${problem}`)
    }
    const seconds = Math.round((Date.now() - this.#lostAt) / 1000)
    this.log.info(`The database answers again after ${seconds} s: this node is ready.`)
  }
}

/** What /healthz answers. A start at the same port waits for a node that is stopping. */
export const healthOf = (isStopping = false) => ({ alive: true, ...build, ...(isStopping && { stopping: true }) })

/** Answers /healthz while the process lives, and /readyz while it can do its work. */
export function reportHealth(app: App, db: Db, services: ExternalServices): void {
  let reason: string | undefined
  const database = new DatabaseReadiness(db, app.log)
  app.decorate('readiness', {
    get isReady() {
      return (reason ?? database.problem) === undefined
    },
    notReady(why) {
      reason ??= why
      app.log.info(why)
    },
  })

  /** A node without one of its services still works, so load balancers keep it. */
  function ready(): { ready: true; degraded?: Degraded[] } {
    const { degraded } = services
    return { ready: true, ...(degraded.length > 0 && { degraded }) }
  }

  app.get('/healthz', async () => healthOf(reason !== undefined))
  app.get('/readyz', async () => {
    if (reason !== undefined) throw unavailable(reason)
    await database.look()
    if (database.problem !== undefined) throw unavailable(database.problem)
    return ready()
  })

  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    timer = setInterval(() => void database.look(), LOOK_MS).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
