import * as z from '../platform/zod.ts'
import { instant, namedRef, uid, version } from '../platform/common.ts'
import { fileRef } from '../platform/files.ts'
import { issueKind, issueStatus } from '../catalog/truck-issues.ts'
import { shiftStatus } from '../planning/shift-status.ts'

export const truckIssue = z.strictObject({
  uid,
  truck: namedRef,
  shift: z.strictObject({ uid, program: z.string(), status: shiftStatus }).nullable(),
  /** The zone of the shift's market or else of the truck's home market; UTC without either. */
  zone: z.string(),
  kind: issueKind,
  raisedBy: z.enum(['server', 'driver', 'staff']),
  text: z.string(),
  /** The first of the photos. */
  photo: fileRef.nullable(),
  photos: z.array(fileRef),
  status: issueStatus,
  note: z.string(),
  /** The user who takes care of it. Always null for clients, as are the three below. */
  assignee: namedRef.nullable(),
  /** Only while it is snoozed. */
  snoozedUntil: instant.nullable(),
  /** The driver of the shift, with the number to call while the issue is not resolved. */
  driver: z.strictObject({ uid, name: z.string(), phone: z.string() }).nullable(),
  /** Where the truck is now; null for resolved issues and without a position. */
  place: z.strictObject({ text: z.string(), at: instant }).nullable(),
  /** How many comments it has; 0 for clients. */
  comments: z.int(),
  openedAt: instant,
  resolvedAt: instant.nullable(),
  updatedAt: instant,
  version,
})
export type TruckIssue = z.infer<typeof truckIssue>
