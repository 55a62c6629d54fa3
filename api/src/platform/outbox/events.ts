import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'
import type { AppContext } from '../context.ts'
import { defineJob, type Job } from '../jobs/define-job.ts'
import { waitAfter } from './rules.ts'

export interface NewEvent {
  /** What happened, such as `shift.changed`. */
  type: string
  /** What it happened to, such as `shift <uid>`: its events are handled in their order. */
  object: string
  /** The client whose affair it is; undefined where it concerns no single client. */
  clientUid?: string | null
  data?: object
}

export interface OutboundEvent {
  uid: string
  place: number
  at: string
  type: string
  object: string
  clientUid: string | null
  data: Record<string, unknown>
}

export interface EventHandler {
  types: readonly string[]
  /** Makes messages of an event, in one transaction with all other handlers of it. */
  handle(db: Db, event: OutboundEvent, context: Pick<AppContext, 'env'>): Promise<void>
}

/** Keeps what happened, in the transaction in which it happened. Handlers make messages of it once it has committed. */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, object, clientUid = null, data = {} }) => ({
    type,
    object,
    client_uid: clientUid,
    data: JSON.stringify(data),
  }))
  await db.insertInto('outbound_event').values(rows).execute()
}

const AT_ONCE = 100
const MOST_ATTEMPTS = 10

/** Events that are due, oldest first; one whose object has an earlier event waits for that. */
const dueEvents = (db: Db) =>
  db
    .selectFrom('outbound_event as e')
    .select(['e.uid', 'e.place', 'e.at', 'e.type', 'e.object', 'e.client_uid as clientUid', 'e.data', 'e.attempts'])
    .where('e.failed_at', 'is', null)
    .where('e.next_at', '<=', sql<string>`now()`)
    .where((match) =>
      match.not(
        match.exists(
          match
            .selectFrom('outbound_event as earlier')
            .select('earlier.place')
            .whereRef('earlier.object', '=', 'e.object')
            .whereRef('earlier.place', '<', 'e.place')
            .where('earlier.failed_at', 'is', null),
        ),
      ),
    )
    .orderBy('e.place')
    .limit(AT_ONCE)
    .execute()

/** Postpones an event that a handler failed on; after some attempts it is left for admins to see. */
async function postpone(db: Db, place: number, { attempts, reason }: { attempts: number; reason: string }) {
  const isOver = attempts >= MOST_ATTEMPTS
  const wait = sql<string>`now() + make_interval(secs => ${waitAfter({ attempts, spread: Math.random() }) / 1000})`
  await db
    .updateTable('outbound_event')
    .set({ attempts, next_at: wait, problem: reason, ...(isOver && { failed_at: sql<string>`now()` }) })
    .where('place', '=', place)
    .execute()
}

/** Turns what happened into messages, on one node at a time. */
export const handleEvents = (handlers: readonly EventHandler[]): Job =>
  defineJob('handle-events', async ({ db, env, timeUp, log }) => {
    for (;;) {
      const events = await dueEvents(db)
      for (const { attempts, ...event } of events) {
        if (timeUp.aborted) return
        const handled = { ...event, data: event.data as Record<string, unknown> }
        try {
          await inTransaction(db, async (db) => {
            for (const handler of handlers) {
              if (handler.types.includes(event.type)) await handler.handle(db, handled, { env })
            }
            await db.deleteFrom('outbound_event').where('place', '=', event.place).execute()
          })
        } catch (error) {
          log(error)
          await postpone(db, event.place, { attempts: attempts + 1, reason: (error as Error).message })
        }
      }
      if (events.length === 0) return
    }
  })
