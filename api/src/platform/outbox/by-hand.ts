import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../db/connection.ts'
import { hasTable } from '../db/with-client.ts'

/** The states from which a message is sent again, unless the recipient can tell that it had it before. */
const GIVEN_UP = ['dead', 'cancelled'] as const

/** Lets a message that was given up or canceled be tried for another two days; false if it is neither. */
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

const cancelledFor = (problem: string) =>
  ({ state: 'cancelled', done_at: sql<string>`now()`, problem, leased_until: null }) as const

/** Cancels a message that waits; false if it is done, or a node is sending it. */
export async function cancelMessage(db: Db, uid: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set(cancelledFor(reason))
    .where('uid', '=', uid)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`(leased_until is null or leased_until < now())`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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
  waitingFor(db, target).set(cancelledFor(problem)).execute()

const WAITED_IN_BACKUP =
  'This waited when the backup was made, and may have been sent since. Send it again if it has not arrived.'

/**
 * Sends nothing by itself that waited when a backup was made: most of it was sent since, and a second mail or webhook
 * cannot be taken back. Admins see what was held back, and send again what is missing.
 */
export async function holdBackRestored(client: pg.Client): Promise<void> {
  // A backup may be older than the outbox.
  if (!(await hasTable(client, 'message'))) return
  await client.query(
    `update message set state = 'cancelled', done_at = now(), problem = $1, leased_until = null where state = 'waiting'`,
    [WAITED_IN_BACKUP],
  )
  await client.query('update outbound_event set failed_at = now(), problem = $1 where failed_at is null', [
    WAITED_IN_BACKUP,
  ])
}
