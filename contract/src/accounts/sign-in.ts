import { userPreferences } from './preferences.ts'
import * as z from '../platform/zod.ts'
import { instant, one, requiredLine, uid } from '../platform/common.ts'
import { CLIENT_TYPE } from '../platform/constants.ts'
import { endpoint } from '../platform/endpoint.ts'
import { moduleKey, role } from '../platform/permissions.ts'

export const MIN_PASSWORD = 10
const MAX_PASSWORD = 200

export const email = requiredLine(254).toLowerCase().pipe(z.email('Not a valid email address.'))

// Passwords are taken as typed: no trimming, no composition rules.
export const typedPassword = z
  .string('Required.')
  .min(1, 'Required.')
  .max(MAX_PASSWORD, `At most ${MAX_PASSWORD} characters.`)
export const newPassword = typedPassword.min(MIN_PASSWORD, `At least ${MIN_PASSWORD} characters.`)

/** The signed-in user with what they may open. */
export const userWithPermissions = z.strictObject({
  userUid: uid,
  name: z.string(),
  email: z.string(),
  role,
  /** Where the user's photo is shown from, small. */
  photoUrl: z.string().nullable(),
  roleAccess: z.array(z.strictObject({ moduleKey })),
  preferences: userPreferences,
})
export type UserWithPermissions = z.infer<typeof userWithPermissions>

/** How a session was made, with the words for it. */
export const madeByLabel = {
  password: 'Password',
  code: 'Password and one-time code',
  recoveryCode: 'Password and recovery code',
  passkey: 'Passkey',
  singleSignOn: 'Single sign-on',
} as const
export type MadeBy = keyof typeof madeByLabel
const madeBy = z.enum(Object.keys(madeByLabel) as [MadeBy, ...MadeBy[]])

/** A session as the list of a user's sessions shows it. */
export const userSession = z.strictObject({
  uid,
  address: z.string(),
  userAgent: z.string(),
  signedInAt: instant,
  madeBy,
  seenAt: instant,
  endedAt: instant.nullable(),
  /** The session that asks. */
  isThisOne: z.boolean(),
})
export type UserSession = z.infer<typeof userSession>

/** A link to set a password; only a valid one says more. */
const passwordLink = z.discriminatedUnion('state', [
  z.strictObject({ state: z.enum(['used', 'expired', 'unknown']) }),
  z.strictObject({
    state: z.literal('valid'),
    kind: z.enum(['invitation', 'reset']),
    /** The address that it was mailed to, with all but its first letter and its domain hidden. */
    email: z.string(),
  }),
])
export type PasswordLink = z.infer<typeof passwordLink>
/** What signing in gives. */
export const signedIn = z.strictObject({
  token: z.string(),
  user: userWithPermissions,
  /** Set if the session may only set up a second factor, which the user's role needs. */
  enrollmentNeeded: z.literal(true).optional(),
})

const done = one(z.strictObject({ done: z.literal(true) }))

export const auth = {
  authenticate: endpoint({
    method: 'POST',
    path: 'authentication/authenticate',
    access: 'public',
    summary:
      'Signs in: a token that names a session on the server, and the user. A user with a second factor gets a 401 with the code secondFactorAsked and the token for authentication/second-factor.',
    body: z.strictObject({ email, password: typedPassword, clientType: z.literal(CLIENT_TYPE, 'Must be web.') }),
    reply: one(signedIn),
  }),
  forgotPasswordMail: endpoint({
    method: 'POST',
    path: 'authentication/forgot-password-mail',
    rate: 'reset',
    access: 'public',
    summary: 'Mails a link to set a new password. Answers the same for unknown addresses.',
    body: z.strictObject({ email }),
    reply: done,
  }),
  passwordReset: endpoint({
    method: 'POST',
    path: 'authentication/password-reset',
    rate: 'reset',
    access: 'public',
    summary: 'Sets a new password with the token from the mail, and ends every session of that user.',
    body: z.strictObject({ token: requiredLine(200), password: newPassword }),
    reply: done,
  }),
  checkPasswordLink: endpoint({
    method: 'POST',
    path: 'authentication/password-link',
    rate: 'reset',
    access: 'public',
    summary: 'Whether a link to set a password still works, before one is typed. A link that was replaced is unknown.',
    added: true,
    body: z.strictObject({ token: requiredLine(200) }),
    reply: one(passwordLink),
  }),
  logout: endpoint({
    method: 'POST',
    path: 'authentication/logout',
    access: 'signedIn',
    summary:
      'Ends this session at once. After single sign-on it answers where the browser can sign out of the identity provider too.',
    ownRows: 'account',
    added: true,
    duringEnrollment: true,
    reply: one(z.strictObject({ done: z.literal(true), continueAt: z.string().optional() })),
  }),
  me: endpoint({
    method: 'GET',
    path: 'user/user-with-permissions',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'The signed-in user with the modules they may open.',
    follows: [],
    reply: one(userWithPermissions),
  }),
  sessions: endpoint({
    method: 'GET',
    path: 'authentication/sessions',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'Where one is signed in oneself, and was: the newest 100 sessions, open ones first.',
    follows: ['account'],
    added: true,
    reply: one(z.array(userSession)),
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: 'authentication/sessions',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'Ends all of one’s own sessions but the one that asks.',
    added: true,
    reply: one(z.strictObject({ ended: z.int() })),
  }),
}
