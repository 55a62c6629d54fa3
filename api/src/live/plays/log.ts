import { type adLog, LATE_PLAY_MINUTES, type LoggedPlay, type Page, type QueryOf } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot } from '../../platform/db/connection.ts'
import { allOf } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { requireMarket, requireProgram, truckMatches } from './report-filters.ts'
import { NO_UID } from './rollup.ts'
import { playsOfGrades } from './totals.ts'

export type PlayLogQuery = QueryOf<typeof adLog.list>

/** A query of plays, with or without a shift. */
export interface PlayFilter extends Pick<PlayLogQuery, 'page' | 'pageSize' | 'sort' | 'search' | 'market' | 'shift'> {
  program?: string | undefined
  truck?: readonly string[] | undefined
  side?: PlayLogQuery['side']
  grade?: PlayLogQuery['grade']
  from?: string | undefined
  to?: string | undefined
  /** Plays without a shift are in a report of their own. */
  isUnassigned?: boolean
}
type Direction = 'asc' | 'desc'

const HAS_SHIFT = { h: sql`h.market_uid <> ${NO_UID}`, p: sql`p.market_uid is not null` }
const HAS_NO_SHIFT = { h: sql`h.market_uid = ${NO_UID}`, p: sql`p.market_uid is null` }

/** The conditions that hours `h` and plays `p` share. */
function matchesQuery(query: PlayFilter, row: 'h' | 'p'): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const { program, market, shift, truck, side, from, to } = query
  return allOf([
    (query.isUnassigned ? HAS_NO_SHIFT : HAS_SHIFT)[row],
    ...(program ? [sql`${column('program_uid')} = ${program}`] : []),
    ...truckMatches(query.search, column('truck_uid')),
    ...(market ? [sql`${column('market_uid')} = ${market}`] : []),
    ...(shift ? [sql`${column('shift_uid')} = ${shift}`] : []),
    ...(truck ? [sql`${column('truck_uid')} = any(${truck}::uuid[])`] : []),
    ...(side ? [sql`${column('side')} = any(${side}::text[])`] : []),
    ...(from ? [sql`${column('day')} >= ${from}::date`] : []),
    ...(to ? [sql`${column('day')} <= ${to}::date`] : []),
  ])
}

const directionOf = ({ sort }: Pick<PlayLogQuery, 'sort'>): Direction => (sort === 'startedAt' ? 'asc' : 'desc')

/** Plays in the order of their times; three sides begin at the same moment. */
export function orderOfPlays(query: Pick<PlayLogQuery, 'sort'>): RawBuilder<unknown> {
  const direction = sql.raw(directionOf(query))
  return sql`order by p.started_at ${direction}, p.device_uid ${direction}, p.play_id collate "C" ${direction}`
}

/** Hours of the rollup that a query leaves and whose plays are still kept one by one. */
const keptHours = (query: PlayFilter) => sql`
  play_hour h where ${matchesQuery(query, 'h')} and h.hour >= (select plays_kept_since())`

interface PagePlace {
  total: number
  /** The hours that the page lies in; null past the end. */
  first: string | null
  last: string | null
  /** How many plays come before the first of these hours. */
  before: number
}

/** Finds a page by the rollup alone: the last page is found as fast as the first. */
async function locatePage(db: Db, query: PlayFilter): Promise<PagePlace> {
  const offset = (query.page - 1) * query.pageSize
  const { rows } = await sql<PagePlace>`
    with hours as materialized (
      select h.hour, sum(${playsOfGrades(query.grade)})::bigint as plays from ${keptHours(query)} group by h.hour
    ), placed as (
      select hour, plays, sum(plays) over (order by hour ${sql.raw(directionOf(query))}) - plays as before from hours
    )
    select coalesce((select sum(plays) from hours), 0)::bigint as total, min(hour) as first, max(hour) as last,
           coalesce(min(before), 0)::bigint as before
      from placed where before < ${offset + query.pageSize}::bigint and before + plays > ${offset}::bigint`.execute(db)
  return rows[0] ?? { total: 0, first: null, last: null, before: 0 }
}

/** Whether a play `p` matches a query and lies between two moments. */
export const playsWhere = (query: PlayFilter, from: string, until: string): RawBuilder<unknown> =>
  allOf([
    matchesQuery(query, 'p'),
    sql`p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz`,
    ...(query.grade ? [sql`p.grade = any(${query.grade}::text[])`] : []),
  ])

/** The rows that a play refers to. */
export const PLAY_JOINS = sql.raw(`
  join market m on m.uid = p.market_uid join truck t on t.uid = p.truck_uid
  join artwork_set w on w.uid = p.artwork_set_uid left join known_sd_address a on a.uid = p.address_uid`)

export const IS_LATE_PLAY = `(p.received_at - p.started_at > interval '${LATE_PLAY_MINUTES} minutes')`

const COLUMNS =
  sql.raw(`p.device_uid || ' ' || p.play_id as uid, p.started_at as "startedAt", p.day, p.shift_uid as "shiftUid", m.zone,
  json_build_object('uid', m.uid, 'name', m.name) as market, json_build_object('uid', t.uid, 'name', t.number) as truck,
  p.side, json_build_object('uid', w.uid, 'name', w.name) as artwork, p.duration_ms as "durationMs",
  case when p.address_uid is not null
       then json_build_object('uid', p.address_uid, 'name', coalesce(a.label, 'Unknown address')) end as address,
  p.latitude, p.longitude, p.grade, p.reason, p.sequence, p.received_at as "receivedAt", ${IS_LATE_PLAY} as "isLate"`)

const HOUR_MS = 3_600_000
const hourAfter = (hour: string) => new Date(Date.parse(hour) + HOUR_MS).toISOString()

/** The columns of a list of plays, and the rows that they refer to. */
interface PlayList {
  columns: RawBuilder<unknown>
  joins: RawBuilder<unknown>
}

// Not prepared: only the days asked for are touched when their times are known to the planner.
async function readPage<Row>(
  db: Db,
  query: PlayFilter,
  { first, last, before }: PagePlace,
  { columns, joins }: PlayList,
): Promise<Row[]> {
  if (first === null || last === null) return []
  const order = orderOfPlays(query)
  const skipped = (query.page - 1) * query.pageSize - before
  const { rows } = await sql<Row>`
    select ${columns} from (
      select p.* from play p where ${playsWhere(query, first, hourAfter(last))}
       ${order} limit ${sql.lit(query.pageSize)} offset ${sql.lit(skipped)}) p ${joins} ${order}`.execute(db)
  return rows
}

/** A page of plays with the exact total, both of the same moment. */
export const pageOf = <Row>(db: Db, query: PlayFilter, list: PlayList): Promise<Page<Row>> =>
  inSnapshot(db, async (db) => {
    const place = await locatePage(db, query)
    const data = await readPage<Row>(db, query, place, list)
    return { data, page: query.page, pageSize: query.pageSize, total: place.total }
  })

/** A page of the ad log. */
export async function pageOfPlays(db: Db, scope: Scope, query: PlayLogQuery): Promise<Page<LoggedPlay>> {
  await requireProgram(db, scope, query.program)
  await requireMarket(db, query.market)
  return pageOf<LoggedPlay>(db, query, { columns: COLUMNS, joins: PLAY_JOINS })
}

/** The days (UTC) that have plays to read, in the order of the query. */
export async function daysWithPlays(db: Db, query: PlayFilter): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct date_trunc('day', h.hour) as day from ${keptHours(query)}
     order by day ${sql.raw(directionOf(query))}`.execute(db)
  return rows.map(({ day }) => day)
}

const DAY_MS = 86_400_000
export const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString()

const AT_ONCE = 2000

/** Rows of many days, day by day: each statement touches one day, and plays that arrive meanwhile move no others. */
export async function* streamDays<Row>(
  db: Db,
  days: readonly string[],
  select: (from: string, until: string) => RawBuilder<Row>,
): AsyncGenerator<Row> {
  for (const day of days) {
    const statement = select(day, dayAfter(day)).compile(db)
    for await (const { rows } of db.getExecutor().stream<Row>(statement, AT_ONCE)) yield* rows
  }
}
