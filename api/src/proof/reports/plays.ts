import {
  type adLog,
  LATE_PLAY_MINUTES,
  type LoggedPlay,
  type Page,
  type PopGrade,
  type QueryOf,
} from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { type Db, inSnapshot } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { ofTrucks, programOf, type Span, spansOf, within } from './spans.ts'

export type PlayQuery = QueryOf<typeof adLog.list>

/** How many plays of an hour have one of these grades. */
const COUNTED: Record<PopGrade, string> = {
  verified: 'h.verified',
  conflict: 'h.conflict',
  unverified: 'h.plays - h.verified - h.conflict',
}
const counted = (grades: PopGrade[] | undefined) =>
  grades ? [...new Set(grades)].map((grade) => COUNTED[grade]).join(' + ') : 'h.plays'

/** What hours and plays are chosen by alike. */
function chosen(values: Values, { program, truck, side, search }: PlayQuery, of: 'h' | 'p'): string {
  const conditions = [`${of}.program_uid = ${values.add(program)}`, ...ofTrucks(values, search, `${of}.truck_uid`)]
  if (truck) conditions.push(`${of}.truck_uid = any(${values.add(truck)}::uuid[])`)
  if (side) conditions.push(`${of}.side = any(${values.add(side)}::text[])`)
  return conditions.join(' and ')
}

export const wayOf = ({ sort }: Pick<PlayQuery, 'sort'>) => (sort === 'startedAt' ? 'asc' : 'desc')

/** Plays in their order: three sides begin at the same moment. */
export const orderOf = (way: 'asc' | 'desc') =>
  `order by p.started_at ${way}, p.device_uid ${way}, p.play_id collate "C" ${way}`

interface Place {
  total: number
  /** The hours that the page lies in, and how many plays come before the first of them; null past the end. */
  first: string | null
  last: string | null
  before: number
}

/** Where a page is, by the hours alone: the last page is found as fast as the first. */
async function placeOf(db: Db, query: PlayQuery, spans: readonly Span[]): Promise<Place> {
  const values = new Values()
  const offset = values.add((query.page - 1) * query.pageSize)
  const end = values.add(query.page * query.pageSize)
  const statement = `
    with hours as materialized (
      select h.hour, sum(${counted(query.grade)})::bigint as plays from play_hour h
       where ${chosen(values, query, 'h')} and ${within(values, spans, 'h.market_uid', 'h.hour')}
         and h.hour >= (select plays_kept_since())
       group by h.hour
    ), placed as (
      select hour, plays, sum(plays) over (order by hour ${wayOf(query)}) - plays as before from hours
    )
    select coalesce((select sum(plays) from hours), 0)::bigint as total, min(hour) as first, max(hour) as last,
           coalesce(min(before), 0)::bigint as before
      from placed where before < ${end}::bigint and before + plays > ${offset}::bigint`
  const { rows } = await db.executeQuery<Place>(CompiledQuery.raw(statement, values.list))
  return rows[0] ?? { total: 0, first: null, last: null, before: 0 }
}

/** Plays `p` that a query leaves between two hours. */
export function playsWhere(
  values: Values,
  query: PlayQuery,
  spans: readonly Span[],
  from: string,
  until: string,
): string {
  const conditions = [
    chosen(values, query, 'p'),
    `p.started_at >= ${values.add(from)}::timestamptz and p.started_at < ${values.add(until)}::timestamptz`,
    within(values, spans, 'p.market_uid', 'p.started_at'),
  ]
  if (query.grade) conditions.push(`p.grade = any(${values.add(query.grade)}::text[])`)
  return conditions.join(' and ')
}

/** What a play refers to. */
export const PLAY_JOINS = `
  join market m on m.uid = p.market_uid join truck t on t.uid = p.truck_uid
  join artwork_set w on w.uid = p.artwork_set_uid left join known_sd_address a on a.uid = p.address_uid`

export const IS_LATE = `(p.received_at - p.started_at > interval '${LATE_PLAY_MINUTES} minutes')`

const COLUMNS = `p.device_uid || ' ' || p.play_id as uid, p.started_at as "startedAt", m.zone,
  json_build_object('uid', m.uid, 'name', m.name) as market, json_build_object('uid', t.uid, 'name', t.number) as truck,
  p.side, json_build_object('uid', w.uid, 'name', w.name) as artwork, p.duration_ms as "durationMs",
  case when p.address_uid is not null
       then json_build_object('uid', p.address_uid, 'name', coalesce(a.label, 'Unknown address')) end as address,
  p.latitude, p.longitude, p.grade, p.sequence, p.received_at as "receivedAt", ${IS_LATE} as "isLate"`

const HOUR_MS = 3_600_000
const hourAfter = (hour: string) => new Date(Date.parse(hour) + HOUR_MS).toISOString()

// Not prepared: only the days asked for are touched when their times are known to the planner.
async function playsAt(db: Db, query: PlayQuery, spans: readonly Span[], place: Place): Promise<LoggedPlay[]> {
  if (place.first === null || place.last === null) return []
  const values = new Values()
  const order = orderOf(wayOf(query))
  const skipped = (query.page - 1) * query.pageSize - place.before
  const statement = `
    select ${COLUMNS} from (
      select p.* from play p where ${playsWhere(values, query, spans, place.first, hourAfter(place.last))}
       ${order} limit ${query.pageSize} offset ${skipped}) p ${PLAY_JOINS} ${order}`
  return (await db.executeQuery<LoggedPlay>(CompiledQuery.raw(statement, values.list))).rows
}

/** A page of plays with the exact total, both of the same moment. */
export async function pageOfPlays(db: Db, scope: Scope, query: PlayQuery): Promise<Page<LoggedPlay>> {
  await programOf(db, scope, query.program)
  return inSnapshot(db, async (db) => {
    const spans = await spansOf(db, query)
    const place = await placeOf(db, query, spans)
    const data = await playsAt(db, query, spans, place)
    return { data, page: query.page, pageSize: query.pageSize, total: place.total }
  })
}

/** The days (UTC) on which there are plays to read, in the order that was asked for. */
export async function daysOfPlays(db: Db, query: PlayQuery, spans: readonly Span[]): Promise<string[]> {
  const values = new Values()
  const statement = `
    select distinct date_trunc('day', h.hour) as day from play_hour h
     where ${chosen(values, query, 'h')} and ${within(values, spans, 'h.market_uid', 'h.hour')}
       and h.hour >= (select plays_kept_since())
     order by day ${wayOf(query)}`
  const { rows } = await db.executeQuery<{ day: string }>(CompiledQuery.raw(statement, values.list))
  return rows.map(({ day }) => day)
}
