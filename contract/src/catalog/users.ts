import { formatDollars } from '../platform/figures.ts'
import * as z from '../platform/zod.ts'
import { email, userSession } from '../accounts/sign-in.ts'
import {
  anyOf,
  day,
  instant,
  textLine,
  listQuery,
  namedRef,
  one,
  page,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { confirmedQuery, dependentsEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef, uploadRules } from '../platform/files.ts'
import { historyEndpoint } from '../platform/history.ts'
import { languages } from '../platform/languages.ts'
import { moduleKey, modules, role } from '../platform/permissions.ts'

const MAX_PAY = 10_000_000
const cents = z
  .int('Must be an amount in whole cents.')
  .min(0, 'Must not be negative.')
  .max(MAX_PAY, { error: () => `At most ${formatDollars(MAX_PAY)}.` })

/** What a driver earns per shift, in cents, from a day on until the next rate's day. */
export const payRate = z.strictObject({
  validFrom: day,
  payHalfDay: cents,
  payEightHours: cents,
  payTwelveHours: cents,
})
export type PayRate = z.infer<typeof payRate>

export const user = z.strictObject({
  userUid: uid,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  photo: fileRef.nullable(),
  role,
  modules: z.array(moduleKey),
  client: namedRef.nullable(),
  payRates: z.array(payRate),
  /** The person's id in the payroll program: the File # of ADP, the employee id of Gusto. */
  payrollId: z.string(),
  /** The language of mails, notifications and the phone app; null for the browser's. */
  language: z.enum(languages).nullable(),
  /** Whether the user was invited, has no password and never signed in. */
  isInvited: z.boolean(),
  /** Null until the first sign-in. */
  lastSeen: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable(),
  version,
})
export type User = z.infer<typeof user>

const PHONE = /^(\+?[\d\s().-]{5,}( ?(x|ext\.?) ?\d{1,6})?)?$/i

export const phoneNumber = textLine(40).regex(PHONE, 'Not a valid phone number.')

const isOnce = (rates: PayRate[]) => new Set(rates.map(({ validFrom }) => validFrom)).size === rates.length

export const userInput = z.strictObject({
  name: requiredLine(120),
  email,
  phone: phoneNumber.prefault(''),
  role,
  modules: z
    .array(moduleKey)
    .max(modules.length)
    .transform((given) => modules.filter((key) => given.includes(key))),
  clientUid: uid.nullable().prefault(null),
  payRates: z
    .array(payRate)
    .max(100, 'At most 100 rates.')
    .refine(isOnce, 'Two rates begin on the same day.')
    .prefault([]),
  /** Unchanged where absent. */
  payrollId: textLine(20)
    .regex(/^[A-Za-z0-9-]*$/, 'Letters, digits and hyphens only.')
    .optional(),
  /** Unchanged where absent. */
  language: z.enum(languages, 'Choose en or es.').nullable().optional(),
  /** The photo to keep; null removes it. A file in the same call replaces it. */
  photoFileUid: uid.nullable().prefault(null),
})
export type UserInput = z.input<typeof userInput>

/** Users of role client belong to a client; users of other roles do not. */
const withItsClient = <T extends z.ZodType<{ role: string; clientUid: string | null }>>(input: T) =>
  input.superRefine(({ role, clientUid }, context) => {
    if ((role === 'client') === (clientUid !== null)) return
    const message =
      role === 'client' ? 'Choose the client this user belongs to.' : 'Only users of role Client belong to a client.'
    context.addIssue({ code: 'custom', path: ['clientUid'], message })
  })

/** How many users one call invites. */
export const MAX_INVITATIONS = 200

/** Why a user was not invited. */
export const invitationSkipLabel = {
  notFound: 'not found',
  deleted: 'deleted',
  signedIn: 'signed in or has a password already',
  tooOften: 'invited several times already; wait a few minutes',
} as const
const invitationSkips = Object.keys(invitationSkipLabel) as [InvitationSkip, ...InvitationSkip[]]
export type InvitationSkip = keyof typeof invitationSkipLabel

const invitationsReply = z.strictObject({
  /** How many users get a mail. */
  sent: z.int(),
  skipped: z.array(z.strictObject({ userUid: uid, name: z.string(), reason: z.enum(invitationSkips) })),
})
export type InvitationsResult = z.infer<typeof invitationsReply>

export const userPhotoFiles = { photo: { count: 1, bytes: 10 * 1024 * 1024, types: uploadRules.photo.types } }

const view = { module: 'users', needs: 'view' } as const
const edit = { module: 'users', needs: 'edit' } as const
const byUid = z.strictObject({ uid })

export const users = {
  list: endpoint({
    method: 'GET',
    path: 'user/info/run',
    access: view,
    summary: 'Users, searched in name, email and phone. Deleted ones are left out unless asked for.',
    follows: ['users'],
    query: listQuery(['name', 'email', 'role', 'lastSeen', 'updatedAt'], {
      role: anyOf(role).optional(),
      module: anyOf(moduleKey).optional(),
      client: anyOf(uid).optional(),
      deleted: anyOf(z.literal('shown', 'Must be shown.')).optional(),
    }),
    reply: page(user),
  }),
  get: endpoint({
    method: 'GET',
    path: 'user/{uid}',
    access: view,
    summary: 'One user, deleted or not.',
    follows: ['users'],
    added: true,
    params: byUid,
    reply: one(user),
  }),
  create: endpoint({
    method: 'POST',
    path: 'user/',
    access: edit,
    summary:
      'Adds a user, who gets a mail with a link to set a password. The email of a deleted user answers 409 and names that user.',
    body: withItsClient(userInput),
    files: userPhotoFiles,
    reply: one(user),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'user/',
    access: edit,
    summary: 'Changes a user. Another role ends their sessions; the last active admin stays one.',
    body: withItsClient(userInput.extend({ userUid: uid, version })),
    files: userPhotoFiles,
    reply: one(user),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'user/{uid}',
    access: edit,
    summary: 'Deletes a user and ends their sessions; their history is kept.',
    params: byUid,
    query: confirmedQuery,
    reply: one(z.strictObject({ userUid: uid })),
  }),
  dependents: dependentsEndpoint({ path: 'user', access: edit }),
  restore: endpoint({
    method: 'PUT',
    path: 'user/restore-user/{uid}',
    access: edit,
    summary: 'Brings a deleted user back, with their old password and no session.',
    params: byUid,
    reply: one(user),
  }),
  forceLogout: endpoint({
    method: 'PUT',
    path: 'user/force-logout-user/{uid}',
    access: edit,
    summary: 'Ends every session of a user at once, calls and sockets.',
    params: byUid,
    reply: one(z.strictObject({ userUid: uid, ended: z.int() })),
  }),
  resetFactors: endpoint({
    method: 'PUT',
    path: 'user/reset-second-factor/{uid}',
    access: edit,
    summary:
      'Removes the passkeys, the authenticator app and the recovery codes of another user, and ends their sessions. The user gets a mail.',
    added: true,
    params: byUid,
    reply: one(z.strictObject({ userUid: uid, ended: z.int() })),
  }),
  resendInvitation: endpoint({
    method: 'PUT',
    path: 'user/resend-invitation/{uid}',
    access: edit,
    keys: false,
    summary: 'Mails a new link to set a password to a user who was invited and never signed in. The older link ends.',
    added: true,
    params: byUid,
    reply: one(z.strictObject({ userUid: uid })),
  }),
  sendInvitations: endpoint({
    method: 'POST',
    path: 'user/send-invitations',
    access: edit,
    keys: false,
    summary: `Mails a link to set a password to up to ${MAX_INVITATIONS} users who never signed in; older links of theirs end. Users who can't be invited are skipped, each with the reason. With an Idempotency-Key each user gets one mail however often the call is sent.`,
    added: true,
    body: z.strictObject({
      userUids: z
        .array(uid)
        .min(1, 'Choose at least one user.')
        .max(MAX_INVITATIONS, `At most ${MAX_INVITATIONS} users at once.`),
    }),
    reply: one(invitationsReply),
  }),
  sessions: endpoint({
    method: 'GET',
    path: 'user/{uid}/sessions',
    access: view,
    summary: 'The newest 100 sessions of a user, open ones first.',
    follows: ['users'],
    added: true,
    params: byUid,
    reply: one(z.array(userSession)),
  }),
  invite: endpoint({
    method: 'POST',
    path: 'user/invite-client',
    access: { module: 'clients', needs: 'edit' },
    keys: false,
    summary: 'Adds a user of role client, who gets a mail with a link to set a password.',
    added: true,
    body: z.strictObject({ clientUid: uid, name: requiredLine(120), email }),
    reply: one(z.strictObject({ userUid: uid, name: z.string(), email: z.string() })),
  }),
  history: historyEndpoint('user', view, { writers: ['outOfService'] }),
}
