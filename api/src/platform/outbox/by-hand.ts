import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** The states from which a message is sent again, unless the recipient can tell that it had it before. */
const GIVEN_UP = ['dead', 'cancelled'] as const

/** Lets a message that was given up or cancelled be tried for another two days; false if it is neither. */
export async function sendAgain(
  db: Db,
  uid: string,
  from: readonly ('sent' | 'dead' | 'cancelled')[] = GIVEN_UP,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({
      state: 'waiting',
      done_at: null,
      problem: null,
      leased_until: null,
      // The waits between attempts begin from the shortest.
      attempts: 0,
      next_at: sql`now()`,
      expires_at: sql`now() + interval '2 days'`,
    })
    .where('uid', '=', uid)
    .where('state', 'in', from)
    .where('payload', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cancels a message that waits; false if it is done, or a node is sending it. */
export async function cancelMessage(db: Db, uid: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ state: 'cancelled', done_at: sql`now()`, problem: reason, leased_until: null })
    .where('uid', '=', uid)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`(leased_until is null or leased_until < now())`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
