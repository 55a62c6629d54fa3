import { type MadeBy, madeByLabel, type ReplyOf, type auth } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import type { OpenedSession } from './enter-with-identity.ts'
import type { WaitingSignOn } from './pending-sign-in.ts'
import { startSession, toUserWithPermissions, type UserAccount } from './queries.ts'

interface SignIn {
  request: FastifyRequest
  user: UserAccount
  madeBy: MadeBy
}

/**
 * Opens the session of a user who has proved who they are. Call it in the transaction that has locked the account, so that
 * no change that ends sessions comes between the proof and the session.
 */
export async function openProvedSession(db: Db, signIn: SignIn) {
  const { request, user, madeBy } = signIn
  const userAgent = request.headers['user-agent'] ?? ''
  const origin = { address: request.ip, userAgent, madeBy, language: requestLanguage(request) }
  return { ...signIn, ...(await startSession(db, user.uid, origin)) }
}

/** Answers with an opened session, and writes its entry in the audit log. */
export async function answerSignIn(
  app: App,
  { request, user, madeBy, token, isLimited }: Awaited<ReturnType<typeof openProvedSession>>,
): Promise<ReplyOf<typeof auth.authenticate>['data']> {
  const detail = madeBy === 'password' ? '' : madeByLabel[madeBy]
  await app.kernel.audit(request, { kind: 'signedIn', actorUid: user.uid, subject: user.email, detail })
  return {
    token,
    user: await toUserWithPermissions(app.kernel.db, user),
    ...(isLimited && { enrollmentNeeded: true as const }),
  }
}

interface SignOn {
  request: FastifyRequest
  signOn: WaitingSignOn
  session: OpenedSession
}

/** Answers a person whom the identity provider has identified and who has now proved a second factor. */
export async function answerSignOn(
  app: App,
  { request, signOn, session: { token, user } }: SignOn,
): Promise<ReplyOf<typeof auth.authenticate>['data']> {
  const entry = { actorUid: user.userUid, subject: user.email, detail: madeByLabel.singleSignOn }
  if (signOn.entry.is === 'link') await app.kernel.audit(request, { kind: 'identityLinked', ...entry })
  await app.kernel.audit(request, { kind: 'signedIn', ...entry })
  return { token, user }
}
