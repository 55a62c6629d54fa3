import { isOutsider, NIL_UUID, type QueryOf, type Shift, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type Declaration, records } from '../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { renderOnce, type SqlFragment, uidAndName } from '../../platform/db/records/fragments.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { isProgramOf, programText } from '../../catalog/programs/index.ts'
import { truckText } from '../../catalog/trucks/index.ts'
import { userText } from '../../catalog/users/index.ts'
import { driverFilters, driverSigns, NO_DRIVER_SIGNS, START_OUTCOME } from './driver-signs.ts'
import { blocksTruckSql, lastShiftBefore, shortRest, tookPlace } from './shift-sql.ts'

export type ShiftQuery = QueryOf<typeof shifts.list>

/** The filters by fields that clients do not see. */
const staffFilters = ['driver', 'driverAnswer', 'driverMark', 'startOutcome'] as const
type StaffFilter = (typeof staffFilters)[number]

/** The hours since the driver's last shift, if they are fewer than the settings ask for. */
export const SHORT_REST = renderOnce(
  sql`case when ${blocksTruckSql('t')} then ${shortRest(
    sql`t.starts_at`,
    lastShiftBefore({ driver: sql`t.driver_uid`, before: sql`t.starts_at`, isOther: sql`b.uid <> t.uid` }),
  )} end`,
)

/** A driver's own shifts, or those of a client's programs. */
export const ownShifts = ({ role, uid, clientUid }: Actor): SqlFragment =>
  role === 'client'
    ? sql`t.program_uid in (select uid from client_program where client_uid = ${clientUid})`
    : sql`t.driver_uid = ${uid}`

/** Clients cannot ask who drives or what drivers said either: with such a filter they find nothing. */
export function withoutDriver<Query extends Partial<Pick<ShiftQuery, StaffFilter>>>(
  { actor }: Scope,
  query: Query,
): Query {
  const isHidden = isOutsider(actor) && staffFilters.some((name) => query[name] !== undefined)
  if (!isHidden) return query
  return { ...query, driver: [NIL_UUID], driverAnswer: undefined, driverMark: undefined, startOutcome: undefined }
}

/** Finds shifts by the name of the driver, which clients do not see. */
export const driverMatches = (actor: Actor, pattern: string): SqlFragment =>
  isOutsider(actor)
    ? sql`false`
    : sql`t.driver_uid in (select u.uid from user_account u where ${userText(actor, 'u')} like lower(${pattern}))`

/** By the clocks of the markets, as a list of several zones reads. */
const LOCAL_START = sql`(t.local_date + t.start_time)`

export const shiftFilters = {
  market: (market: string[]) => sql`t.market_uid = any(${market})`,
  client: (client: string[]) =>
    sql`t.program_uid in (select uid from client_program where client_uid = any(${client}))`,
  program: (program: string[]) => sql`t.program_uid = any(${program})`,
  truck: (truck: string[]) => sql`t.truck_uid = any(${truck})`,
  driver: (driver: string[]) => sql`t.driver_uid = any(${driver})`,
  status: (status: string[]) => sql`t.status = any(${status})`,
  tookPlace: (wanted: string) => sql`(${wanted} = 'yes' and ${tookPlace('t')})`,
  // Said of the order by clocks, too, so that a list in that order begins there and skips no years.
  from: (from: string) => sql`(t.local_date >= ${from} and ${LOCAL_START} >= ${from}::date::timestamp)`,
  to: (to: string) => sql`(t.local_date <= ${to} and ${LOCAL_START} < (${to}::date + 1)::timestamp)`,
  ...driverFilters,
  startOutcome: (wanted: string[]) => sql`${START_OUTCOME} = any(${wanted}::text[])`,
}

/** The joins and columns that every list of shifts shows: truck, driver, program, client, market, hours. */
export const PLANNED_JOINS = sql`join truck tr on tr.uid = t.truck_uid
          join user_account d on d.uid = t.driver_uid
          join client_program p on p.uid = t.program_uid
          join client c on c.uid = p.client_uid
          join market m on m.uid = t.market_uid`
export const plannedColumns = {
  uid: sql`t.uid`,
  truck: uidAndName('tr', 'number'),
  driver: uidAndName('d'),
  program: uidAndName('p'),
  client: uidAndName('c'),
  market: uidAndName('m'),
  date: sql`t.local_date`,
  start: sql`to_char(t.start_time, 'HH24:MI')`,
  end: sql`to_char(t.end_time, 'HH24:MI')`,
  zone: sql`t.zone`,
  startsAt: sql`t.starts_at`,
  endsAt: sql`t.ends_at`,
}

/** The columns of what `describeShift` says. */
export const WORD_COLUMNS = sql`tr.number as truck, d.name as driver, p.name as program, t.local_date as date,
  to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end"`

/** Planned minutes and, after the shift ended, actual minutes. */
export const minuteColumns = {
  plannedMinutes: sql`(extract(epoch from t.ends_at - t.starts_at) / 60)::int`,
  actualMinutes: sql`(extract(epoch from t.stopped_at - t.started_at) / 60)::int`,
}

/** The minutes of shift `t` that count as worked, as `countedMinutes` says for one that is read. */
export const COUNTED_MINUTES = renderOnce(
  sql`coalesce(${minuteColumns.actualMinutes}, ${minuteColumns.plannedMinutes})`,
)

/** Outsiders do not search notes, the only text of a shift. */
const shiftText = searchText(() => sql`''`)

/** How shifts are read; the details of a shift (live/shift-details) add columns to it. */
export const shiftDeclaration = {
  table: 'shift',
  joins: sql`${PLANNED_JOINS}
          left join artwork_set a on a.uid = t.artwork_set_uid
          left join address_set s on s.uid = t.address_set_uid`,
  columns: {
    ...plannedColumns,
    artworkSet: uidAndName('a'),
    addressSet: uidAndName('s'),
    payOption: sql`t.pay_option`,
    note: sql`t.note`,
    stops: sql`t.stops`,
    status: sql`t.status`,
    programStatus: sql`p.status`,
    reason: sql`t.reason`,
    startedAt: sql`t.started_at`,
    stoppedAt: sql`t.stopped_at`,
    timesReason: sql`t.times_reason`,
    shortRestHours: SHORT_REST,
    ...driverSigns,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: {
    startsAt: sql`t.starts_at`,
    localStart: LOCAL_START,
    status: sql`t.status`,
    updatedAt: sql`t.updated_at`,
  },
  filters: { ...shiftFilters, uid: (uid) => sql`t.uid = any(${uid})` },
  search: (pattern, actor) => sql`(${shiftText(actor, 't')} like lower(${pattern})
            or t.truck_uid in (select x.uid from truck x where ${truckText(actor, 'x')} like lower(${pattern}))
            or ${driverMatches(actor, pattern)}
            or t.program_uid in (select p.uid from client_program p join client c on c.uid = p.client_uid
                                  where ${programText(actor, 'p')} like lower(${pattern})
                                     or lower(c.name collate "default") like lower(${pattern})))`,
  own: ownShifts,
  owner: ({ role, uid, clientUid }) =>
    role === 'client'
      ? { column: 'program_uid', isOwn: (program) => isProgramOf(clientUid, program) }
      : { column: 'driver_uid', isOwn: (driver) => sql`${driver} = ${uid}` },
  staffFilters,
  narrowFilters: ['truck', 'driver', 'program', 'client', 'market'],
  // What drivers say is kept beside the shift, and some marks come with time.
  unstampedFilters: ['driverAnswer', 'driverMark', 'startOutcome'],
  staffOnly: {
    driver: null,
    payOption: null,
    reason: '',
    timesReason: '',
    shortRestHours: null,
    stops: [],
    ...NO_DRIVER_SIGNS,
  },
  // The rules name clashing shifts first; the constraints catch two writers at the same moment.
  taken: {
    shift_truck_once: ['shiftClash', 'truckUid'],
    shift_driver_once: ['shiftClash', 'driverUid'],
    shift_truck_in_service: ['outOfService', 'truckUid'],
    shift_driver_in_service: ['outOfService', 'driverUid'],
  },
} as const satisfies Declaration<'shift', Shift, ShiftQuery>

export const shiftRecords = records<'shift', Shift, ShiftQuery>(shiftDeclaration)

/** All shifts that some filters find, in their order. */
export async function loadShifts(
  db: Db,
  scope: Scope,
  filters: Omit<ShiftQuery, 'page' | 'pageSize'>,
): Promise<Shift[]> {
  const found: Shift[] = []
  for await (const shift of shiftRecords.stream(db, scope, { ...filters, page: 1, pageSize: 1 })) found.push(shift)
  return found
}
