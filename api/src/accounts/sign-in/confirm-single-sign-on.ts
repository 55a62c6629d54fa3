import { type PendingConfirmation, singleSignOn } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import {
  bindConfirmationToMail,
  CONFIRMATION_MINUTES,
  confirmationOf,
  createMailToken,
  judgeSignIn,
  loadSignInFacts,
  newRoleOf,
  takeConfirmation,
} from '../identity-provider/index.ts'
import { enterWithIdentity, type OpenedSession, secondStepOf } from './enter-with-identity.ts'
import { confirmSignInMail, signInLinkedMail } from './mails.ts'
import type { SecondStep } from './pending-sign-in.ts'
import { lockVerifiedAccount, type VerifiedAccount } from './queries.ts'
import { recipientLanguage } from './recipient-language.ts'
import type { SignOnTools } from './sign-on-tools.ts'

/** The account that this browser has to confirm, and how its owner can. */
export async function pendingConfirmationOf(db: Db, { env }: AppContext, secret: string): Promise<PendingConfirmation> {
  const account = await confirmationOf(db, secret)
  if (!account) throw new AppError('singleSignOnExpired')
  const hasPassword = account.password_hash !== null && !env.isPasswordSignInOff
  return {
    step: 'confirm',
    email: account.email,
    accountName: account.name,
    ways: hasPassword ? ['password', 'mail'] : ['mail'],
  }
}

interface Confirmed {
  secret: string
  request: FastifyRequest
  /** The token of the mailed link, where the mail confirms. */
  mailToken?: string
  /** The account whose password was verified, where the password confirms. */
  verified?: VerifiedAccount
}

/** Links the identity to the account whose owner has consented, and opens a session; first the account's second factor. */
const linkConfirmed = (
  db: Db,
  { secret, request, mailToken, verified }: Confirmed,
): Promise<OpenedSession | { secondFactor: SecondStep }> =>
  inTransaction(db, async (db) => {
    const taken = await takeConfirmation(db, secret, mailToken)
    if (!taken) throw new AppError('singleSignOnExpired')
    const { identity, userUid, nextPath } = taken
    // Time has passed: the account may have been deleted or have another address since.
    const facts = await loadSignInFacts(db, identity)
    const verdict = judgeSignIn(identity, { ...facts, hasClaimMap: false })
    const isSame = verdict.is === 'confirm' && verdict.userUid === userUid
    if (!isSame || !facts.sameEmail) throw new AppError('singleSignOnExpired')
    if (verified) await lockVerifiedAccount(db, verified)
    const role = newRoleOf(facts.sameEmail, identity.claimedRole)
    const waiting = { identity, entry: { is: 'link' as const, userUid, role }, next: nextPath }
    const secondFactor = await secondStepOf(db, waiting)
    return secondFactor ? { secondFactor } : enterWithIdentity(db, waiting, request)
  })

/** An identity opens an account that has an owner only after the owner has consented: by password, or by a mailed link. */
export function confirmationRoutes(app: App, tools: SignOnTools): void {
  const { context, provider, secretOf, cookie } = tools
  const { env } = context

  const wordsOf = () => ({ brand: env.brandName, provider: provider().settings.name })

  async function enter(db: Db, confirmed: Confirmed): Promise<OpenedSession> {
    const session = await linkConfirmed(db, confirmed)
    if ('secondFactor' in session) throw new AppError('secondFactorAsked', session)
    await tools.noteEntry(confirmed.request, session, true)
    const { user } = session
    const recipient = { ...user, language: await recipientLanguage(db, user.userUid, confirmed.request) }
    await enqueueMail(db, signInLinkedMail(recipient, wordsOf()), { userUid: user.userUid })
    return session
  }

  serve(app, singleSignOn.confirmation, async ({ db, request }) => {
    provider()
    return { data: await pendingConfirmationOf(db, context, secretOf(request)) }
  })

  serve(app, singleSignOn.confirmByPassword, async ({ db, body, request, setCookie }) => {
    provider()
    if (env.isPasswordSignInOff) throw new AppError('passwordSignInOff')
    const secret = secretOf(request)
    const account = await confirmationOf(db, secret)
    if (!account) throw new AppError('singleSignOnExpired')
    const verified = await tools.checkPassword(db, { email: account.email, password: body.password, request })
    const session = await enter(db, { secret, request, verified })
    setCookie(cookie(undefined))
    return { data: session }
  })

  serve(app, singleSignOn.mailConfirmation, async ({ db, request, setCookie }) => {
    const words = wordsOf()
    const secret = secretOf(request)
    const account = await confirmationOf(db, secret)
    if (!account) throw new AppError('singleSignOnExpired')
    await tools.countMail(db, account, request)
    await inTransaction(db, async (db) => {
      const link = `${env.publicUrl}/login?confirm=${await createMailToken(db, secret)}`
      const recipient = { ...account, language: await recipientLanguage(db, account.uid, request) }
      const mail = confirmSignInMail(recipient, words, { link, minutes: CONFIRMATION_MINUTES })
      const messageUid = await enqueueMail(db, mail, { userUid: account.uid, isSecret: true })
      await bindConfirmationToMail(db, secret, messageUid)
    })
    // The browser waits as long as the mail may.
    setCookie(cookie(secret, 'mail'))
    await app.kernel.audit(request, { kind: 'confirmationMailed', subject: account.email, detail: words.provider })
    return { data: { done: true as const } }
  })

  serve(app, singleSignOn.confirmByMail, async ({ db, body, request, setCookie }) => {
    provider()
    const session = await enter(db, { secret: secretOf(request), request, mailToken: body.token })
    setCookie(cookie(undefined))
    return { data: session }
  })
}
