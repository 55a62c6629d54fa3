import { RECOVERY_CODES } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashRecoveryCode, newRecoveryCode } from './rules.ts'

/** Replaces a user's recovery codes. This answer is the only place where they can be read. */
export async function makeRecoveryCodes(db: Db, userUid: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode())
  await db.deleteFrom('recovery_code').where('user_uid', '=', userUid).execute()
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_uid: userUid, code_hash: hashRecoveryCode(userUid, code) })))
    .execute()
  return codes
}

/** Uses a recovery code up; answers how many are left, or undefined if this is none of them. */
export async function consumeRecoveryCode(db: Db, userUid: string, code: string): Promise<number | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: sql`now()` })
    .where('code_hash', '=', hashRecoveryCode(userUid, code))
    .where('user_uid', '=', userUid)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? recoveryCodesLeft(db, userUid) : undefined
}

export async function recoveryCodesLeft(db: Db, userUid: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_uid', '=', userUid)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
