import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'

interface PastIssue {
  truck: string
  kind: 'noGps' | 'noPlays' | 'playerOffline' | 'mechanical' | 'screen' | 'accident' | 'other'
  text: string
  daysAgo: number
  /** The days until it was resolved, and how; absent for one that is still open. */
  solved?: [days: number, note: string]
  /** What was said about it by the user who takes care of it. */
  work?: string
}

const GIVEN: PastIssue[] = [
  {
    truck: 'T-13',
    kind: 'screen',
    text: 'Two panels of the rear screen are dead.',
    daysAgo: 12,
    work: 'The panels are ordered and come on Thursday.',
  },
  { truck: 'T-28', kind: 'mechanical', text: 'Brakes need service.', daysAgo: 6, work: 'The shop has it until noon.' },
  { truck: 'T-7', kind: 'screen', text: 'One panel on the driver side flickers.', daysAgo: 1 },
  { truck: 'T-4', kind: 'mechanical', text: 'Generator warning light is on.', daysAgo: 2 },
  { truck: 'T-2', kind: 'playerOffline', text: '', daysAgo: 9, solved: [0.1, 'Router restarted.'] },
  { truck: 'T-10', kind: 'noPlays', text: '', daysAgo: 16, solved: [0.2, 'Player updated by phone.'] },
  { truck: 'T-16', kind: 'noGps', text: '', daysAgo: 21, solved: [1, 'Tracker fuse replaced.'] },
  { truck: 'T-6', kind: 'accident', text: 'Mirror touched a post.', daysAgo: 27, solved: [2, 'Mirror replaced.'] },
  { truck: 'T-19', kind: 'mechanical', text: 'Left rear tire loses air.', daysAgo: 33, solved: [1, 'Tire changed.'] },
  {
    truck: 'T-23',
    kind: 'other',
    text: 'Road closed for a parade.',
    daysAgo: 40,
    solved: [0.2, 'Took another route.'],
  },
]

/** Adds what went wrong with trucks in the last weeks: most of it is solved, some of it open. */
export async function addIssues(db: Db, changed_by: string): Promise<void> {
  const ago = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`
  for (const { truck, kind, text, daysAgo, solved, work } of GIVEN) {
    const { uid } = await db
      .insertInto('truck_issue')
      .values({
        truck_uid: db.selectFrom('truck').select('uid').where('number', '=', truck),
        kind,
        text,
        raised_by: kind.startsWith('no') || kind === 'playerOffline' ? 'server' : 'driver',
        status: solved ? 'resolved' : work ? 'inProgress' : 'open',
        note: solved?.[1] ?? '',
        opened_at: ago(daysAgo),
        resolved_at: solved ? ago(daysAgo - solved[0]) : null,
        assignee_uid: work ? changed_by : null,
        changed_by,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    if (work) await db.insertInto('issue_comment').values({ issue_uid: uid, text: work, changed_by }).execute()
  }
}
