import type { TruckSide } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { NO_UID } from './rollup.ts'

/** Numbers of plays, and how long they lasted together. */
export interface PlayCounts {
  plays: number
  verified: number
  conflict: number
  /** Unverified plays whose truck sent no positions at the time. */
  noTrack: number
  ms: number
}

/** Days of markets, and what their plays are filtered by. */
export interface DayTotalsQuery {
  program?: string | undefined
  market?: string | undefined
  shift?: string | undefined
  truck?: string[] | undefined
  side?: TruckSide[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Plays of one day, one side or one truck; the other two are null. */
export interface GroupTotal extends PlayCounts {
  day: string | null
  side: TruckSide | null
  truck: string | null
  number: string | null
}

/** Numbers that players used and that are no plays of a shift, by day and truck. */
export interface OtherTotal {
  day: string
  truck: string
  number: string
  missing: number
  rejected: number
  unassigned: number
}

export interface PeriodTotals {
  zones: string[]
  keptSince: string | null
  groups: GroupTotal[]
  others: OtherTotal[]
}

/** The days of a query. Without a program, the last week counts: all time of a fleet is too much. */
const onDays = (day: SqlFragment, { program, shift, from, to }: DayTotalsQuery): SqlFragment[] => {
  const since = from ?? (program || shift ? undefined : sql`(current_date - 7)`)
  return [...(since ? [sql`${day} >= ${since}::date`] : []), ...(to ? [sql`${day} <= ${to}::date`] : [])]
}

/** Conditions on the program and truck of rows, for a reader who is limited to the programs of a client or to nothing. */
function ofProgramAndTruck(row: 'h' | 's', { program, truck }: DayTotalsQuery, client: string | null): SqlFragment[] {
  const [programUid, truckUid] = [sql.ref(`${row}.program_uid`), sql.ref(`${row}.truck_uid`)]
  return [
    ...(program ? [sql`${programUid} = ${program}`] : []),
    ...(client !== null && !program
      ? [sql`${programUid} in (select uid from client_program where client_uid = ${client})`]
      : []),
    ...(truck ? [sql`${truckUid} = any(${truck}::uuid[])`] : []),
  ]
}

/** Plays by day, by side and by truck. */
function sumPlays(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const { market, shift, side } = query
  const conditions = [
    sql`h.market_uid <> ${NO_UID}`,
    ...ofProgramAndTruck('h', query, client),
    ...onDays(sql`h.day`, query),
    ...(market ? [sql`h.market_uid = ${market}`] : []),
    ...(shift ? [sql`h.shift_uid = ${shift}`] : []),
    ...(side ? [sql`h.side = any(${side}::text[])`] : []),
  ]
  return sql`
    select g.*, t.number from (
      select h.day, h.side, h.truck_uid as truck, sum(h.plays)::bigint as plays, sum(h.duration_ms)::bigint as ms,
             sum(h.verified)::bigint as verified, sum(h.conflict)::bigint as conflict, sum(h.no_track)::bigint as "noTrack"
        from play_hour h where ${allOf(conditions)}
       group by grouping sets ((h.day), (h.side), (h.truck_uid))) g
      left join truck t on t.uid = g.truck`
}

/** Plays without a shift, by day and truck. They have no market. */
function sumUnassigned(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const conditions = [
    sql`h.market_uid = ${NO_UID}`,
    ...(query.market || query.shift ? [sql`false`] : []),
    ...ofProgramAndTruck('h', query, client),
    ...onDays(sql`h.day`, query),
    ...(query.side ? [sql`h.side = any(${query.side}::text[])`] : []),
  ]
  return sql`select h.day, h.truck_uid, 0 as missing, 0 as rejected, h.plays as unassigned
               from play_hour h where ${allOf(conditions)}`
}

// Shifts start and stop no farther from their plan than this.
const AROUND = sql.raw(`interval '2 days'`)

/** Whether no other shift of the truck began later and also covers the moment: of two at once, the later one counts. */
const isLatestShift = (at: SqlFragment) => sql`not exists (
  select from shift o where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
     and o.starts_at between s.starts_at - ${AROUND} and s.starts_at + ${AROUND}
     and driven_hours(o) @> ${at} and lower(driven_hours(o)) > lower(driven_hours(s)))`

/** Missing and rejected numbers in shifts; a gap counts for the shift of the first play after it. */
function sumNumbersOfShifts(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const { market, shift } = query
  const conditions = allOf([
    sql`s.deleted_at is null`,
    ...ofProgramAndTruck('s', query, client),
    ...onDays(sql`s.local_date`, query),
    ...(market ? [sql`s.market_uid = ${market}`] : []),
    ...(shift ? [sql`s.uid = ${shift}`] : []),
  ])
  return sql`
    select s.local_date as day, s.truck_uid, missing_before(q.received + q.rejected, e.sequence) as missing, 0 as rejected,
           0 as unassigned
      from shift s join play_after_hole e on e.truck_uid = s.truck_uid
       and e.at >= lower(driven_hours(s)) and e.at < upper(driven_hours(s))
      join play_sequence q on q.device_uid = e.device_uid
     where ${conditions} and ${isLatestShift(sql`e.at`)}
    union all
    select s.local_date, s.truck_uid, 0, 1, 0
      from shift s join play_rejection r on r.truck_uid = s.truck_uid
       and r.at >= lower(driven_hours(s)) and r.at < upper(driven_hours(s))
     where ${conditions} and ${isLatestShift(sql`r.at`)}`
}

/** Missing and rejected numbers outside of any shift, where a report is about all programs. */
function sumNumbersOutside(query: DayTotalsQuery, client: string | null): RawBuilder<unknown> {
  const { program, market, shift, truck } = query
  if (client !== null || program || market || shift) return sql`select null::date, null::uuid, 0, 0, 0 where false`
  const ofTruck = truck ? [sql`n.truck_uid = any(${truck}::uuid[])`] : []
  const day = sql`(n.at at time zone coalesce(m.zone, 'UTC'))::date`
  // Times are limited as well, so that the index finds them.
  const since = sql`(${query.from ?? sql`(current_date - 7)`}::date - 1)`
  return sql`
    select ${day}, n.truck_uid, n.missing, n.rejected, 0
      from (select e.truck_uid, e.at, missing_before(q.received + q.rejected, e.sequence) as missing, 0 as rejected
              from play_after_hole e join play_sequence q on q.device_uid = e.device_uid where e.at >= ${since}
            union all
            select truck_uid, at, 0, 1 from play_rejection where at >= ${since}) n
      join truck t on t.uid = n.truck_uid left join market m on m.uid = t.home_market_uid
     where ${allOf([sql`true`, ...ofTruck, ...onDays(day, query)])}
       and not exists (select from shift s where s.truck_uid = n.truck_uid and s.deleted_at is null
                          and s.starts_at between n.at - ${AROUND} - ${AROUND} and n.at + ${AROUND}
                          and driven_hours(s) @> n.at)`
}

/** The zones of the markets that a query is about. */
function selectZones(query: DayTotalsQuery): RawBuilder<unknown> {
  const { program, market, shift } = query
  const played = allOf([sql`h.program_uid = ${program}`, ...onDays(sql`h.day`, query)])
  const ofProgram = sql`m.uid in (
    select market_uid from program_market where program_uid = ${program} union
    select market_uid from play_hour h where ${played})`
  const ofAll = program ? ofProgram : sql`m.deleted_at is null`
  const ofShift = sql`m.uid = (select market_uid from shift where uid = ${shift})`
  return sql`select distinct m.zone from market m
              where ${market ? sql`m.uid = ${market}` : shift ? ofShift : ofAll}`
}

/** The zones of the markets that a query is about, in order. */
export async function zonesOfPlays(db: Db, query: DayTotalsQuery): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`${selectZones(query)} order by 1`.execute(db)
  return rows.map(({ zone }) => zone)
}

interface Found {
  hasProgram: boolean
  zones: string[] | null
  keptSince: string | null
  groups: GroupTotal[] | null
  others: OtherTotal[] | null
}

/** Everything in one prepared statement: a second question would take as long as the counting. */
export async function totalsByDay(db: Db, client: string | null, query: DayTotalsQuery): Promise<PeriodTotals> {
  const { program } = query
  const ofClient = client === null ? sql`` : sql`and client_uid = ${client}`
  const hasProgram = program ? sql`exists (select from client_program where uid = ${program} ${ofClient})` : sql`true`
  const { rows } = await prepared(sql<Found>`
    with groups as (${sumPlays(query, client)}),
    numbers as (
      ${sumUnassigned(query, client)} union all ${sumNumbersOfShifts(query, client)}
      union all ${sumNumbersOutside(query, client)}),
    others as (
      select n.day, n.truck_uid as truck, t.number, sum(n.missing)::bigint as missing, sum(n.rejected)::bigint as rejected,
             sum(n.unassigned)::bigint as unassigned
        from numbers n join truck t on t.uid = n.truck_uid group by 1, 2, 3
      having sum(n.missing + n.rejected + n.unassigned) > 0)
    select ${hasProgram} as "hasProgram", (select array_agg(zone order by zone) from (${selectZones(query)}) z) as zones,
           plays_kept_since() as "keptSince", (select json_agg(g) from groups g) as groups,
           (select json_agg(o) from others o) as others`).execute(db)
  const [found] = rows
  if (!found?.hasProgram || (query.market && !found.zones)) throw new AppError('notFound')
  const { zones, keptSince, groups, others } = found
  return { zones: zones ?? [], keptSince, groups: groups ?? [], others: others ?? [] }
}
