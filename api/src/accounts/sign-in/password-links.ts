import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'
import { forgetNetworks, rememberNetwork } from './known-networks.ts'
import { newToken } from './queries.ts'

/** How long the link of an invitation works. After that, the user requests another one as for a forgotten password. */
export const INVITATION_DAYS = 7

export type PasswordLinkKind = 'invitation' | 'reset'
const minutesOf: Record<PasswordLinkKind, number> = { invitation: INVITATION_DAYS * 24 * 60, reset: 30 }

/** Locks the account, so that its email address stays the same until the transaction ends. */
const lockAccount = (db: Db, userUid: string) =>
  db
    .selectFrom('user_account')
    .select(['uid', 'email', 'name', 'password_hash'])
    .where('uid', '=', userUid)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

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

const linkByToken = (db: Db, token: string) =>
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

/** What became of a link. One that was replaced or ended says no more than one that never existed. */
export const findPasswordLink = (db: Db, token: string) => linkByToken(db, token).executeTakeFirst()

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
  await db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'passwordReset' })
    .where('user_uid', '=', userUid)
    .where('ended_at', 'is', null)
    .execute()
}
