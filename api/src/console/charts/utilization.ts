import { type TruckState, type UtilizationRow } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { blocksTruckSql } from '../../planning/shifts/index.ts'
import { countTruckDays, type FleetTruck, type TruckChange, type TruckDay } from './availability.ts'
import { type ChartQuery, matchesChart } from './queries.ts'

/** The day at a truck's home market `m`, on which a change of it falls. */
const dayAtHome = (moment: SqlFragment) =>
  sql`(${moment} at time zone coalesce(zone_at(m.zone, m.earlier_zones, ${moment}), 'UTC'))::date`

/** Every truck that could have been available, with what it was before. */
async function loadFleet(db: Db, from: string): Promise<FleetTruck[]> {
  const { rows } = await sql<Omit<FleetTruck, 'changes'>>`
    select t.uid, t.state, t.home_market_uid as "homeMarketUid", t.deleted_at is not null as "isDeleted",
           least(${dayAtHome(sql`t.created_at`)},
                 (select s.local_date from shift s where s.truck_uid = t.uid and s.deleted_at is null
                   order by s.starts_at limit 1)) as since
      from truck t left join market m on m.uid = t.home_market_uid
     where t.deleted_at is null or t.deleted_at >= ${from}::date - interval '1 day'`.execute(db)
  const changes = await loadChanges(db, from)
  return rows.map((truck) => ({ ...truck, changes: changes.get(truck.uid) ?? [] }))
}

interface ChangeRow {
  uid: string
  day: string
  action: string
  state: [before: TruckState, after: TruckState] | null
  home: [before: string | null, after: string | null] | null
}

/** What changed about the state and home of trucks since a day, newest first. The first record of a truck changes nothing. */
async function loadChanges(db: Db, from: string): Promise<Map<string, TruckChange[]>> {
  const { rows } = await sql<ChangeRow>`
    select h.record_uid as uid, ${dayAtHome(sql`h.at`)} as day, h.action, h.changes -> 'state' as state,
           h.changes -> 'home_market_uid' as home
      from history h join truck t on t.uid = h.record_uid left join market m on m.uid = t.home_market_uid
     where h.table_name = 'truck' and h.action <> 'created' and h.at >= ${from}::date - interval '1 day'
       and (h.action <> 'changed' or h.changes ?| array['state', 'home_market_uid'])
     order by h.id desc`.execute(db)
  const found = new Map<string, TruckChange[]>()
  for (const { uid, day, action, state, home } of rows) {
    const change: TruckChange = {
      day,
      ...(state && { state: state[0] }),
      ...(home && { homeMarketUid: home[0] }),
      ...(action !== 'changed' && { isDeleted: action === 'restored' }),
    }
    found.set(uid, [...(found.get(uid) ?? []), change])
  }
  return found
}

/** Each truck with shifts on a day in a market. Shifts of other programs keep a truck busy, too. */
async function loadTruckDays(db: Db, query: ChartQuery): Promise<TruckDay[]> {
  const { from, to } = query
  const { rows } = await sql<TruckDay>`
    select t.truck_uid as "truckUid", t.market_uid as "marketUid", t.local_date as day,
           (count(*) filter (where t.matches))::int as shifts,
           coalesce(bool_or(t.status in ('out', 'completed')) filter (where t.matches), false) as "isDriven"
      from (select t.*, ${matchesChart(query)} as matches from shift t
             where t.local_date between ${from} and ${to} and ${blocksTruckSql('t')}) t
     group by 1, 2, 3`.execute(db)
  return rows
}

async function loadMarketNames(db: Db, { market }: ChartQuery): Promise<{ uid: string; name: string }[]> {
  return db
    .selectFrom('market')
    .select(['uid', 'name'])
    .$if(market !== undefined, (markets) => markets.where('uid', 'in', market ?? []))
    .orderBy('name')
    .orderBy('uid')
    .execute()
}

/** Truck-days with shifts and available ones, by market and week. */
export async function loadUtilization(db: Db, _scope: Scope, query: ChartQuery): Promise<UtilizationRow[]> {
  const [markets, trucks, truckDays] = await Promise.all([
    loadMarketNames(db, query),
    loadFleet(db, query.from),
    loadTruckDays(db, query),
  ])
  const counted = countTruckDays(trucks, truckDays, query)
  return markets.flatMap((market) =>
    [...(counted.get(market.uid) ?? [])]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([week, counts]) => ({ market, week, ...counts })),
  )
}
