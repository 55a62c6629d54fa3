import { randomBytes } from 'node:crypto'
import type { Language, MadeBy, ModuleKey, Role, UserWithPermissions } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { toFileRef } from '../../platform/files/index.ts'
import { hashToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { rememberNetwork } from './known-networks.ts'

const SESSION_HOURS = 12

export const newToken = () => randomBytes(32).toString('base64url')

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

export const accountByEmail = (db: Db, email: string) =>
  db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email', 'role', 'modules', 'password_hash'])
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .$narrowType<Pick<UserAccount, 'role' | 'modules'>>()
    .executeTakeFirst()

/** An account as it was when its password was verified. */
export interface VerifiedAccount {
  uid: string
  email: string
  password_hash: string | null
}

/**
 * Locks an account whose password was verified, so that a change of it waits until the transaction ends. Refuses if the
 * password or the address has changed since, or the account was deleted: such a change has ended every session.
 */
export async function lockVerifiedAccount(db: Db, verified: VerifiedAccount): Promise<void> {
  const account = await db
    .selectFrom('user_account')
    .select(['email', 'password_hash'])
    .where('uid', '=', verified.uid)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  const isSame = account?.email === verified.email && account.password_hash === verified.password_hash
  if (!isSame) throw new AppError('wrongPassword')
}

export const accountByUid = (db: Db, uid: string) =>
  db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email', 'role', 'modules'])
    .where('uid', '=', uid)
    .$narrowType<Pick<UserAccount, 'role' | 'modules'>>()
    .executeTakeFirstOrThrow()

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

export const endSession = (db: Db, sessionUid: string) =>
  db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'logout' })
    .where('uid', '=', sessionUid)
    .where('ended_at', 'is', null)
    .execute()
