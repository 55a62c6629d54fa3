import { PROOF_MINUTES } from '@roadshow/contract'
import { sql } from 'kysely'
import { dropPendingSignIns, endSessions, liftLimit, readProof } from '../sign-in/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

/** Changes of a user's factors, and sign-ins that use one up, wait for each other. */
export const lockUser = (db: Db, userUid: string) =>
  db.selectFrom('user_account').select('uid').where('uid', '=', userUid).forNoKeyUpdate().execute()

async function factorState(db: Db, userUid: string) {
  const found = await db
    .selectFrom('user_account')
    .select(({ fn }) => [
      fn<boolean>('has_second_factor', ['uid']).as('has'),
      fn<boolean>('role_needs_second_factor', ['role']).as('needed'),
    ])
    .where('uid', '=', userUid)
    .executeTakeFirst()
  return found ?? { has: false, needed: false }
}

/** Refuses a change without a recent proof of who the user is. */
export async function refuseWithoutProof(db: Db, { uid, sessionUid }: Actor): Promise<void> {
  const session = await readProof(db, sessionUid, PROOF_MINUTES)
  // A limited session has proved a password only. Once the user has a factor, it must not add another one.
  if (!session || (session.is_limited && (await factorState(db, uid)).has)) throw new AppError('signedOut')
  if (!session.is_fresh) throw new AppError('proofNeeded')
}

/** Adds a factor. The first one gives the session all its rights, and comes with recovery codes. */
export const addFactor = (db: Db, actor: Actor, add: (db: Db) => Promise<void>): Promise<string[] | null> =>
  inTransaction(db, async (db) => {
    await lockUser(db, actor.uid)
    await refuseWithoutProof(db, actor)
    const { has } = await factorState(db, actor.uid)
    await add(db)
    if (has) return null
    await liftLimit(db, actor.uid, actor.sessionUid)
    return makeRecoveryCodes(db, actor.uid)
  })

/** Removes a factor; refused for the last one of a user whose role needs one. */
export const removeFactor = <T>(db: Db, actor: Actor, remove: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (db) => {
    await lockUser(db, actor.uid)
    // A change of the required roles that is under way is waited for, as new sessions do.
    await sql`select pg_advisory_xact_lock_shared(hashtext('second_factor_roles'))`.execute(db)
    await refuseWithoutProof(db, actor)
    const removed = await remove(db)
    const { has, needed } = await factorState(db, actor.uid)
    if (!has && needed) throw new AppError('lastFactor')
    if (!has) await db.deleteFrom('recovery_code').where('user_uid', '=', actor.uid).execute()
    return removed
  })

/** Replaces the recovery codes of a user who has a factor. */
export const renewRecoveryCodes = (db: Db, actor: Actor): Promise<string[]> =>
  inTransaction(db, async (db) => {
    await lockUser(db, actor.uid)
    await refuseWithoutProof(db, actor)
    if (!(await factorState(db, actor.uid)).has) throw new AppError('noFactor')
    return makeRecoveryCodes(db, actor.uid)
  })

/** Removes every factor of a user and ends their sessions; answers how many were open. */
export const resetFactors = (db: Db, userUid: string): Promise<number> =>
  inTransaction(db, async (db) => {
    await lockUser(db, userUid)
    await db.deleteFrom('passkey').where('user_uid', '=', userUid).execute()
    await db.deleteFrom('code_app').where('user_uid', '=', userUid).execute()
    await db.deleteFrom('recovery_code').where('user_uid', '=', userUid).execute()
    await dropPendingSignIns(db, userUid)
    return endSessions(db, userUid, { reason: 'factorReset' })
  })
