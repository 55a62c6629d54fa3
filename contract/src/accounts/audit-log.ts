import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** Everything that the audit log tells, and how people call it. */
export const auditKindLabel = {
  signedIn: 'Signed in',
  signInFailed: 'Login failed',
  signInThrottled: 'Login refused: too many attempts',
  signedOut: 'Signed out',
  sessionsEnded: 'Sessions ended',
  resetAsked: 'New password asked for',
  resetThrottled: 'New password refused: too many attempts',
  passwordSet: 'Password set',
  exported: 'Exported',
  userAdded: 'User added',
  accessChanged: 'Access changed',
  userDeleted: 'User deleted',
  userRestored: 'User restored',
  deviceCode: 'Pairing code made',
  devicePaired: 'Device paired',
  deviceRevoked: 'Device key taken back',
  deviceDeleted: 'Device deleted',
  payPeriodMoved: 'Pay period moved',
  popPublished: 'POP published',
  popWithdrawn: 'POP withdrawn',
} as const

export type AuditKind = keyof typeof auditKindLabel
export const auditKinds = Object.keys(auditKindLabel) as [AuditKind, ...AuditKind[]]
const auditKind = z.enum(auditKinds)

/** Entries are kept this long; until then nobody can delete one. */
export const KEEP_AUDIT_DAYS = 400

export const auditEntry = z.strictObject({
  uid,
  at: instant,
  kind: auditKind,
  /** Who did it, where anybody was signed in. */
  by: namedRef.nullable(),
  /** Whom or what it was about: an email address, a user, a device, a file. */
  subject: z.string(),
  detail: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** The call in the server's log; empty where the entry comes from a record's history. */
  requestId: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: 'audit-log/run',
    access: { module: 'users', needs: 'view' },
    summary:
      'Logins, sign-outs, exports, and changes of access, device keys, pay periods and published POPs, newest first; searched in user, subject, detail, address and request.',
    added: true,
    query: listQuery(['at'], {
      kind: anyOf(auditKind).optional(),
      by: anyOf(uid).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    reply: page(auditEntry),
  }),
}
