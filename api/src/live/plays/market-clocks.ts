import { hoursOfSpan, localDay } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import type { DayTotalsQuery } from './play-filter.ts'

/**
 * Adds the clocks of the markets to a query that asks for hours of the day or for today. They are read beforehand: the
 * workers of a cluster do not know the zones, and neither does the archive.
 */
export async function withClocks<Query extends DayTotalsQuery>(db: Db, query: Query): Promise<Query> {
  if (query.day === undefined && hoursOfSpan(query) === undefined) return query
  const { market } = query
  const markets = await db
    .selectFrom('market')
    .select(['uid', 'zone'])
    .$if(market !== undefined, (found) => found.where('uid', '=', anyOf(market ?? [])))
    .orderBy('zone')
    .execute()
  const now = await sharedNow(db)
  const clocks = [...groupBy(markets, ({ zone }) => zone)].map(([zone, some]) => ({
    zone,
    today: localDay(zone, now),
    markets: some.map(({ uid }) => uid),
  }))
  return { ...query, clocks }
}
