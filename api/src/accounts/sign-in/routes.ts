import { auth, preferences } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { bearerOf } from '../../platform/http/session.ts'
import { type CountOrAudit, createAttemptCounter, createPasswordCheck } from './attempts.ts'
import { passwordChangedMail, passwordResetMail } from './mails.ts'
import { answerSignIn, openProvedSession } from './complete-sign-in.ts'
import { countFailedLogins } from './metrics.ts'
import { hashPassword, refuseWeakPassword } from './passwords.ts'
import { bindToMail, createPasswordLink, findPasswordLink, redeemPasswordLink } from './password-links.ts'
import { askForSecondFactor } from './pending-sign-in.ts'
import * as queries from './queries.ts'
import { savePreferences } from './preferences.ts'
import { recipientLanguage } from './recipient-language.ts'
import { maskEmail } from './rules.ts'
import { endOpenSessions, endSessions, listSessions } from './sessions.ts'
import type { SignOnTools } from './sign-on-tools.ts'
import { singleSignOnRoutes } from './single-sign-on.ts'

const done = { data: { done: true as const } }

export function authRoutes(app: App, context: AppContext): void {
  countFailedLogins(app)
  const countOrAudit = createAttemptCounter(app.kernel.audit)
  const checkPassword = createPasswordCheck(app.kernel.audit, countOrAudit)
  const signOn = singleSignOnRoutes(app, context, { countOrAudit, checkPassword })
  signInRoutes(app, context, signOn)
  passwordRoutes(app, context, countOrAudit)
  ownSessionRoutes(app)
}

function signInRoutes(app: App, { env }: AppContext, { checkPassword, logoutUrl }: SignOnTools): void {
  const { audit } = app.kernel

  serve(app, auth.authenticate, async ({ db, body, request }) => {
    if (env.isPasswordSignInOff) throw new AppError('passwordSignInOff')
    const user = await checkPassword(db, { ...body, request })
    try {
      await askForSecondFactor(db, request, user)
      const session = await inTransaction(db, async (db) => {
        await queries.lockVerifiedAccount(db, user)
        return openProvedSession(db, { request, user, madeBy: 'password' })
      })
      return { data: await answerSignIn(app, session) }
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'wrongPassword'
      if (isRefused) await audit(request, { kind: 'signInFailed', subject: body.email, detail: 'account changed' })
      throw error
    }
  })

  serve(app, auth.logout, async ({ db, scope: { actor }, request }) => {
    await endOpenSessions(db, 'logout').where('uid', '=', actor.sessionUid).execute()
    await audit(request, { kind: 'signedOut', actorUid: actor.uid, subject: actor.email })
    const continueAt = await logoutUrl(db, actor.sessionUid, bearerOf(request) ?? '')
    return { data: { done: true as const, ...(continueAt && { continueAt }) } }
  })

  serve(app, auth.me, async ({ db, scope }) => ({ data: await queries.toUserWithPermissions(db, scope.actor) }))

  serve(app, preferences.save, async ({ db, scope: { actor }, body }) => ({
    data: await savePreferences(db, actor.uid, body),
  }))
}

function passwordRoutes(app: App, { env }: AppContext, countOrAudit: CountOrAudit) {
  const { audit } = app.kernel
  const { publicUrl } = env

  function refuseWhereOff(): void {
    if (env.isPasswordSignInOff) throw new AppError('passwordSignInOff')
  }

  serve(app, auth.forgotPasswordMail, async ({ db, body, request }) => {
    refuseWhereOff()
    const user = await queries.accountByEmail(db, body.email)
    const target = { what: 'reset', subject: body.email, ownerUid: user?.uid } as const
    await countOrAudit(db, { ...target, request, kind: 'resetThrottled' })
    await audit(request, { kind: 'resetAsked', subject: body.email })
    // Mailed after the answer, so that known and unknown addresses take the same time.
    if (user) app.kernel.inBackground(mailReset(app.kernel.db, user.uid, request))
    return done
  })

  async function mailReset(db: Db, userUid: string, request: FastifyRequest): Promise<void> {
    await inTransaction(db, async (db) => {
      const link = await createPasswordLink(db, userUid, { address: request.ip })
      if (!link) return
      const recipient = { ...link, language: await recipientLanguage(db, userUid, request) }
      const mail = passwordResetMail(recipient, env.brandName, `${publicUrl}/forgot-password?token=${link.token}`)
      await bindToMail(db, link.token, await enqueueMail(db, mail, { userUid, isSecret: true }))
    })
  }

  serve(app, auth.checkPasswordLink, async ({ db, body }) => {
    const link = await findPasswordLink(db, body.token)
    if (link?.state !== 'valid') return { data: { state: link?.state ?? 'unknown' } }
    return { data: { state: link.state, kind: link.kind, email: maskEmail(link.email) } }
  })

  serve(app, auth.passwordReset, async ({ db, body, request }) => {
    refuseWhereOff()
    const link = await findPasswordLink(db, body.token)
    if (link?.state !== 'valid') throw new AppError('resetTokenUsed')
    await refuseWeakPassword(body.password, link, env.brandName)
    const passwordHash = await hashPassword(body.password)
    const redeemed = { userUid: link.user_uid, passwordHash, address: request.ip }
    await inTransaction(db, async (db) => {
      if (!(await redeemPasswordLink(db, body.token, redeemed))) throw new AppError('resetTokenUsed')
      const words = { brand: env.brandName, url: `${publicUrl}/forgot-password` }
      const recipient = { ...link, language: await recipientLanguage(db, link.user_uid, request) }
      await enqueueMail(db, passwordChangedMail(recipient, words), { userUid: link.user_uid })
    })
    await audit(request, { kind: 'passwordSet', actorUid: link.user_uid, subject: link.email })
    return done
  })
}

/** The sessions of the signed-in user. */
function ownSessionRoutes(app: App): void {
  const { audit, credentials } = app.kernel

  serve(app, auth.sessions, async ({ db, scope: { actor } }) => ({
    data: await listSessions(db, actor.uid, actor.sessionUid),
  }))

  serve(app, auth.endOtherSessions, async ({ db, scope: { actor }, request }) => {
    const ended = await inTransaction(db, async (db) => {
      for (const source of credentials) await source.endElsewhere?.(db, actor.uid, actor.sessionUid)
      return endSessions(db, actor.uid, { but: actor.sessionUid })
    })
    const detail = `all others, ${ended} open`
    await audit(request, { kind: 'sessionsEnded', actorUid: actor.uid, subject: actor.name, detail })
    return { data: { ended } }
  })
}
