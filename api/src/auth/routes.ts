import { auth } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import type { Mailer } from '../mail.ts'
import { changedMail, resetMail } from './mails.ts'
import { hashPassword, isPassword, refuseWeak } from './passwords.ts'
import * as queries from './queries.ts'
import { attempt, type Limit, succeeded } from './throttle.ts'

interface Settings {
  mailer: Mailer
  brandName: string
  publicUrl: string
}

const done = { data: { done: true as const } }

const limit = (what: string, key: string, free: number): Limit => ({ key: `${what}:${key}`, free })

export function authRoutes(app: App, { mailer, brandName, publicUrl }: Settings): void {
  serve(app, auth.authenticate, async ({ db, body, request }) => {
    const account = limit('login account', body.email, 5)
    const address = limit('login address', request.ip, 30)
    // The address first: while it must wait, its attempts do not count against anybody's account.
    await attempt(db, [address, account])
    const user = await queries.accountByEmail(db, body.email)
    if (!(await isPassword(user?.password_hash, body.password)) || !user) throw new AppError('wrongPassword')
    await succeeded(db, account, address)
    const token = await queries.openSession(db, user.uid, { address: request.ip, userAgent: agentOf(request) })
    return { data: { token, user: await queries.withPermissions(db, user) } }
  })

  serve(app, auth.forgotPasswordMail, async ({ db, body, request }) => {
    await attempt(db, [limit('reset address', request.ip, 10), limit('reset account', body.email, 3)])
    // After the answer, so that known and unknown addresses take the same time.
    app.kernel.inBackground(mailReset(app.kernel.db, body.email))
    return done
  })

  async function mailReset(db: Db, email: string): Promise<void> {
    const user = await queries.accountByEmail(db, email)
    if (!user) return
    const token = await queries.openReset(db, user.uid)
    await mailer.send(resetMail(user, brandName, `${publicUrl}/forgot-password?token=${token}`))
  }

  serve(app, auth.passwordReset, async ({ db, body, request }) => {
    const user = await queries.resetAccount(db, body.token)
    if (!user) throw new AppError('resetTokenUsed')
    await refuseWeak(body.password, user.email)
    const passwordHash = await hashPassword(body.password)
    await inTransaction(db, async (db) => {
      if (!(await queries.useReset(db, body.token))) throw new AppError('resetTokenUsed')
      await queries.setPassword(db, user.uid, passwordHash, request.ip)
    })
    app.kernel.inBackground(mailer.send(changedMail(user, brandName)))
    return done
  })

  serve(app, auth.logout, async ({ db, scope }) => {
    await queries.endSession(db, scope.actor.sessionUid)
    return done
  })

  serve(app, auth.me, async ({ db, scope }) => ({ data: await queries.withPermissions(db, scope.actor) }))
}

const agentOf = (request: FastifyRequest) => request.headers['user-agent'] ?? ''
