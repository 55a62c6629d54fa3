import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import type { App, AuditEvent } from '../../platform/http/app.ts'
import { memoryCounters } from '../../platform/http/counters.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { verifyPassword } from './passwords.ts'
import { accountByEmail } from './queries.ts'
import { type AttemptTarget, countAttempt, recordSuccess } from './throttle.ts'

const MINUTE_MS = 60_000

/** Audits refusals. A flood must not fill the audit log, so it gets one entry per minute for each key. */
export function createRefusalAudit(audit: App['kernel']['audit']) {
  const refusals = memoryCounters()
  return async (key: string, request: FastifyRequest, event: AuditEvent): Promise<void> => {
    if ((await refusals.hit(key, MINUTE_MS)) === 1) await audit(request, event)
  }
}

/** What is tried, by which call, and how the audit log names a refusal. */
interface AuditedAttempt extends Omit<AttemptTarget, 'address'> {
  request: FastifyRequest
  kind: AuditEvent['kind']
}
export type CountOrAudit = ReturnType<typeof createAttemptCounter>

/** Counts attempts, and audits those that are refused. */
export function createAttemptCounter(audit: App['kernel']['audit']) {
  const auditRefusal = createRefusalAudit(audit)
  return (db: Db, { request, kind, ...target }: AuditedAttempt): ReturnType<typeof countAttempt> =>
    countAttempt(db, { ...target, address: request.ip }).catch(async (error: unknown) => {
      await auditRefusal(`${kind} ${networkOf(request.ip)}`, request, { kind, subject: target.subject })
      throw error
    })
}

/** Checks a password as one attempt on the account; answers the account, or refuses. */
export const createPasswordCheck =
  (audit: App['kernel']['audit'], countOrAudit: CountOrAudit) =>
  async (db: Db, { email, password, request }: { email: string; password: string; request: FastifyRequest }) => {
    const user = await accountByEmail(db, email)
    const target = { what: 'login', subject: email, ownerUid: user?.uid } as const
    const limits = await countOrAudit(db, { ...target, request, kind: 'signInThrottled' })
    if (!(await verifyPassword(user?.password_hash, password)) || !user) {
      const detail = user ? 'wrong password' : 'unknown account'
      await audit(request, { kind: 'signInFailed', subject: email, detail })
      throw new AppError('wrongPassword')
    }
    await recordSuccess(db, limits)
    return user
  }

export type CheckPassword = ReturnType<typeof createPasswordCheck>
