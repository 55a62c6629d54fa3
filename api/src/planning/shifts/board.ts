import {
  isOutsider,
  type Market,
  type ShiftBoard,
  type BoardShift,
  type QueryOf,
  type shifts,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, selectList, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { driverSigns, NO_DRIVER_SIGNS } from './driver-signs.ts'
import { lockedPeriods } from './facts.ts'
import { ownShifts, SHORT_REST, shiftFilters, withoutDriver } from './queries.ts'
import { bookedUntil } from './shift-sql.ts'

type Query = QueryOf<typeof shifts.board>

/** Loads every shift between two days in short, with the records they refer to. */
export async function loadBoard(db: Db, scope: Scope, asked: Query): Promise<ShiftBoard> {
  const query = withoutDriver(scope, asked)
  const boardShifts = await loadBoardShifts(db, scope, query)
  const uids = (field: 'driverUid' | 'programUid' | 'marketUid') => [
    ...new Set(boardShifts.flatMap((each) => each[field] ?? [])),
  ]
  const ofDays = lockedPeriods(db).where('starts_on', '<=', query.to).where('ends_on', '>=', query.from)
  const [trucks, drivers, programs, markets, lockedPay, shopTimes, timesOff] = await Promise.all([
    loadBoardTrucks(db, scope, query, boardShifts),
    db
      .selectFrom('user_account')
      .select(['uid', 'name'])
      .where('uid', '=', anyOf(uids('driverUid')))
      .orderBy('name')
      .execute(),
    db
      .selectFrom('client_program as p')
      .innerJoin('client as c', 'c.uid', 'p.client_uid')
      .select(['p.uid', 'p.name', 'c.name as client', 'p.status', 'p.starts_on as startsOn', 'p.ends_on as endsOn'])
      .where('p.uid', '=', anyOf(uids('programUid')))
      .orderBy('p.name')
      .execute(),
    loadBoardMarkets(db, uids('marketUid')),
    scope.rows === 'own' ? [] : ofDays.execute(),
    scope.rows === 'own' ? [] : loadShopTimes(db, query),
    scope.rows === 'own' ? [] : loadTimesOff(db, query),
  ])
  return {
    trucks,
    drivers,
    programs: programs as ShiftBoard['programs'],
    markets,
    shifts: boardShifts,
    shopTimes,
    timesOff,
    lockedPay,
  }
}

const stretchesOn = (db: Db, { from, to }: Query) =>
  db
    .selectFrom('out_of_service as o')
    .select(['o.uid', 'o.starts_at as startsAt', 'o.ends_at as endsAt', 'o.zone', 'o.reason'])
    .$narrowType<{ startsAt: string; endsAt: string | null }>()
    .where('o.deleted_at', 'is', null)
    .where('o.starts_on', '<=', to)
    .where((eb) => eb.or([eb('o.ends_on', 'is', null), eb('o.ends_on', '>=', from)]))

const loadShopTimes = (db: Db, query: Query): Promise<ShiftBoard['shopTimes']> =>
  stretchesOn(db, query)
    .select('o.truck_uid as truckUid')
    .$narrowType<{ truckUid: string }>()
    .where('o.truck_uid', 'is not', null)
    .orderBy('o.starts_at')
    .execute()

async function loadTimesOff(db: Db, query: Query): Promise<ShiftBoard['timesOff']> {
  const found = await stretchesOn(db, query)
    .innerJoin('user_account as u', 'u.uid', 'o.driver_uid')
    .select(['u.uid as driverUid', 'u.name'])
    .where('u.deleted_at', 'is', null)
    .orderBy('u.name')
    .orderBy('o.starts_at')
    .execute()
  return found.map(({ driverUid, name, ...time }) => ({ ...time, driver: { uid: driverUid, name } }))
}

const HIDDEN_FROM_CLIENTS = {
  driverUid: null,
  shortRestHours: null,
  ...NO_DRIVER_SIGNS,
}

/** The filters of the call, apart from its days, as a condition on shift `t`. */
function matchOf(query: Query): SqlFragment {
  const { from: _from, to: _to, ...filters } = shiftFilters
  const conditions = Object.entries(filters).flatMap(([name, condition]) => {
    const value = query[name as keyof Query]
    return value === undefined ? [] : [(condition as (value: unknown) => SqlFragment)(value)]
  })
  return conditions.length > 0 ? allOf(conditions) : sql`true`
}

async function loadBoardShifts(db: Db, scope: Scope, query: Query): Promise<BoardShift[]> {
  const conditions = [sql`t.deleted_at is null`, shiftFilters.from(query.from), shiftFilters.to(query.to)]
  if (scope.rows === 'own') conditions.push(ownShifts(scope.actor))
  const { rows } = await sql<BoardShift>`
    select t.uid, t.version, t.truck_uid as "truckUid", t.driver_uid as "driverUid", t.program_uid as "programUid",
           t.market_uid as "marketUid", t.local_date as date, to_char(t.start_time, 'HH24:MI') as start,
           to_char(t.end_time, 'HH24:MI') as "end", t.starts_at as "startsAt", t.ends_at as "endsAt",
           ${bookedUntil('t')} as "bookedUntil", t.status,
           ${SHORT_REST} as "shortRestHours", coalesce(${matchOf(query)}, false) as "isMatch", ${selectList(driverSigns)}
      from shift t where ${allOf(conditions)} order by t.starts_at, t.uid`.execute(db)
  return isOutsider(scope.actor) ? rows.map((row) => ({ ...row, ...HIDDEN_FROM_CLIENTS })) : rows
}

type BoardTruck = ShiftBoard['trucks'][number]

/** Whether a filter is about single shifts, so that only trucks with such shifts match. */
const isAboutShifts = ({ from: _from, to: _to, market: _market, truck: _truck, ...filters }: Query) =>
  Object.keys(shiftFilters).some((name) => filters[name as keyof typeof filters] !== undefined)

/** Loads the trucks that can be planned and those with shifts. The filters hide none. */
async function loadBoardTrucks(db: Db, scope: Scope, query: Query, boardShifts: readonly BoardShift[]) {
  const withShifts = [...new Set(boardShifts.map(({ truckUid }) => truckUid))]
  const withMatches = new Set(boardShifts.filter(({ isMatch }) => isMatch).map(({ truckUid }) => truckUid))
  const found = await db
    .selectFrom('truck')
    .select(['uid', 'number', 'state', 'home_market_uid as homeMarketUid', 'deleted_at'])
    .where((eb) =>
      eb.or([
        eb('uid', '=', anyOf(withShifts)),
        ...(scope.rows === 'own' ? [] : [eb.and([eb('deleted_at', 'is', null), eb('state', '<>', 'retired')])]),
      ]),
    )
    .orderBy('number')
    .execute()
  const isAtHome = (truckUid: string, homeMarketUid: string | null) =>
    !isAboutShifts(query) &&
    (query.truck?.includes(truckUid) ?? true) &&
    (query.market?.includes(homeMarketUid ?? '') ?? true)
  return found.map(({ deleted_at: deletedAt, ...truck }): BoardTruck => ({
    ...truck,
    state: truck.state as BoardTruck['state'],
    isDeleted: deletedAt !== null,
    isMatch: withMatches.has(truck.uid) || isAtHome(truck.uid, truck.homeMarketUid),
  }))
}

/** Loads all markets, because trucks are grouped by them, and the deleted markets of shifts. */
const loadBoardMarkets = async (db: Db, withShifts: string[]): Promise<ShiftBoard['markets']> =>
  db
    .selectFrom('market')
    .select(['uid', 'name', 'zone', 'earlier_zones as earlierZones'])
    .$narrowType<{ earlierZones: Market['earlierZones'] }>()
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('uid', '=', anyOf(withShifts))]))
    .orderBy('name')
    .execute()
