import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../runtime/app-error.ts'
import { build } from '../runtime/build.ts'
import type { Degraded, ExternalServices } from '../runtime/external-services.ts'
import type { Db } from '../db/connection.ts'
import { isMigrated } from '../db/migrate.ts'
import type { App } from './app.ts'

/** Whether load balancers should send calls to this node. They ask at /readyz. */
interface Readiness {
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

const unavailable = (text: string) => new AppError('unavailable', { text, retryAfter: RETRY_SECONDS })

/** Answers /healthz while the process lives, and /readyz while it can do its work. */
export function reportHealth(app: App, db: Db, services: ExternalServices): void {
  let reason: string | undefined
  let answeredAt = -Infinity
  let wasReady = true
  app.decorate('readiness', {
    notReady(why) {
      reason ??= why
      app.log.info(why)
    },
  })

  /** Load balancers ask every second: only changes are logged. */
  function note(isReady: boolean, why: string, error?: unknown): void {
    if (isReady === wasReady) return
    wasReady = isReady
    if (isReady) app.log.info('The database answers again: this node is ready.')
    else app.log.warn({ err: error }, `This node is not ready: ${why}`)
  }

  function refuse(why: string, error?: unknown): never {
    note(false, why, error)
    throw unavailable(why)
  }

  /** A node without one of its services still works, so load balancers keep it. */
  function ready(): { ready: true; degraded?: Degraded[] } {
    const { degraded } = services
    return { ready: true, ...(degraded.length > 0 && { degraded }) }
  }

  app.get('/healthz', async () => ({ alive: true, ...build }))
  app.get('/readyz', async () => {
    if (reason !== undefined) throw unavailable(reason)
    let failure: unknown
    const looking = isMigrated(db).catch((error: unknown) => {
      failure = error
      return 'failed' as const
    })
    // Load balancers wait only briefly, and a hanging database never answers.
    const hasSchema = await Promise.race([looking, sleep(ANSWER_MS, 'silent' as const, { ref: false })])
    if (hasSchema === 'silent' && performance.now() - answeredAt < BUSY_MS) return ready()
    if (typeof hasSchema === 'string') refuse('The database does not answer.', failure)
    answeredAt = performance.now()
    if (!hasSchema) refuse('The database is not migrated yet.')
    note(true, '')
    return ready()
  })
}
