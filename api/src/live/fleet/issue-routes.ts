import { fleet, issueWork, type QueryOf } from '@roadshow/contract'
import type { Scope } from '../../platform/db/records/scope.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { issueSheet } from './export.ts'
import { issueAssignees, issueTrucks } from './issue-choices.ts'
import { addComment, commentsOf } from './issue-comments.ts'
import { assignIssue, changeIssueStatus, raiseIssue, snoozeIssue } from './issue-work.ts'
import { issueRecords } from './queries.ts'

type IssueQuery = QueryOf<typeof fleet.issues>

/** Resolved issues need no attention, so they are listed on request only. `me` is the caller. */
const listedIssues = (query: IssueQuery, { actor }: Scope): IssueQuery => ({
  sort: '-openedAt',
  status: ['open', 'inProgress'],
  ...query,
  ...(query.assignee && { assignee: query.assignee.map((each) => (each === 'me' ? actor.uid : each)) }),
})

export function issueRoutes(app: App): void {
  serve(app, fleet.issues, (call) =>
    listOrExport({ ...call, query: listedIssues(call.query, call.scope) }, issueRecords, issueSheet),
  )
  serve(app, fleet.issue, async ({ db, scope, params }) => ({ data: await issueRecords.get(db, scope, params.uid) }))
  serve(app, fleet.resolve, async ({ db, scope, body }) => ({ data: await changeIssueStatus(db, scope, body) }))
  serve(app, issueWork.raise, async ({ db, scope, body }) => ({ data: await raiseIssue(db, scope, body) }))
  serve(app, issueWork.assign, async ({ db, scope, body }) => ({ data: await assignIssue(db, scope, body) }))
  serve(app, issueWork.snooze, async ({ db, scope, body }) => ({ data: await snoozeIssue(db, scope, body) }))
  serve(app, issueWork.comments, async ({ db, scope, params }) => ({ data: await commentsOf(db, scope, params.uid) }))
  serve(app, issueWork.comment, async ({ db, scope, params, body }) => ({
    data: await addComment(db, scope, params.uid, body),
  }))
  serve(app, issueWork.trucks, ({ db, scope, query }) => issueTrucks.page(db, scope, query))
  serve(app, issueWork.assignees, ({ db, scope, query }) => issueAssignees.page(db, scope, query))
  const withPhoto = { ...issueRecords, outsiderColumns: [...issueRecords.outsiderColumns, 'photo_file_uid'] }
  serveHistory(app, fleet.issueHistory, withPhoto, {
    truck_uid: 'truck',
    photo_file_uid: 'stored_file',
    assignee_uid: 'user_account',
  })
}
