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
             'zone', coalesce(zone_at(m.zone, m.earlier_zones, i.opened_at), 'UTC'),
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

/**
 * Keeps that new issues were opened. What happens again needs attention again: ends the snoozes of open issues with the
 * truck and the kind of new ones.
 */
export async function recordNewIssues(db: Db, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  await sql`
    update truck_issue t set snoozed_until = null, changed_by = null, changed_from = null
      from truck_issue n
     where n.uid = any(${[...uids]}::uuid[]) and t.truck_uid = n.truck_uid and t.kind = n.kind and t.uid <> n.uid
       and t.status <> 'resolved' and t.snoozed_until is not null and t.deleted_at is null`.execute(db)
  await recordIssueEvents(db, 'issue.opened', uids)
}
