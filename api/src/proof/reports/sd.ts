import type { Page, QueryOf, SdPlaceResult, sdReport, SdResult, SdSummary } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { FIX_COVERS_MS } from '../../live/evidence/index.ts'
import { patternsOf, programOf, type Span, spanOf } from './spans.ts'

export type SdQuery = QueryOf<typeof sdReport.list>
type SdAsked = Pick<SdQuery, 'program' | 'market' | 'from' | 'to'>

/** A tracker's fix tells where the truck was for as long before and after. */
export const NEAR = `interval '${FIX_COVERS_MS} ms'`

/**
 * Visits `v` of the program's trucks in the market: to which address, on which shift, and whether it was missed, which is
 * to say that it should have been shown meanwhile and was not. Plays that are no longer kept are known by the hour.
 */
export function visits(values: Values, { program, market }: SdAsked, { from, until }: Span, address = ''): string {
  const [programUid, marketUid] = [values.add(program), values.add(market)]
  const [first, end] = [`${values.add(from)}::timestamptz`, `${values.add(until)}::timestamptz`]
  return `
    select a.shift_uid, a.address_uid, a.entered_at, a.left_at, a.nearest_m, s.truck_uid, a.is_due,
           a.is_due and not (exists (select from play_address_hour r
                    where r.program_uid = ${programUid} and r.market_uid = ${marketUid} and r.truck_uid = s.truck_uid
                      and r.address_uid = a.address_uid
                      and r.hour between date_trunc('hour', a.entered_at - ${NEAR}) and a.left_at + ${NEAR})
             and (a.left_at < (select plays_kept_since())
                  or exists (select from play p
                              where p.shift_uid = a.shift_uid and p.address_uid = a.address_uid
                                and p.started_at between a.entered_at - ${NEAR} and a.left_at + ${NEAR}
                                and p.started_at between ${first} - interval '1 day' and ${end} + interval '2 days')))
             as is_missed
      from shift s join shift_approach a on a.shift_uid = s.uid
     where s.program_uid = ${programUid} and s.market_uid = ${marketUid} and s.deleted_at is null
       and driven_hours(s) is not null
       and s.starts_at between ${first} - interval '2 days' and ${end} + interval '2 days'
       and a.entered_at >= ${first} and a.entered_at < ${end} ${address}`
}

/** Each address of the sets that the shifts carried, and whatever else was visited or shown, with what came of it. */
function resultsOf(values: Values, asked: SdAsked, span: Span): string {
  const [program, market] = [values.add(asked.program), values.add(asked.market)]
  const [first, end] = [`${values.add(span.from)}::timestamptz`, `${values.add(span.until)}::timestamptz`]
  return `
    with visit as materialized (${visits(values, asked, span)}), shown as materialized (
      select address_uid, truck_uid, sum(plays) as plays, sum(duration_ms) as ms from play_address_hour
       where program_uid = ${program} and market_uid = ${market} and hour >= ${first} and hour < ${end}
       group by address_uid, truck_uid
    ), visited as (
      select address_uid, count(*) as approaches, count(*) filter (where is_missed) as missed,
             min(nearest_m) as nearest_m, min(entered_at) as first_at, max(left_at) as last_at
        from visit group by address_uid
    ), played as (
      select address_uid, sum(plays) as plays, sum(ms) as ms from shown group by address_uid
    ), truck_of as (
      select address_uid, count(*) as trucks
        from (select address_uid, truck_uid from visit union select address_uid, truck_uid from shown) t group by address_uid
    ), carried as (
      select uid from sd_address where set_uid in (
        select s.address_set_uid from shift s
         where s.program_uid = ${program} and s.market_uid = ${market} and s.deleted_at is null
           and s.starts_at between ${first} - interval '2 days' and ${end} + interval '2 days'
           and driven_hours(s) && tstzrange(${first}, ${end}))
      union select address_uid from visited union select address_uid from played
    ), result as materialized (
      select c.uid, coalesce(k.label, 'Unknown address') as label, coalesce(k.address, '') as address,
             coalesce(k.latitude, 0) as latitude, coalesce(k.longitude, 0) as longitude, coalesce(k.radius_m, 0) as "radiusM",
             coalesce(v.approaches, 0)::int as approaches, coalesce(v.missed, 0)::int as missed,
             coalesce(y.plays, 0)::int as plays, floor(coalesce(y.ms, 0) / 1000)::bigint as seconds, y.ms,
             v.nearest_m as "nearestM", coalesce(n.trucks, 0)::int as trucks, v.first_at as "firstAt", v.last_at as "lastAt"
        from carried c left join known_sd_address k on k.uid = c.uid left join visited v on v.address_uid = c.uid
        left join played y on y.address_uid = c.uid left join truck_of n on n.address_uid = c.uid
    )`
}

const COLUMNS = `uid, label, address, latitude, longitude, "radiusM", approaches, missed, plays, seconds, "nearestM", trucks,
  "firstAt", "lastAt"`

const run = async <Row>(db: Db, statement: string, { list }: Values) =>
  (await db.executeQuery<Row>(CompiledQuery.raw(statement, list))).rows

function orderOf({ sort = '-plays' }: SdQuery): string {
  const way = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace('-', '')
  const sorted = column === 'label' ? 'label collate natural_order' : `"${column}"`
  return `order by ${sorted} ${way} nulls last, label collate natural_order, uid`
}

/** A page of addresses, or with `all` every one. */
export async function sdResults(
  db: Db,
  scope: Scope,
  query: SdQuery,
  all = false,
): Promise<Page<SdResult> & { program: string; zone: string }> {
  const { name } = await programOf(db, scope, query.program)
  const span = await spanOf(db, query)
  const values = new Values()
  const results = resultsOf(values, query, span)
  const matches = patternsOf(query.search).map(
    (pattern) => `lower(label || ' ' || address) like lower(${values.add(pattern)})`,
  )
  const order = orderOf(query)
  const { page, pageSize } = query
  const limit = all ? '' : `limit ${pageSize} offset ${(page - 1) * pageSize}`
  // One row more than the page, which tells the total also where the page is empty.
  const rows = await run<SdResult & { $total: number }>(
    db,
    `${results}, found as materialized (select * from result ${matches.length > 0 ? `where ${matches.join(' and ')}` : ''})
     select t.total as "$total", f.* from (select count(*)::int as total from found) t
       left join lateral (select ${COLUMNS} from found ${order} ${limit}) f on true ${order}`,
    values,
  )
  const data = rows.flatMap(({ $total: _total, ...row }) => (row.uid ? [row] : []))
  return { data, page, pageSize, total: rows[0]?.$total ?? 0, program: name, zone: span.zone }
}

/** The totals, and every address for the map. */
export async function sdSummary(db: Db, scope: Scope, query: SdAsked): Promise<SdSummary> {
  await programOf(db, scope, query.program)
  const span = await spanOf(db, query)
  const values = new Values()
  const [row] = await run<{ totals: SdSummary['totals']; places: SdPlaceResult[] | null; first: string; last: string }>(
    db,
    `${resultsOf(values, query, span)}
     select json_build_object(
              'addresses', count(*), 'reached', count(*) filter (where approaches > 0), 'approaches', coalesce(sum(approaches), 0),
              'missed', coalesce(sum(missed), 0), 'plays', coalesce(sum(plays), 0),
              'seconds', floor(coalesce(sum(ms), 0) / 1000),
              'trucks', (select count(*) from (select truck_uid from visit union select truck_uid from shown) t)) as totals,
            min("firstAt") as first, max("lastAt") as last,
            json_agg(json_build_object('uid', uid, 'label', label, 'latitude', latitude, 'longitude', longitude,
                                       'radiusM', "radiusM", 'approaches', approaches, 'missed', missed, 'plays', plays)
                     order by plays desc, label) as places
       from result`,
    values,
  )
  if (!row) throw new Error('A summary has one row.')
  return {
    zone: span.zone,
    totals: { ...row.totals, firstAt: row.first, lastAt: row.last },
    places: row.places ?? [],
  }
}
