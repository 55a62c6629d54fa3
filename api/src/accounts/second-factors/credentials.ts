import { sql } from 'kysely'
import type { CredentialSource } from '../../platform/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { removeCodeApp, removePasskey } from './queries.ts'

// Owners change their factors where they can prove who they are; an admin removes single ones from the list.

/** Recovery codes without a factor open nothing. */
const dropLeftoverCodes = (db: Db, userUid: string) =>
  db
    .deleteFrom('recovery_code')
    .where('user_uid', '=', userUid)
    .where(sql<boolean>`not has_second_factor(${userUid})`)
    .execute()

const passkeyCredentials: CredentialSource = {
  kind: 'passkey',
  list: async (db, userUid, { isOwner }) => {
    const passkeys = await db
      .selectFrom('passkey')
      .select(['uid', 'name', 'created_at as createdAt', 'used_at as lastUsedAt'])
      .where('user_uid', '=', userUid)
      .execute()
    return passkeys.map((passkey) => ({ ...passkey, canEnd: !isOwner }))
  },
  end: async (db, userUid, uid, { isOwner }) => {
    const name = isOwner ? undefined : await removePasskey(db, userUid, uid)
    if (name !== undefined) await dropLeftoverCodes(db, userUid)
    return name
  },
}

const codeAppCredentials: CredentialSource = {
  kind: 'codeApp',
  list: async (db, userUid, { isOwner }) => {
    const apps = await db
      .selectFrom('code_app')
      .select(['user_uid as uid', 'added_at', 'used_at as lastUsedAt'])
      .where('user_uid', '=', userUid)
      .where('secret', 'is not', null)
      .execute()
    return apps.map(({ uid, added_at, lastUsedAt }) => {
      return { uid, name: 'One-time codes', createdAt: added_at ?? '', lastUsedAt, canEnd: !isOwner }
    })
  },
  end: async (db, userUid, uid, { isOwner }) => {
    if (isOwner || uid !== userUid) return undefined
    await removeCodeApp(db, userUid)
    await dropLeftoverCodes(db, userUid)
    return ''
  },
}

const recoveryCodeCredentials: CredentialSource = {
  kind: 'recoveryCodes',
  list: async (db, userUid, { isOwner }) => {
    const found = await db
      .selectFrom('recovery_code')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('used_at', 'is', null).as('left'),
        fn.min('created_at').as('createdAt'),
        fn.max('used_at').as('lastUsedAt'),
      ])
      .where('user_uid', '=', userUid)
      .having(({ fn }) => fn.countAll().filterWhere('used_at', 'is', null), '>', 0)
      .execute()
    return found.map(({ left, ...times }) => ({ uid: userUid, name: `${left} left`, ...times, canEnd: !isOwner }))
  },
  end: async (db, userUid, uid, { isOwner }) => {
    if (isOwner || uid !== userUid) return undefined
    const { numDeletedRows } = await db.deleteFrom('recovery_code').where('user_uid', '=', userUid).executeTakeFirst()
    return numDeletedRows > 0n ? '' : undefined
  },
}

export const factorCredentials = [passkeyCredentials, codeAppCredentials, recoveryCodeCredentials]
