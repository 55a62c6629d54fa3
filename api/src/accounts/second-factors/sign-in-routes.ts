import { secondFactors } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import {
  answerSignIn,
  answerSignOn,
  consumePendingSignIn,
  createRefusalAudit,
  enterWithIdentity,
  liveAccount,
  openProvedSession,
  recipientLanguage,
  signInLinkedMail,
  userOfPendingSignIn,
} from '../sign-in/index.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { AppContext } from '../../platform/context.ts'
import { networkOf } from '../../platform/http/address.ts'
import { inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { hashToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { ChallengeUse } from './challenges.ts'
import { hasPasskey, passkeyRequestFor, relyingParty, userOfAnswer } from './passkeys.ts'
import { factorCheck } from './verify.ts'

const ALONE: ChallengeUse = { purpose: 'signIn', askedBy: null }

const secondStep = (token: string): ChallengeUse => ({
  purpose: 'secondFactor',
  askedBy: hashToken(token).toString('base64url'),
})

/** Signing in with a second factor, or with a passkey alone. */
export function factorSignInRoutes(app: App, context: AppContext): void {
  const rp = relyingParty(context.env)
  const auditRefusal = createRefusalAudit(app.kernel.audit)
  const check = factorCheck(app, context)
  const { env } = context

  const mailLinked = async (user: { uid: string; email: string; name: string }, request: FastifyRequest) => {
    const { db } = app.kernel
    const words = { brand: env.brandName, provider: env.singleSignOn?.name ?? '' }
    const recipient = { ...user, language: await recipientLanguage(db, user.uid, request) }
    await enqueueMail(db, signInLinkedMail(recipient, words), { userUid: user.uid })
  }

  serve(app, secondFactors.challengeSecondStep, async ({ db, body: { token } }) => {
    const user = await userOfPendingSignIn(db, token)
    if (!user) throw new AppError('signInExpired')
    return { data: await passkeyRequestFor(db, rp, secondStep(token), user.uid) }
  })

  serve(app, secondFactors.finishSignIn, async ({ db, body: { token, ...factor }, request }) => {
    const user = await userOfPendingSignIn(db, token)
    if (!user) throw new AppError('signInExpired')
    const opened = await check({ user, factor, use: secondStep(token), request }, async (db, { madeBy }) => {
      // A new password, address or role, a deletion and a reset of the factors end the pending sign-in too.
      const pending = await consumePendingSignIn(db, token)
      if (!pending) throw new AppError('signInExpired')
      const { signOn } = pending
      if (signOn) return { signOn, session: await enterWithIdentity(db, signOn, request) }
      return openProvedSession(db, { request, user, madeBy })
    })
    if (!('signOn' in opened)) return { data: await answerSignIn(app, opened) }
    const data = await answerSignOn(app, { request, ...opened })
    if (opened.signOn.entry.is === 'link') await mailLinked(user, request)
    return { data }
  })

  serve(app, secondFactors.challengeSignIn, async ({ db }) => ({ data: await passkeyRequestFor(db, rp, ALONE) }))

  serve(app, secondFactors.signInWithPasskey, async ({ db, body: { passkey }, request }) => {
    // Where only the identity provider lets people in, it also decides who is out.
    if (env.isPasswordSignInOff) throw new AppError('passwordSignInOff')
    const userUid = await userOfAnswer(db, rp, ALONE, passkey).catch(() => undefined)
    const session =
      userUid &&
      (await inTransaction(db, async (db) => {
        const user = await liveAccount(db, userUid).forShare().executeTakeFirst()
        // A reset of the factors may have removed the passkey meanwhile.
        if (!user || !(await hasPasskey(db, userUid, passkey))) return undefined
        return openProvedSession(db, { request, user, madeBy: 'passkey' })
      }))
    if (!session) {
      await auditRefusal(networkOf(request.ip), request, { kind: 'signInFailed', detail: 'passkey' })
      throw new AppError('passkeyRefused')
    }
    return { data: await answerSignIn(app, session) }
  })
}
