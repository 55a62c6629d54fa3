import { type BodyOf, type fleet, type IssueStatus, issueStatusLabel, type TruckIssue } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { recordIssueEvents } from './issue-events.ts'
import { issueRecords } from './queries.ts'

/** The statuses that may follow a status. */
const nextStatuses: Record<IssueStatus, readonly IssueStatus[]> = {
  open: ['open', 'inProgress', 'resolved'],
  inProgress: ['inProgress', 'open', 'resolved'],
  resolved: ['resolved', 'open'],
}

/** Starts work on an issue, resolves it or reopens it. */
export const changeIssueStatus = (
  db: Db,
  scope: Scope,
  { uid, version, status, note }: BodyOf<typeof fleet.resolve>,
): Promise<TruckIssue> =>
  inTransaction(db, async (db) => {
    const issue = await issueRecords.get(db, scope, uid)
    if (issue.version !== version) throw new AppError('staleVersion')
    if (!nextStatuses[issue.status].includes(status)) {
      const words = `${issueStatusLabel[issue.status].toLowerCase()} to ${issueStatusLabel[status].toLowerCase()}`
      throw new AppError('badInput', { fields: { status: `An issue can't change from ${words}.` } })
    }
    const resolved_at = status === 'resolved' ? (issue.resolvedAt ?? new Date(await sharedNow(db)).toISOString()) : null
    await issueRecords.update(db, scope, uid, version, {
      status,
      note,
      resolved_at,
      // What is resolved waits for nothing.
      ...(status === 'resolved' && { snoozed_until: null }),
    })
    if (status === 'resolved' && issue.status !== 'resolved') await recordIssueEvents(db, 'issue.resolved', [uid])
    if (status !== 'resolved' && issue.status === 'resolved') await recordIssueEvents(db, 'issue.opened', [uid])
    return issueRecords.get(db, scope, uid)
  })

/** Resolves an issue with a note, in the caller's transaction; one that is resolved already stays as it is. */
export async function resolveIssue(db: Db, scope: Scope, uid: string, note: string): Promise<void> {
  await issueRecords.lockRow(db, uid)
  const { version, status } = await issueRecords.get(db, scope, uid)
  if (status !== 'resolved') await changeIssueStatus(db, scope, { uid, version, status: 'resolved', note })
}
