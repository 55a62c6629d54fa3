import { type AuditKind, PROOF_MINUTES, secondFactors } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import {
  accountByUid,
  countAttempt,
  recipientLanguage,
  recordSuccess,
  renewProof,
  verifyPassword,
} from '../sign-in/index.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import type { MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { addFactor, refuseWithoutProof, removeFactor, renewRecoveryCodes } from './change.ts'
import type { ChallengeUse } from './challenges.ts'
import { confirmCodeApp, startCodeApp } from './code-app.ts'
import { factorAddedMail, type FactorName, factorRemovedMail, recoveryCodesMail } from './mails.ts'
import { checkNewPasskey, passkeyCreationFor, passkeyRequestFor, relyingParty } from './passkeys.ts'
import * as queries from './queries.ts'
import { factorSignInRoutes } from './sign-in-routes.ts'
import { factorCheck } from './verify.ts'
import { sharedNow } from '../../platform/db/clock.ts'

const CODE_APP: FactorName = { kind: 'codeApp' }
const passkeyNamed = (name: string): FactorName => ({ kind: 'passkey', name })

/** A factor as the audit log names it. */
const detailOf = (factor: FactorName) =>
  factor.kind === 'passkey' ? `The passkey “${factor.name}”` : 'An authenticator app'

export function secondFactorRoutes(app: App, context: AppContext): void {
  factorSignInRoutes(app, context)
  proofRoutes(app, context)
  ownFactorRoutes(app, context)
}

/** Proving again who one is, before factors are changed. */
function proofRoutes(app: App, context: AppContext): void {
  const rp = relyingParty(context.env)
  const check = factorCheck(app, context)
  const proofUse = ({ sessionUid }: Actor): ChallengeUse => ({ purpose: 'proof', askedBy: sessionUid })

  /** The password is a proof only for users who have no factor. */
  async function checkPassword(actor: Actor, password: string): Promise<void> {
    const { db } = app.kernel
    const { uid, email, address } = actor
    const limits = await countAttempt(db, { what: 'login', subject: email, ownerUid: uid, address })
    const { passkeys, codeApp } = await queries.factorsOf(db, actor)
    const { password_hash } = await accountByUid(db, uid)
    const isRight = await verifyPassword(password_hash, password)
    if (!isRight || codeApp || passkeys.length > 0) throw new AppError('proofWrong')
    await recordSuccess(db, limits)
  }

  serve(app, secondFactors.challengeProof, async ({ db, scope: { actor } }) => ({
    data: await passkeyRequestFor(db, rp, proofUse(actor), actor.uid),
  }))

  serve(app, secondFactors.prove, async ({ db, scope: { actor }, body: { password, ...factor }, request }) => {
    if (password !== undefined) await checkPassword(actor, password)
    else {
      await check({ user: actor, factor, use: proofUse(actor), request }, async () => {}).catch((error: unknown) => {
        // A 401 would say that the session has ended.
        if (error instanceof AppError && error.status === 401) throw new AppError('proofWrong', { text: error.message })
        throw error
      })
    }
    await renewProof(db, actor.sessionUid)
    return { data: { provedUntil: new Date((await sharedNow(db)) + PROOF_MINUTES * 60_000).toISOString() } }
  })
}

/** The second factors of the signed-in user. */
function ownFactorRoutes(app: App, { env }: AppContext): void {
  const rp = relyingParty(env)

  interface Noted {
    kind: AuditKind
    detail?: string
    mail: (recipient: MailRecipient) => Mail
  }
  const note = async (request: FastifyRequest, actor: Actor, { kind, detail = '', mail }: Noted) => {
    const { uid, email, name } = actor
    const { db } = app.kernel
    await app.kernel.audit(request, { kind, actorUid: uid, subject: email, detail })
    const recipient = { email, name, language: await recipientLanguage(db, uid, request) }
    await enqueueMail(db, mail(recipient), { userUid: uid })
  }
  const noteFactor =
    (kind: AuditKind, mailOf: typeof factorAddedMail) => (request: FastifyRequest, actor: Actor, factor: FactorName) =>
      note(request, actor, {
        kind,
        detail: detailOf(factor),
        mail: (recipient) => mailOf(recipient, env.brandName, factor),
      })
  const noteAdded = noteFactor('factorAdded', factorAddedMail)
  const noteRemoved = noteFactor('factorRemoved', factorRemovedMail)

  serve(app, secondFactors.list, async ({ db, scope: { actor } }) => ({ data: await queries.factorsOf(db, actor) }))

  serve(app, secondFactors.challengePasskey, async ({ db, scope: { actor } }) => {
    await refuseWithoutProof(db, actor)
    return { data: await passkeyCreationFor(db, rp, actor) }
  })

  serve(app, secondFactors.addPasskey, async ({ db, scope: { actor }, body: { name, passkey }, request }) => {
    const checked = await checkNewPasskey(db, rp, actor.sessionUid, passkey)
    const recoveryCodes = await addFactor(db, actor, (db) => queries.addPasskey(db, actor.uid, name, checked))
    await noteAdded(request, actor, passkeyNamed(name))
    return { data: { recoveryCodes } }
  })

  serve(app, secondFactors.removePasskey, async ({ db, scope: { actor }, params: { uid }, request }) => {
    const name = await removeFactor(db, actor, (db) => queries.removePasskey(db, actor.uid, uid))
    await noteRemoved(request, actor, passkeyNamed(name))
    return { data: { uid } }
  })

  serve(app, secondFactors.startCodeApp, async ({ db, scope: { actor } }) => {
    await refuseWithoutProof(db, actor)
    return { data: await startCodeApp(db, actor, env.brandName) }
  })

  serve(app, secondFactors.addCodeApp, async ({ db, scope: { actor }, body: { code }, request }) => {
    const recoveryCodes = await addFactor(db, actor, (db) => confirmCodeApp(db, actor.uid, code))
    await noteAdded(request, actor, CODE_APP)
    return { data: { recoveryCodes } }
  })

  serve(app, secondFactors.removeCodeApp, async ({ db, scope: { actor }, request }) => {
    await removeFactor(db, actor, (db) => queries.removeCodeApp(db, actor.uid))
    await noteRemoved(request, actor, CODE_APP)
    return { data: { done: true as const } }
  })

  serve(app, secondFactors.makeRecoveryCodes, async ({ db, scope: { actor }, request }) => {
    const recoveryCodes = await renewRecoveryCodes(db, actor)
    await note(request, actor, {
      kind: 'recoveryCodesMade',
      mail: (recipient) => recoveryCodesMail(recipient, env.brandName),
    })
    return { data: { recoveryCodes } }
  })
}
