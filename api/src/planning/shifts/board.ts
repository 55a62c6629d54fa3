import type { ShiftBoard, BoardShift, QueryOf, shifts } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { ownShifts, SHORT_REST, shiftFilters } from './queries.ts'

type Query = QueryOf<typeof shifts.board>

/** Every shift between two days in short, with what they refer to. */
export async function loadBoard(db: Db, scope: Scope, query: Query): Promise<ShiftBoard> {
  const found = await shiftsOf(db, scope, query)
  const uids = (field: 'truckUid' | 'driverUid' | 'programUid' | 'marketUid') => [
    ...new Set(found.map((each) => each[field])),
  ]
  const [trucks, drivers, programs, markets] = await Promise.all([
    trucksOf(db, scope, query, uids('truckUid')),
    db
      .selectFrom('user_account')
      .select(['uid', 'name'])
      .where('uid', 'in', some(uids('driverUid')))
      .orderBy('name')
      .execute(),
    db
      .selectFrom('client_program as p')
      .innerJoin('client as c', 'c.uid', 'p.client_uid')
      .select(['p.uid', 'p.name', 'c.name as client', 'p.starts_on as startsOn', 'p.ends_on as endsOn'])
      .where('p.uid', 'in', some(uids('programUid')))
      .orderBy('p.name')
      .execute(),
    marketsOf(db, uids('marketUid')),
  ])
  return { trucks, drivers, programs, markets, shifts: found }
}

// `in ()` is no SQL; nothing has this uid.
const some = (uids: string[]) => (uids.length > 0 ? uids : ['00000000-0000-0000-0000-000000000000'])

async function shiftsOf(db: Db, scope: Scope, query: Query): Promise<BoardShift[]> {
  const values = new Values()
  const conditions = ['t.deleted_at is null']
  for (const [name, condition] of Object.entries(shiftFilters)) {
    const given = query[name as keyof Query]
    if (given !== undefined) conditions.push(values.bind([condition, given]))
  }
  if (scope.rows === 'own') conditions.push(values.bind(ownShifts(scope.actor)))
  const statement = `
    select t.uid, t.version, t.truck_uid as "truckUid", t.driver_uid as "driverUid", t.program_uid as "programUid",
           t.market_uid as "marketUid", t.local_date as date, to_char(t.start_time, 'HH24:MI') as start,
           to_char(t.end_time, 'HH24:MI') as "end", t.starts_at as "startsAt", t.ends_at as "endsAt", t.status,
           ${SHORT_REST} as "shortRestHours"
      from shift t where ${conditions.join(' and ')} order by t.starts_at, t.uid`
  const { rows } = await db.executeQuery<BoardShift>(CompiledQuery.raw(statement, values.list))
  return rows
}

/** The trucks that can be planned, and those with shifts. Filtered by market: those at home in it. */
async function trucksOf(db: Db, scope: Scope, query: Query, withShifts: string[]): Promise<ShiftBoard['trucks']> {
  let wanted = db.selectFrom('truck').select(['uid', 'number', 'state', 'home_market_uid as homeMarketUid'])
  const isNarrowed = scope.rows === 'own' || query.client || query.program || query.driver || query.status
  wanted = wanted.where((eb) =>
    eb.or([
      eb('uid', 'in', some(withShifts)),
      ...(isNarrowed
        ? []
        : [
            eb.and([
              eb('deleted_at', 'is', null),
              eb('state', '<>', 'retired'),
              ...(query.truck ? [eb('uid', 'in', some(query.truck))] : []),
              ...(query.market ? [eb('home_market_uid', 'in', some(query.market))] : []),
            ]),
          ]),
    ]),
  )
  return (await wanted.orderBy('number').execute()) as ShiftBoard['trucks']
}

/** The markets of the shifts, and all that there are: trucks are grouped by them. */
const marketsOf = async (db: Db, withShifts: string[]): Promise<ShiftBoard['markets']> =>
  db
    .selectFrom('market')
    .select(['uid', 'name', 'zone'])
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('uid', 'in', some(withShifts))]))
    .orderBy('name')
    .execute()
