import type { Language, MadeBy, ModuleKey, Role, UserWithPermissions } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { toFileRef } from '../../platform/files/index.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { rememberNetwork } from './known-networks.ts'
import { preferencesOf } from './preferences.ts'

const SESSION_HOURS = 12

export interface UserAccount {
  uid: string
  name: string
  email: string
  role: Role
  modules: ModuleKey[]
}

export const toUserWithPermissions = async (
  db: Db,
  { uid, name, email, role, modules }: UserAccount,
): Promise<UserWithPermissions> => ({
  userUid: uid,
  name,
  email,
  role,
  photoUrl: await photoOf(db, uid),
  roleAccess: modules.map((moduleKey) => ({ moduleKey })),
  preferences: await preferencesOf(db, uid),
})

async function photoOf(db: Db, userUid: string): Promise<string | null> {
  const photo = await db
    .selectFrom('user_account as u')
    .innerJoin('stored_file as f', 'f.uid', 'u.photo_file_uid')
    .selectAll('f')
    .where('u.uid', '=', userUid)
    .executeTakeFirst()
  return photo ? toFileRef(photo).thumbnailUrl : null
}

const accounts = (db: Db) =>
  db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email', 'role', 'modules', 'password_hash'])
    .$narrowType<Pick<UserAccount, 'role' | 'modules'>>()

export const accountByUid = (db: Db, uid: string) => accounts(db).where('uid', '=', uid).executeTakeFirstOrThrow()

export const accountByEmail = (db: Db, email: string) =>
  accounts(db).where('email', '=', email).where('deleted_at', 'is', null).executeTakeFirst()

/** An account that is not deleted, for the caller to lock. */
export const liveAccount = (db: Db, uid: string) => accounts(db).where('uid', '=', uid).where('deleted_at', 'is', null)

/** An account as it was when its password was verified. */
export type VerifiedAccount = Pick<Awaited<ReturnType<typeof accountByUid>>, 'uid' | 'email' | 'password_hash'>

/**
 * Locks an account whose password was verified, so that a change of it waits until the transaction ends. Refuses if the
 * password or the address has changed since, or the account was deleted: such a change has ended every session.
 */
export async function lockVerifiedAccount(db: Db, verified: VerifiedAccount): Promise<void> {
  const account = await liveAccount(db, verified.uid).forShare().executeTakeFirst()
  const isSame = account?.email === verified.email && account.password_hash === verified.password_hash
  if (!isSame) throw new AppError('wrongPassword')
}

interface SessionOrigin {
  address: string
  userAgent: string
  /** How the user proved who they are. */
  madeBy?: MadeBy
  /** The identity provider has seen a second factor. */
  hasProviderFactor?: boolean
  /** What the browser asks for. */
  language?: Language | undefined
}

/** Opens a session and returns its token. */
export const openSession = async (db: Db, userUid: string, origin: SessionOrigin): Promise<string> =>
  (await startSession(db, userUid, origin)).token

/** Opens a session, whose network is known from then on. Only a hash of its token is stored; the database decides whether it is limited. */
export async function startSession(db: Db, userUid: string, origin: SessionOrigin) {
  const { address, userAgent, madeBy = 'password', hasProviderFactor = false, language } = origin
  const token = newToken()
  const { is_limited: isLimited } = await db
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      user_uid: userUid,
      client_type: 'web',
      address,
      user_agent: userAgent.slice(0, 300),
      made_by: madeBy,
      has_provider_factor: hasProviderFactor,
      language: language ?? null,
      expires_at: sql`now() + ${SESSION_HOURS} * interval '1 hour'`,
    })
    .returning('is_limited')
    .executeTakeFirstOrThrow()
  await rememberNetwork(db, userUid, address)
  return { token, isLimited }
}
