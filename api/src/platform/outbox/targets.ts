import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** Holds what waits for a target until it is released; what is not released expires. */
export const holdTarget = (db: Db, target: string) =>
  sql`update message set next_at = expires_at where target = ${target} and state = 'waiting'`.execute(db)

/** Sends at once what waits for a target. */
export const releaseTarget = (db: Db, target: string) =>
  sql`update message set next_at = now() where target = ${target} and state = 'waiting' and next_at > now()`.execute(db)

/** Cancels what waits for a target. A message that is under way at this moment may still arrive. */
export const cancelTarget = (db: Db, target: string, problem: string) =>
  sql`
  update message set state = 'cancelled', done_at = now(), leased_until = null, problem = ${problem}
   where target = ${target} and state = 'waiting'`.execute(db)
