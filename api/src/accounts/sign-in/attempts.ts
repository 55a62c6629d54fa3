import type { AuditKind } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import type { App } from '../../platform/http/app.ts'
import { memoryCounters } from '../../platform/http/counters.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { verifyPassword } from './passwords.ts'
import { accountByEmail } from './queries.ts'
import { attemptLimits, type AttemptLimits, countAttempt, recordSuccess } from './throttle.ts'

const MINUTE_MS = 60_000

interface AuditedAttempt {
  limits: AttemptLimits
  request: FastifyRequest
  /** How the audit log names a refusal. */
  kind: AuditKind
  subject: string
}
export type CountOrAudit = (db: Db, attempt: AuditedAttempt) => Promise<void>

/** Counts attempts. A flood must not fill the audit log, so it gets one refusal per minute and network. */
export function createAttemptCounter(audit: App['kernel']['audit']): CountOrAudit {
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

interface PasswordAttempt {
  email: string
  password: string
  request: FastifyRequest
}

/** Checks a password as one attempt on the account; answers the account, or refuses. */
export const createPasswordCheck =
  (audit: App['kernel']['audit'], countOrAudit: CountOrAudit) =>
  async (db: Db, { email, password, request }: PasswordAttempt) => {
    const user = await accountByEmail(db, email)
    const limits = await attemptLimits(db, {
      what: 'login',
      subject: email,
      ownerUid: user?.uid,
      address: request.ip,
    })
    await countOrAudit(db, { limits, request, kind: 'signInThrottled', subject: email })
    if (!(await verifyPassword(user?.password_hash, password)) || !user) {
      const detail = user ? 'wrong password' : 'unknown account'
      await audit(request, { kind: 'signInFailed', subject: email, detail })
      throw new AppError('wrongPassword')
    }
    await recordSuccess(db, limits)
    return user
  }

export type CheckPassword = ReturnType<typeof createPasswordCheck>
