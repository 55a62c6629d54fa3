import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, page, uid } from '../platform/common.ts'
import { recordKinds } from '../platform/record-kinds.ts'
import { endpoint } from '../platform/endpoint.ts'

/** The events of the audit log with their labels. */
export const auditKindLabel = {
  signedIn: 'Signed in',
  signInFailed: 'Sign-in failed',
  signInThrottled: 'Sign-in blocked: too many attempts',
  signedOut: 'Signed out',
  sessionsEnded: 'Sessions ended',
  credentialEnded: 'Session, link, key or factor ended',
  resetAsked: 'Password reset requested',
  resetThrottled: 'Password reset blocked: too many attempts',
  passwordSet: 'Password set',
  identityLinked: 'Company sign-in linked',
  identityUnlinked: 'Company sign-in unlinked',
  confirmationMailed: 'Link to confirm a company sign-in emailed',
  singleSignOnEnded: 'Signed out by the company sign-in',
  secondFactorFailed: 'Second factor refused',
  secondFactorThrottled: 'Second factor blocked: too many attempts',
  factorAdded: 'Second factor added',
  factorRemoved: 'Second factor removed',
  factorsReset: 'Second factors reset',
  recoveryCodesMade: 'Recovery codes created',
  recoveryCodeUsed: 'Recovery code used',
  exported: 'Exported',
  imported: 'Imported',
  importUndone: 'Import undone',
  userAdded: 'User added',
  accessChanged: 'Access changed',
  userDeleted: 'User deleted',
  userRestored: 'User restored',
  keyCreated: 'API key created',
  keyEnded: 'API key ended',
  trackerKeyCreated: 'Tracker key created',
  trackerKeyEnded: 'Tracker key ended',
  trackerAccountSaved: 'Tracker account saved',
  trackerAccountRemoved: 'Tracker account removed',
  trackUploaded: 'Track uploaded',
  webhookCreated: 'Webhook created',
  webhookChanged: 'Webhook changed',
  webhookSecretChanged: 'Webhook secret changed',
  webhookEnded: 'Webhook ended',
  deviceCode: 'Pairing code created',
  screenClaimed: 'Code of a screen entered',
  deviceCommand: 'Command sent to a screen',
  devicePaired: 'Device paired',
  deviceRevoked: 'Device key revoked',
  deviceDeleted: 'Device deleted',
  deviceRestored: 'Device restored',
  recordDeleted: 'Deleted',
  recordRestored: 'Restored',
  payPeriodMoved: 'Pay period status changed',
  invitationSent: 'Invitation sent',
  invitationResent: 'Invitation sent again',
  messageSentAgain: 'Message sent again',
  messageCancelled: 'Message canceled',
  popPublished: 'POP published',
  popWithdrawn: 'POP withdrawn',
  campaignLinkCreated: 'Campaign link created',
  campaignLinkEnded: 'Campaign link revoked',
  proposalSent: 'Proposal sent',
  proposalEnded: 'Proposal revoked',
  demoEmptied: 'Demo emptied',
} as const

export type AuditKind = keyof typeof auditKindLabel
export const auditKinds = Object.keys(auditKindLabel) as [AuditKind, ...AuditKind[]]
const auditKind = z.enum(auditKinds)

export const auditEntry = z.strictObject({
  uid,
  at: instant,
  kind: auditKind,
  /** The user who did it, if signed in. */
  by: namedRef.nullable(),
  /** The subject: an email address, a user, a device or a file. */
  subject: z.string(),
  detail: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** The request in the server's log; empty if the entry comes from a record's history. */
  requestId: z.string(),
  /** The record that was deleted or restored, so that its history can be read. */
  record: z.strictObject({ kind: z.enum(recordKinds), uid }).nullable(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: 'audit-log/run',
    access: { module: 'users', needs: 'view' },
    summary:
      'Sign-ins, sign-outs, exports, deletions, and changes of access, device keys, pay periods and published POPs, newest first; searched in user, subject, detail, address and request.',
    follows: [],
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
