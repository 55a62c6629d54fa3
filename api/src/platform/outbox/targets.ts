import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

const waitingFor = (db: Db, target: string) =>
  db.updateTable('message').where('target', '=', target).where('state', '=', 'waiting')

/** Holds what waits for a target until it is released; what is not released expires. */
export const holdTarget = (db: Db, target: string) =>
  waitingFor(db, target)
    .set((eb) => ({ next_at: eb.ref('expires_at') }))
    .execute()

/** Sends at once what waits for a target. */
export const releaseTarget = (db: Db, target: string) =>
  waitingFor(db, target)
    .set({ next_at: sql`now()` })
    .where('next_at', '>', sql<string>`now()`)
    .execute()

/** Cancels what waits for a target. A message that is under way at this moment may still arrive. */
export const cancelTarget = (db: Db, target: string, problem: string) =>
  waitingFor(db, target)
    .set({ state: 'cancelled', done_at: sql`now()`, leased_until: null, problem })
    .execute()
