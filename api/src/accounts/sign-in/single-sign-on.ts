import { localPath, singleSignOn } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { acceptForms } from '../../platform/http/form-bodies.ts'
import { serve } from '../../platform/http/serve.ts'
import { newToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import {
  awaitConfirmation,
  isStateOf,
  judgeSignIn,
  loadSignInFacts,
  providerSessionsOf,
  type ProviderIdentity,
  sessionsEndedBy,
  startFlow,
  takeFlow,
} from '../identity-provider/index.ts'
import { confirmationRoutes, pendingConfirmationOf } from './confirm-single-sign-on.ts'
import { enterWithIdentity, secondStepOf } from './enter-with-identity.ts'
import { endProviderSessions } from './sessions.ts'
import { type AttemptTools, createSignOnTools, type SignOnTools } from './sign-on-tools.ts'

/** Signing in and out with the company's identity provider; answers what signing out needs of it. */
export function singleSignOnRoutes(app: App, context: AppContext, attempts: AttemptTools): SignOnTools {
  const tools = createSignOnTools(app, context, attempts)
  roundTripRoutes(app, tools)
  confirmationRoutes(app, tools)
  backChannelRoute(app, tools)
  return tools
}

function roundTripRoutes(app: App, tools: SignOnTools): void {
  const { audit } = app.kernel
  const { provider, secretOf, cookie } = tools
  const { origin } = new URL(tools.context.env.publicUrl)

  serve(app, singleSignOn.begin, async ({ db, body, setCookie }) => {
    const secret = newToken()
    const url = await provider().authorizationUrl(secret)
    await startFlow(db, secret, localPath(body.next, origin) ?? '/')
    setCookie(cookie(secret))
    return { data: { url } }
  })

  serve(app, singleSignOn.finish, async ({ db, body, request, setCookie }) => {
    const secret = secretOf(request)
    const callback = new URLSearchParams(body.callback)
    // Another sign-in's answer must not use this one up.
    if (!isStateOf(secret, callback.get('state'))) throw new AppError('singleSignOnExpired')
    const next = await takeFlow(db, secret)
    if (next === undefined) throw new AppError('singleSignOnExpired')
    const identity = await provider().identify(callback, secret, (problem) => request.log.warn(problem, 'sign-in'))
    const subject = identity.verifiedEmail ?? identity.subject
    try {
      const { reply, isNewLink } = await judgeAndEnter(db, tools, { identity, secret, next, request })
      if (reply.step === 'signedIn') {
        setCookie(cookie(undefined))
        await tools.noteEntry(request, reply, isNewLink)
      }
      return { data: reply }
    } catch (error) {
      const isRefused = error instanceof AppError && error.code !== 'secondFactorAsked'
      if (isRefused) await audit(request, { kind: 'signInFailed', subject, detail: error.code })
      throw error
    }
  })
}

interface Arrival {
  identity: ProviderIdentity
  secret: string
  next: string
  request: FastifyRequest
}

/** Opens a session, or asks the account's owner first, or refuses. */
async function judgeAndEnter(db: Db, { context, provider }: SignOnTools, arrival: Arrival) {
  const { identity, secret, next, request } = arrival
  const hasClaimMap = provider().settings.roles.length > 0
  const outcome = await inTransaction(db, async (db) => {
    const verdict = judgeSignIn(identity, { ...(await loadSignInFacts(db, identity)), hasClaimMap })
    if (verdict.is === 'refuse') {
      const ended = verdict.endsSessionsOf ? await providerSessionsOf(db, verdict.endsSessionsOf) : []
      await endProviderSessions(db, ended)
      return verdict
    }
    if (verdict.is === 'confirm') {
      await awaitConfirmation(db, secret, { identity, userUid: verdict.userUid, nextPath: next })
      return { reply: await pendingConfirmationOf(db, context, secret), isNewLink: false }
    }
    const waiting = { identity, entry: verdict, next }
    const secondFactor = await secondStepOf(db, waiting)
    if (secondFactor) return { secondFactor }
    return { reply: await enterWithIdentity(db, waiting, request), isNewLink: verdict.is !== 'signIn' }
  })
  // What was written with the refusal stays: ended sessions, and the token of the second step.
  if ('code' in outcome) throw new AppError(outcome.code)
  if ('secondFactor' in outcome) throw new AppError('secondFactorAsked', outcome)
  return outcome
}

/** Logout tokens come as a form, which no other call takes. */
function backChannelRoute(app: App, { provider }: SignOnTools): void {
  void app.register(async (app) => {
    acceptForms(app)
    serve(app, singleSignOn.backChannelLogout, async ({ db, body, request }) => {
      const ended = await provider().readLogoutToken(body.logout_token)
      const users = await inTransaction(db, async (db) => endProviderSessions(db, await sessionsEndedBy(db, ended)))
      for (const { email } of users) await app.kernel.audit(request, { kind: 'singleSignOnEnded', subject: email })
      return { data: { done: true as const } }
    })
  })
}
