import { isOutsider, NIL_UUID, type ShiftBoard, type BoardShift, type QueryOf, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, selectList, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { driverSigns, NO_DRIVER_SIGNS } from './driver-signs.ts'
import { ownShifts, SHORT_REST, shiftFilters, withoutDriver } from './queries.ts'

type Query = QueryOf<typeof shifts.board>

/** Loads every shift between two days in short, with the records they refer to. */
export async function loadBoard(db: Db, scope: Scope, asked: Query): Promise<ShiftBoard> {
  const query = withoutDriver(scope, asked)
  const boardShifts = await loadBoardShifts(db, scope, query)
  const uids = (field: 'truckUid' | 'driverUid' | 'programUid' | 'marketUid') => [
    ...new Set(boardShifts.flatMap((each) => each[field] ?? [])),
  ]
  const [trucks, drivers, programs, markets] = await Promise.all([
    loadBoardTrucks(db, scope, query, uids('truckUid')),
    db
      .selectFrom('user_account')
      .select(['uid', 'name'])
      .where('uid', 'in', nonEmpty(uids('driverUid')))
      .orderBy('name')
      .execute(),
    db
      .selectFrom('client_program as p')
      .innerJoin('client as c', 'c.uid', 'p.client_uid')
      .select(['p.uid', 'p.name', 'c.name as client', 'p.status', 'p.starts_on as startsOn', 'p.ends_on as endsOn'])
      .where('p.uid', 'in', nonEmpty(uids('programUid')))
      .orderBy('p.name')
      .execute(),
    loadBoardMarkets(db, uids('marketUid')),
  ])
  return { trucks, drivers, programs: programs as ShiftBoard['programs'], markets, shifts: boardShifts }
}

// `in ()` is not valid SQL; no record has the nil uuid.
const nonEmpty = (uids: string[]) => (uids.length > 0 ? uids : [NIL_UUID])

const HIDDEN_FROM_CLIENTS = {
  driverUid: null,
  shortRestHours: null,
  ...NO_DRIVER_SIGNS,
}

async function loadBoardShifts(db: Db, scope: Scope, query: Query): Promise<BoardShift[]> {
  const conditions: SqlFragment[] = [sql`t.deleted_at is null`]
  for (const [name, condition] of Object.entries(shiftFilters)) {
    const value = query[name as keyof Query]
    if (value !== undefined) conditions.push((condition as (value: unknown) => SqlFragment)(value))
  }
  if (scope.rows === 'own') conditions.push(ownShifts(scope.actor))
  const { rows } = await sql<BoardShift>`
    select t.uid, t.version, t.truck_uid as "truckUid", t.driver_uid as "driverUid", t.program_uid as "programUid",
           t.market_uid as "marketUid", t.local_date as date, to_char(t.start_time, 'HH24:MI') as start,
           to_char(t.end_time, 'HH24:MI') as "end", t.starts_at as "startsAt", t.ends_at as "endsAt", t.status,
           ${SHORT_REST} as "shortRestHours", ${selectList(driverSigns)}
      from shift t where ${allOf(conditions)} order by t.starts_at, t.uid`.execute(db)
  return isOutsider(scope.actor) ? rows.map((row) => ({ ...row, ...HIDDEN_FROM_CLIENTS })) : rows
}

/** Loads the trucks that can be planned and those with shifts. A market filter keeps the trucks at home in it. */
async function loadBoardTrucks(
  db: Db,
  scope: Scope,
  query: Query,
  withShifts: string[],
): Promise<ShiftBoard['trucks']> {
  let wanted = db.selectFrom('truck').select(['uid', 'number', 'state', 'home_market_uid as homeMarketUid'])
  const isNarrowed =
    scope.rows === 'own' ||
    query.client ||
    query.program ||
    query.driver ||
    query.status ||
    query.driverAnswer ||
    query.driverMark
  wanted = wanted.where((eb) =>
    eb.or([
      eb('uid', 'in', nonEmpty(withShifts)),
      ...(isNarrowed
        ? []
        : [
            eb.and([
              eb('deleted_at', 'is', null),
              eb('state', '<>', 'retired'),
              ...(query.truck ? [eb('uid', 'in', nonEmpty(query.truck))] : []),
              ...(query.market ? [eb('home_market_uid', 'in', nonEmpty(query.market))] : []),
            ]),
          ]),
    ]),
  )
  return (await wanted.orderBy('number').execute()) as ShiftBoard['trucks']
}

/** Loads all markets, because trucks are grouped by them, and the deleted markets of shifts. */
const loadBoardMarkets = async (db: Db, withShifts: string[]): Promise<ShiftBoard['markets']> =>
  db
    .selectFrom('market')
    .select(['uid', 'name', 'zone'])
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('uid', 'in', nonEmpty(withShifts))]))
    .orderBy('name')
    .execute()
