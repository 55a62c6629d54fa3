import { randomBytes } from 'node:crypto'
import type { ModuleKey, Role, UserWithPermissions } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { toFileRef } from '../../platform/files/index.ts'
import { hashToken } from '../../platform/http/session.ts'

const SESSION_HOURS = 12
const RESET_MINUTES = 30

const newToken = () => randomBytes(32).toString('base64url')

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

interface SessionOrigin {
  address: string
  userAgent: string
  /** How the user proved who they are. */
  madeBy?: 'password' | 'code' | 'recoveryCode' | 'passkey' | 'singleSignOn'
}

/** Opens a session and returns its token. Only a hash of it is stored. */
export async function openSession(db: Db, userUid: string, origin: SessionOrigin): Promise<string> {
  const { address, userAgent, madeBy = 'password' } = origin
  const token = newToken()
  await db
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      user_uid: userUid,
      client_type: 'web',
      address,
      user_agent: userAgent.slice(0, 300),
      made_by: madeBy,
      expires_at: sql`now() + ${SESSION_HOURS} * interval '1 hour'`,
    })
    .execute()
  return token
}

export const endSession = (db: Db, sessionUid: string) =>
  db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'logout' })
    .where('uid', '=', sessionUid)
    .where('ended_at', 'is', null)
    .execute()

/** Creates a single-use token to set a password; it replaces older ones. */
export async function createPasswordReset(db: Db, userUid: string, minutes = RESET_MINUTES): Promise<string> {
  const token = newToken()
  await db.deleteFrom('password_reset').where('user_uid', '=', userUid).execute()
  await db
    .insertInto('password_reset')
    .values({
      token_hash: hashToken(token),
      user_uid: userUid,
      expires_at: sql`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return token
}

/** The account that a valid token belongs to. */
export const accountByResetToken = (db: Db, token: string) =>
  db
    .selectFrom('password_reset as r')
    .innerJoin('user_account as u', 'u.uid', 'r.user_uid')
    .select(['u.uid', 'u.email', 'u.name'])
    .where('r.token_hash', '=', hashToken(token))
    .where('r.used_at', 'is', null)
    .where('r.expires_at', '>', sql<string>`now()`)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()

/** Marks the token as used; false if it was used in the meantime. */
export async function consumePasswordReset(db: Db, token: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('password_reset')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets a password and ends every session of the user. */
export async function setPassword(db: Db, userUid: string, passwordHash: string, address: string): Promise<void> {
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
