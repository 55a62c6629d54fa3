import * as z from '../platform/zod.ts'
import {
  anyOf,
  chosenInstant,
  instant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  paragraph,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef, fileUid } from '../platform/files.ts'
import { MAX_ISSUE_PHOTOS, MAX_SNOOZE_DAYS, reportedIssueKinds } from '../catalog/truck-issues.ts'
import { truckIssue } from './truck-issue.ts'

const issueComment = z.strictObject({
  uid,
  text: z.string(),
  by: namedRef,
  at: instant,
  photos: z.array(fileRef),
})
export type IssueComment = z.infer<typeof issueComment>

const photoFileUids = z
  .array(fileUid)
  .max(MAX_ISSUE_PHOTOS, `At most ${MAX_ISSUE_PHOTOS} photos.`)
  .refine((uids) => new Set(uids).size === uids.length, 'Each photo once.')
  .prefault([])

const staff = { module: 'overview', needs: 'view', reach: 'all' } as const
const edit = { module: 'overview', needs: 'edit' } as const
const choices = listQuery(['name'], { uid: anyOf(uid).optional() }).omit(NO_EXPORT)

/** What staff does with issues of trucks. */
export const issueWork = {
  raise: endpoint({
    method: 'POST',
    path: 'issues/',
    access: edit,
    summary: 'Raises an issue by hand. Without a shift it belongs to the shift that the truck is out on, if any.',
    added: true,
    body: z.strictObject({
      truckUid: uid,
      shiftUid: uid.nullish(),
      kind: z.enum(reportedIssueKinds, `Must be one of ${reportedIssueKinds.join(', ')}.`),
      text: paragraph(500).min(1, 'Required.'),
      photoFileUids,
    }),
    reply: one(truckIssue),
  }),
  assign: endpoint({
    method: 'PUT',
    path: 'issues/assignee',
    access: edit,
    summary: 'Assigns an issue to a user who may see it, or to no one. The user is notified.',
    added: true,
    body: z.strictObject({ uid, version, assigneeUid: uid.nullable() }),
    reply: one(truckIssue),
  }),
  snooze: endpoint({
    method: 'PUT',
    path: 'issues/snooze',
    access: edit,
    summary: `Snoozes an issue until a time within ${MAX_SNOOZE_DAYS} days, or ends its snooze with null.`,
    added: true,
    body: z.strictObject({ uid, version, until: chosenInstant.nullable() }),
    reply: one(truckIssue),
  }),
  comments: endpoint({
    method: 'GET',
    path: 'issues/{uid}/comments',
    access: staff,
    summary: 'The newest 200 comments of staff on an issue, oldest first. Its history has all of them.',
    follows: ['issues'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.array(issueComment)),
  }),
  comment: endpoint({
    method: 'POST',
    path: 'issues/{uid}/comments',
    access: staff,
    // A comment is the word of a person.
    keys: false,
    summary: 'Adds a comment to an issue, for staff only.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({ text: paragraph(2000).min(1, 'Required.'), photoFileUids }),
    reply: one(issueComment),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'issues/trucks',
    access: edit,
    summary: 'Trucks by number, to raise issues of, without retired trucks.',
    follows: ['trucks'],
    added: true,
    query: choices,
    reply: page(namedRef),
  }),
  assignees: endpoint({
    method: 'GET',
    path: 'issues/assignees',
    access: edit,
    summary: 'Users by name who may be assigned to issues: staff with the Overview.',
    follows: ['users'],
    added: true,
    query: choices,
    reply: page(namedRef),
  }),
}
