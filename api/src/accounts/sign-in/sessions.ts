import type { MadeBy, SessionEndReason, UserSession } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

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

/** Ends the sessions that the caller selects, unless they have ended before. */
export const endOpenSessions = (db: Db, reason: SessionEndReason) =>
  db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: reason })
    .where('ended_at', 'is', null)

interface SessionSelection {
  only?: string
  but?: string
  reason?: SessionEndReason
}

/** Ends a user's open sessions (all, `only` one, or all `but` one); answers how many. */
export async function endSessions(
  db: Db,
  userUid: string,
  { only, but, reason = 'forced' }: SessionSelection = {},
): Promise<number> {
  const { numUpdatedRows } = await endOpenSessions(db, reason)
    .where('user_uid', '=', userUid)
    .where('expires_at', '>', sql<string>`now()`)
    .$if(only !== undefined, (query) => query.where('uid', '=', only ?? ''))
    .$if(but !== undefined, (query) => query.where('uid', '<>', but ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends sessions that the identity provider has ended; answers the accounts that were signed in. */
export async function endProviderSessions(db: Db, sessionUids: string[]): Promise<{ uid: string; email: string }[]> {
  if (sessionUids.length === 0) return []
  const ended = await endOpenSessions(db, 'singleSignOnEnded')
    .where('uid', 'in', sessionUids)
    .returning('user_uid')
    .execute()
  if (ended.length === 0) return []
  const userUids = [...new Set(ended.map((session) => session.user_uid))]
  return db.selectFrom('user_account').select(['uid', 'email']).where('uid', 'in', userUids).execute()
}

const MOST_AT_ONCE = 1000

/**
 * Ends sessions that are due, so that their pages hear of it as of any other end. One statement on a small
 * index serves all sockets of the node; what another node is ending is skipped.
 */
export const endDueSessions = defineJob('end-due-sessions', ({ db }) =>
  sql`
    update session set ended_at = now(), end_reason = 'expired'
     where uid in (select uid from session where ended_at is null and expires_at <= now()
                    order by expires_at limit ${MOST_AT_ONCE} for update skip locked)`.execute(db),
)

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
  const own = db.updateTable('session').where('uid', '=', sessionUid).where('is_limited', '=', true)
  await own.set({ is_limited: false }).execute()
  await endOpenSessions(db, 'forced').where('user_uid', '=', userUid).where('is_limited', '=', true).execute()
}
