import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** What a session has proved: whether it is limited, and until when it may change factors. */
export const readProof = (db: Db, sessionUid: string, minutes: number) =>
  db
    .selectFrom('session')
    .select(['is_limited', sql<string>`proved_at + ${minutes} * interval '1 minute'`.as('proved_until')])
    .select(sql<boolean>`proved_at + ${minutes} * interval '1 minute' > now()`.as('is_fresh'))
    .where('uid', '=', sessionUid)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Notes that the user of a session has proved again who they are. */
export const renewProof = (db: Db, sessionUid: string) =>
  db
    .updateTable('session')
    .set({ proved_at: sql`now()` })
    .where('uid', '=', sessionUid)
    .execute()

/**
 * Gives a session all its rights, because its user has set up a factor in it. The user's other limited sessions have
 * proved a password only, and end.
 */
export async function liftLimit(db: Db, userUid: string, sessionUid: string): Promise<void> {
  const limited = db.updateTable('session').where('user_uid', '=', userUid).where('is_limited', '=', true)
  await limited.set({ is_limited: false }).where('uid', '=', sessionUid).execute()
  await limited
    .set({ ended_at: sql`now()`, end_reason: 'forced' })
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every session of a user whose factors were reset; answers how many. */
export async function endSessionsForReset(db: Db, userUid: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'factorReset' })
    .where('user_uid', '=', userUid)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
