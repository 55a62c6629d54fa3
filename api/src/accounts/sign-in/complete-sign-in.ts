import { type MadeBy, madeByLabel, type ReplyOf, type auth } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import { enterWithIdentity } from './enter-with-identity.ts'
import type { WaitingSignOn } from './pending-sign-in.ts'
import { startSession, toUserWithPermissions, type UserAccount } from './queries.ts'

interface SignIn {
  db: Db
  request: FastifyRequest
  user: UserAccount
  madeBy: MadeBy
}

/** Opens the session of a user who has proved who they are, with its entry in the audit log. */
export async function completeSignIn(
  app: App,
  { db, request, user, madeBy }: SignIn,
): Promise<ReplyOf<typeof auth.authenticate>['data']> {
  const userAgent = request.headers['user-agent'] ?? ''
  const origin = { address: request.ip, userAgent, madeBy, language: requestLanguage(request) }
  const { token, isLimited } = await startSession(db, user.uid, origin)
  const detail = madeBy === 'password' ? '' : madeByLabel[madeBy]
  await app.kernel.audit(request, { kind: 'signedIn', actorUid: user.uid, subject: user.email, detail })
  return {
    token,
    user: await toUserWithPermissions(db, user),
    ...(isLimited && { enrollmentNeeded: true as const }),
  }
}

/** Opens the session of a person whom the identity provider has identified and who has now proved a second factor. */
export async function completeSignOn(
  app: App,
  { db, request, signOn }: Pick<SignIn, 'db' | 'request'> & { signOn: WaitingSignOn },
): Promise<ReplyOf<typeof auth.authenticate>['data']> {
  const { token, user } = await inTransaction(db, (db) => enterWithIdentity(db, signOn, request))
  const entry = { actorUid: user.userUid, subject: user.email, detail: madeByLabel.singleSignOn }
  if (signOn.entry.is === 'link') await app.kernel.audit(request, { kind: 'identityLinked', ...entry })
  await app.kernel.audit(request, { kind: 'signedIn', ...entry })
  return { token, user }
}
