import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Reports of a truck and kind within this time of the first are told with it. */
const TOLD_TOGETHER = sql<string>`now() - interval '2 minutes'`

/** The first of several reports: its notification tells of all of them. */
export interface Lead {
  uid: string
  /** What all of them have as their opening. */
  opening: string
}

/** The open issue whose notification tells of another one that was reported right after it. */
export const findLead = (
  db: Db,
  { uid, truckUid, kind }: { uid: string; truckUid: string; kind: string },
): Promise<Lead | undefined> =>
  db
    .selectFrom('issue_alert as a')
    .innerJoin('truck_issue as i', 'i.uid', 'a.issue_uid')
    .select(['a.issue_uid as uid', 'a.opening'])
    .where('i.truck_uid', '=', truckUid)
    .where('i.kind', '=', kind)
    .where('i.raised_by', '=', 'driver')
    .where('i.status', '<>', 'resolved')
    .where('i.uid', '<>', uid)
    .where('a.told_with', 'is', null)
    .where('a.told_at', '>', TOLD_TOGETHER)
    .orderBy('a.told_at')
    .orderBy('a.issue_uid')
    .limit(1)
    .executeTakeFirst()

/** The open issues that one notification tells of, the earliest first. */
export const openReports = (db: Db, opening: string): Promise<{ text: string }[]> =>
  db
    .selectFrom('issue_alert as a')
    .innerJoin('truck_issue as i', 'i.uid', 'a.issue_uid')
    .select('i.text')
    .where('a.opening', '=', opening)
    .where('i.status', '<>', 'resolved')
    .where('i.deleted_at', 'is', null)
    .orderBy('i.opened_at')
    .orderBy('i.uid')
    .execute()
