import type { PlayFigures, TruckSide } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { hoursOf } from './address-hour-table.ts'
import { type DayTotalsQuery, isAmong, matchesQuery, onDays } from './play-filter.ts'
import { selectUnstored } from './unstored.ts'

/** Numbers of plays, and how long they lasted together. */
export interface PlayCounts {
  plays: number
  verified: number
  conflict: number
  /** Unverified plays whose truck sent no positions at the time. */
  noTrack: number
  ms: number
}

/** Sums over hours `h`, and sums of those: the columns of counted plays. */
export const HOUR_SUMS = sql.raw(`sum(h.plays) as plays, sum(h.verified) as verified, sum(h.conflict) as conflict,
  sum(h.no_track) as no_track, sum(h.duration_ms) as ms`)
export const COUNTS =
  sql.raw(`sum(plays)::bigint as plays, sum(verified)::bigint as verified, sum(conflict)::bigint as conflict,
  sum(no_track)::bigint as "noTrack", sum(ms)::bigint as ms`)

/** The figures of counted plays; seconds are rounded once, as everywhere. */
export const playFiguresOf = ({ plays, ms, verified, conflict }: PlayCounts): PlayFigures => ({
  plays,
  seconds: Math.floor(ms / 1000),
  verified,
  unverified: plays - verified - conflict,
  conflict,
})

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
  duplicates: number
  unassigned: number
  /** Jumps of counters that no one has decided on. They are no numbers until then. */
  jumps: number
}

export interface PeriodTotals {
  zones: string[]
  keptSince: string | null
  groups: GroupTotal[]
  others: OtherTotal[]
}

/** Plays by day, side and truck together. */
const sumPlays = (query: DayTotalsQuery, client: string | null): SqlFragment => sql`
  select h.day, h.side, h.truck_uid as truck, ${HOUR_SUMS}
    from ${hoursOf(query)} where ${matchesQuery(query, 'h', client)} group by h.day, h.side, h.truck_uid`

/** Plays without a shift, by day and truck. They have no market. */
const sumUnassigned = (query: DayTotalsQuery, client: string | null): SqlFragment => sql`
  select h.day, h.truck_uid, 'unassigned' as kind, h.plays as numbers
    from play_hour h where ${matchesQuery({ ...query, isUnassigned: true }, 'h', client)}`

const sumOfKind = (kind: string): SqlFragment =>
  sql`coalesce(sum(n.numbers) filter (where n.kind = ${sql.lit(kind)}), 0)::bigint`

/** The zones of the markets that a query is about. */
function selectZones(query: DayTotalsQuery): SqlFragment {
  const { program, market, shift, from, to } = query
  const since = from ?? sql`(select min(starts_on) from client_program where uid = any(${program}::uuid[]))`
  const played = allOf([isAmong(sql`h.program_uid`, program ?? []), ...onDays(sql`h.day`, query)])
  const ofPrograms = sql`m.uid in (
    select market_uid from program_market where program_uid = any(${program}::uuid[]) union
    select market_uid from play_hour h where ${played})`
  const ofAll = program ? ofPrograms : sql`m.deleted_at is null`
  if (shift) {
    return sql`select zone_on(m.zone, m.earlier_zones, s.local_date) as zone
                 from shift s join market m on m.uid = s.market_uid where s.uid = ${shift}`
  }
  return sql`select distinct z.zone from market m
              cross join zones_between(m.zone, m.earlier_zones, ${since}::date, ${to ?? null}::date) z (zone)
              where ${market ? sql`m.uid = any(${market}::uuid[])` : ofAll}`
}

/** The zones of the markets that a query is about, in order. */
export async function zonesOfPlays(db: Db, query: DayTotalsQuery): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`${selectZones(query)} order by 1`.execute(db)
  return rows.map(({ zone }) => zone)
}

interface Found {
  /** Whether the programs and markets of the query exist for its reader. */
  hasRecords: boolean
  zones: string[] | null
  keptSince: string | null
  groups: GroupTotal[] | null
  others: OtherTotal[] | null
}

/** Whether all of these records are among the rows of a table. */
const hasAll = (uids: readonly string[] | undefined, rows: (uids: readonly string[]) => SqlFragment): SqlFragment =>
  uids ? sql`(select count(*) from ${rows(uids)}) = ${new Set(uids).size}::int` : sql`true`

/** Everything in one prepared statement: a second question would take as long as the counting. */
export async function totalsByDay(db: Db, client: string | null, query: DayTotalsQuery): Promise<PeriodTotals> {
  const ofClient = client === null ? sql`` : sql`and client_uid = ${client}`
  const hasPrograms = hasAll(query.program, (uids) => sql`client_program where uid = any(${uids}::uuid[]) ${ofClient}`)
  const hasMarkets = hasAll(query.market, (uids) => sql`market where uid = any(${uids}::uuid[])`)
  const { rows } = await prepared(sql<Found>`
    with played as materialized (${sumPlays(query, client)}),
    groups as (
      select g.*, t.number from (
        select day, side, truck, ${COUNTS}
          from played group by grouping sets ((day), (side), (truck))) g
        left join truck t on t.uid = g.truck),
    numbers as (
      ${sumUnassigned(query, client)}
      union all select day, truck_uid, kind, numbers from (${selectUnstored(query, client)}) n),
    others as (
      select n.day, n.truck_uid as truck, t.number, ${sumOfKind('missing')} as missing, ${sumOfKind('rejected')} as rejected,
             ${sumOfKind('duplicate')} as duplicates, ${sumOfKind('unassigned')} as unassigned,
             count(*) filter (where n.kind = 'jump') as jumps
        from numbers n join truck t on t.uid = n.truck_uid group by 1, 2, 3
      having sum(n.numbers) > 0)
    select ${hasPrograms} and ${hasMarkets} as "hasRecords", (select array_agg(zone order by zone) from (${selectZones(query)}) z) as zones,
           plays_kept_since() as "keptSince", (select json_agg(g) from groups g) as groups,
           (select json_agg(o) from others o) as others`).execute(db)
  const [found] = rows
  if (!found?.hasRecords) throw new AppError('notFound')
  const { zones, keptSince, groups, others } = found
  return { zones: zones ?? [], keptSince, groups: groups ?? [], others: others ?? [] }
}
