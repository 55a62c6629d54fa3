import { auth, type AuditKind } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import type { App } from '../../platform/http/app.ts'
import { memoryCounters } from '../../platform/http/counters.ts'
import { serve } from '../../platform/http/serve.ts'
import { passwordChangedMail, passwordResetMail } from './mails.ts'
import { countFailedLogins } from './metrics.ts'
import { hashPassword, verifyPassword, refuseWeakPassword } from './passwords.ts'
import { createPasswordLink, findPasswordLink, redeemPasswordLink } from './password-links.ts'
import * as queries from './queries.ts'
import { maskEmail } from './rules.ts'
import { endSessions, listSessions } from './sessions.ts'
import { attemptLimits, type AttemptLimits, countAttempt, recordSuccess } from './throttle.ts'

const done = { data: { done: true as const } }
const MINUTE_MS = 60_000

const agentOf = (request: FastifyRequest) => request.headers['user-agent'] ?? ''

export function authRoutes(app: App, context: AppContext): void {
  countFailedLogins(app)
  const countOrAudit = createAttemptCounter(app.kernel.audit)
  signInRoutes(app, countOrAudit)
  passwordRoutes(app, context, countOrAudit)
  ownSessionRoutes(app)
}

interface AuditedAttempt {
  limits: AttemptLimits
  request: FastifyRequest
  /** How the audit log names a refusal. */
  kind: AuditKind
  subject: string
}
type CountOrAudit = (db: Db, attempt: AuditedAttempt) => Promise<void>

/** Counts attempts. A flood must not fill the audit log, so it gets one refusal per minute and network. */
function createAttemptCounter(audit: App['kernel']['audit']): CountOrAudit {
  const refusals = memoryCounters()
  return async (db, { limits, request, kind, subject }) => {
    try {
      await countAttempt(db, limits)
    } catch (error) {
      const refused = await refusals.hit(`${kind} ${networkOf(request.ip)}`, MINUTE_MS)
      if (refused === 1) await audit(request, { kind, subject })
      throw error
    }
  }
}

function signInRoutes(app: App, countOrAudit: CountOrAudit): void {
  const { audit } = app.kernel

  serve(app, auth.authenticate, async ({ db, body, request }) => {
    const user = await queries.accountByEmail(db, body.email)
    const target = { what: 'login', subject: body.email, ownerUid: user?.uid, address: request.ip } as const
    const limits = await attemptLimits(db, target)
    await countOrAudit(db, { limits, request, kind: 'signInThrottled', subject: body.email })
    if (!(await verifyPassword(user?.password_hash, body.password)) || !user) {
      const detail = user ? 'wrong password' : 'unknown account'
      await audit(request, { kind: 'signInFailed', subject: body.email, detail })
      throw new AppError('wrongPassword')
    }
    await recordSuccess(db, limits)
    const token = await queries.openSession(db, user.uid, { address: request.ip, userAgent: agentOf(request) })
    await audit(request, { kind: 'signedIn', actorUid: user.uid, subject: user.email })
    return { data: { token, user: await queries.toUserWithPermissions(db, user) } }
  })

  serve(app, auth.logout, async ({ db, scope: { actor }, request }) => {
    await queries.endSession(db, actor.sessionUid)
    await audit(request, { kind: 'signedOut', actorUid: actor.uid, subject: actor.email })
    return done
  })

  serve(app, auth.me, async ({ db, scope }) => ({ data: await queries.toUserWithPermissions(db, scope.actor) }))
}

function passwordRoutes(app: App, { mailer, env: { brandName, publicUrl } }: AppContext, countOrAudit: CountOrAudit) {
  const { audit } = app.kernel

  serve(app, auth.forgotPasswordMail, async ({ db, body, request }) => {
    const user = await queries.accountByEmail(db, body.email)
    const target = { what: 'reset', subject: body.email, ownerUid: user?.uid, address: request.ip } as const
    const limits = await attemptLimits(db, target)
    await countOrAudit(db, { limits, request, kind: 'resetThrottled', subject: body.email })
    await audit(request, { kind: 'resetAsked', subject: body.email })
    // Mailed after the answer, so that known and unknown addresses take the same time.
    if (user) app.kernel.inBackground(mailReset(app.kernel.db, user.uid, request.ip))
    return done
  })

  async function mailReset(db: Db, userUid: string, address: string): Promise<void> {
    const link = await createPasswordLink(db, userUid, { address })
    if (!link) return
    await mailer.send(passwordResetMail(link, brandName, `${publicUrl}/forgot-password?token=${link.token}`))
  }

  serve(app, auth.checkPasswordLink, async ({ db, body }) => {
    const link = await findPasswordLink(db, body.token)
    if (link?.state !== 'valid') return { data: { state: link?.state ?? 'unknown' } }
    return { data: { state: link.state, kind: link.kind, email: maskEmail(link.email) } }
  })

  serve(app, auth.passwordReset, async ({ db, body, request }) => {
    const link = await findPasswordLink(db, body.token)
    if (link?.state !== 'valid') throw new AppError('resetTokenUsed')
    await refuseWeakPassword(body.password, link.email)
    const passwordHash = await hashPassword(body.password)
    const redeemed = { userUid: link.user_uid, passwordHash, address: request.ip }
    if (!(await redeemPasswordLink(db, body.token, redeemed))) throw new AppError('resetTokenUsed')
    await audit(request, { kind: 'passwordSet', actorUid: link.user_uid, subject: link.email })
    app.kernel.inBackground(mailer.send(passwordChangedMail(link, brandName)))
    return done
  })
}

/** The sessions of the signed-in user. */
function ownSessionRoutes(app: App): void {
  const { audit } = app.kernel

  serve(app, auth.sessions, async ({ db, scope: { actor } }) => ({
    data: await listSessions(db, actor.uid, actor.sessionUid),
  }))

  serve(app, auth.endOtherSessions, async ({ db, scope: { actor }, request }) => {
    const ended = await endSessions(db, actor.uid, { but: actor.sessionUid })
    const detail = `all others, ${ended} open`
    await audit(request, { kind: 'sessionsEnded', actorUid: actor.uid, subject: actor.name, detail })
    return { data: { ended } }
  })
}
