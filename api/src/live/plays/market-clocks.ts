import { hoursOfSpan, type Market, zoneSpans } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { DayTotalsQuery, MarketClock } from './play-filter.ts'

/**
 * Adds the clocks of the markets to a query that asks for hours of the day. They are read beforehand: the workers of a cluster
 * do not know the zones, and neither does the archive.
 */
export async function withClocks<Query extends DayTotalsQuery>(db: Db, query: Query): Promise<Query> {
  if (hoursOfSpan(query) === undefined) return query
  const { market } = query
  const markets = await db
    .selectFrom('market')
    .select(['uid', 'zone', 'earlier_zones as earlierZones'])
    .$narrowType<{ earlierZones: Market['earlierZones'] }>()
    .$if(market !== undefined, (found) => found.where('uid', '=', anyOf(market ?? [])))
    .orderBy('zone')
    .execute()
  const clocks = new Map<string, MarketClock>()
  for (const market of markets) {
    for (const span of zoneSpans(market)) {
      const key = JSON.stringify(span)
      const clock = clocks.get(key) ?? { ...span, markets: [] }
      clock.markets.push(market.uid)
      clocks.set(key, clock)
    }
  }
  return { ...query, clocks: [...clocks.values()] }
}
