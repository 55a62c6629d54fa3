import { rm } from 'node:fs/promises'
import { formatDay, LATE_PLAY_MINUTES, type LoggedPlay, type Page, formatCount } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot } from '../../platform/db/connection.ts'
import { CopyTransaction } from '../../platform/db/copy.ts'
import { releaseLocksAfter, windowsOf } from '../../platform/db/partitions.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { playVerifiers } from '../evidence/index.ts'
import { hoursOf } from './address-hour-table.ts'
import { countOldAddressPlays, withAddressHours } from './address-hours.ts'
import { type ArchivedPart, findArchived, playsOfJson, readArchived, streamArchivedDay } from './archive/read.ts'
import { type PlayWindow, windowOfDays } from './archive/rules.ts'
import type { PlayStores } from './archive/stores.ts'
import { readKeptSince } from './kept-since.ts'
import {
  directionOf,
  matchesQuery,
  orderOfPlays,
  type PlayFilter,
  type PlayLogQuery,
  playsWhere,
} from './play-filter.ts'
import { resolveFilter } from './resolve-filter.ts'
import { playsOfGrades } from './totals.ts'

/** Hours of the rollup that a query leaves and whose plays are still kept one by one. */
const keptHours = (query: PlayFilter, since: string) => sql`
  ${hoursOf(query)} where ${matchesQuery(query, 'h')} and h.hour >= ${since}::timestamptz`

interface PageOffset {
  total: number
  /** The hours that the page lies in; null past the end. */
  first: string | null
  last: string | null
  /** How many plays come before the first of these hours. */
  before: number
}

/** Finds a page by the rollup alone: the last page is found as fast as the first. */
async function locatePage(db: Db, query: PlayFilter): Promise<PageOffset> {
  const offset = (query.page - 1) * query.pageSize
  const since = await readKeptSince(db)
  const { rows } = await sql<PageOffset>`
    with hours as materialized (
      select h.hour, sum(${playsOfGrades(query.grade)})::bigint as plays from ${keptHours(query, since)} group by h.hour
    ), placed as (
      select hour, plays, sum(plays) over (order by hour ${sql.raw(directionOf(query))}) - plays as before from hours
    )
    select coalesce((select sum(plays) from hours), 0)::bigint as total, min(hour) as first, max(hour) as last,
           coalesce(min(before), 0)::bigint as before
      from placed where before < ${offset + query.pageSize}::bigint and before + plays > ${offset}::bigint`.execute(db)
  return rows[0] ?? { total: 0, first: null, last: null, before: 0 }
}

/** The rows that a play refers to. */
export const PLAY_JOINS = sql.raw(`
  join market m on m.uid = p.market_uid join truck t on t.uid = p.truck_uid join client_program g on g.uid = p.program_uid
  join artwork_set w on w.uid = p.artwork_set_uid left join known_sd_address a on a.uid = p.address_uid`)

export const IS_LATE_PLAY = `(p.received_at - p.started_at > interval '${LATE_PLAY_MINUTES} minutes')`

/** The columns of a play in the ad log and in feeds. */
export const PLAY_COLUMNS =
  sql.raw(`p.device_uid || ' ' || p.play_id as uid, p.started_at as "startedAt", p.day, p.shift_uid as "shiftUid",
  zone_on(m.zone, m.earlier_zones, p.day) as zone,
  json_build_object('uid', m.uid, 'name', m.name) as market, json_build_object('uid', t.uid, 'name', t.number) as truck,
  p.side, json_build_object('uid', w.uid, 'name', w.name) as artwork, p.duration_ms as "durationMs",
  case when p.address_uid is not null
       then json_build_object('uid', p.address_uid, 'name', coalesce(a.label, 'Unknown address')) end as address,
  p.latitude, p.longitude, p.grade, p.reason, p.sequence, p.received_at as "receivedAt", ${IS_LATE_PLAY} as "isLate"`)

/** The ad log also says whose play it is, and from where its place is named. */
const LOG_COLUMNS = sql`${PLAY_COLUMNS}, json_build_object('uid', g.uid, 'name', g.name) as program,
  case when m.latitude is not null
       then json_build_object('latitude', m.latitude, 'longitude', m.longitude) end as "marketCenter"`

const HOUR_MS = 3_600_000
const hourAfter = (hour: string) => new Date(Date.parse(hour) + HOUR_MS).toISOString()

/** The columns of a list of plays, and the rows that they refer to. */
export interface PlayList {
  columns: RawBuilder<unknown>
  joins: RawBuilder<unknown>
}

/** A page among the plays of some hours. */
interface PageWindow extends PlayWindow {
  /** How many plays of these hours come before it. */
  skipped: number
}

function windowOf(query: PlayFilter, { first, last, before }: PageOffset): PageWindow | undefined {
  if (first === null || last === null) return undefined
  return { from: first, until: hourAfter(last), skipped: (query.page - 1) * query.pageSize - before }
}

interface PlaysToRead extends PageWindow {
  limit: number
  /** Selects plays `p` between two moments; not prepared, so that only their weeks are touched. */
  select: (plays: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** The first plays of some hours in the order of the query. Few plays of a long time are read window by window. */
async function readOrdered<Row>(
  db: Db,
  query: PlayFilter,
  { from, until, skipped, limit, select }: PlaysToRead,
): Promise<Row[]> {
  const windows = windowsOf({ from: Date.parse(from), until: Date.parse(until) })
  const ordered = directionOf(query) === 'asc' ? windows : windows.toReversed()
  const found: Row[] = []
  for (const [index, window] of ordered.entries()) {
    const [first, end] = [new Date(window.from).toISOString(), new Date(window.until).toISOString()]
    // All skipped plays are of the first hour.
    const range = sql`limit ${sql.lit(limit - found.length)} offset ${sql.lit(index === 0 ? skipped : 0)}`
    const plays = sql`play p where ${playsWhere(query, first, end)} ${orderOfPlays(query)} ${range}`
    const read = async () => (await (select(plays) as RawBuilder<Row>).execute(db)).rows
    found.push(...(windows.length === 1 ? await read() : await releaseLocksAfter(db, read)))
    if (found.length >= limit) break
  }
  return found
}

const readPage = <Row>(db: Db, query: PlayFilter, window: PageWindow, { columns, joins }: PlayList): Promise<Row[]> =>
  readOrdered<Row>(db, query, {
    ...window,
    limit: query.pageSize,
    select: (plays) => sql`select ${columns} from (select p.* from ${plays}) p ${joins} ${orderOfPlays(query)}`,
  })

/** The first plays of some hours that are in the database, as rows of JSON. */
async function readHot(db: Db, query: PlayFilter, window: PageWindow): Promise<unknown[]> {
  const rows = await readOrdered<{ play: unknown }>(db, query, {
    ...window,
    skipped: 0,
    limit: window.skipped + query.pageSize,
    select: (plays) => sql`select to_jsonb(p) as play from ${plays}`,
  })
  return rows.map(({ play }) => play)
}

/** Plays in the database and in the archive, of which a page is made. */
interface MixedPage extends ArchivedPart {
  window: PageWindow
  hot: unknown[]
}

async function readMixedPage<Row>(
  { db, parquet }: PlayStores,
  query: PlayFilter,
  { hot, window, ...archived }: MixedPage,
  { columns, joins }: PlayList,
): Promise<Row[]> {
  const { pageSize } = query
  // Usually all plays of old hours are archived, and the archive finds the page alone.
  const isMixed = hot.length > 0
  const range = isMixed ? { limit: window.skipped + pageSize, offset: 0 } : { limit: pageSize, offset: window.skipped }
  const found = [...hot, ...(await readArchived(parquet, query, { ...archived, window }, range))]
  const order = orderOfPlays(query)
  const { rows } = await sql<Row>`
    select ${columns} from (
      select p.* from ${playsOfJson(found)}
       ${order} limit ${sql.lit(pageSize)} offset ${sql.lit(isMixed ? window.skipped : 0)}) p ${joins} ${order}`.execute(
    db,
  )
  return rows
}

/** A page of plays with the exact total, both of the same moment. */
export async function pageOf<Row>(stores: PlayStores, asked: PlayFilter, list: PlayList): Promise<Page<Row>> {
  const { query, total, data, mixed } = await inSnapshot(stores.db, async (db) => {
    const query = await withAddressHours({ ...stores, db }, asked)
    const located = await locatePage(db, query)
    const window = windowOf(query, located)
    if (!window) return { query, total: located.total, data: [] }
    const archived = await findArchived(db, query, window)
    if (!archived) return { query, total: located.total, data: await readPage<Row>(db, query, window, list) }
    return { query, total: located.total, mixed: { ...archived, window, hot: await readHot(db, query, window) } }
  })
  // The archive is read after the snapshot, so that no connection waits for files. They stay after they are replaced.
  const found = mixed ? await readMixedPage<Row>(stores, query, mixed, list) : data
  return { data: found, page: query.page, pageSize: query.pageSize, total }
}

/** A page of the ad log. */
export async function pageOfPlays(stores: PlayStores, scope: Scope, query: PlayLogQuery): Promise<Page<LoggedPlay>> {
  const filter = await resolveFilter(stores.db, scope, query)
  const page = await pageOf<StoredLogRow>(stores, filter, { columns: LOG_COLUMNS, joins: PLAY_JOINS })
  return { ...page, data: await withVerifiers(stores.db, scope, page.data) }
}

type StoredLogRow = Omit<LoggedPlay, 'verifiedBy'>

/** Says of verified plays what verified them, by the track as it is now. Clients learn nothing about a driver's phone. */
async function withVerifiers(db: Db, scope: Scope, plays: readonly StoredLogRow[]): Promise<LoggedPlay[]> {
  const asked = scope.rows === 'all' ? plays.filter(({ grade }) => grade === 'verified') : []
  const verifiers = await playVerifiers(
    db,
    asked.map(({ truck, startedAt }) => ({ truckUid: truck.uid, at: Date.parse(startedAt) })),
  )
  const byPlay = new Map(asked.map((play, index) => [play, verifiers[index] ?? null]))
  return plays.map((play) => ({ ...play, verifiedBy: byPlay.get(play) ?? null }))
}

/** The days (UTC) that have plays to read, in the order of the query. */
export async function daysWithPlays(db: Db, query: PlayFilter): Promise<string[]> {
  const since = await readKeptSince(db)
  const { rows } = await sql<{ day: string }>`
    select distinct date_trunc('day', h.hour) as day from ${keptHours(query, since)}
     order by day ${sql.raw(directionOf(query))}`.execute(db)
  return rows.map(({ day }) => day)
}

/** What a file says where plays of its query are counted and no longer kept one by one, as the list does. */
export async function notesOfOldPlays(db: Db, query: PlayFilter, zone: string): Promise<string[]> {
  const since = await readKeptSince(db)
  if (since === '-infinity') return []
  const { rows } = await sql<{ plays: number; day: string }>`
    select coalesce(sum(${playsOfGrades(query.grade)}), 0)::bigint as plays,
           (${since}::timestamptz at time zone ${zone}::text)::date as day
      from play_hour h where ${matchesQuery(query, 'h')} and h.hour < ${since}::timestamptz`.execute(db)
  const { plays: ofHours = 0, day = '' } = rows[0] ?? {}
  const plays = query.address === undefined ? ofHours : await countOldAddressPlays(db, query)
  if (plays === 0) return []
  const count = formatCount(plays)
  return [
    `single plays kept since ${formatDay(day)}`,
    `${count} earlier ${plays === 1 ? 'play is' : 'plays are'} only counted`,
  ]
}

const AT_ONCE = 2000

/** Which plays are read: those of a query, on the days (UTC) that have some. */
export interface PlaySelection<Query extends PlayFilter = PlayFilter> {
  query: Query
  days: readonly string[]
}

/** All plays of a selection, day by day: each statement touches one day, and plays that arrive meanwhile move no others. */
export async function* streamPlays<Row>(
  stores: PlayStores,
  selection: PlaySelection,
  list: PlayList,
): AsyncGenerator<Row> {
  for await (const rows of streamPlayGroups<Row>(stores, selection, list)) yield* rows
}

/** The same, many at a time: who needs all of thousands does not wait for each. */
export async function* streamPlayGroups<Row>(
  stores: PlayStores,
  selection: PlaySelection,
  list: PlayList,
): AsyncGenerator<Row[]> {
  for (const day of selection.days) yield* streamDay<Row>(stores, selection.query, day, list)
}

/** The plays of a day: moving a day into the archive is one transaction, so it is read from one snapshot. */
async function* streamDay<Row>(
  stores: PlayStores,
  query: PlayFilter,
  day: string,
  list: PlayList,
): AsyncGenerator<Row[]> {
  const window = windowOfDays(day)
  const reading = await CopyTransaction.begin(stores.db, 'repeatable read read only')
  const { db } = reading
  try {
    const archived = await findArchived(db, query, window)
    if (archived) yield* streamMixedDay<Row>(reading, stores, { ...archived, query, window }, list)
    else {
      const select = sql<Row>`
        select ${list.columns} from play p ${list.joins}
         where ${playsWhere(query, window.from, window.until)} ${orderOfPlays(query)}`
      for await (const { rows } of db.getExecutor().stream<Row>(select.compile(db), AT_ONCE)) yield rows
    }
    await reading.commit()
  } finally {
    reading.end()
  }
}

async function* streamMixedDay<Row>(
  reading: CopyTransaction,
  { parquet }: PlayStores,
  day: ArchivedPart & { query: PlayFilter; window: PlayWindow },
  { columns, joins }: PlayList,
): AsyncGenerator<Row[]> {
  const order = orderOfPlays(day.query)
  const folder = await parquet.makeWorkFolder()
  try {
    for await (const plays of streamArchivedDay(reading, parquet, { ...day, folder })) {
      yield await reading.query(sql<Row>`select ${columns} from ${playsOfJson(plays)} ${joins} ${order}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
