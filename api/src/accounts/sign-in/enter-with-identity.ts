import type { ReplyOf, singleSignOn } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import type { Db } from '../../platform/db/connection.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import {
  addClaimedAccount,
  changeRole,
  keepProviderSession,
  linkIdentity,
  noteIdentityUse,
  type ProviderIdentity,
} from '../identity-provider/index.ts'
import { endOpenLinks } from './password-links.ts'
import { type SecondStep, type SignOnEntry, startSecondStep, type WaitingSignOn } from './pending-sign-in.ts'
import { accountByUid, startSession, toUserWithPermissions } from './queries.ts'

export type OpenedSession = Extract<ReplyOf<typeof singleSignOn.finish>['data'], { step: 'signedIn' }>

const isLastAdmin = (error: unknown) => error instanceof DatabaseError && error.constraint === 'one_admin_stays'

async function accountOf(db: Db, identity: ProviderIdentity, entry: SignOnEntry, address: string): Promise<string> {
  if (entry.is === 'create') return addClaimedAccount(db, identity, entry.role, address)
  if (entry.role !== undefined) {
    await changeRole(db, entry.userUid, entry.role, address).catch((error: unknown) => {
      throw isLastAdmin(error) ? new AppError('lastAdminByClaim') : error
    })
  }
  return entry.userUid
}

/** Opens a session for a person whom the provider has identified; links the identity first where that is due. */
export async function enterWithIdentity(
  db: Db,
  { identity, entry, next }: WaitingSignOn,
  request: FastifyRequest,
): Promise<OpenedSession> {
  const userUid = await accountOf(db, identity, entry, request.ip)
  if (entry.is !== 'signIn') {
    await linkIdentity(db, identity, userUid)
    // The invitation has served: its link must not lie about in a mailbox.
    await endOpenLinks(db, userUid).execute()
  }
  const identityUid = await noteIdentityUse(db, identity)
  const { token, isLimited } = await startSession(db, userUid, {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    madeBy: 'singleSignOn',
    hasProviderFactor: identity.hasSecondFactor,
    language: requestLanguage(request),
  })
  await keepProviderSession(db, { token, identityUid, sid: identity.sid, idToken: identity.idToken })
  const user = await toUserWithPermissions(db, await accountByUid(db, userUid))
  return { step: 'signedIn', token, user, next, ...(isLimited && { enrollmentNeeded: true as const }) }
}

async function needsSecondFactor(db: Db, entry: Exclude<SignOnEntry, { is: 'create' }>): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .select((eb) => eb.fn<boolean>('role_needs_second_factor', [entry.role ? eb.val(entry.role) : 'role']).as('needed'))
    .where('uid', '=', entry.userUid)
    .executeTakeFirst()
  return found?.needed === true
}

/**
 * The second step of a person whose provider has seen no second factor: if their role needs one, or if an account that has
 * one is about to be linked. Undefined if there is nothing to ask.
 */
export async function secondStepOf(db: Db, waiting: WaitingSignOn): Promise<SecondStep | undefined> {
  const { identity, entry } = waiting
  if (identity.hasSecondFactor || entry.is === 'create') return undefined
  if (entry.is === 'signIn' && !(await needsSecondFactor(db, entry))) return undefined
  return startSecondStep(db, entry.userUid, waiting)
}
