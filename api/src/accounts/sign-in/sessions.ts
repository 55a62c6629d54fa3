import type { MadeBy, SessionEndReason, UserSession } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'

/** A user's newest sessions, open ones first. */
export async function listSessions(db: Db, userUid: string, currentSessionUid: string): Promise<UserSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['uid', 'address', 'user_agent', 'created_at', 'seen_at', 'made_by'])
    .select(
      sql<string | null>`case when ended_at is not null then ended_at when expires_at <= now() then expires_at end`.as(
        'over',
      ),
    )
    .where('user_uid', '=', userUid)
    .orderBy(sql`ended_at is null and expires_at > now()`, 'desc')
    .orderBy('seen_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    uid: row.uid,
    address: row.address ?? '',
    userAgent: row.user_agent ?? '',
    signedInAt: row.created_at,
    madeBy: row.made_by as MadeBy,
    seenAt: row.seen_at,
    endedAt: row.over,
    isThisOne: row.uid === currentSessionUid,
  }))
}

interface SessionSelection {
  only?: string
  but?: string
}

/** Ends a user's open sessions (all, `only` one, or all `but` one); answers how many. */
export async function endSessions(db: Db, userUid: string, { only, but }: SessionSelection = {}): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'forced' })
    .where('user_uid', '=', userUid)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .$if(only !== undefined, (query) => query.where('uid', '=', only ?? ''))
    .$if(but !== undefined, (query) => query.where('uid', '<>', but ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends sessions that the identity provider has ended; answers the accounts that were signed in. */
export async function endProviderSessions(db: Db, sessionUids: string[]): Promise<{ uid: string; email: string }[]> {
  if (sessionUids.length === 0) return []
  const ended = await db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'singleSignOnEnded' })
    .where('uid', 'in', sessionUids)
    .where('ended_at', 'is', null)
    .returning('user_uid')
    .execute()
  if (ended.length === 0) return []
  const userUids = [...new Set(ended.map((session) => session.user_uid))]
  return db.selectFrom('user_account').select(['uid', 'email']).where('uid', 'in', userUids).execute()
}

/** What the sign-in page says after a session has ended. A sign-out of one's own needs no more than the usual sentence. */
export const sessionEndMessages: Partial<Record<SessionEndReason, string>> = {
  passwordReset: 'Your password was changed. Please sign in with the new one.',
  forced: 'You were signed out by an administrator or from another device. Please sign in again.',
  deleted: 'Your account was deleted. Please contact an administrator.',
  roleChanged: 'Your role was changed. Please sign in again.',
  emailChanged: 'Your email address was changed. Please sign in with the new one.',
  factorReset: 'Your second factor was reset. Please sign in again.',
  expired: 'You were signed out because your session expired. Please sign in again.',
  singleSignOnEnded: 'You were signed out of single sign-on. Please sign in again.',
}

/** Why the session of a token is over; undefined for a token that never had one. */
export async function sessionEndReason(db: Db, token: string): Promise<SessionEndReason | undefined> {
  const session = await db
    .selectFrom('session')
    .select(sql<SessionEndReason>`coalesce(end_reason, 'expired')`.as('reason'))
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  return session?.reason
}
