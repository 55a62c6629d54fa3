import type { QueryOf, RowOf, Shift, shifts } from '@roadshow/contract'
import { type Declaration, records } from '../../platform/db/records/records.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import type { Piece } from '../../platform/db/records/pieces.ts'
import { lastShiftBefore, shortRest, blocksTruckSql } from './short-rest-sql.ts'

type Query = QueryOf<typeof shifts.list>
export type ShiftDetails = RowOf<typeof shifts.details>

/** The hours since the driver's last shift, if they are fewer than the settings ask for. */
export const SHORT_REST = `case when ${blocksTruckSql('t')} then ${shortRest('t.starts_at', lastShiftBefore('t.driver_uid', 't.starts_at', 'b.uid <> t.uid'))} end`

/** A driver's own shifts, or those of a client's programs. */
export const ownShifts = ({ role, uid, clientUid }: Actor): Piece =>
  role === 'client'
    ? ['t.program_uid in (select uid from client_program where client_uid = ?)', clientUid]
    : ['t.driver_uid = ?', uid]

const named = (alias: string, name = 'name') =>
  `case when ${alias}.uid is not null then json_build_object('uid', ${alias}.uid, 'name', ${alias}.${name}) end`

export const shiftFilters = {
  market: 't.market_uid = any(?)',
  client: 't.program_uid in (select uid from client_program where client_uid = any(?))',
  program: 't.program_uid = any(?)',
  truck: 't.truck_uid = any(?)',
  driver: 't.driver_uid = any(?)',
  status: 't.status = any(?)',
  from: 't.local_date >= ?',
  to: 't.local_date <= ?',
}

/** The joins and columns that every list of shifts shows: truck, driver, program, client, market, hours. */
export const PLANNED_JOINS = `join truck tr on tr.uid = t.truck_uid
          join user_account d on d.uid = t.driver_uid
          join client_program p on p.uid = t.program_uid
          join client c on c.uid = p.client_uid
          join market m on m.uid = t.market_uid`
export const plannedColumns = {
  uid: 't.uid',
  truck: named('tr', 'number'),
  driver: named('d'),
  program: named('p'),
  client: named('c'),
  market: named('m'),
  date: 't.local_date',
  start: `to_char(t.start_time, 'HH24:MI')`,
  end: `to_char(t.end_time, 'HH24:MI')`,
  zone: 't.zone',
  startsAt: 't.starts_at',
  endsAt: 't.ends_at',
}

/** Planned minutes and, after the shift ended, actual minutes. */
export const minuteColumns = {
  plannedMinutes: `(extract(epoch from t.ends_at - t.starts_at) / 60)::int`,
  actualMinutes: `(extract(epoch from t.stopped_at - t.started_at) / 60)::int`,
}

const declared = {
  table: 'shift',
  joins: `${PLANNED_JOINS}
          left join artwork_set a on a.uid = t.artwork_set_uid
          left join address_set s on s.uid = t.address_set_uid`,
  columns: {
    ...plannedColumns,
    artworkSet: named('a'),
    addressSet: named('s'),
    payOption: 't.pay_option',
    note: 't.note',
    status: 't.status',
    reason: 't.reason',
    startedAt: 't.started_at',
    stoppedAt: 't.stopped_at',
    shortRestHours: SHORT_REST,
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { startsAt: 't.starts_at', status: 't.status', updatedAt: 't.updated_at' },
  filters: { ...shiftFilters, uid: 't.uid = any(?)' },
  search: (textOf) => `(${textOf('shift', 't')} like lower(?)
            or t.truck_uid in (select x.uid from truck x where ${textOf('truck', 'x')} like lower(?))
            or t.driver_uid in (select u.uid from user_account u where ${textOf('user_account', 'u')} like lower(?))
            or t.program_uid in (select p.uid from client_program p join client c on c.uid = p.client_uid
                                  where ${textOf('client_program', 'p')} like lower(?)
                                     or lower(c.name collate "default") like lower(?)))`,
  own: ownShifts,
  staffOnly: { payOption: null, reason: '', shortRestHours: null },
  // The rules name clashing shifts first; the constraints catch two writers at the same moment.
  taken: { shift_truck_once: ['shiftClash', 'truckUid'], shift_driver_once: ['shiftClash', 'driverUid'] },
} as const satisfies Declaration<'shift', Shift, Query>

export const shiftRecords = records<'shift', Shift, Query>(declared)

// The condition on time limits the search to the partitions that can hold plays of the shift.
const PLAYS = `(
  select json_build_object('count', count(*), 'verified', count(*) filter (where y.grade = 'verified'),
                           'conflict', count(*) filter (where y.grade = 'conflict'))
    from play y where y.shift_uid = t.uid and y.started_at >= least(t.starts_at, t.started_at)
     and y.started_at <= greatest(t.ends_at, t.stopped_at))`

const DISTANCE = `case when k.shift_uid is not null then json_build_object(
  'metres', k.metres, 'source', k.source, 'estimatedMetres', k.estimated_metres, 'coverage', k.coverage) end`

const ISSUES = `coalesce((
  select json_agg(json_build_object('uid', i.uid, 'kind', i.kind, 'status', i.status, 'openedAt',
                                    to_char(i.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by i.opened_at)
    from truck_issue i where i.shift_uid = t.uid and i.deleted_at is null), '[]')`

/** Shifts with planned and actual figures. */
export const detailRecords = records<'shift', ShiftDetails, Query>({
  ...declared,
  joins: `${declared.joins} left join shift_track k on k.shift_uid = t.uid`,
  columns: {
    ...declared.columns,
    ...minuteColumns,
    lateMinutes: `(extract(epoch from t.started_at - t.starts_at) / 60)::int`,
    plays: PLAYS,
    distance: DISTANCE,
    issues: ISSUES,
    photos: `(select count(*) from pop_photo f where f.shift_uid = t.uid and f.deleted_at is null)::int`,
  },
})
