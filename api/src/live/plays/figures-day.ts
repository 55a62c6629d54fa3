import { addDays, type FiguresDay, localDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { limitOf, type PlayScope } from './play-scope.ts'

/** A day on which a market has shifts, in their zone. */
interface MarketDay {
  market: string
  zone: string
  day: string
}

/**
 * The day that figures of today are of: the earliest one that has not ended in each market. So no market takes its part away
 * when it passes midnight; with the last one, the figures are those of another named day.
 */
export function figuresDay(markets: readonly MarketDay[], zones: readonly string[], now: number): FiguresDay {
  const used = markets.length > 0 ? markets.map(({ zone }) => zone) : zones
  const [day = ''] = (used.length > 0 ? used : ['UTC']).map((zone) => localDay(zone, now)).toSorted()
  const added = markets.filter((each) => each.day === day)
  return {
    day,
    markets: new Set(added.map(({ market }) => market)).size,
    isOverSomewhere: added.some(({ zone }) => localDay(zone, now) > day),
  }
}

/** The day of figures at a moment, by the markets that have shifts around it; without any, by all markets. */
export async function loadFiguresDay(db: Db, scope: PlayScope, now: number): Promise<FiguresDay> {
  const utc = localDay('UTC', now)
  const client = limitOf(scope)
  const ofClient =
    client === null ? sql`true` : sql`t.program_uid in (select uid from client_program where client_uid = ${client})`
  // Wherever it is, today is at most a day from that of UTC.
  const { rows: markets } = await prepared(sql<MarketDay>`
    select distinct t.market_uid as market, t.zone, t.local_date as day from shift t
     where t.deleted_at is null and t.status <> 'cancelled'
       and t.local_date between ${addDays(utc, -1)}::date and ${addDays(utc, 1)}::date and ${ofClient}`).execute(db)
  if (markets.length > 0) return figuresDay(markets, [], now)
  const { rows: zones } = await prepared(sql<{ zone: string }>`
    select distinct zone_at(zone, earlier_zones, ${new Date(now).toISOString()}::timestamptz) as zone
      from market where deleted_at is null`).execute(db)
  return figuresDay(
    [],
    zones.map(({ zone }) => zone),
    now,
  )
}
