import type { Db } from '../../platform/db/connection.ts'
import { recordIssueEvents } from './issue-events.ts'

interface DriverIssue {
  truckUid: string
  shiftUid: string | undefined
  kind: string
  /** Unique for each report, so that a report sent twice raises one issue. */
  eventId: string
  text: string
  photoFileUid: string | null | undefined
  openedAt: string
  /** The driver whose phone reported it; a device is no user. */
  reportedBy?: string
  address: string
}

/** Raises an issue that a driver reports, in the transaction of the report. Answers false for a report that is known already. */
export async function raiseDriverIssue(db: Db, issue: DriverIssue): Promise<boolean> {
  const stored = await db
    .insertInto('truck_issue')
    .values({
      truck_uid: issue.truckUid,
      shift_uid: issue.shiftUid ?? null,
      kind: issue.kind,
      raised_by: 'driver',
      event_id: issue.eventId,
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
  if (stored) await recordIssueEvents(db, 'issue.opened', [stored.uid])
  return stored !== undefined
}
