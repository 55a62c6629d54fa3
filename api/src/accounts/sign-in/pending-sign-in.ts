import type { ErrorBody, Role } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type ProviderIdentity, seal, unseal } from '../identity-provider/index.ts'
import { noteRightPassword } from './metrics.ts'
import { lockVerifiedAccount, type UserAccount, type VerifiedAccount } from './queries.ts'

const PENDING_MINUTES = 5

/** An account that a provider's identity opens now. */
export type SignOnEntry =
  | { is: 'create'; role: Role }
  /** `role` is the one that the account gets now; undefined if it keeps its own. */
  | { is: 'link' | 'signIn'; userUid: string; role: Role | undefined }

/** A sign-in with the identity provider that still needs a second factor of ours. */
export interface WaitingSignOn {
  identity: ProviderIdentity
  entry: SignOnEntry
  next: string
}

export type SecondStep = NonNullable<ErrorBody['secondFactor']>
type Factors = SecondStep['factors']

async function factorsOf(db: Db, userUid: string): Promise<Factors> {
  const { rows } = await sql<{ factor: Factors[number] }>`
    select 'passkey' as factor where exists (select from passkey where user_uid = ${userUid})
    union all select 'code' where exists (select from code_app where user_uid = ${userUid} and secret is not null)
    union all select 'recoveryCode'
               where exists (select from recovery_code where user_uid = ${userUid} and used_at is null)`.execute(db)
  return rows.map(({ factor }) => factor)
}

const needsSecondStep = (factors: Factors) => factors.some((factor) => factor !== 'recoveryCode')

/**
 * After a right password: a user with a second factor gets no session, but a token for the second step. It is answered as
 * an error, because clients that know one step only must not take it for a sign-in.
 */
export async function askForSecondFactor(db: Db, request: FastifyRequest, user: VerifiedAccount): Promise<void> {
  const factors = await factorsOf(db, user.uid)
  if (!needsSecondStep(factors)) return
  const asked = await inTransaction(db, async (db) => {
    await lockVerifiedAccount(db, user)
    return addPendingSignIn(db, user.uid, factors)
  })
  noteRightPassword(request)
  throw new AppError('secondFactorAsked', { secondFactor: asked })
}

/**
 * A token for the second step of a person whom the identity provider has identified; undefined if the user has no second
 * factor. The account is locked already.
 */
export async function startSecondStep(db: Db, userUid: string, signOn: WaitingSignOn): Promise<SecondStep | undefined> {
  const factors = await factorsOf(db, userUid)
  return needsSecondStep(factors) ? addPendingSignIn(db, userUid, factors, signOn) : undefined
}

async function addPendingSignIn(
  db: Db,
  userUid: string,
  factors: Factors,
  signOn?: WaitingSignOn,
): Promise<SecondStep> {
  const token = newToken()
  const { expires_at: expiresAt } = await db
    .insertInto('pending_sign_in')
    .values({
      token_hash: hashToken(token),
      user_uid: userUid,
      sealed_sign_on: signOn ? seal(JSON.stringify(signOn), token) : null,
      expires_at: sql`now() + ${PENDING_MINUTES} * interval '1 minute'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt, factors, ...(signOn && { next: signOn.next }) }
}

/** The user who has entered the right password and not yet the second factor. */
export const userOfPendingSignIn = (db: Db, token: string) =>
  db
    .selectFrom('pending_sign_in as p')
    .innerJoin('user_account as u', 'u.uid', 'p.user_uid')
    .select(['u.uid', 'u.name', 'u.email', 'u.role', 'u.modules'])
    .where('p.token_hash', '=', hashToken(token))
    .where('p.expires_at', '>', sql<string>`now()`)
    .where('u.deleted_at', 'is', null)
    .$narrowType<Pick<UserAccount, 'role' | 'modules'>>()
    .executeTakeFirst()

/**
 * Uses the token up, and answers the identity that waited for the second factor, if one did. Undefined if the token was
 * used or has expired in the meantime.
 */
export async function consumePendingSignIn(db: Db, token: string): Promise<{ signOn?: WaitingSignOn } | undefined> {
  const pending = await db
    .deleteFrom('pending_sign_in')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<string>`now()`)
    .returning('sealed_sign_on')
    .executeTakeFirst()
  const signOn = pending?.sealed_sign_on && unseal(pending.sealed_sign_on, token)
  return pending && (signOn ? { signOn: JSON.parse(signOn) as WaitingSignOn } : {})
}

export const dropPendingSignIns = (db: Db, userUid: string) =>
  db.deleteFrom('pending_sign_in').where('user_uid', '=', userUid).execute()
