import {
  type BodyOf,
  DAY_MS,
  type fleet,
  type IssueStatus,
  issueStatusLabel,
  type issueWork,
  MAX_SNOOZE_DAYS,
  countOf,
  type TruckIssue,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { holdsTruckAt } from '../../planning/shifts/index.ts'
import { issueTrucks, MAY_BE_ASSIGNED } from './issue-choices.ts'
import { recordIssueEvents, recordNewIssues } from './issue-events.ts'
import { addIssuePhotos, claimPhotosOfStaff } from './issue-photos.ts'
import { issueRecords } from './queries.ts'

/** The shift that was given, if it has the truck; without one the shift that the truck is out on. */
async function shiftOfIssue(db: Db, truckUid: string, shiftUid: string | null | undefined): Promise<string | null> {
  const { rows } = await sql<{ uid: string }>`
    select s.uid from shift s
     where s.truck_uid = ${truckUid} and s.deleted_at is null
       and ${shiftUid ? sql`s.uid = ${shiftUid}` : sql`s.status = 'out' and ${holdsTruckAt('s', sql`now()`)}`}
     order by s.starts_at desc limit 1`.execute(db)
  if (shiftUid && !rows[0]) refuseFields({ shiftUid: 'This shift is not planned for the truck.' })
  return rows[0]?.uid ?? null
}

/** Raises an issue by hand. */
export const raiseIssue = (db: Db, scope: Scope, body: BodyOf<typeof issueWork.raise>): Promise<TruckIssue> =>
  inTransaction(db, async (db) => {
    const { truckUid, kind, text, photoFileUids } = body
    await issueTrucks.requireRefs(db, scope, { truckUid })
    const shift_uid = await shiftOfIssue(db, truckUid, body.shiftUid)
    await claimPhotosOfStaff(db, scope, photoFileUids)
    const [first, ...others] = photoFileUids
    const { uid } = await issueRecords.create(db, scope, {
      truck_uid: truckUid,
      shift_uid,
      kind,
      text,
      raised_by: 'staff',
      reported_by: scope.actor.uid,
      photo_file_uid: first ?? null,
    })
    await addIssuePhotos(db, { issueUid: uid, commentUid: null, fileUids: others })
    await recordNewIssues(db, [uid])
    return issueRecords.get(db, scope, uid)
  })

/** An issue that still has the version that its caller has seen, and is not resolved. */
async function getUnresolved(db: Db, scope: Scope, { uid, version }: { uid: string; version: number }, field: string) {
  const issue = await issueRecords.get(db, scope, uid)
  if (issue.version !== version) throw new AppError('staleVersion')
  if (issue.status === 'resolved') refuseFields({ [field]: 'This issue is resolved. Reopen it first.' })
  return issue
}

/** Locks the user against losing the right meanwhile: users are locked before issues everywhere. */
async function requireAssignee(db: Db, uid: string): Promise<void> {
  const { rows } = await sql<{ uid: string }>`
    select t.uid from user_account t where t.uid = ${uid} and t.deleted_at is null and ${MAY_BE_ASSIGNED} for share`.execute(
    db,
  )
  if (!rows[0]) refuseFields({ assigneeUid: 'Choose a user who may see issues.' })
}

/** Assigns an issue to a user, who is notified by an event, or to no one. */
export const assignIssue = (db: Db, scope: Scope, body: BodyOf<typeof issueWork.assign>): Promise<TruckIssue> =>
  inTransaction(db, async (db) => {
    const { uid, version, assigneeUid } = body
    const issue = await getUnresolved(db, scope, body, 'assigneeUid')
    if (issue.assignee?.uid === assigneeUid || (!issue.assignee && !assigneeUid)) return issue
    if (assigneeUid) await requireAssignee(db, assigneeUid)
    await issueRecords.update(db, scope, uid, version, { assignee_uid: assigneeUid })
    const { actor } = scope
    // Who takes an issue knows it.
    if (assigneeUid && assigneeUid !== actor.uid) {
      const data = { issueUid: uid, assigneeUid, from: actor.name }
      await recordEvents(db, [{ type: 'issue.assigned', object: `issue ${uid}`, data }])
    }
    return issueRecords.get(db, scope, uid)
  })

/** Why an issue can't be snoozed until a time; undefined if it can. Times are milliseconds since 1970. */
export function refusedSnooze(until: number, now: number, maxDays: number): string | undefined {
  if (until <= now) return 'Choose a time in the future.'
  return until - now > maxDays * DAY_MS ? `At most ${countOf(maxDays, 'day')} from now.` : undefined
}

/** Takes an issue out of what needs attention until a time, or back. */
export const snoozeIssue = (db: Db, scope: Scope, body: BodyOf<typeof issueWork.snooze>): Promise<TruckIssue> =>
  inTransaction(db, async (db) => {
    const { uid, version, until } = body
    await getUnresolved(db, scope, body, 'until')
    const refused = until && refusedSnooze(Date.parse(until), await sharedNow(db), MAX_SNOOZE_DAYS)
    if (refused) refuseFields({ until: refused })
    await issueRecords.update(db, scope, uid, version, { snoozed_until: until })
    return issueRecords.get(db, scope, uid)
  })

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
