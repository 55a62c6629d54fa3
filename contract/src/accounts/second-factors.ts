import * as z from '../platform/zod.ts'
import { instant, one, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { signedIn, typedPassword } from './sign-in.ts'

export const MAX_PASSKEYS = 20
export const RECOVERY_CODES = 10
/** How long users may change their sign-in methods after they have proved their identity. */
export const PROOF_MINUTES = 10

const passkeyName = requiredLine(60)
/** Six digits; people may type them in groups. */
const oneTimeCode = z
  .string('Must be the 6 digits that your authenticator app shows.')
  .transform((given) => given.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Must be the 6 digits that your authenticator app shows.'))
const recoveryCode = requiredLine(40)
const pendingToken = requiredLine(200)

const base64url = (max: number) =>
  z
    .string('Must be base64url.')
    .max(max, 'Too long.')
    .regex(/^[\w-]+$/, 'Must be base64url.')

// Browsers add fields of their own to what they send. Those that the server does not read are left out.
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key', 'Must be public-key.'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
}
/** What the browser answers when a passkey is made. */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
})
export type NewPasskey = z.infer<typeof newPasskey>
/** What the browser answers when a passkey signs a challenge. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).optional(),
  }),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})
/** What the browser is given to have a challenge signed. */
export const passkeyRequest = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(descriptor).optional(),
  userVerification: z.literal('required'),
})
/** What the browser is given to make a passkey. */
export const passkeyCreation = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})

const passkey = z.strictObject({
  uid,
  name: z.string(),
  /** Whether the owner's other devices hold it too. */
  isSynced: z.boolean(),
  addedAt: instant,
  usedAt: instant.nullable(),
})
export type Passkey = z.infer<typeof passkey>

/** The second factors of a user. */
const factorList = z.strictObject({
  passkeys: z.array(passkey),
  codeApp: z.strictObject({ addedAt: instant, usedAt: instant.nullable() }).nullable(),
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: z.int(),
  /** Whether the user's role needs a second factor. */
  isNeeded: z.boolean(),
  /** Until when factors may be changed without another proof; null when one is needed now. */
  provedUntil: instant.nullable(),
  hasPassword: z.boolean(),
})
export type FactorList = z.infer<typeof factorList>

/** Refuses a body with none or several of the named fields, also where other fields are wrong. */
const exactlyOne = <T extends z.ZodType<object>>(schema: T, names: readonly [string, ...string[]]) => {
  const count = (given: object) => names.filter((name) => name in given).length
  const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null
  return schema
    .refine((given) => count(given) > 0, { path: [names[0]], error: 'Required.', when: isObject })
    .refine((given) => count(given) <= 1, { path: [names[0]], error: 'Send only one of them.', when: isObject })
}

const factor = {
  code: oneTimeCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: passkeyAnswer.optional(),
}
const factorNames = ['code', 'recoveryCode', 'passkey'] as const

/** Set when the first factor is added: shown this once. */
const firstCodes = one(z.strictObject({ recoveryCodes: z.array(z.string()).nullable() }))
const done = one(z.strictObject({ done: z.literal(true) }))

const own = { access: 'signedIn', ownRows: 'account', added: true } as const
const open = { access: 'public', added: true, method: 'POST' } as const

export const secondFactors = {
  finishSignIn: endpoint({
    ...open,
    path: 'authentication/second-factor',
    summary: 'The second step of signing in: the token of the first step with one of code, recoveryCode or passkey.',
    body: exactlyOne(z.strictObject({ token: pendingToken, ...factor }), factorNames),
    reply: one(signedIn),
  }),
  challengeSecondStep: endpoint({
    ...open,
    path: 'authentication/second-factor/challenge',
    summary: 'What a passkey has to sign in the second step of signing in.',
    body: z.strictObject({ token: pendingToken }),
    reply: one(passkeyRequest),
  }),
  challengeSignIn: endpoint({
    ...open,
    path: 'authentication/passkey/challenge',
    rate: 'public',
    summary: 'What a passkey has to sign to sign in without a password.',
    reply: one(passkeyRequest),
  }),
  signInWithPasskey: endpoint({
    ...open,
    path: 'authentication/passkey',
    summary: 'Signs in with a passkey alone, which verified its owner.',
    body: z.strictObject({ passkey: passkeyAnswer }),
    reply: one(signedIn),
  }),
  list: endpoint({
    ...own,
    method: 'GET',
    path: 'authentication/factors',
    follows: ['account'],
    duringEnrollment: true,
    summary: 'One’s own second factors.',
    reply: one(factorList),
  }),
  prove: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/proof',
    duringEnrollment: true,
    secret: true,
    summary: `Proves who one is, which allows changes of one’s factors for ${PROOF_MINUTES} minutes: by a factor, or by the password without one.`,
    body: exactlyOne(z.strictObject({ password: typedPassword.optional(), ...factor }), ['password', ...factorNames]),
    reply: one(z.strictObject({ provedUntil: instant })),
  }),
  challengeProof: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/proof/challenge',
    secret: true,
    summary: 'What a passkey has to sign as such a proof.',
    reply: one(passkeyRequest),
  }),
  challengePasskey: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/passkeys/challenge',
    duringEnrollment: true,
    secret: true,
    summary: 'What the browser needs to make a passkey.',
    reply: one(passkeyCreation),
  }),
  addPasskey: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/passkeys',
    duringEnrollment: true,
    secret: true,
    summary: 'Registers a passkey. The first factor comes with recovery codes.',
    body: z.strictObject({ name: passkeyName, passkey: newPasskey }),
    reply: firstCodes,
  }),
  removePasskey: endpoint({
    ...own,
    method: 'DELETE',
    path: 'authentication/passkeys/{uid}',
    summary: 'Removes one of one’s own passkeys.',
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
  startCodeApp: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/code-app/setup',
    duringEnrollment: true,
    secret: true,
    summary: 'A new key for an authenticator app, as text and as a QR code. It is in use once its first code was sent.',
    reply: one(z.strictObject({ key: z.string(), address: z.string(), picture: z.string() })),
  }),
  addCodeApp: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/code-app',
    duringEnrollment: true,
    secret: true,
    summary: 'Puts the new key into use by its first code; it replaces an older one.',
    body: z.strictObject({ code: oneTimeCode }),
    reply: firstCodes,
  }),
  removeCodeApp: endpoint({
    ...own,
    method: 'DELETE',
    path: 'authentication/code-app',
    summary: 'Removes one’s own authenticator app.',
    reply: done,
  }),
  makeRecoveryCodes: endpoint({
    ...own,
    method: 'POST',
    path: 'authentication/recovery-codes',
    secret: true,
    summary: `${RECOVERY_CODES} new recovery codes, shown this once. Older ones stop working.`,
    reply: one(z.strictObject({ recoveryCodes: z.array(z.string()) })),
  }),
}
