import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { CopyTransaction } from '../../../platform/db/copy.ts'
import { dayOf } from '../../../platform/db/partitions.ts'
import { allOf } from '../../../platform/db/records/fragments.ts'
import type { FixedBlob, ParquetFiles } from '../../../platform/parquet/index.ts'
import { directionOf, matchesQuery, type PlayFilter, playsWhere } from '../play-filter.ts'
import { truckMatches } from '../report-filters.ts'
import { COLUMN_NAMES, PLAIN_LINE, playsOfLines, playsOfParquet } from './columns.ts'
import { type ArchivedFile, filesOfDays } from './files.ts'
import { type PlayWindow, windowOfDays } from './rules.ts'

/** The part of a query that the archive answers. */
export interface ArchivedPart {
  files: ArchivedFile[]
  /** The trucks that a search leaves; undefined without a search. */
  trucks: string[] | undefined
}

const hasFile = (query: PlayFilter, market: string) =>
  query.market ? market === query.market : (market === NIL_UUID) === (query.isUnassigned ?? false)

/** The days and markets that have plays of a query, as the hours count them. */
async function playedMarkets(db: Db, query: PlayFilter, { from, until }: PlayWindow): Promise<Set<string>> {
  const { rows } = await sql<{ day: string; market: string }>`
    select distinct to_char(h.hour, 'YYYY-MM-DD') as day, h.market_uid as market from play_hour h
     where ${matchesQuery(query, 'h')} and h.hour >= ${from}::timestamptz and h.hour < ${until}::timestamptz`.execute(
    db,
  )
  return new Set(rows.map(({ day, market }) => `${day} ${market}`))
}

async function trucksOfSearch(db: Db, { search }: PlayFilter): Promise<string[] | undefined> {
  const matches = truckMatches(search, sql.ref('t.uid'))
  if (matches.length === 0) return undefined
  const { rows } = await sql<{ uid: string }>`select t.uid from truck t where ${allOf(matches)}`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** Which files hold plays of a query between two moments; undefined if none do. */
export async function findArchived(db: Db, query: PlayFilter, window: PlayWindow): Promise<ArchivedPart | undefined> {
  const [first, last] = [Date.parse(window.from), Date.parse(window.until) - 1]
  const files = (await filesOfDays(db, dayOf(first), dayOf(last))).filter(({ market }) => hasFile(query, market))
  if (files.length === 0) return undefined
  const played = await playedMarkets(db, query, window)
  const needed = files.filter(({ day, market }) => played.has(`${day} ${market}`))
  return needed.length > 0 ? { files: needed, trucks: await trucksOfSearch(db, query) } : undefined
}

/** Which files hold plays of a query on days (UTC), or between them; undefined if none do. */
export async function findArchivedOn(db: Db, query: PlayFilter, days: readonly string[]) {
  const ordered = days.toSorted()
  const [first, last] = [ordered[0], ordered.at(-1)]
  return first === undefined ? undefined : findArchived(db, query, windowOfDays(first, last))
}

const isOneOf = (column: RawBuilder<unknown>, type: 'uuid' | 'varchar', values: readonly string[]) =>
  values.length === 0
    ? sql`false`
    : sql`${column} in (${sql.join(values.map((value) => sql`${value}::${sql.raw(type)}`))})`

/** DuckDB: whether an archived play `p` matches a query and lies between two moments. */
export function archivedWhere(
  query: PlayFilter,
  trucks: string[] | undefined,
  window: PlayWindow,
): RawBuilder<unknown> {
  const { program, market, shift, truck, side, grade, from, to } = query
  return allOf([
    sql`p.started_at >= ${window.from}::timestamptz and p.started_at < ${window.until}::timestamptz`,
    query.isUnassigned ? sql`p.market_uid is null` : sql`p.market_uid is not null`,
    ...(program ? [sql`p.program_uid = ${program}::uuid`] : []),
    ...(market ? [sql`p.market_uid = ${market}::uuid`] : []),
    ...(shift ? [sql`p.shift_uid = ${shift}::uuid`] : []),
    ...(trucks ? [isOneOf(sql`p.truck_uid`, 'uuid', trucks)] : []),
    ...(truck ? [isOneOf(sql`p.truck_uid`, 'uuid', truck)] : []),
    ...(side ? [isOneOf(sql`p.side`, 'varchar', side)] : []),
    ...(grade ? [isOneOf(sql`p.grade`, 'varchar', grade)] : []),
    ...(from ? [sql`p.day >= ${from}::date`] : []),
    ...(to ? [sql`p.day <= ${to}::date`] : []),
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
  { files, trucks, window }: ArchivedPart & { window: PlayWindow },
  { limit, offset }: RowRange,
): Promise<unknown[]> =>
  queryFiles(
    parquet,
    files,
    (plays) => sql`
      select ${COLUMN_NAMES} from (${plays}) p where ${archivedWhere(query, trucks, window)}
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
  const { query, files, trucks, window, folder } = day
  const lines = await writeHotLines(reading, query, window, folder)
  const { paths, release } = await parquet.holdCopies(files)
  const session = parquet.openSession()
  try {
    for (const slice of sliceDay(query, window, files)) {
      yield* session.stream(sql`
        select ${COLUMN_NAMES} from (${playsOfDay(paths, lines)}) p
         where ${archivedWhere(query, trucks, slice)} ${archivedOrder(query)}`)
    }
  } finally {
    release()
    await session.close()
  }
}
