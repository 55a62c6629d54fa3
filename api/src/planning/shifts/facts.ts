import {
  describeStretch,
  type Market,
  type ProgramStatus,
  type StretchClocks,
  type TruckState,
} from '@roadshow/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { type BookedSpan, type Booking, describeShift } from './bookings.ts'
import { PLANNED_JOINS, WORD_COLUMNS } from './queries.ts'
import { programMarketKey, type ShiftCandidate, type ShiftFacts } from './rules.ts'
import { blocksTruckSql, bookedUntil } from './shift-sql.ts'

/** The pay periods that are locked, in order. */
export const lockedPeriods = (db: Db) => {
  const locked = db.selectFrom('pay_period').where('state', '=', 'locked').orderBy('starts_on')
  return locked.select(['starts_on as from', 'ends_on as to'])
}

/**
 * Loads what the rules need to know about some shifts, in a few statements for any number of shifts. In a transaction
 * the records stay locked until it ends. Trucks and drivers are locked for one writer at a time, in the order of their
 * uids: the second writer sees the bookings of the first.
 */
export async function loadShiftFacts(db: Db, candidates: readonly ShiftCandidate[]): Promise<ShiftFacts> {
  const uids = (field: Exclude<keyof ShiftCandidate, 'stops'>) => [
    ...new Set(candidates.map((each) => each[field] ?? []).flat()),
  ]
  /** Finds the records of a field that are not deleted. */
  const find = async <Table extends keyof DB, Row extends { uid: string }>(
    records: SelectQueryBuilder<DB, Table, Row>,
    field: Parameters<typeof uids>[0],
    lock: 'share' | 'no key update' = 'share',
  ) => {
    const found = records
      .where(sql.ref('uid'), '=', anyOf(uids(field)))
      .where(sql.ref('deleted_at'), 'is', null)
      .orderBy(sql.ref('uid'))
    const rows = await (db.isTransaction ? found.modifyEnd(sql.raw(`for ${lock}`)) : found).execute()
    return new Map(rows.map((row) => [row.uid, row]))
  }
  const period = ['starts_on as startsOn', 'ends_on as endsOn'] as const

  const truck = db.selectFrom('truck').select(['uid', 'number', 'state']).$narrowType<{ state: TruckState }>()
  const trucks = await find(truck, 'truckUid', 'no key update')
  const drivers = await find(
    db.selectFrom('user_account').select(['uid', 'name', 'role']),
    'driverUid',
    'no key update',
  )
  const program = db.selectFrom('client_program').select(['uid', 'name', 'status', ...period])
  const programs = await find(program.$narrowType<{ status: ProgramStatus }>(), 'programUid')
  const market = db.selectFrom('market').select(['uid', 'name', 'zone', 'earlier_zones as earlierZones'])
  const markets = await find(market.$narrowType<{ earlierZones: Market['earlierZones'] }>(), 'marketUid')
  // The markets of a program change only together with its own row, which is locked.
  const places = await db
    .selectFrom('program_market')
    .select(['program_uid', 'market_uid', ...period])
    .where('program_uid', '=', anyOf(uids('programUid')))
    .execute()
  const programMarkets = new Map(places.map((each) => [programMarketKey(each.program_uid, each.market_uid), each]))
  const set = ['uid', 'program_uid as programUid'] as const
  const artworkSets = await find(db.selectFrom('artwork_set').select(set), 'artworkSetUid')
  const addressSets = await find(db.selectFrom('address_set').select(set), 'addressSetUid')
  const lockedPay = await lockedPeriods(db).execute()
  // Rows of a file may lack a day.
  const dates = candidates.flatMap(({ date }) => (date === '' ? [] : [date])).toSorted()
  const outOfService = await loadOutOfService(db, {
    uids: [...uids('truckUid'), ...uids('driverUid')],
    from: dates[0] ?? '',
    to: dates.at(-1) ?? '',
  })
  return {
    trucks,
    drivers,
    programs,
    markets,
    programMarkets,
    artworkSets,
    addressSets,
    outOfService,
    lockedPay,
  }
}

interface ServiceSearch {
  /** Of trucks and drivers. */
  uids: readonly string[]
  /** Local days, in whichever zone. */
  from: string
  to: string
}

/** When trucks and drivers are out of service around some days, by their uid. */
export async function loadOutOfService(db: Db, { uids, from, to }: ServiceSearch): Promise<ShiftFacts['outOfService']> {
  if (uids.length === 0 || from === '') return new Map()
  const clocks = (column: string) => sql`to_char(${sql.ref(column)}, 'HH24:MI')`
  const { rows } = await sql<StretchClocks & { ofUid: string; startsAt: number; endsAt: number | null }>`
    select coalesce(o.truck_uid, o.driver_uid) as "ofUid", o.zone, o.starts_on as "from", ${clocks('o.start_time')} as "startTime",
           o.ends_on as "to", case when o.end_time <> '24:00' then ${clocks('o.end_time')} end as "endTime",
           (extract(epoch from o.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from o.ends_at) * 1000)::int8 as "endsAt"
      from out_of_service o
     where (o.truck_uid = any(${[...uids]}::uuid[]) or o.driver_uid = any(${[...uids]}::uuid[])) and o.deleted_at is null
       and o.starts_on <= ${to}::date + 3 and (o.ends_on is null or o.ends_on >= ${from}::date - 3)
     order by o.starts_at, o.uid`.execute(db)
  return groupBy(
    rows.map((row) => ({
      ofUid: row.ofUid,
      startsAt: row.startsAt,
      endsAt: row.endsAt ?? Number.POSITIVE_INFINITY,
      words: describeStretch(row),
    })),
    ({ ofUid }) => ofUid,
  )
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
