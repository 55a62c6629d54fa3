import { fleet, rowAccessFor, type TruckIssue } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { readMarkets } from './live-trucks.ts'
import { placeName } from './rules.ts'

/** Drivers' numbers are for those who work on issues, while these are not resolved. */
function hideNumbers(issues: readonly TruckIssue[], { actor }: Scope): TruckIssue[] {
  if (rowAccessFor(actor, fleet.resolve.access)) return [...issues]
  return issues.map((issue) => ({ ...issue, driver: issue.driver && { ...issue.driver, phone: '' } }))
}

/** Adds where the trucks of unresolved issues are now. */
export async function addPlaces(db: Db, given: readonly TruckIssue[], scope: Scope): Promise<TruckIssue[]> {
  const issues = hideNumbers(given, scope)
  const trucks = issues.flatMap(({ status, truck }) => (status === 'resolved' ? [] : [truck.uid]))
  if (trucks.length === 0) return issues
  const { rows } = await sql<{ uid: string; at: string; latitude: number; longitude: number }>`
    select n.truck_uid as uid, n.at, n.latitude, n.longitude from truck_now n
     where n.truck_uid = any(${[...new Set(trucks)]}::uuid[]) and n.at is not null and n.latitude is not null`.execute(
    db,
  )
  const markets = rows.length > 0 ? await readMarkets(db) : []
  const places = new Map(rows.map(({ uid, at, ...point }) => [uid, { text: placeName(point, markets), at }]))
  const placeOf = ({ truck }: TruckIssue) => {
    const place = places.get(truck.uid)
    return place?.text ? place : null
  }
  return issues.map((issue) => (issue.status === 'resolved' ? issue : { ...issue, place: placeOf(issue) }))
}
