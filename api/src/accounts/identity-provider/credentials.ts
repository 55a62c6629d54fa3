import type { CredentialSource } from '../../platform/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** Whether a user could still sign in without one of their identities. */
async function hasAnotherWayIn(db: Db, userUid: string, identityUid: string): Promise<boolean> {
  const account = await db
    .selectFrom('user_account')
    .select('password_hash')
    .where('uid', '=', userUid)
    .executeTakeFirstOrThrow()
  const other = await db
    .selectFrom('single_sign_on_identity')
    .select('uid')
    .where('user_uid', '=', userUid)
    .where('uid', '<>', identityUid)
    .executeTakeFirst()
  const passkey = await db.selectFrom('passkey').select('uid').where('user_uid', '=', userUid).executeTakeFirst()
  return account.password_hash !== null || other !== undefined || passkey !== undefined
}

export const identityCredentials: CredentialSource = {
  kind: 'singleSignOn',
  list: async (db, userUid) => {
    const rows = await db
      .selectFrom('single_sign_on_identity')
      .select(['uid', 'issuer', 'email', 'created_at', 'used_at'])
      .where('user_uid', '=', userUid)
      .execute()
    return rows.map((row) => ({
      uid: row.uid,
      name: new URL(row.issuer).host,
      detail: row.email,
      createdAt: row.created_at,
      lastUsedAt: row.used_at,
    }))
  },
  // An admin may always unlink: a wrong person must not stay. Owners do not lock themselves out.
  end: async (db, userUid, uid, { isOwner }) => {
    const identity = await db
      .selectFrom('single_sign_on_identity')
      .select('email')
      .where('user_uid', '=', userUid)
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst()
    if (!identity) return undefined
    if (isOwner && !(await hasAnotherWayIn(db, userUid, uid))) throw new AppError('lastWayIn')
    await db.deleteFrom('single_sign_on_identity').where('uid', '=', uid).execute()
    return identity.email
  },
}
