import type { InspectedLine, Inspection, inspections, InspectionSummary, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { isSentLater, uidAndName, utcText } from '../../platform/db/records/fragments.ts'
import { records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'

type Query = QueryOf<typeof inspections.list>

const OPEN_DEFECTS = sql`(select count(*)::int from inspection_result r
  where r.inspection_uid = t.uid and r.result = 'defect' and r.repair is null)`

export const inspectionRecords = records<'inspection', InspectionSummary, Query>({
  table: 'inspection',
  noun: 'inspection',
  joins: sql`join truck tr on tr.uid = t.truck_uid
             join user_account u on u.uid = t.driver_uid
             join shift s on s.uid = t.shift_uid
             join client_program p on p.uid = s.program_uid
             join market m on m.uid = s.market_uid`,
  columns: {
    uid: sql`t.uid`,
    truck: sql`json_build_object('uid', tr.uid, 'name', tr.number, 'plate', tr.plate, 'vin', tr.vin)`,
    driver: uidAndName('u'),
    shift: sql`json_build_object('uid', s.uid, 'date', s.local_date, 'program', p.name, 'market', m.name)`,
    zone: sql`s.zone`,
    at: sql`t.at`,
    phoneAt: sql`case when t.phone_at <> t.at then t.phone_at end`,
    receivedAt: sql`t.created_at`,
    isLate: isSentLater('t.at', 't.created_at'),
    place: sql`case when t.latitude is not null then json_build_object(
      'latitude', t.latitude, 'longitude', t.longitude, 'accuracyM', t.accuracy_m) end`,
    signedBy: sql`t.signed_by`,
    defects: sql`t.defects`,
    openDefects: OPEN_DEFECTS,
  },
  sorts: { at: sql`t.at` },
  filters: {
    truck: (truck) => sql`t.truck_uid = any(${truck})`,
    shift: (shift) => sql`t.shift_uid = any(${shift})`,
    from: (from) => sql`(t.at at time zone (select zone from shift where uid = t.shift_uid))::date >= ${from}::date`,
    to: (to) => sql`(t.at at time zone (select zone from shift where uid = t.shift_uid))::date <= ${to}::date`,
    open: (open) => sql`(${OPEN_DEFECTS} > 0) = (${open}::text = 'true')`,
  },
  // Only drivers are asked for their own; others with access see all.
  own: ({ uid }) => sql`t.driver_uid = ${uid}`,
})

/** One inspection with its lines. */
export async function loadInspection(db: Db, scope: Scope, uid: string): Promise<Inspection> {
  const summary = await inspectionRecords.get(db, scope, uid)
  const { rows } = await sql<InspectedLine>`
    select r.item_uid as "itemUid", r.name, r.name_es as "nameEs", r.result, r.note, ${fileColumn('f')} as photo,
           case when i.uid is not null then json_build_object('uid', i.uid, 'status', i.status) end as issue,
           case when r.repair is not null then json_build_object('outcome', r.repair, 'by', u.name,
             'at', ${utcText('r.repaired_at')}, 'note', r.repair_note) end as repair
      from inspection_result r
      left join stored_file f on f.uid = r.photo_file_uid
      left join truck_issue i on i.uid = r.issue_uid
      left join user_account u on u.uid = r.repaired_by
     where r.inspection_uid = ${uid} order by r.position`.execute(db)
  return { ...summary, lines: rows.map((line) => ({ ...line, photo: withSignedUrls(line.photo) })) }
}

/** The newest inspection of each shift by one driver, for the phone. */
export async function inspectionsOfShifts(db: Db, driverUid: string, shiftUids: readonly string[]) {
  const newest = await db
    .selectFrom('inspection as t')
    .innerJoin('shift as s', (join) => join.onRef('s.uid', '=', 't.shift_uid').onRef('s.truck_uid', '=', 't.truck_uid'))
    .distinctOn('t.shift_uid')
    .select(['s.uid as shiftUid', 't.uid', 't.at', 't.defects'])
    .where('t.shift_uid', '=', anyOf(shiftUids))
    .where('t.driver_uid', '=', driverUid)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.shift_uid')
    .orderBy('t.at', 'desc')
    .orderBy('t.uid')
    .execute()
  return new Map(newest.map(({ shiftUid, ...inspection }) => [shiftUid, inspection]))
}
