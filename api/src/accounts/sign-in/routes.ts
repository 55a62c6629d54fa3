import { auth, type AuditKind } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import type { App } from '../../platform/http/app.ts'
import { memoryCounters } from '../../platform/http/counters.ts'
import { serve } from '../../platform/http/serve.ts'
import { passwordChangedMail, passwordResetMail } from './mails.ts'
import { hashPassword, verifyPassword, refuseWeakPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { endSessions, listSessions } from './sessions.ts'
import { countAttempt, type AttemptLimit, recordSuccess } from './throttle.ts'

const done = { data: { done: true as const } }

const limit = (what: string, key: string, free: number): AttemptLimit => ({ key: `${what}:${key}`, free })
const MINUTE_MS = 60_000

export function authRoutes(app: App, { mailer, env: { brandName, publicUrl } }: AppContext): void {
  const { audit } = app.kernel
  const refusals = memoryCounters()

  /** As `attempt`. Of what is refused one in a minute is noted for each address: a flood must not fill the audit log. */
  async function tried(db: Db, limits: AttemptLimit[], request: FastifyRequest, kind: AuditKind, subject: string) {
    try {
      await countAttempt(db, limits)
    } catch (error) {
      if ((await refusals.hit(`${kind} ${networkOf(request.ip)}`, MINUTE_MS)) === 1)
        await audit(request, { kind, subject })
      throw error
    }
  }

  serve(app, auth.authenticate, async ({ db, body, request }) => {
    const account = limit('login account', body.email, 5)
    const address = limit('login address', networkOf(request.ip), 30)
    // The address first: while it must wait, its attempts do not count against anybody's account.
    await tried(db, [address, account], request, 'signInThrottled', body.email)
    const user = await queries.accountByEmail(db, body.email)
    if (!(await verifyPassword(user?.password_hash, body.password)) || !user) {
      const detail = user ? 'wrong password' : 'unknown account'
      await audit(request, { kind: 'signInFailed', subject: body.email, detail })
      throw new AppError('wrongPassword')
    }
    await recordSuccess(db, account, address)
    const token = await queries.openSession(db, user.uid, { address: request.ip, userAgent: agentOf(request) })
    await audit(request, { kind: 'signedIn', actorUid: user.uid, subject: user.email })
    return { data: { token, user: await queries.toUserWithPermissions(db, user) } }
  })

  serve(app, auth.forgotPasswordMail, async ({ db, body, request }) => {
    const limits = [limit('reset address', networkOf(request.ip), 10), limit('reset account', body.email, 3)]
    await tried(db, limits, request, 'resetThrottled', body.email)
    await audit(request, { kind: 'resetAsked', subject: body.email })
    // After the answer, so that known and unknown addresses take the same time.
    app.kernel.inBackground(mailReset(app.kernel.db, body.email))
    return done
  })

  async function mailReset(db: Db, email: string): Promise<void> {
    const user = await queries.accountByEmail(db, email)
    if (!user) return
    const token = await queries.createPasswordReset(db, user.uid)
    await mailer.send(passwordResetMail(user, brandName, `${publicUrl}/forgot-password?token=${token}`))
  }

  serve(app, auth.passwordReset, async ({ db, body, request }) => {
    const user = await queries.accountByResetToken(db, body.token)
    if (!user) throw new AppError('resetTokenUsed')
    await refuseWeakPassword(body.password, user.email)
    const passwordHash = await hashPassword(body.password)
    await inTransaction(db, async (db) => {
      if (!(await queries.consumePasswordReset(db, body.token))) throw new AppError('resetTokenUsed')
      await queries.setPassword(db, user.uid, passwordHash, request.ip)
    })
    await audit(request, { kind: 'passwordSet', actorUid: user.uid, subject: user.email })
    app.kernel.inBackground(mailer.send(passwordChangedMail(user, brandName)))
    return done
  })

  serve(app, auth.logout, async ({ db, scope: { actor }, request }) => {
    await queries.endSession(db, actor.sessionUid)
    await audit(request, { kind: 'signedOut', actorUid: actor.uid, subject: actor.email })
    return done
  })

  serve(app, auth.sessions, async ({ db, scope: { actor } }) => ({
    data: await listSessions(db, actor.uid, actor.sessionUid),
  }))

  serve(app, auth.endSession, async ({ db, scope: { actor }, params: { uid }, request }) => {
    if ((await endSessions(db, actor.uid, { only: uid })) === 0) throw new AppError('notFound')
    await audit(request, { kind: 'sessionsEnded', actorUid: actor.uid, subject: actor.name, detail: 'one' })
    return { data: { uid } }
  })

  serve(app, auth.endOtherSessions, async ({ db, scope: { actor }, request }) => {
    const ended = await endSessions(db, actor.uid, { but: actor.sessionUid })
    const detail = `all others, ${ended} open`
    await audit(request, { kind: 'sessionsEnded', actorUid: actor.uid, subject: actor.name, detail })
    return { data: { ended } }
  })

  serve(app, auth.me, async ({ db, scope }) => ({ data: await queries.toUserWithPermissions(db, scope.actor) }))
}

const agentOf = (request: FastifyRequest) => request.headers['user-agent'] ?? ''
