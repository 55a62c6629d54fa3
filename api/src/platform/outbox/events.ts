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

/** Reports of one sender that come within this time are one event, up to the longest. */
const [GATHER_SECONDS, LONGEST_SECONDS] = [5, 30]
/** How many of them an event keeps word for word. */
const KEPT_REPORTS = 20

/** What a handler reads of an event that gathers reports. Its other fields are those of the newest. */
export interface GatheredData {
  count: number
  /** The first of them, in their order. */
  reports: Record<string, unknown>[]
}

/**
 * Keeps what a person reports, in the transaction of the report: it joins what the same sender has just reported of the same
 * object, unless that is being handled at this moment.
 */
export async function gatherReport(db: Db, event: NewEvent & { sender: string; data: object }): Promise<void> {
  const { type, object, clientUid = null, sender, data } = event
  const waiting = await db
    .selectFrom('outbound_event')
    .select(['place', 'data'])
    .where('object', '=', object)
    .where('type', '=', type)
    .where('failed_at', 'is', null)
    .where('attempts', '=', 0)
    .where(sql<boolean>`data ->> 'sender' = ${sender} and next_at > now()`)
    .orderBy('place', 'desc')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  const { count, reports } = (waiting?.data ?? { count: 0, reports: [] }) as unknown as GatheredData
  const gathered = JSON.stringify({
    ...data,
    sender,
    count: count + 1,
    reports: reports.length < KEPT_REPORTS ? [...reports, data] : reports,
  })
  const soon = sql<string>`now() + make_interval(secs => ${GATHER_SECONDS})`
  if (waiting) {
    const next = sql<string>`least(at + make_interval(secs => ${LONGEST_SECONDS}), ${soon})`
    await db
      .updateTable('outbound_event')
      .set({ data: gathered, next_at: next })
      .where('place', '=', waiting.place)
      .execute()
    return
  }
  const row = { type, object, client_uid: clientUid, data: gathered, next_at: soon }
  await db.insertInto('outbound_event').values(row).execute()
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
    .select(['e.uid', 'e.place', 'e.at', 'e.type', 'e.object', 'e.client_uid as clientUid', 'e.attempts'])
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

/** An event as it is now, locked while it is handled; undefined if it waits again, because more was gathered. */
const lockDue = (db: Db, place: number) =>
  db
    .selectFrom('outbound_event')
    .select('data')
    .where('place', '=', place)
    .where('next_at', '<=', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst()

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
        try {
          await inTransaction(db, async (db) => {
            const due = await lockDue(db, event.place)
            if (!due) return
            const handled = { ...event, data: due.data as Record<string, unknown> }
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
