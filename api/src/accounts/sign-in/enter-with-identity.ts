import type { ReplyOf, Role, singleSignOn } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import type { Db } from '../../platform/db/connection.ts'
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
import { accountByUid, openSession, toUserWithPermissions } from './queries.ts'

/** An account that a provider's identity opens now. */
export type Entry =
  | { is: 'create'; role: Role }
  /** `role` is the one that the account gets now; undefined if it keeps its own. */
  | { is: 'link' | 'signIn'; userUid: string; role: Role | undefined }

export type OpenedSession = Extract<ReplyOf<typeof singleSignOn.finish>['data'], { step: 'signedIn' }>

const isLastAdmin = (error: unknown) => error instanceof DatabaseError && error.constraint === 'one_admin_stays'

async function accountOf(db: Db, identity: ProviderIdentity, entry: Entry, address: string): Promise<string> {
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
  identity: ProviderIdentity,
  entry: Entry,
  { request, next }: { request: FastifyRequest; next: string },
): Promise<OpenedSession> {
  const userUid = await accountOf(db, identity, entry, request.ip)
  if (entry.is !== 'signIn') {
    await linkIdentity(db, identity, userUid)
    // The invitation has served: its link must not lie about in a mailbox.
    await endOpenLinks(db, userUid).execute()
  }
  const identityUid = await noteIdentityUse(db, identity)
  const userAgent = request.headers['user-agent'] ?? ''
  const token = await openSession(db, userUid, { address: request.ip, userAgent, madeBy: 'singleSignOn' })
  await keepProviderSession(db, { token, identityUid, sid: identity.sid, idToken: identity.idToken })
  const user = await toUserWithPermissions(db, await accountByUid(db, userUid))
  return { step: 'signedIn', token, user, next }
}
