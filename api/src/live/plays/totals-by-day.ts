import type { TruckSide } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { selectZoneHours } from './zone-hours.ts'

/** Numbers of plays, and how long they lasted together. */
export interface PlayCounts {
  plays: number
  verified: number
  conflict: number
  ms: number
}

/** Local days, and what their plays are filtered by. */
export interface DayTotalsQuery {
  program?: string | undefined
  market?: string | undefined
  truck?: string[] | undefined
  side?: TruckSide[] | undefined
  from: string
  to: string
}

/** Plays of one day, one side or one truck; the other two are null. */
export interface GroupTotal extends PlayCounts {
  day: string | null
  side: TruckSide | null
  truck: string | null
  number: string | null
}

/** Plays that a player counted and that never arrived. */
export interface MissingTotal {
  day: string
  truck: string
  number: string
  missing: number
}

export interface PeriodTotals {
  zones: string[]
  keptSince: string | null
  groups: GroupTotal[]
  missing: MissingTotal[]
}

/** Conditions on rows `h` or `s`, for a reader who is limited to the programs of a client or to nothing. */
function conditionsOn(row: 'h' | 's', { program, truck }: DayTotalsQuery, client: string | null) {
  const [programUid, truckUid] = [sql.ref(`${row}.program_uid`), sql.ref(`${row}.truck_uid`)]
  return [
    ...(program ? [sql`${programUid} = ${program}`] : []),
    ...(client !== null && !program
      ? [sql`${programUid} in (select uid from client_program where client_uid = ${client})`]
      : []),
    ...(truck ? [sql`${truckUid} = any(${truck}::uuid[])`] : []),
  ]
}

const allOf = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)

/**
 * Plays by hour, by side and by truck. Hours are looked up by time alone, all at once (offset 0), and assigned to
 * markets afterwards.
 */
const sumHours = (conditions: RawBuilder<unknown>[]) => sql`
  select h.hour, p.zone, h.side, h.truck_uid, sum(h.plays) as plays, sum(h.duration_ms)::bigint as ms,
         sum(h.verified) as verified, sum(h.conflict) as conflict
    from (select * from play_hour h
           where ${allOf([
             ...conditions,
             sql`h.hour >= (select min("from") from span) and h.hour < (select max(until) from span)`,
           ])} offset 0) h
    join place p on p.market_uid = h.market_uid and h.hour >= p."from" and h.hour < p.until
   group by grouping sets ((h.hour, p.zone), (h.side), (h.truck_uid))`

/** The same by day instead of hour. Finding the local day of an hour is slower than summing, so it is done once an hour. */
const SUM_DAYS = sql.raw(`
  select g.*, t.number from (
    select (a.hour at time zone a.zone)::date as day, a.side, a.truck_uid as truck, sum(a.plays)::bigint as plays,
           sum(a.ms)::bigint as ms, sum(a.verified)::bigint as verified, sum(a.conflict)::bigint as conflict
      from added a group by 1, 2, 3) g
    left join truck t on t.uid = g.truck`)

/** Missing plays, assigned to the shift of the first play after them; of two shifts at once, to the later one. */
const sumMissing = (conditions: RawBuilder<unknown>[]) => sql`
  select (date_trunc('hour', e.at) at time zone p.zone)::date as day, e.truck_uid as truck, t.number,
         sum(missing_before(q.received, e.sequence))::bigint as missing
    from shift s join place p on p.market_uid = s.market_uid join truck t on t.uid = s.truck_uid
    join play_after_hole e on e.truck_uid = s.truck_uid and e.at >= p."from" and e.at < p.until
     and e.at >= lower(driven_hours(s)) and e.at < upper(driven_hours(s))
    join play_sequence q on q.device_uid = e.device_uid
   where ${allOf([
     ...conditions,
     // Shifts start and stop no farther from their plan than this.
     sql`s.starts_at >= (select min("from") from span) - interval '2 days'`,
     sql`s.starts_at < (select max(until) from span) + interval '2 days'`,
   ])}
     and s.deleted_at is null
     and not exists (select from shift o where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
                        and o.starts_at between s.starts_at - interval '2 days' and s.starts_at + interval '2 days'
                        and driven_hours(o) @> e.at and lower(driven_hours(o)) > lower(driven_hours(s)))
   group by 1, 2, 3 having sum(missing_before(q.received, e.sequence)) > 0`

interface Found {
  hasProgram: boolean
  zones: string[] | null
  keptSince: string | null
  groups: GroupTotal[] | null
  missing: MissingTotal[] | null
}

/** Everything in one prepared statement: a second question would take as long as the counting. */
export async function totalsByDay(db: Db, client: string | null, query: DayTotalsQuery): Promise<PeriodTotals> {
  const { program, side } = query
  const ofClient = client === null ? sql`` : sql`and client_uid = ${client}`
  const hasProgram = program ? sql`exists (select from client_program where uid = ${program} ${ofClient})` : sql`true`
  const hours = [...conditionsOn('h', query, client), ...(side ? [sql`h.side = any(${side}::text[])`] : [])]
  const { rows } = await prepared(sql<Found>`
    with span as materialized (${selectZoneHours(query)}),
    place as (select unnest(markets) as market_uid, zone, "from", until from span),
    added as (${sumHours(hours)}),
    groups as (${SUM_DAYS}),
    holes as (${sumMissing(conditionsOn('s', query, client))})
    select ${hasProgram} as "hasProgram", (select array_agg(zone order by zone) from span) as zones,
           plays_kept_since() as "keptSince", (select json_agg(g) from groups g) as groups,
           (select json_agg(h) from holes h) as missing`).execute(db)
  const [found] = rows
  if (!found?.hasProgram || (query.market && !found.zones)) throw new AppError('notFound')
  const { zones, keptSince, groups, missing } = found
  return { zones: zones ?? [], keptSince, groups: groups ?? [], missing: missing ?? [] }
}
