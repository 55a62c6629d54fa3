import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile } from '../../platform/files/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { recordNewIssues } from './issue-events.ts'

interface DriverIssue {
  truckUid: string
  shiftUid: string | undefined
  kind: string
  /** Unique for each report of a device, so that one sent twice raises one issue. Acts of phones count once by their own id. */
  eventId?: string
  text: string
  photoFileUid: string | null | undefined
  openedAt: string
  /** The driver whose phone reported it; a device is no user. */
  reportedBy?: string
  address: string
}

/** Raises an issue that a driver reports, in the transaction of the report; undefined for a report that is known already. */
export async function raiseDriverIssue(db: Db, issue: DriverIssue): Promise<string | undefined> {
  const stored = await db
    .insertInto('truck_issue')
    .values({
      truck_uid: issue.truckUid,
      shift_uid: issue.shiftUid ?? null,
      kind: issue.kind,
      raised_by: 'driver',
      event_id: issue.eventId ?? null,
      text: issue.text,
      photo_file_uid: issue.photoFileUid ?? null,
      opened_at: issue.openedAt,
      reported_by: issue.reportedBy ?? null,
      changed_by: issue.reportedBy ?? null,
      changed_from: issue.address,
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('uid')
    .executeTakeFirst()
  if (stored) await recordNewIssues(db, [stored.uid])
  return stored?.uid
}

/** Claims the photos of issues that a driver reports. Answers false if one was not uploaded, or is gone. */
export async function claimIssuePhotos(
  db: Db,
  scope: Scope,
  photos: readonly (string | null | undefined)[],
): Promise<boolean> {
  const uids = new Set(photos.flatMap((uid) => uid ?? []))
  try {
    for (const uid of [...uids].toSorted()) await claimFile(db, scope, { uid, purpose: 'issue' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'badInput') return false
    throw error
  }
}
