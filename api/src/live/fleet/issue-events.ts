import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'

/** Keeps that issues were opened or resolved, in the transaction of the change. */
export async function recordIssueEvents(
  db: Db,
  type: 'issue.opened' | 'issue.resolved',
  uids: readonly string[],
): Promise<void> {
  if (uids.length === 0) return
  const { rows } = await sql<{ uid: string; clientUid: string | null; data: object }>`
    select i.uid, p.client_uid as "clientUid",
           json_build_object(
             'issueUid', i.uid, 'kind', i.kind, 'raisedBy', i.raised_by, 'text', i.text,
             'truck', json_build_object('uid', t.uid, 'name', t.number),
             'shiftUid', s.uid,
             'program', case when p.uid is not null then json_build_object('uid', p.uid, 'name', p.name) end,
             'market', case when m.uid is not null then json_build_object('uid', m.uid, 'name', m.name) end,
             'zone', coalesce(m.zone, 'UTC'),
             'openedAt', i.opened_at, 'resolvedAt', i.resolved_at) as data
      from truck_issue i join truck t on t.uid = i.truck_uid
      left join shift s on s.uid = i.shift_uid
      left join client_program p on p.uid = s.program_uid
      left join market m on m.uid = coalesce(s.market_uid, t.home_market_uid)
     where i.uid = any(${[...uids]}::uuid[]) order by i.uid`.execute(db)
  await recordEvents(
    db,
    rows.map(({ uid, clientUid, data }) => ({ type, object: `issue ${uid}`, clientUid, data })),
  )
}
