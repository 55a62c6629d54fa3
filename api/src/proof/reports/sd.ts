import type { MarketArea, Page, Point, QueryOf, SdPlaceResult, sdReport, SdResult, SdSummary } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { windowsOf } from '../../platform/db/partitions.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { includeIf } from '../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { blocksTruckSql } from '../../planning/shifts/index.ts'
import { FIX_COVERS } from '../../live/evidence/index.ts'
import {
  type AddressPlay,
  addressPlayTable,
  archivedAddressPlays,
  inPlaySnapshot,
  type MarketHours,
  type PlayStores,
  readMarketHours,
  requireProgram,
  searchPatterns,
  timesAround,
} from '../../live/plays/index.ts'
import { isAddressOfMarket } from './rules.ts'

export type SdQuery = QueryOf<typeof sdReport.list>
type SdDays = Pick<SdQuery, 'program' | 'market' | 'from' | 'to'>

/** Whether rows of the alias belong to the market of the report; without one, all do. */
const ofMarket = (alias: string, { market }: Pick<SdDays, 'market'>) =>
  includeIf(market !== undefined, () => sql`and ${sql.id(alias, 'market_uid')} = ${market}`)

/** Selects the visits of the program's trucks in the market, on shifts that started on these days. */
export const selectVisits = (days: SdDays, condition: RawBuilder<unknown> = sql``): RawBuilder<unknown> => sql`
  select a.shift_uid, a.address_uid, a.entered_at, a.left_at, a.nearest_m, s.truck_uid, a.is_due,
         a.entered_at - ${FIX_COVERS} as since, a.left_at + ${FIX_COVERS} as until
    from shift s join shift_approach a on a.shift_uid = s.uid
   where s.program_uid = ${days.program} ${ofMarket('s', days)} and ${blocksTruckSql('s')}
     and s.local_date between ${days.from} and ${days.to} ${condition}`

/** A part of the time of a report, in milliseconds since 1970: short enough for one statement that reads plays. */
interface TimeWindow {
  from: number
  until: number
}

/**
 * Selects those of the visits that began within a window that were missed, that is, due and never shown meanwhile. Plays
 * that are no longer kept one by one are known by the hour. Hours and plays are read in expressions of their own, because a
 * cluster cannot look them up for each visit.
 */
export function selectMissed(
  days: SdDays,
  { from, until, archived }: TimeWindow & { archived: readonly AddressPlay[] },
  condition: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const edges = timesAround({ from: new Date(from).toISOString(), until: new Date(until).toISOString() })
  const [first, end] = [new Date(edges.from), new Date(edges.until)]
  const isWithin = sql`and a.entered_at >= ${new Date(from)} and a.entered_at < ${new Date(until)}`
  return sql`
    with approach as materialized (
      ${selectVisits(days, sql`${isWithin} and a.is_due ${condition}`)}
    ), shown_hour as materialized (
      select r.truck_uid, r.address_uid, r.hour from play_address_hour r
       where r.program_uid = ${days.program} ${ofMarket('r', days)} and r.hour between ${first} and ${end}
    ), due as materialized (
      select distinct a.shift_uid, a.truck_uid, a.address_uid, a.entered_at, a.since, a.until,
             a.left_at < plays_kept_since() as is_old
        from approach a join shown_hour r on r.truck_uid = a.truck_uid and r.address_uid = a.address_uid
         and r.hour between date_trunc('hour', a.since) and a.until
    ), played as materialized (
      select distinct d.shift_uid, d.address_uid, d.entered_at
        from due d join play p on p.truck_uid = d.truck_uid and p.shift_uid = d.shift_uid
         and p.address_uid = d.address_uid and p.started_at between d.since and d.until
       where not d.is_old and p.started_at between ${first} and ${end}
      union
      select d.shift_uid, d.address_uid, d.entered_at
        from due d join ${addressPlayTable('x', archived)} on x.shift_uid = d.shift_uid and x.address_uid = d.address_uid
         and x.started_at between d.since and d.until
    ), shown as (
      select shift_uid, address_uid, entered_at from due where is_old union select * from played
    )
    select a.shift_uid, a.address_uid, a.entered_at
      from approach a left join shown w
        on w.shift_uid = a.shift_uid and w.address_uid = a.address_uid and w.entered_at = a.entered_at
     where w.shift_uid is null`
}

interface MissedVisits {
  address: string
  missed: number
}

/** How many visits to each address were missed; a long report is read window by window. */
async function countMissed(stores: PlayStores, days: SdDays, hours: MarketHours): Promise<MissedVisits[]> {
  const missed = new Map<string, number>()
  for (const window of windowsOf(timesAround(hours))) {
    const { rows } = await inPlaySnapshot(stores, async ({ db, parquet }) => {
      const archived = await archivedAddressPlays(db, parquet, { ...days, ...window })
      return sql<MissedVisits>`
        select address_uid as address, count(*)::int as missed
          from (${selectMissed(days, { ...window, archived })}) v group by 1`.execute(db)
    })
    for (const { address, missed: more } of rows) missed.set(address, (missed.get(address) ?? 0) + more)
  }
  return [...missed].map(([address, count]) => ({ address, missed: count }))
}

/** What the results of a report are made from: its days, their hours, the addresses of the market, and missed visits. */
interface SdFacts {
  days: SdDays
  hours: MarketHours
  addresses: string[]
  missed: MissedVisits[]
}

async function loadSdFacts(stores: PlayStores, days: SdDays): Promise<SdFacts> {
  const hours = await readMarketHours(stores.db, days)
  return {
    days,
    hours,
    addresses: await addressesInMarket(stores.db, days),
    missed: await countMissed(stores, days, hours),
  }
}

/**
 * The addresses that the program's shifts carried in the market and that lie there; without a market, all that they carried.
 * A set holds the addresses of all markets of its program.
 */
async function addressesInMarket(db: Db, days: SdDays): Promise<string[]> {
  const { program, market, from, to } = days
  const { rows: carried } = await sql<Point & { uid: string }>`
    select uid, latitude, longitude from sd_address where set_uid in (
      select s.address_set_uid from shift s
       where s.program_uid = ${program} ${ofMarket('s', days)} and ${blocksTruckSql('s')}
         and s.local_date between ${from} and ${to})`.execute(db)
  if (market === undefined) return carried.map(({ uid }) => uid)
  const booked = db.selectFrom('program_market').select('market_uid').where('program_uid', '=', program)
  const areas = await db
    .selectFrom('market')
    .select(['uid', 'latitude', 'longitude', 'radius_m as radiusM', 'outline'])
    .$narrowType<{ outline: MarketArea['outline'] }>()
    .where((eb) => eb.or([eb('uid', '=', market), eb('uid', 'in', booked)]))
    .execute()
  const own = areas.find(({ uid }) => uid === market)
  if (!own) return []
  return carried.filter((place) => isAddressOfMarket(place, own, areas)).map(({ uid }) => uid)
}

/** Each address of the report, and all others that were visited or shown, with its results. */
function withResults({ days, addresses, missed }: SdFacts): RawBuilder<unknown> {
  const missedTable = rowsAsTable('x', missed, {
    address_uid: ['uuid', (row) => row.address],
    missed: ['int4', (row) => row.missed],
  })
  return sql`
    with visit as materialized (${selectVisits(days)}), shown as materialized (
      select r.address_uid, r.truck_uid, sum(r.plays) as plays, sum(r.duration_ms) as ms from play_address_hour r
       where r.program_uid = ${days.program} ${ofMarket('r', days)} and r.day between ${days.from} and ${days.to}
       group by r.address_uid, r.truck_uid
    ), visited as (
      select address_uid, count(*) as approaches,
             min(nearest_m) as nearest_m, min(entered_at) as first_at, max(left_at) as last_at
        from visit group by address_uid
    ), played as (
      select address_uid, sum(plays) as plays, sum(ms) as ms from shown group by address_uid
    ), truck_of as (
      select address_uid, count(*) as trucks
        from (select address_uid, truck_uid from visit union select address_uid, truck_uid from shown) t group by address_uid
    ), carried as (
      select uid from unnest(${addresses}::uuid[]) uid
      union select address_uid from visited union select address_uid from played
    ), result as materialized (
      select c.uid, coalesce(k.label, 'Unknown address') as label, coalesce(k.address, '') as address,
             coalesce(k.latitude, 0) as latitude, coalesce(k.longitude, 0) as longitude, coalesce(k.radius_m, 0) as "radiusM",
             coalesce(v.approaches, 0)::int as approaches, coalesce(x.missed, 0)::int as missed,
             coalesce(y.plays, 0)::int as plays, floor(coalesce(y.ms, 0) / 1000)::bigint as seconds, y.ms,
             v.nearest_m as "nearestM", coalesce(n.trucks, 0)::int as trucks, v.first_at as "firstAt", v.last_at as "lastAt"
        from carried c left join known_sd_address k on k.uid = c.uid left join visited v on v.address_uid = c.uid
        left join played y on y.address_uid = c.uid left join truck_of n on n.address_uid = c.uid
        left join ${missedTable} on x.address_uid = c.uid
    )`
}

const COLUMNS =
  sql.raw(`uid, label, address, latitude, longitude, "radiusM", approaches, missed, plays, seconds, "nearestM", trucks,
  "firstAt", "lastAt"`)

function orderOf({ sort = '-plays' }: SdQuery): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sort.replace('-', '')
  const sorted = column === 'label' ? sql`label collate natural_order` : sql.id(column)
  return sql`order by ${sorted} ${direction} nulls last, label collate natural_order, uid`
}

/** A page of addresses with their results, or for a file every address. */
export async function loadSdResults(
  stores: PlayStores,
  scope: Scope,
  query: SdQuery,
): Promise<Page<SdResult> & { program: string; zone: string }> {
  const { db } = stores
  const { name } = await requireProgram(db, scope, query.program)
  const facts = await loadSdFacts(stores, query)
  const matches = searchPatterns(query.search).map(
    (pattern) => sql`lower(label || ' ' || address) like lower(${pattern})`,
  )
  const order = orderOf(query)
  const { page, pageSize } = query
  const limit = query.format ? sql`` : sql`limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}`
  // One row more than the page carries the total, also where the page is empty.
  const { rows } = await sql<SdResult & { $total: number }>`
    ${withResults(facts)}, found as materialized (
      select * from result ${matches.length > 0 ? sql`where ${sql.join(matches, sql` and `)}` : sql``})
    select t.total as "$total", f.* from (select count(*)::int as total from found) t
      left join lateral (select ${COLUMNS} from found ${order} ${limit}) f on true ${order}`.execute(db)
  const data = rows.flatMap(({ $total: _total, ...row }) => (row.uid ? [row] : []))
  return { data, page, pageSize, total: rows[0]?.$total ?? 0, program: name, zone: facts.hours.zone }
}

interface SdTotals {
  totals: SdSummary['totals']
  places: SdPlaceResult[] | null
  first: string
  last: string
}

/** The totals of the SD report, and every address for its map. */
export async function summarizeSd(stores: PlayStores, scope: Scope, query: SdDays): Promise<SdSummary> {
  const { db } = stores
  await requireProgram(db, scope, query.program)
  const facts = await loadSdFacts(stores, query)
  const { rows } = await sql<SdTotals>`
    ${withResults(facts)}
    select json_build_object(
              'addresses', count(*), 'reached', count(*) filter (where approaches > 0), 'approaches', coalesce(sum(approaches), 0),
              'missed', coalesce(sum(missed), 0), 'plays', coalesce(sum(plays), 0),
              'seconds', floor(coalesce(sum(ms), 0) / 1000),
              'trucks', (select count(*) from (select truck_uid from visit union select truck_uid from shown) t)) as totals,
            min("firstAt") as first, max("lastAt") as last,
            json_agg(json_build_object('uid', uid, 'label', label, 'latitude', latitude, 'longitude', longitude,
                                       'radiusM', "radiusM", 'approaches', approaches, 'missed', missed, 'plays', plays)
                     order by plays desc, label) as places
       from result`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A summary has one row.')
  return {
    zone: facts.hours.zone,
    totals: { ...row.totals, firstAt: row.first, lastAt: row.last },
    places: row.places ?? [],
  }
}
