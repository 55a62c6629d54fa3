import { type adLog, hoursOfSpan, type Page, type QueryOf, type UnstoredNumbers } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type DayTotalsQuery, isAmong, ofProgramAndTruck, onDays } from './play-filter.ts'
import { withClocks } from './market-clocks.ts'
import { clientLimit, truckMatches } from './report-filters.ts'

/** A gap `g` counts for the truck and the time of the play `e` after it. */
const GAP_BEFORE = sql`play_gap g on g.device_uid = e.device_uid and g.next = e.sequence`
const gapColumns = sql`e.device_uid, e.sequence, e.at, case when g.is_jump then 'jump' else 'missing' end as kind,
           g.next - g.first as numbers, null::text as reason`
const rowColumns = sql`r.device_uid, r.sequence, r.at, case when r.is_duplicate then 'duplicate' else 'rejected' end as kind,
           1 as numbers, r.reason`

/** Gaps and rejections of shifts. */
function ofShifts(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const { market, shift, driver } = query
  const conditions = allOf([
    sql`s.deleted_at is null`,
    ...ofProgramAndTruck('s', query, client),
    ...onDays(sql`s.local_date`, query),
    ...(market ? [isAmong(sql`s.market_uid`, market)] : []),
    ...(shift ? [sql`s.uid = ${shift}`] : []),
    ...(driver ? [isAmong(sql`s.driver_uid`, driver)] : []),
  ])
  return sql`
    select s.local_date as day, s.truck_uid, s.zone, ${gapColumns}
      from shift s join truck_hold h on h.shift_uid = s.uid
      join play_after_hole e on e.truck_uid = h.truck_uid and e.at >= lower(h.during) and e.at < upper(h.during)
      join ${GAP_BEFORE}
     where ${conditions}
    union all
    select s.local_date, s.truck_uid, s.zone, ${rowColumns}
      from shift s join truck_hold h on h.shift_uid = s.uid
      join play_rejection r on r.truck_uid = h.truck_uid and r.at >= lower(h.during) and r.at < upper(h.during)
     where ${conditions}`
}

/** Gaps and rejections outside of any shift, where a report is about all programs. */
function outsideShifts(query: DayTotalsQuery): RawBuilder<unknown> {
  const ofTruck = query.truck ? [sql`n.truck_uid = any(${query.truck}::uuid[])`] : []
  const zone = sql`coalesce(zone_at(m.zone, m.earlier_zones, n.at), 'UTC')`
  const day = sql`(n.at at time zone ${zone})::date`
  // Times are limited as well, so that the index finds them.
  const since = sql`(${query.from ?? sql`(current_date - 7)`}::date - 1)`
  return sql`
    select ${day}, n.truck_uid, ${zone}, n.device_uid, n.sequence, n.at, n.kind, n.numbers, n.reason
      from (select e.truck_uid, ${gapColumns}
              from play_after_hole e join ${GAP_BEFORE}
             where e.at >= ${since}
            union all
            select r.truck_uid, ${rowColumns} from play_rejection r where r.at >= ${since}) n
      join truck t on t.uid = n.truck_uid left join market m on m.uid = t.home_market_uid
     where ${allOf([sql`true`, ...ofTruck, ...onDays(day, query)])}
       and not exists (select from truck_hold h where h.truck_uid = n.truck_uid and h.during @> n.at)`
}

/** Every gap, duplicate and rejected row that a report counts: the sums of the ad log and the list behind them read the same rows. */
export function selectUnstored(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const isOfShifts = client !== null || query.program || query.client || query.market || query.shift || query.driver
  const all = isOfShifts ? ofShifts(query, client) : sql`${ofShifts(query, client)} union all ${outsideShifts(query)}`
  const hours = hoursOfSpan(query)
  if (!hours) return all
  return sql`select n.* from (${all}) n where extract(hour from n.at at time zone n.zone)::int = any(${hours}::int[])`
}

type Query = QueryOf<typeof adLog.unstored>

/**
 * A page of the rows behind the figures, and how many numbers all of them are. Jumps come first: they are a question, and no
 * figure until it is answered.
 */
export async function pageOfUnstored(
  db: Db,
  scope: Scope,
  query: Query,
): Promise<Page<UnstoredNumbers> & { numbers: number }> {
  const { page, pageSize, sort, search, kind, ...rest } = query
  const filter = await withClocks(db, rest)
  const conditions = [
    ...(kind ? [sql`u.kind = any(${kind}::text[])`] : []),
    ...truckMatches(search, sql.ref('u.truck_uid')),
  ]
  const matches = allOf([sql`true`, ...conditions])
  const direction = sql.raw(sort === 'at' ? 'asc' : 'desc')
  const { rows } = await sql<{ data: UnstoredNumbers[]; total: number; numbers: number }>`
    with u as materialized (
      select n.*, n.kind in ('missing', 'jump') as is_gap, row_number() over (partition by n.device_uid, n.sequence, n.kind) as place
        from (${selectUnstored(filter, clientLimit(scope))}) n
    ), chosen as (
      select concat_ws(' ', u.device_uid, u.kind, u.sequence, u.place) as uid, u.kind, u.day,
             ${utcText('u.at')} as at, u.zone,
             json_build_object('uid', t.uid, 'name', t.number) as truck, u.device_uid as "deviceUid",
             case when u.is_gap then u.sequence - u.numbers else u.sequence end as "from",
             case when u.is_gap then u.sequence - 1 else u.sequence end as "to", u.reason
        from u join truck t on t.uid = u.truck_uid where ${matches}
       order by u.kind = 'jump' desc, u.at ${direction}, u.device_uid, u.sequence, u.reason
       limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}
    )
    select coalesce((select json_agg(chosen) from chosen), '[]') as data,
           (select count(*) from u where ${matches}) as total,
           (select coalesce(sum(numbers), 0)::bigint from u where ${matches} and kind <> 'jump') as numbers`.execute(db)
  const { data = [], total = 0, numbers = 0 } = rows[0] ?? {}
  return { data, page, pageSize, total, numbers }
}
