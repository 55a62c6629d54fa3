import { fleet, rowAccessFor, type TruckIssue } from '@roadshow/contract'
import type { NotNull } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
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
  const seen = db.selectFrom('truck_now').where('at', 'is not', null).where('latitude', 'is not', null)
  const rows = await seen
    .select(['truck_uid as uid', 'at', 'latitude', 'longitude'])
    .$narrowType<{ at: NotNull; latitude: NotNull; longitude: NotNull }>()
    .where('truck_uid', '=', anyOf([...new Set(trucks)]))
    .execute()
  const markets = rows.length > 0 ? await readMarkets(db) : []
  const places = new Map(rows.map(({ uid, at, ...point }) => [uid, { text: placeName(point, markets), at }]))
  const placeOf = ({ truck }: TruckIssue) => {
    const place = places.get(truck.uid)
    return place?.text ? place : null
  }
  return issues.map((issue) => (issue.status === 'resolved' ? issue : { ...issue, place: placeOf(issue) }))
}
