import type { ProgramStatus, TruckState } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type BookedSpan, type Booking, describeShift } from './bookings.ts'
import { PLANNED_JOINS, WORD_COLUMNS } from './queries.ts'
import type { ShiftCandidate, ShiftFacts } from './rules.ts'
import { blocksTruckSql, bookedUntil } from './shift-sql.ts'

/**
 * Loads what the rules need to know about some shifts, in a few statements for any number of shifts. In a transaction
 * the records stay locked until it ends. Trucks and drivers are locked for one writer at a time, in the order of their
 * uids: the second writer sees the bookings of the first.
 */
export async function loadShiftFacts(db: Db, candidates: readonly ShiftCandidate[]): Promise<ShiftFacts> {
  const uids = (field: Exclude<keyof ShiftCandidate, 'stops'>) => [
    ...new Set(candidates.map((each) => each[field] ?? []).flat()),
  ]
  const lock = (strength: 'share' | 'no key update') => (db.isTransaction ? sql.raw(`for ${strength}`) : sql``)
  const map = async <Row extends { uid: string }>(query: ReturnType<typeof sql<Row>>) =>
    new Map((await query.execute(db)).rows.map((row) => [row.uid, row]))

  const trucks = await map(sql<{ uid: string; number: string; state: TruckState }>`
    select uid, number, state from truck where uid = any(${uids('truckUid')}) and deleted_at is null
     order by uid ${lock('no key update')}`)
  const drivers = await map(sql<{ uid: string; name: string; role: string }>`
    select uid, name, role from user_account where uid = any(${uids('driverUid')}) and deleted_at is null
     order by uid ${lock('no key update')}`)
  const programs = await map(sql<{
    uid: string
    name: string
    status: ProgramStatus
    startsOn: string
    endsOn: string
  }>`
    select uid, name, status, starts_on as "startsOn", ends_on as "endsOn" from client_program
     where uid = any(${uids('programUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const markets = await map(sql<{ uid: string; name: string; zone: string }>`
    select uid, name, zone from market where uid = any(${uids('marketUid')}) and deleted_at is null
     order by uid ${lock('share')}`)
  // The markets of a program change only together with its own row, which is locked.
  const programMarkets = await map(sql<{ uid: string; startsOn: string | null; endsOn: string | null }>`
    select program_uid || ' ' || market_uid as uid, starts_on as "startsOn", ends_on as "endsOn" from program_market
     where program_uid = any(${uids('programUid')})`)
  const artworkSets = await map(sql<{ uid: string; programUid: string }>`
    select uid, program_uid as "programUid" from artwork_set
     where uid = any(${uids('artworkSetUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const addressSets = await map(sql<{ uid: string; programUid: string }>`
    select uid, program_uid as "programUid" from address_set
     where uid = any(${uids('addressSetUid')}) and deleted_at is null order by uid ${lock('share')}`)
  const { rows: lockedPay } = await sql<{ from: string; to: string }>`
    select starts_on as "from", ends_on as "to" from pay_period where state = 'locked' order by starts_on`.execute(db)
  return { trucks, drivers, programs, markets, programMarkets, artworkSets, addressSets, lockedPay }
}

interface BookingSearch {
  truckUids: string[]
  driverUids: string[]
  /** In milliseconds since 1970. */
  from: number
  to: number
}

/** Loads the bookings of any of these trucks or drivers between two instants. */
export async function loadBookings(db: Db, { truckUids, driverUids, from, to }: BookingSearch): Promise<Booking[]> {
  const isBetween = sql`tstzrange(t.starts_at, ${bookedUntil('t')}) && tstzrange(to_timestamp(${from / 1000}), to_timestamp(${to / 1000}))`
  const blocks = blocksTruckSql('t')
  // Two searches, each with the index that excludes overlaps.
  const { rows } = await sql<Omit<Booking, 'name'> & Parameters<typeof describeShift>[0]>`
    select t.uid, t.truck_uid as "truckUid", t.driver_uid as "driverUid",
           (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from ${bookedUntil('t')}) * 1000)::int8 as "endsAt",
           ${WORD_COLUMNS}
      from (select * from shift t where t.truck_uid = any(${truckUids}::uuid[]) and ${isBetween} and ${blocks}
            union
            select * from shift t where t.driver_uid = any(${driverUids}::uuid[]) and ${isBetween} and ${blocks}) t
      ${PLANNED_JOINS}
     order by t.starts_at, t.uid`.execute(db)
  return rows.map((row) => ({ ...row, name: describeShift(row) }))
}

/** Loads the bookings that some others could overlap. Hours that clocks skip overlap none. */
export async function loadBookingsAround(db: Db, spans: readonly BookedSpan[]): Promise<Booking[]> {
  const known = spans.filter(({ startsAt, endsAt }) => !Number.isNaN(startsAt + endsAt))
  if (known.length === 0) return []
  return loadBookings(db, {
    truckUids: [...new Set(known.map(({ truckUid }) => truckUid))],
    driverUids: [...new Set(known.map(({ driverUid }) => driverUid))],
    from: known.reduce((first, { startsAt }) => Math.min(first, startsAt), Infinity),
    to: known.reduce((last, { endsAt }) => Math.max(last, endsAt), -Infinity),
  })
}
