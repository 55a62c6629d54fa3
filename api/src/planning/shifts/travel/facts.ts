import { DAY_MS, type Depot, type MarketArea } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { blocksTruckSql, bookedUntil } from '../shift-sql.ts'
import { findShortWays, type MarketPlace, type Stay } from './rules.ts'

/** Markets by uid, deleted ones too: earlier shifts were there. */
export async function loadMarketPlaces(db: Db, uids: readonly string[]): Promise<Map<string, MarketPlace>> {
  const rows = await db
    .selectFrom('market')
    .select(['uid', 'name', 'latitude', 'longitude', 'radius_m as radiusM', 'outline', 'depots'])
    .select(sql<string>`zone_at(zone, earlier_zones, now())`.as('zone'))
    .$narrowType<{ outline: MarketArea['outline']; depots: Depot[] }>()
    .where('uid', '=', anyOf(uids))
    .execute()
  return new Map(
    rows.map(({ uid, name, zone, depots, ...area }) => {
      const { latitude, longitude } = area
      const center = latitude === null || longitude === null ? [] : [{ latitude, longitude }]
      return [uid, { uid, name, zone, area, points: depots.length > 0 ? depots : center }]
    }),
  )
}

/** Every way inside the country takes less. */
const LONGEST_WAY = 5 * DAY_MS

/** The shifts of some trucks and drivers between which and the given ones a way could be too long. */
async function loadStaysAround(db: Db, stays: readonly Stay[], exceptUids: readonly string[]): Promise<Stay[]> {
  const from = stays.reduce((first, { startsAt }) => Math.min(first, startsAt), Infinity) - LONGEST_WAY
  const to = stays.reduce((last, { endsAt }) => Math.max(last, endsAt), -Infinity) + LONGEST_WAY
  const isBetween = sql`tstzrange(t.starts_at, ${bookedUntil('t')}) && tstzrange(to_timestamp(${from / 1000}), to_timestamp(${to / 1000}))`
  const columns = sql`t.uid, t.truck_uid as "truckUid", t.driver_uid as "driverUid", t.market_uid as "marketUid",
    (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from ${bookedUntil('t')}) * 1000)::int8 as "endsAt"`
  const blocks = blocksTruckSql('t')
  // Two searches, each with the index that excludes overlaps.
  const { rows } = await sql<Stay>`
    select ${columns} from shift t
     where t.truck_uid = any(${[...new Set(stays.map(({ truckUid }) => truckUid))]}::uuid[]) and ${isBetween} and ${blocks}
    union
    select ${columns} from shift t
     where t.driver_uid = any(${[...new Set(stays.map(({ driverUid }) => driverUid))]}::uuid[]) and ${isBetween} and ${blocks}`.execute(
    db,
  )
  const except = new Set(exceptUids)
  return rows.filter(({ uid }) => !except.has(uid))
}

/**
 * The ways for which the trucks and drivers of some shifts would have too little time, by the uids of these shifts. The
 * saved shifts that they replace are left out. Hours that clocks skip have no way.
 */
export async function loadShortWays(db: Db, asked: readonly Stay[], replacedUids: readonly string[]) {
  const stays = asked.filter(({ startsAt, endsAt }) => !Number.isNaN(startsAt + endsAt))
  if (stays.length === 0) return findShortWays([], [], new Map())
  const others = await loadStaysAround(db, stays, replacedUids)
  const markets = await loadMarketPlaces(db, [...new Set([...stays, ...others].map(({ marketUid }) => marketUid))])
  return findShortWays(stays, others, markets)
}
