import { type FactorList, MAX_PASSKEYS, PROOF_MINUTES } from '@roadshow/contract'
import { sql } from 'kysely'
import { readProof } from '../sign-in/index.ts'
import { type Db, isRepeated } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { checkNewPasskey } from './passkeys.ts'
import { recoveryCodesLeft } from './recovery-codes.ts'

const passkeysOf = (db: Db, userUid: string) =>
  db
    .selectFrom('passkey')
    .select(['uid', 'name', 'is_synced as isSynced', 'created_at as addedAt', 'used_at as usedAt'])
    .where('user_uid', '=', userUid)
    .orderBy('created_at')
    .orderBy('uid')
    .execute()

/** The factors of a user, as their own page shows them. */
export async function factorsOf(db: Db, { uid, sessionUid }: Actor): Promise<FactorList> {
  const app = await db
    .selectFrom('user_account as u')
    .leftJoin('code_app as c', (join) => join.onRef('c.user_uid', '=', 'u.uid').on('c.secret', 'is not', null))
    .select(['c.added_at', 'c.used_at', sql<boolean>`u.password_hash is not null`.as('has_password')])
    .select(sql<boolean>`role_needs_second_factor(u.role)`.as('is_needed'))
    .where('u.uid', '=', uid)
    .executeTakeFirstOrThrow()
  const proof = await readProof(db, sessionUid, PROOF_MINUTES)
  return {
    passkeys: await passkeysOf(db, uid),
    codeApp: app.added_at === null ? null : { addedAt: app.added_at, usedAt: app.used_at },
    recoveryCodesLeft: await recoveryCodesLeft(db, uid),
    isNeeded: app.is_needed,
    provedUntil: proof?.is_fresh ? proof.proved_until : null,
    hasPassword: app.has_password,
  }
}

type CheckedPasskey = Awaited<ReturnType<typeof checkNewPasskey>>

export async function addPasskey(db: Db, userUid: string, name: string, passkey: CheckedPasskey): Promise<void> {
  if ((await passkeysOf(db, userUid)).length >= MAX_PASSKEYS) throw new AppError('tooManyPasskeys')
  await db
    .insertInto('passkey')
    .values({ ...passkey, user_uid: userUid, name })
    .execute()
    .catch((error: unknown) => {
      throw isRepeated(error) ? new AppError('passkeyTaken') : error
    })
}

/** Removes a passkey of the user and returns its name. */
export async function removePasskey(db: Db, userUid: string, uid: string): Promise<string> {
  const removed = await db
    .deleteFrom('passkey')
    .where('uid', '=', uid)
    .where('user_uid', '=', userUid)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw new AppError('notFound')
  return removed.name
}

export async function removeCodeApp(db: Db, userUid: string): Promise<void> {
  const removed = await db
    .deleteFrom('code_app')
    .where('user_uid', '=', userUid)
    .where('secret', 'is not', null)
    .returning('user_uid')
    .executeTakeFirst()
  if (!removed) throw new AppError('notFound')
}
