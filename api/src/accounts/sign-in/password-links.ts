import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import { forgetNetworks, rememberNetwork } from './known-networks.ts'
import { liveAccount } from './queries.ts'
import { endOpenSessions } from './sessions.ts'

/** How long the link of an invitation works. After that, the user requests another one as for a forgotten password. */
export const INVITATION_DAYS = 7

export type PasswordLinkKind = 'invitation' | 'reset'

/** How long a link may wait for the mail server. */
const LONGEST_WAIT_MINUTES = 2 * 24 * 60

/** How long the link of a forgotten password works. */
export const RESET_MINUTES = 30

const minutesOf: Record<PasswordLinkKind, number> = { invitation: INVITATION_DAYS * 24 * 60, reset: RESET_MINUTES }

/** Locks the account, so that its email address stays the same until the transaction ends. */
const lockAccount = (db: Db, userUid: string) => liveAccount(db, userUid).forNoKeyUpdate().executeTakeFirst()

export const endOpenLinks = (db: Db, userUid: string) =>
  db
    .updateTable('password_reset')
    .set({ ended_at: sql`now()` })
    .where('user_uid', '=', userUid)
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)

interface NewLink {
  kind?: PasswordLinkKind
  /** The network address that asks for it. */
  address?: string
}

/**
 * Creates a single-use link to set a password, bound to the account's email address of this moment. It replaces an older
 * one of its kind: a stranger who asks for a reset does not end an invitation.
 */
export const createPasswordLink = (db: Db, userUid: string, { kind = 'reset', address = '' }: NewLink = {}) =>
  inTransaction(db, async (db) => {
    const account = await lockAccount(db, userUid)
    if (!account) return undefined
    await endOpenLinks(db, userUid).where('kind', '=', kind).execute()
    const token = newToken()
    await db
      .insertInto('password_reset')
      .values({
        token_hash: hashToken(token),
        user_uid: userUid,
        kind,
        email: account.email,
        address,
        expires_at: sql`now() + ${minutesOf[kind]} * interval '1 minute'`,
      })
      .execute()
    return { token, email: account.email, name: account.name }
  })

/** Binds a link to the mail that carries it, in the same transaction: its time begins when the mail is sent. */
export const bindToMail = (db: Db, token: string, messageUid: string | undefined) =>
  db
    .updateTable('password_reset')
    .set({
      message_uid: messageUid ?? null,
      expires_at: sql`greatest(expires_at, now() + ${LONGEST_WAIT_MINUTES} * interval '1 minute')`,
    })
    .where('token_hash', '=', hashToken(token))
    .execute()

/**
 * Begins the time of the link in a mail that is sent now. Answers why it must not be sent, if the link was used, ended or
 * replaced meanwhile, or was asked for too long ago.
 */
export async function startLinkTime(db: Db, messageUid: string): Promise<string | undefined> {
  const minutes = sql`case kind when 'invitation' then ${minutesOf.invitation}::int else ${minutesOf.reset}::int end`
  const longest = sql`greatest(${minutes}, ${LONGEST_WAIT_MINUTES}::int)`
  const { numUpdatedRows } = await db
    .updateTable('password_reset')
    .set({ expires_at: sql`now() + ${minutes} * interval '1 minute'` })
    .where('message_uid', '=', messageUid)
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>', sql<string>`now() - ${longest} * interval '1 minute'`)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? undefined : 'The link in it was used, ended or replaced by a newer one.'
}

/** What became of a link. One that was replaced or ended says no more than one that never existed. */
export const findPasswordLink = (db: Db, token: string) =>
  db
    .selectFrom('password_reset as r')
    .innerJoin('user_account as u', 'u.uid', 'r.user_uid')
    .select(['r.user_uid', 'r.kind', 'r.email', 'u.name', 'u.password_hash'])
    .select(
      sql<'valid' | 'used' | 'expired' | 'unknown'>`case
        when r.used_at is not null then 'used'
        when r.ended_at is not null or u.deleted_at is not null or u.email <> r.email then 'unknown'
        when r.expires_at <= now() then 'expired'
        else 'valid' end`.as('state'),
    )
    .where('r.token_hash', '=', hashToken(token))
    .$narrowType<{ kind: PasswordLinkKind }>()
    .executeTakeFirst()

/** Sets the password of a valid link's account once; false if the link was used or ended in the meantime. */
export const redeemPasswordLink = (
  db: Db,
  token: string,
  { userUid, passwordHash, address }: { userUid: string; passwordHash: string; address: string },
): Promise<boolean> =>
  inTransaction(db, async (db) => {
    // The account comes first, as in every change of it, so that two of them never wait for each other.
    const account = await lockAccount(db, userUid)
    if (!account) return false
    const { numUpdatedRows } = await db
      .updateTable('password_reset')
      .set({ used_at: sql`now()` })
      .where('token_hash', '=', hashToken(token))
      .where('email', '=', account.email)
      .where('used_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await setPassword(db, userUid, passwordHash, address)
    // The owner of the mailbox sits here, and signs in next.
    await forgetNetworks(db, userUid)
    await rememberNetwork(db, userUid, address)
    return true
  })

/** Sets a password and ends every session of the user. The database ends links from before. */
async function setPassword(db: Db, userUid: string, passwordHash: string, address: string): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ password_hash: passwordHash, changed_by: userUid, changed_from: address })
    .where('uid', '=', userUid)
    .execute()
  await endOpenSessions(db, 'passwordReset').where('user_uid', '=', userUid).execute()
}
