import type { BodyOf, secondFactors } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { countAttempt, createRefusalAudit, recipientLanguage, recordSuccess } from '../sign-in/index.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { ChallengeUse } from './challenges.ts'
import { lockUser } from './change.ts'
import { consumeCode } from './code-app.ts'
import { recoveryCodeUsedMail } from './mails.ts'
import { hasPasskey, relyingParty, userOfAnswer } from './passkeys.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'

type Factor = Omit<BodyOf<typeof secondFactors.finishSignIn>, 'token'>

interface Check {
  user: { uid: string; name: string; email: string }
  factor: Factor
  /** What the challenge of a passkey was made for. */
  use: ChallengeUse
  request: FastifyRequest
}

/** How the user proved who they are, and how many recovery codes are left if one was used. */
interface Verified {
  madeBy: 'code' | 'recoveryCode' | 'passkey'
  codesLeft?: number
}

const refusedAs = { code: 'secondFactorWrong', recoveryCode: 'recoveryCodeWrong', passkey: 'passkeyRefused' } as const

/** Uses a factor up in the transaction that relies on it; undefined if it is wrong. */
async function consumeFactor(db: Db, { user, factor }: Check): Promise<Verified | undefined> {
  const { code, recoveryCode, passkey } = factor
  if (code !== undefined) return (await consumeCode(db, user.uid, code)) ? { madeBy: 'code' } : undefined
  if (recoveryCode === undefined) {
    return passkey && (await hasPasskey(db, user.uid, passkey)) ? { madeBy: 'passkey' } : undefined
  }
  const codesLeft = await consumeRecoveryCode(db, user.uid, recoveryCode)
  return codesLeft === undefined ? undefined : { madeBy: 'recoveryCode', codesLeft }
}

type Kind = keyof typeof factorLabel

const kindOf = ({ code, recoveryCode }: Factor): Kind =>
  code === undefined ? (recoveryCode === undefined ? 'passkey' : 'recoveryCode') : 'code'

/** Checks second factors, each attempt with its limit and its entries in the audit log. */
export function factorCheck(app: App, { env }: Pick<AppContext, 'env'>) {
  const { audit, db } = app.kernel
  const rp = relyingParty(env)
  const auditRefusal = createRefusalAudit(audit)
  const refusalOf = (what: 'secondFactorThrottled' | 'secondFactorFailed', kind: Kind, { user }: Check) => {
    return { kind: what, actorUid: user.uid, subject: user.email, detail: factorLabel[kind] }
  }

  /** Counts a guess. Passkeys cannot be guessed. */
  async function count(check: Check, kind: Kind) {
    const { user, request } = check
    if (kind === 'passkey') return undefined
    const target = { what: kind, subject: user.uid, ownerUid: user.uid, address: request.ip }
    return countAttempt(db, target).catch(async (error: unknown) => {
      await auditRefusal(`${kind} ${user.uid}`, request, refusalOf('secondFactorThrottled', kind, check))
      throw error
    })
  }

  async function noteRecovery({ user, request }: Check, codesLeft: number): Promise<void> {
    const detail = `${codesLeft} left`
    await audit(request, { kind: 'recoveryCodeUsed', actorUid: user.uid, subject: user.email, detail })
    const recipient = { ...user, language: await recipientLanguage(db, user.uid, request) }
    await enqueueMail(db, recoveryCodeUsedMail(recipient, env.brandName, codesLeft), { userUid: user.uid })
  }

  /**
   * Throws unless the factor is right. The attempt counts, and a passkey's challenge is used up, whatever comes of it. The
   * factor is used up in one transaction with `alongside`, which begins by locking the user: a reset waits for it.
   */
  return async <T>(check: Check, alongside: (db: Db, verified: Verified) => Promise<T>): Promise<T> => {
    const { user, factor, request, use } = check
    const kind = kindOf(factor)
    const limits = await count(check, kind)
    const owner = factor.passkey && (await userOfAnswer(db, rp, use, factor.passkey).catch(() => undefined))
    const isOwn = kind !== 'passkey' || owner === user.uid
    const verified =
      isOwn &&
      (await inTransaction(db, async (db) => {
        await lockUser(db, user.uid)
        const used = await consumeFactor(db, check)
        return used && { ...used, result: await alongside(db, used) }
      }))
    if (!verified) {
      const event = refusalOf('secondFactorFailed', kind, check)
      // Guesses are bounded by their limit, answers of passkeys are not.
      if (kind === 'passkey') await auditRefusal(`${kind} ${user.uid}`, request, event)
      else await audit(request, event)
      throw new AppError(refusedAs[kind])
    }
    if (limits) await recordSuccess(db, limits)
    if (verified.codesLeft !== undefined) await noteRecovery(check, verified.codesLeft)
    return verified.result
  }
}

const factorLabel = { code: 'authenticator app', recoveryCode: 'recovery code', passkey: 'passkey' } as const
