import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ANY_ADDRESS, hoursOfSpan, NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import type { CopyTransaction } from '../../../platform/db/copy.ts'
import { dayOf } from '../../../platform/db/partitions.ts'
import { allOf } from '../../../platform/db/records/fragments.ts'
import type { FixedBlob, ParquetFiles } from '../../../platform/parquet/index.ts'
import { directionOf, matchesQuery, type PlayConditions, type PlayFilter, playsWhere } from '../play-filter.ts'
import { truckMatches } from '../report-filters.ts'
import { COLUMN_NAMES, PLAIN_LINE, playsOfLines, playsOfParquet } from './columns.ts'
import { hoursOf } from '../address-hour-table.ts'
import { type ArchivedFile, filesOfDays } from './files.ts'
import { type PlayWindow, windowOfDays } from './rules.ts'

/** An hour in which a shift has plays, in milliseconds since 1970. */
interface ShiftHour {
  shift: string
  hour: number
}

/** What the archive compares plays with instead of names, drivers and zones, which only PostgreSQL knows. */
export interface ArchiveKeys {
  /** The trucks that a search leaves; undefined without a search. */
  trucks: string[] | undefined
  /** The shifts and hours that drivers and hours of the day leave; undefined without these. */
  shiftHours: ShiftHour[] | undefined
}

/** The part of a query that the archive answers. */
export interface ArchivedPart extends ArchiveKeys {
  files: ArchivedFile[]
}

const hasFile = (query: PlayConditions, market: string) =>
  query.market ? query.market.includes(market) : (market === NIL_UUID) === (query.isUnassigned ?? false)

const hoursBetween = ({ from, until }: PlayWindow) =>
  sql`h.hour >= ${from}::timestamptz and h.hour < ${until}::timestamptz`

/** The days and markets that have plays of a query, as the hours count them. */
async function playedMarkets(db: Db, query: PlayConditions, window: PlayWindow): Promise<Set<string>> {
  const { rows } = await sql<{ day: string; market: string }>`
    select distinct to_char(h.hour, 'YYYY-MM-DD') as day, h.market_uid as market from ${hoursOf(query)}
     where ${matchesQuery(query, 'h')} and ${hoursBetween(window)}`.execute(db)
  return new Set(rows.map(({ day, market }) => `${day} ${market}`))
}

async function playedShiftHours(db: Db, query: PlayConditions, window: PlayWindow): Promise<ShiftHour[] | undefined> {
  if (query.driver === undefined && hoursOfSpan(query) === undefined) return undefined
  const { rows } = await sql<ShiftHour>`
    select distinct h.shift_uid as shift, (extract(epoch from h.hour) * 1000)::float8 as hour from ${hoursOf(query)}
     where ${matchesQuery(query, 'h')} and ${hoursBetween(window)}`.execute(db)
  return rows
}

async function trucksOfSearch(db: Db, { search }: PlayConditions): Promise<string[] | undefined> {
  const matches = truckMatches(search, sql.ref('t.uid'))
  if (matches.length === 0) return undefined
  const { rows } = await sql<{ uid: string }>`select t.uid from truck t where ${allOf(matches)}`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** Which files hold plays of a query between two moments; undefined if none do. */
export async function findArchived(
  db: Db,
  query: PlayConditions,
  window: PlayWindow,
): Promise<ArchivedPart | undefined> {
  const [first, last] = [Date.parse(window.from), Date.parse(window.until) - 1]
  const files = (await filesOfDays(db, dayOf(first), dayOf(last))).filter(({ market }) => hasFile(query, market))
  if (files.length === 0) return undefined
  const played = await playedMarkets(db, query, window)
  const needed = files.filter(({ day, market }) => played.has(`${day} ${market}`))
  if (needed.length === 0) return undefined
  const trucks = await trucksOfSearch(db, query)
  return { files: needed, trucks, shiftHours: await playedShiftHours(db, query, window) }
}

/** Which files hold plays of a query on days (UTC), or between them; undefined if none do. */
export async function findArchivedOn(db: Db, query: PlayFilter, days: readonly string[]) {
  const ordered = days.toSorted()
  const [first, last] = [ordered[0], ordered.at(-1)]
  return first === undefined ? undefined : findArchived(db, query, windowOfDays(first, last))
}

const HOUR_MS = 3_600_000

const isOneOf = (column: RawBuilder<unknown>, type: 'uuid' | 'varchar', values: readonly string[]) =>
  values.length === 0
    ? sql`false`
    : sql`${column} in (${sql.join(values.map((value) => sql`${value}::${sql.raw(type)}`))})`

/** DuckDB: whether a play `p` lies in one of these hours of its shift. */
function inShiftHours(shiftHours: readonly ShiftHour[], { from, until }: PlayWindow): RawBuilder<unknown> {
  const [first, end] = [Date.parse(from) - HOUR_MS, Date.parse(until)]
  const near = shiftHours.filter(({ hour }) => hour > first && hour < end)
  const conditions = [...groupBy(near, ({ shift }) => shift)].map(([shift, some]) => {
    const hours = some.map(({ hour }) => sql.lit(hour / HOUR_MS))
    return sql`(p.shift_uid = ${shift}::uuid and (epoch_us(p.started_at) // ${sql.lit(HOUR_MS * 1000)}) in (${sql.join(hours)}))`
  })
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

/** DuckDB: whether an archived play `p` matches a query and lies between two moments. */
export function archivedWhere(
  query: PlayConditions & Pick<PlayFilter, 'grade'>,
  { trucks, shiftHours }: ArchiveKeys,
  window: PlayWindow,
): RawBuilder<unknown> {
  const { program, market, shift, truck, side, grade, from, to, address, since, until } = query
  return allOf([
    sql`p.started_at >= ${window.from}::timestamptz and p.started_at < ${window.until}::timestamptz`,
    query.isUnassigned ? sql`p.market_uid is null` : sql`p.market_uid is not null`,
    ...(program ? [isOneOf(sql`p.program_uid`, 'uuid', program)] : []),
    ...(market ? [isOneOf(sql`p.market_uid`, 'uuid', market)] : []),
    ...(shift ? [sql`p.shift_uid = ${shift}::uuid`] : []),
    ...(shiftHours ? [inShiftHours(shiftHours, window)] : []),
    ...(trucks ? [isOneOf(sql`p.truck_uid`, 'uuid', trucks)] : []),
    ...(truck ? [isOneOf(sql`p.truck_uid`, 'uuid', truck)] : []),
    ...(side ? [isOneOf(sql`p.side`, 'varchar', side)] : []),
    ...(grade ? [isOneOf(sql`p.grade`, 'varchar', grade)] : []),
    ...(from ? [sql`p.day >= ${from}::date`] : []),
    ...(to ? [sql`p.day <= ${to}::date`] : []),
    ...(address === ANY_ADDRESS ? [sql`p.address_uid is not null`] : []),
    ...(address && address !== ANY_ADDRESS ? [sql`p.address_uid = ${address}::uuid`] : []),
    ...(address && since ? [sql`p.started_at >= ${since}::timestamptz`] : []),
    ...(address && until ? [sql`p.started_at <= ${until}::timestamptz`] : []),
  ])
}

/** DuckDB: the order of plays, the same as in PostgreSQL. */
export function archivedOrder(query: PlayFilter): RawBuilder<unknown> {
  const direction = sql.raw(directionOf(query))
  return sql`order by p.started_at ${direction}, p.device_uid ${direction}, p.play_id ${direction}`
}

/** DuckDB: the plays of files, and of plain lines for those that are in the database. */
export const playsOfDay = (files: readonly string[], lines: string | undefined): RawBuilder<unknown> =>
  lines === undefined ? playsOfParquet(files) : sql`${playsOfParquet(files)} union all ${playsOfLines(lines)}`

interface RowRange {
  limit: number
  offset: number
}

/** DuckDB: what a statement selects from the plays of files. */
export const queryFiles = <Row>(
  parquet: ParquetFiles,
  files: readonly FixedBlob[],
  select: (plays: RawBuilder<unknown>) => RawBuilder<Row>,
): Promise<Row[]> =>
  parquet.withCopies(files, (paths) => parquet.inSession((session) => session.run(select(playsOfParquet(paths)))))

/** Some archived plays of a query, as rows of JSON. */
export const readArchived = (
  parquet: ParquetFiles,
  query: PlayFilter,
  { files, window, ...keys }: ArchivedPart & { window: PlayWindow },
  { limit, offset }: RowRange,
): Promise<unknown[]> =>
  queryFiles(
    parquet,
    files,
    (plays) => sql`
      select ${COLUMN_NAMES} from (${plays}) p where ${archivedWhere(query, keys, window)}
      ${archivedOrder(query)} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`,
  )

/** PostgreSQL: rows of JSON as plays `p`. */
export const playsOfJson = (rows: readonly unknown[]): RawBuilder<unknown> =>
  sql`jsonb_populate_recordset(null::play, ${JSON.stringify(rows)}::jsonb) p`

// Sorting this many plays needs no disk.
const SLICE_ROWS = 12_000

/** A day in parts that are sorted one at a time, in the order of the query. */
export function sliceDay(query: PlayFilter, { from, until }: PlayWindow, files: readonly ArchivedFile[]): PlayWindow[] {
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  const parts = Math.ceil(rows / SLICE_ROWS)
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const edge = (part: number) => new Date(Math.round(start + ((end - start) * part) / parts)).toISOString()
  const slices = Array.from({ length: parts }, (_, part) => ({ from: edge(part), until: edge(part + 1) }))
  return directionOf(query) === 'asc' ? slices : slices.toReversed()
}

/** Writes the plays of a query that are in the database to a file of plain lines; undefined if there are none. */
export async function writeHotLines(
  reading: CopyTransaction,
  query: PlayFilter,
  { from, until }: PlayWindow,
  folder: string,
): Promise<string | undefined> {
  const file = path.join(folder, 'hot.csv')
  const copy = reading.copyOut([sql`select ${PLAIN_LINE} from play p where ${playsWhere(query, from, until)}`], 'text')
  await pipeline(copy, createWriteStream(file, { mode: 0o600 }))
  return copy.rows > 0 ? file : undefined
}

interface ArchivedDay extends ArchivedPart {
  query: PlayFilter
  window: PlayWindow
  folder: string
}

/** All plays of a query on a day that has files, in order, as rows of JSON in chunks. */
export async function* streamArchivedDay(
  reading: CopyTransaction,
  parquet: ParquetFiles,
  day: ArchivedDay,
): AsyncGenerator<unknown[]> {
  const { query, files, window, folder } = day
  const lines = await writeHotLines(reading, query, window, folder)
  const { paths, release } = await parquet.holdCopies(files)
  const session = parquet.openSession()
  try {
    for (const slice of sliceDay(query, window, files)) {
      yield* session.stream(sql`
        select ${COLUMN_NAMES} from (${playsOfDay(paths, lines)}) p
         where ${archivedWhere(query, day, slice)} ${archivedOrder(query)}`)
    }
  } finally {
    release()
    await session.close()
  }
}
