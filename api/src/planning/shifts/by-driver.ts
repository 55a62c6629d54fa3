import { type DriverShifts, isOutsider, type Page, type QueryOf, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, likePattern, searchWords, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { loadShifts, shiftFilters } from './queries.ts'

type Query = QueryOf<typeof shifts.byDriver>

/** Drivers by name with their shifts between two days. A market or program filter keeps drivers with such shifts. */
export async function pageOfDriverShifts(db: Db, scope: Scope, query: Query): Promise<Page<DriverShifts>> {
  const { page, pageSize, search: _search, ...filters } = query
  if (isOutsider(scope.actor)) return shiftsOfClient(db, scope, query)
  const { drivers, total } = await loadDrivers(db, scope, query)
  const driver = drivers.map(({ uid }) => uid)
  const found = drivers.length > 0 ? await loadShifts(db, scope, { ...filters, driver }) : []
  const byDriver = groupBy(found, (shift) => shift.driver?.uid)
  const timeOff = groupBy(await loadDaysOff(db, drivers, query), ({ driverUid }) => driverUid)
  const data = drivers.map((driver) => ({
    driver,
    shifts: byDriver.get(driver.uid) ?? [],
    timeOff: (timeOff.get(driver.uid) ?? []).map(({ driverUid: _driver, ...days }) => days),
  }))
  return { data, page, pageSize, total }
}

const loadDaysOff = (db: Db, drivers: readonly { uid: string }[], { from, to }: Query) =>
  db
    .selectFrom('out_of_service')
    .select(['uid', 'driver_uid as driverUid', 'starts_on as from', 'ends_on as to', 'reason'])
    .$narrowType<{ driverUid: string }>()
    .where('driver_uid', '=', anyOf(drivers.map(({ uid }) => uid)))
    .where('deleted_at', 'is', null)
    .where('starts_on', '<=', to)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', from)]))
    .orderBy('starts_at')
    .execute()

/** A client sees all of the client's shifts in one row, and no drivers. */
async function shiftsOfClient(db: Db, scope: Scope, { page, pageSize, ...filters }: Query) {
  const found = await loadShifts(db, scope, filters)
  const rows = found.length > 0 ? [{ driver: null, shifts: found, timeOff: [] }] : []
  return { data: page === 1 ? rows : [], page, pageSize, total: rows.length }
}

async function loadDrivers(db: Db, scope: Scope, query: Query) {
  const isDriver = scope.rows === 'own'
  const ofShift: SqlFragment[] = [sql`t.driver_uid = u.uid`, sql`t.deleted_at is null`]
  if (query.market) ofShift.push(shiftFilters.market(query.market))
  if (query.program) ofShift.push(shiftFilters.program(query.program))
  ofShift.push(shiftFilters.from(query.from), shiftFilters.to(query.to))
  const hasShifts = sql`exists (select from shift t where ${allOf(ofShift)})`
  const isNarrowed = query.market !== undefined || query.program !== undefined
  const conditions = [isNarrowed ? hasShifts : sql`(u.role = 'driver' and u.deleted_at is null or ${hasShifts})`]
  if (isDriver) conditions.push(sql`u.uid = ${scope.actor.uid}`)
  if (query.driver) conditions.push(sql`u.uid = any(${query.driver})`)
  for (const word of searchWords(query.search)) conditions.push(sql`lower(u.name) like lower(${likePattern(word)})`)
  const source = sql`from user_account u where ${allOf(conditions)}`
  const { rows: drivers } = await sql<{ uid: string; name: string }>`
    select u.uid, u.name ${source} order by u.name, u.uid
     limit ${sql.lit(query.pageSize)} offset ${sql.lit((query.page - 1) * query.pageSize)}`.execute(db)
  const { rows } = await sql<{ total: number }>`select count(*) as total ${source}`.execute(db)
  return { drivers, total: rows[0]?.total ?? 0 }
}
