import { API_BASE } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { cookieOf, setCookieHeader } from '../../platform/http/cookies.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import {
  CONFIRMATION_MINUTES,
  CONFIRMATION_WAIT_MINUTES,
  createIdentityProvider,
  idTokenOf,
} from '../identity-provider/index.ts'
import type { CheckPassword, CountOrAudit } from './attempts.ts'
import type { OpenedSession } from './enter-with-identity.ts'

const COOKIE = 'singleSignOn'
const COOKIE_PATH = `${API_BASE}/authentication/single-sign-on`
// As long as a flow and its confirmation together.
const COOKIE_SECONDS = (CONFIRMATION_MINUTES + 10) * 60
const WAITING_COOKIE_SECONDS = CONFIRMATION_WAIT_MINUTES * 60 + COOKIE_SECONDS
const SECRET = /^[\w-]{43}$/

export interface AttemptTools {
  countOrAudit: CountOrAudit
  checkPassword: CheckPassword
}

/** The secret that binds a sign-in to the browser that began it. */
function secretOf(request: FastifyRequest): string {
  const secret = cookieOf(request, COOKIE)
  if (secret === undefined || !SECRET.test(secret)) throw new AppError('singleSignOnExpired')
  return secret
}

export type SignOnTools = ReturnType<typeof createSignOnTools>

/** What the routes of single sign-on share. */
export function createSignOnTools(app: App, context: AppContext, { countOrAudit, checkPassword }: AttemptTools) {
  const { audit } = app.kernel
  const { singleSignOn: settings, publicUrl } = context.env
  const known = settings && createIdentityProvider(settings, { publicUrl, services: context.services })
  return {
    context,
    checkPassword,
    secretOf,
    /** Counts a mail to an account's owner as one attempt. */
    countMail: async (db: Db, { uid, email }: { uid: string; email: string }, request: FastifyRequest) => {
      // The mails of a reset and of a confirmation go to the same mailbox, so they share its limits.
      await countOrAudit(db, { what: 'reset', subject: email, ownerUid: uid, request, kind: 'resetThrottled' })
    },
    /** Refuses where no identity provider is set up. */
    provider: () => {
      if (!known) throw new AppError('singleSignOnOff')
      return known
    },
    /** The cookie that keeps the secret, longer while it waits for a mail, or takes it away. */
    cookie: (secret: string | undefined, waitsFor?: 'mail') =>
      setCookieHeader({
        name: COOKIE,
        value: secret ?? '',
        path: COOKIE_PATH,
        maxAgeSeconds: secret === undefined ? 0 : waitsFor ? WAITING_COOKIE_SECONDS : COOKIE_SECONDS,
        isSecure: context.env.isHttps ?? publicUrl.startsWith('https:'),
      }),
    /** Writes down that a user came in through the provider. */
    noteEntry: async (request: FastifyRequest, { user }: OpenedSession, isNewLink: boolean) => {
      const entry = { actorUid: user.userUid, subject: user.email, detail: settings?.name ?? '' }
      if (isNewLink) await audit(request, { kind: 'identityLinked', ...entry })
      await audit(request, { kind: 'signedIn', ...entry })
    },
    /** Where a browser signs out of the provider after this session; undefined if it needs not. */
    logoutUrl: async (db: Db, sessionUid: string, token: string) => {
      const idToken = known && (await idTokenOf(db, sessionUid, token))
      return idToken && (await known.logoutUrl(idToken))
    },
  }
}
