import * as z from '../platform/zod.ts'
import { one, requiredLine } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { signedIn, typedPassword } from './sign-in.ts'

/** A session that single sign-on opened, and the page that the user asked for. */
const openedSession = signedIn.extend({ step: z.literal('signedIn'), next: z.string() })

/** How an owner can confirm that an account and a company sign-in belong to one person. */
const confirmationWay = z.enum(['password', 'mail'])

/** An account that waits for its owner's consent before a company sign-in opens it. */
export const pendingConfirmation = z.strictObject({
  step: z.literal('confirm'),
  /** The address that both the account and the company sign-in have. */
  email: z.string(),
  /** The name of the account's owner. */
  accountName: z.string(),
  ways: z.array(confirmationWay),
})
export type PendingConfirmation = z.infer<typeof pendingConfirmation>

const done = one(z.strictObject({ done: z.literal(true) }))

// Providers put long codes into their answers.
const MAX_CALLBACK = 8000
const MAX_NEXT = 2000
const MAX_LOGOUT_TOKEN = 20_000

export const singleSignOn = {
  begin: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/begin',
    access: 'public',
    rate: 'public',
    summary:
      'Begins a sign-in with the company’s identity provider: the address to go to, and a cookie that binds the sign-in to this browser for 10 minutes.',
    added: true,
    body: z.strictObject({ next: requiredLine(MAX_NEXT) }),
    reply: one(z.strictObject({ url: z.string() })),
  }),
  finish: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/finish',
    access: 'public',
    rate: 'public',
    summary:
      'Ends a sign-in with the query that the identity provider sent the browser back with: a session, or the account that its owner has to confirm first. Works once, and only in the browser that began. Where a second factor is missing, a 401 with the code secondFactorAsked.',
    added: true,
    body: z.strictObject({ callback: requiredLine(MAX_CALLBACK) }),
    reply: one(z.discriminatedUnion('step', [openedSession, pendingConfirmation])),
  }),
  confirmation: endpoint({
    method: 'GET',
    path: 'authentication/single-sign-on/confirmation',
    access: 'public',
    rate: 'public',
    summary: 'The account that this browser has to confirm before the company sign-in opens it.',
    added: true,
    reply: one(pendingConfirmation),
  }),
  confirmByPassword: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/confirm-by-password',
    access: 'public',
    summary: 'Links the company sign-in to the account with the account’s password, and signs in.',
    added: true,
    body: z.strictObject({ password: typedPassword }),
    reply: one(openedSession),
  }),
  mailConfirmation: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/confirmation-mail',
    access: 'public',
    rate: 'reset',
    summary: 'Mails the owner of the account a link to confirm it. The link works in the browser that asked for it.',
    added: true,
    reply: done,
  }),
  confirmByMail: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/confirm-by-mail',
    access: 'public',
    rate: 'reset',
    summary: 'Links the company sign-in to the account with the token of the mailed link, and signs in.',
    added: true,
    body: z.strictObject({ token: requiredLine(200) }),
    reply: one(openedSession),
  }),
  backChannelLogout: endpoint({
    method: 'POST',
    path: 'authentication/single-sign-on/back-channel-logout',
    access: 'public',
    rate: 'public',
    summary:
      'For the identity provider: ends the sessions that a signed logout token names (OpenID Connect Back-Channel Logout 1.0). Takes a form as well as JSON.',
    added: true,
    body: z.strictObject({
      logout_token: z
        .string('Required.')
        .min(1, 'Required.')
        .max(MAX_LOGOUT_TOKEN, `At most ${MAX_LOGOUT_TOKEN} characters.`),
    }),
    reply: done,
  }),
}
