import type { fleet, QueryOf, TruckIssue } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { records } from '../../platform/db/records/records.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'
import { addPlaces } from './issue-places.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { truckText } from '../../catalog/trucks/index.ts'

type Query = QueryOf<typeof fleet.issues>

/**
 * The issues of a client: those of the client's shifts, and those without a shift that were opened while the truck was on
 * one of them. How plays are numbered is a question to staff.
 */
const ownIssues = ({ clientUid }: Pick<Actor, 'clientUid'>): SqlFragment => sql`(t.kind <> 'counterJump' and (
  exists (select from shift x join client_program y on y.uid = x.program_uid
           where x.uid = t.shift_uid and y.client_uid = ${clientUid})
  or (t.shift_uid is null and exists (
    select from truck_hold h
     where h.truck_uid = t.truck_uid and h.client_uid = ${clientUid} and h.during @> t.opened_at))))`

/** Outsiders do not search notes. */
const issueText = searchText((t) => sql`${t}.text`)

/** Photos of issues and comments: those of the rows `q` that meet a condition. */
export const photosWhere = (condition: SqlFragment): SqlFragment => sql`coalesce((
  select json_agg(${fileColumn('x')} order by q.position) from issue_photo q join stored_file x on x.uid = q.file_uid
   where ${condition}), '[]')`

const isSnoozed = sql`coalesce(t.snoozed_until > now(), false)`

/** All photos of an issue, its first one in front. */
function withPhotoUrls(issue: TruckIssue): TruckIssue {
  const photo = withSignedUrls(issue.photo)
  return { ...issue, photo, photos: [...(photo ? [photo] : []), ...issue.photos.map(withSignedUrls)] }
}

/** The day on which issue `t` was opened, where its shift or its truck is at home. */
export const issueDay = sql<string>`(t.opened_at at time zone coalesce((
  select zone_at(m.zone, m.earlier_zones, t.opened_at)
    from truck x left join shift y on y.uid = t.shift_uid join market m on m.uid = coalesce(y.market_uid, x.home_market_uid)
   where x.uid = t.truck_uid), 'UTC'))::date`

export const issueRecords = records<'truck_issue', TruckIssue, Query>({
  table: 'truck_issue',
  noun: 'issue',
  joins: sql`join truck tr on tr.uid = t.truck_uid
          left join shift s on s.uid = t.shift_uid
          left join client_program p on p.uid = s.program_uid
          left join market m on m.uid = coalesce(s.market_uid, tr.home_market_uid)
          left join stored_file f on f.uid = t.photo_file_uid
          left join user_account d on d.uid = s.driver_uid
          left join user_account a on a.uid = t.assignee_uid`,
  columns: {
    uid: sql`t.uid`,
    truck: sql`json_build_object('uid', tr.uid, 'name', tr.number)`,
    shift: sql`case when s.uid is not null then json_build_object('uid', s.uid, 'program', p.name, 'status', s.status) end`,
    zone: sql`coalesce(zone_at(m.zone, m.earlier_zones, t.opened_at), 'UTC')`,
    kind: sql`t.kind`,
    raisedBy: sql`t.raised_by`,
    text: sql`t.text`,
    photo: fileColumn('f'),
    photos: photosWhere(sql`q.issue_uid = t.uid and q.comment_uid is null`),
    status: sql`t.status`,
    note: sql`t.note`,
    assignee: sql`case when a.uid is not null then json_build_object('uid', a.uid, 'name', a.name) end`,
    snoozedUntil: sql`case when ${isSnoozed} then t.snoozed_until end`,
    // The number is only needed while the issue is not resolved.
    driver: sql`case when d.uid is not null then json_build_object('uid', d.uid, 'name', d.name, 'phone',
                       case when t.status = 'resolved' then '' else d.phone end) end`,
    place: sql`null`,
    comments: sql`(select count(*) from issue_comment c where c.issue_uid = t.uid)`,
    openedAt: sql`t.opened_at`,
    resolvedAt: sql`t.resolved_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { openedAt: sql`t.opened_at`, status: sql`t.status`, updatedAt: sql`t.updated_at` },
  filters: {
    status: (status) => sql`t.status = any(${status})`,
    kind: (kind) => sql`t.kind = any(${kind})`,
    truck: (truck) => sql`t.truck_uid = any(${truck})`,
    shift: (shift) => sql`t.shift_uid = any(${shift})`,
    assignee: (assignee) => sql`coalesce(t.assignee_uid::text, 'none') = any(${assignee})`,
    // The bounds by time serve the index: a day begins somewhere within them.
    from: (from) => sql`(t.opened_at >= ${from}::date - 1 and ${issueDay} >= ${from})`,
    to: (to) => sql`(t.opened_at < ${to}::date + 2 and ${issueDay} <= ${to})`,
    snoozed: (snoozed) => sql`case when ${isSnoozed} then 'yes' else 'no' end = ${snoozed}`,
  },
  search: (pattern, actor) => sql`(${issueText(actor, 't')} like lower(${pattern})
            or t.truck_uid in (select x.uid from truck x where ${truckText(actor, 'x')} like lower(${pattern})))`,
  own: ownIssues,
  staffFilters: ['assignee', 'snoozed'],
  unstampedFilters: ['snoozed'],
  staffOnly: { assignee: null, snoozedUntil: null, driver: null, place: null, comments: 0 },
  complete: addPlaces,
  finish: withPhotoUrls,
})

const isSnoozedAt = (now: number) => sql`t.snoozed_until > to_timestamp(${now / 1000})`

/** Open issues of each of these trucks as staff count them, without those that are snoozed. */
export async function countIssuesOfTrucks(
  db: Db,
  truckUids: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ truck: string; open: number }>`
    select t.truck_uid as truck, count(*)::int as open from truck_issue t
     where t.truck_uid = any(${[...truckUids]}::uuid[]) and t.status <> 'resolved' and t.deleted_at is null
       and ${isSnoozedAt(now)} is not true
     group by t.truck_uid`.execute(db)
  return new Map(rows.map(({ truck, open }) => [truck, open]))
}

/**
 * Counts the issues that are not resolved, of the whole fleet or of a client, at a time in milliseconds since 1970. What
 * staff snoozes is none of a client's business: to clients those are open.
 */
export async function countIssues(
  db: Db,
  client: string | null | undefined,
  now: number,
): Promise<{ open: number; snoozed: number }> {
  const isSnoozed = client === undefined ? isSnoozedAt(now) : sql`false`
  const { rows } = await sql<{ open: number; snoozed: number }>`
    select count(*) filter (where ${isSnoozed} is not true) as open, count(*) filter (where ${isSnoozed}) as snoozed
      from truck_issue t where t.status <> 'resolved' and t.deleted_at is null
       and ${client === undefined ? sql`true` : ownIssues({ clientUid: client })}`.execute(db)
  return rows[0] ?? { open: 0, snoozed: 0 }
}
