import * as z from '../platform/zod.ts'
import { instant, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** Everything that lets a user in or acts for them, in the order of the list. */
export const credentialKindLabel = {
  session: 'Session',
  link: 'Password link',
  calendar: 'Calendar link',
  push: 'Browser with notifications',
  apiKey: 'API key',
  passkey: 'Passkey',
  codeApp: 'Authenticator app',
  recoveryCodes: 'Recovery codes',
  singleSignOn: 'Single sign-on',
} as const

export type CredentialKind = keyof typeof credentialKindLabel
export const credentialKinds = Object.keys(credentialKindLabel) as [CredentialKind, ...CredentialKind[]]
const credentialKind = z.enum(credentialKinds)

/** An open credential of a user, without its secret. */
export const credential = z.strictObject({
  kind: credentialKind,
  uid,
  /** The name of a key or a passkey, what a link is for; the user agent of a session. */
  name: z.string(),
  /** How a session was made, where a link was mailed to, what a key may do. */
  detail: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  /** The network address that made it or used it last; empty if unknown. */
  address: z.string(),
  /** The session that asks. */
  isThisOne: z.boolean(),
  /** Whether it can be ended from the list. */
  canEnd: z.boolean(),
})
export type Credential = z.infer<typeof credential>

const ended = one(z.strictObject({ uid }))
export const credentialList = one(z.array(credential))

export const credentials = {
  own: endpoint({
    method: 'GET',
    path: 'authentication/credentials',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'Everything open that lets one in oneself or acts for one: sessions, links, keys, factors.',
    follows: ['account'],
    added: true,
    reply: credentialList,
  }),
  endOwn: endpoint({
    method: 'DELETE',
    path: 'authentication/credentials/{kind}/{uid}',
    access: 'signedIn',
    ownRows: 'account',
    summary: 'Ends one of one’s own credentials at once.',
    added: true,
    params: z.strictObject({ kind: credentialKind, uid }),
    reply: ended,
  }),
  ofUser: endpoint({
    method: 'GET',
    path: 'user/{uid}/credentials',
    access: { module: 'users', needs: 'view' },
    summary: 'Everything open that lets a user in or acts for them: sessions, links, keys, factors.',
    follows: ['users'],
    added: true,
    params: z.strictObject({ uid }),
    reply: credentialList,
  }),
  endOfUser: endpoint({
    method: 'DELETE',
    path: 'user/{uid}/credentials/{kind}/{credentialUid}',
    access: { module: 'users', needs: 'edit' },
    summary: 'Ends one credential of a user at once.',
    added: true,
    params: z.strictObject({ uid, kind: credentialKind, credentialUid: uid }),
    reply: ended,
  }),
}
