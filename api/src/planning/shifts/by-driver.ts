import type { DriverShifts, Page, QueryOf, Shift, shifts } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import { likePattern } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { ownShifts, shiftFilters, shiftRecords } from './queries.ts'

type Query = QueryOf<typeof shifts.byDriver>

/** Drivers by name with their shifts between two days. A market or program filter keeps drivers with such shifts. */
export async function pageOfDriverShifts(db: Db, scope: Scope, query: Query): Promise<Page<DriverShifts>> {
  const { page, pageSize, search: _search, ...filters } = query
  const { drivers, total } = await loadDrivers(db, scope, query)
  const byDriver = new Map(drivers.map(({ uid }) => [uid, [] as Shift[]]))
  if (drivers.length > 0) {
    const wanted = { ...filters, driver: [...byDriver.keys()], page: 1, pageSize: 1 }
    for await (const shift of shiftRecords.stream(db, scope, wanted)) byDriver.get(shift.driver.uid)?.push(shift)
  }
  const data = drivers.map((driver) => ({ driver, shifts: byDriver.get(driver.uid) ?? [] }))
  return { data, page, pageSize, total }
}

async function loadDrivers(db: Db, scope: Scope, query: Query) {
  const values = new Values()
  const isDriver = scope.rows === 'own' && scope.actor.role !== 'client'
  const isClient = scope.rows === 'own' && scope.actor.role === 'client'
  const ofShift = (['market', 'program', 'from', 'to'] as const).flatMap((name) =>
    query[name] === undefined ? [] : [values.bind([shiftFilters[name], query[name]])],
  )
  if (isClient) ofShift.push(values.bind(ownShifts(scope.actor)))
  const hasShifts = `exists (select from shift t where t.driver_uid = u.uid and t.deleted_at is null and ${ofShift.join(' and ')})`
  const isNarrowed = isClient || query.market !== undefined || query.program !== undefined
  const conditions = [
    isNarrowed ? hasShifts : `(u.role = 'driver' and u.deleted_at is null or ${hasShifts})`,
    ...(isDriver ? [values.bind(['u.uid = ?', scope.actor.uid])] : []),
    ...(query.driver ? [values.bind(['u.uid = any(?)', query.driver])] : []),
    ...(query.search ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => values.bind(['lower(u.name) like lower(?)', likePattern(word)])),
  ]
  const source = `from user_account u where ${conditions.join(' and ')}`
  const rest = `order by u.name, u.uid limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`
  const run = async <Row>(text: string) => (await db.executeQuery<Row>(CompiledQuery.raw(text, values.list))).rows
  const drivers = await run<{ uid: string; name: string }>(`select u.uid, u.name ${source} ${rest}`)
  const [counted] = await run<{ total: number }>(`select count(*) as total ${source}`)
  return { drivers, total: counted?.total ?? 0 }
}
