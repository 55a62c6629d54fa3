import {
  driverApp,
  type fitOfSet,
  MAX_CANDIDATES,
  type ModuleKey,
  type PixelSides,
  rowAccessFor,
  type TruckKind,
  type TruckState,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { IS_APPROVED_SET } from '../../catalog/artwork/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { selectList, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { blocksTruckSql, bookedUntil, minuteColumns } from '../shifts/index.ts'
import type { ScreenNeeds } from './rules.ts'

const inMs = (moment: SqlFragment) => sql`(extract(epoch from ${moment}) * 1000)::int8`
const atMs = (at: number) => sql`to_timestamp(${at / 1000}::float8)`

export interface TruckRow {
  uid: string
  name: string
  state: TruckState
  kind: TruckKind
  homeMarketUid: string | null
  sides: PixelSides | null
  latitude: number | null
  longitude: number | null
  seenAt: number | null
}

interface TruckSearch {
  /** Trucks at home there come first where there are too many. */
  marketUid: string
  /** Listed even if it is retired. */
  chosenUid: string | null
}

/** The trucks that can be planned, one more than are ranked if there are too many. */
export async function loadTrucks(db: Db, { marketUid, chosenUid }: TruckSearch): Promise<TruckRow[]> {
  const { rows } = await sql<TruckRow>`
    select t.uid, t.number as name, t.state, t.kind, t.home_market_uid as "homeMarketUid", m.sides, n.latitude, n.longitude,
           ${inMs(sql`n.at`)} as "seenAt"
      from truck t
      left join pixel_map m on m.uid = t.pixel_map_uid
      left join truck_now n on n.truck_uid = t.uid
     where t.deleted_at is null and (t.state <> 'retired' or t.uid = ${chosenUid}::uuid)
     order by t.uid = ${chosenUid}::uuid desc nulls last, t.home_market_uid = ${marketUid} desc nulls last,
              t.state = 'active' desc, t.number, t.uid
     limit ${sql.lit(MAX_CANDIDATES + 1)}`.execute(db)
  return rows
}

/** The drivers that can be planned, one more than are ranked if there are too many. */
export const loadDrivers = (db: Db) =>
  db
    .selectFrom('user_account')
    .select(['uid', 'name', 'role', 'modules'])
    .$narrowType<{ role: 'driver'; modules: ModuleKey[] }>()
    .where('role', '=', 'driver')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('uid')
    .limit(sql.lit(MAX_CANDIDATES + 1))
    .execute()

export type DriverRow = Awaited<ReturnType<typeof loadDrivers>>[number]

/** Whether a driver's modules show shifts on the phone. */
export const canSeeShifts = (driver: Pick<DriverRow, 'role' | 'modules'>): boolean =>
  rowAccessFor(driver, driverApp.day.access) !== undefined

export interface NeighborRow {
  ofUid: string
  isBefore: boolean
  marketUid: string
  programUid: string
  startsAt: number
  endsAt: number
}

interface NeighborSearch {
  of: 'truck_uid' | 'driver_uid'
  uids: readonly string[]
  startsAt: number
  /** The shift in question, which is no neighbor of itself. */
  exceptUid: string | null
}

/** The last shift of each truck or driver before an instant, and the first one after it. */
export async function loadNeighbors(db: Db, { of, uids, startsAt, exceptUid }: NeighborSearch): Promise<NeighborRow[]> {
  const from = sql`shift b where b.${sql.ref(of)} = k.uid and b.uid is distinct from ${exceptUid}::uuid and ${blocksTruckSql('b')}`
  const columns = sql`b.market_uid as "marketUid", b.program_uid as "programUid", ${inMs(sql`b.starts_at`)} as "startsAt",
    ${inMs(bookedUntil('b'))} as "endsAt"`
  const { rows } = await sql<NeighborRow>`
    select k.uid as "ofUid", n.* from unnest(${uids}::uuid[]) k (uid) cross join lateral (
      (select true as "isBefore", ${columns} from ${from} and b.starts_at < ${atMs(startsAt)} order by b.starts_at desc limit 1)
      union all
      (select false, ${columns} from ${from} and b.starts_at >= ${atMs(startsAt)} order by b.starts_at limit 1)) n`.execute(
    db,
  )
  return rows
}

export interface WorkRow {
  driverUid: string
  plannedMinutes: number
  actualMinutes: number | null
}

interface WorkSearch {
  driverUids: readonly string[]
  /** Local days, the last one included. */
  from: string
  to: string
  exceptUid: string | null
}

/** The shifts of drivers that start on some days, planned or worked. */
export async function loadWork(db: Db, { driverUids, from, to, exceptUid }: WorkSearch): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select t.driver_uid as "driverUid", ${selectList(minuteColumns)} from shift t
     where t.driver_uid = any(${driverUids}::uuid[]) and t.local_date between ${from} and ${to}
       and t.uid is distinct from ${exceptUid}::uuid and ${blocksTruckSql('t')}`.execute(db)
  return rows
}

interface DeclinedPlan {
  shiftUid: string
  date: string
  start: string
  end: string
}

/** The drivers who declined a shift on this day and at these hours, and did not change their mind. */
export async function loadDeclined(db: Db, { shiftUid, date, start, end }: DeclinedPlan): Promise<Set<string>> {
  const { rows } = await sql<{ driverUid: string }>`
    select a."driverUid" from (
      select distinct on (driver_uid) driver_uid as "driverUid", answer from shift_answer
       where shift_uid = ${shiftUid} and local_date = ${date} and start_time = ${start} and end_time = ${end}
       order by driver_uid, at desc, act_id desc) a
     where a.answer = 'declined'`.execute(db)
  return new Set(rows.map(({ driverUid }) => driverUid))
}

/** The artwork of a program, as far as trucks are compared with it. */
interface ProgramArtwork {
  /** The set that is asked for, or else the only approved one. */
  set: ArtworkRow | undefined
  hasAny: boolean
}

interface ArtworkRow {
  uid: string
  name: string
  files: Parameters<typeof fitOfSet>[0]
  /** Its program has a rotation, which shifts show that name no set. */
  isInRotation: boolean
}

/** The artwork set with this uid, or else the approved sets of a program. */
export async function loadArtwork(
  db: Db,
  { uid, programUid }: { uid: string | undefined; programUid: string | undefined },
): Promise<ProgramArtwork> {
  if (uid === undefined && programUid === undefined) return { set: undefined, hasAny: false }
  const wanted = uid
    ? sql`t.uid = ${uid} and t.deleted_at is null`
    : sql`t.program_uid = ${programUid} and ${IS_APPROVED_SET}`
  const size = (file: string) =>
    sql`json_build_object('width', ${sql.ref(`${file}.width`)}, 'height', ${sql.ref(`${file}.height`)})`
  const { rows } = await sql<ArtworkRow>`
    select t.uid, t.name, exists (select from rotation_line l where l.program_uid = t.program_uid) as "isInRotation",
           json_build_object('driverSide', ${size('d')}, 'passengerSide', ${size('s')}, 'rear', ${size('r')}) as files
      from artwork_set t
      left join stored_file d on d.uid = t.driver_side_artwork_uid
      left join stored_file s on s.uid = t.passenger_side_artwork_uid
      left join stored_file r on r.uid = t.rear_artwork_uid
     where ${wanted} limit 2`.execute(db)
  return { set: rows.length === 1 ? rows[0] : undefined, hasAny: rows.length > 0 }
}

/** The markets and days for which plays of a program are booked. */
export async function loadBookedPlays(db: Db, programUid: string | undefined): Promise<ScreenNeeds['bookedPlays']> {
  if (programUid === undefined) return []
  return db
    .selectFrom('booked_line')
    .select(['market_uid as marketUid', 'starts_on as startsOn', 'ends_on as endsOn'])
    .where('program_uid', '=', programUid)
    .where('unit', '=', 'plays')
    .execute()
}
