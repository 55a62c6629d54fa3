import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { LATE_PLAY_MINUTES, playReasonLabel, popGradeLabel, truckSideLabel } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { CopyTransaction } from '../../../platform/db/copy.ts'
import type { DuckSession, ParquetFiles } from '../../../platform/parquet/index.ts'
import type { PlayFilter } from '../play-filter.ts'
import {
  type ArchivedPart,
  type ArchiveKeys,
  archivedOrder,
  archivedWhere,
  findArchivedOn,
  playsOfDay,
  sliceDay,
  writeHotLines,
} from './read.ts'
import { type PlayWindow, windowOfDays } from './rules.ts'

/** A cell of CSV as COPY writes it. */
const csvCell = (text: string): string =>
  text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** DuckDB: the value of a column as the cell that people read. */
const labelOf = (column: string, labels: Record<string, string>) =>
  sql`case ${sql.raw(column)} ${sql.join(
    Object.entries(labels).map(([value, label]) => sql`when ${sql.lit(value)} then ${sql.lit(csvCell(label))}`),
    sql` `,
  )} else '' end`

/** DuckDB: a number as PostgreSQL writes it, without `.0`. */
const plainNumber = (column: string) => sql.raw(`coalesce(regexp_replace(${column}::varchar, '\\.0$', ''), '')`)

const textOfTime = (microseconds: string) => sql.raw(`left(make_timestamp(${microseconds})::varchar, 19)`)

const STARTED = 'epoch_us(p.started_at)'
const RECEIVED = 'epoch_us(p.received_at)'
const MINUTE_US = 60_000_000

/** DuckDB: the cells of a row, in the order of the columns of a file. */
const CELLS: readonly RawBuilder<unknown>[] = [
  sql.raw('p.day::varchar'),
  textOfTime(`${STARTED} + case when ${STARTED} >= m.changes_us then m.later_us else m.offset_us end`),
  sql.raw('m.zone'),
  sql.raw('g.name'),
  sql.raw('m.name'),
  sql.raw('t.name'),
  labelOf('p.side', truckSideLabel),
  sql.raw('w.name'),
  plainNumber('(p.duration_ms / 1000::double)'),
  sql.raw(`coalesce(a.name, '')`),
  plainNumber('p.latitude'),
  plainNumber('p.longitude'),
  labelOf('p.grade', popGradeLabel),
  labelOf('p.reason', playReasonLabel),
  sql.raw('p.sequence::varchar'),
  textOfTime(RECEIVED),
  sql.raw(`case when ${RECEIVED} - ${STARTED} > ${LATE_PLAY_MINUTES * MINUTE_US} then 'late' else '' end`),
  sql.raw('p.shift_uid::varchar'),
]
const LINE = sql.join(CELLS, sql` || ',' || `)

/** PostgreSQL: the names of records, as cells. */
const NAMES = {
  program: (uids: readonly string[]) => sql<NamedRow>`
    select uid, plain_cell(name) as name from client_program where uid = any(${uids}::uuid[])`,
  truck: (uids: readonly string[]) => sql<NamedRow>`
    select uid, plain_cell(number) as name from truck where uid = any(${uids}::uuid[])`,
  artwork: (uids: readonly string[]) => sql<NamedRow>`
    select uid, plain_cell(name) as name from artwork_set where uid = any(${uids}::uuid[])`,
  address: (uids: readonly string[]) => sql<NamedRow>`
    select uid, plain_cell(label) as name from known_sd_address where uid = any(${uids}::uuid[])`,
}
type NamedTable = keyof typeof NAMES
const namedTables = Object.keys(NAMES) as NamedTable[]

/** The records that the plays of a day refer to; null stands for none. */
type UsedUids = Record<NamedTable | 'market', string[] | null>

/** DuckDB: which records plays refer to. */
const selectUsed = (plays: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<UsedUids> => sql<UsedUids>`
  select list(distinct p.market_uid) as market, list(distinct p.truck_uid) as truck, list(distinct p.program_uid) as program,
         list(distinct p.artwork_set_uid) as artwork,
         list(distinct p.address_uid) filter (p.address_uid is not null) as address
    from (${plays}) p where ${where}`

interface NamedRow {
  uid: string
  name: string | null
}

/** How the times of a market are written on a day: its offset from UTC, and when that changes if it does. */
interface MarketDay extends NamedRow {
  zone: string
  /** The days of plays for which this zone holds. */
  first_day: string
  last_day: string
  offset_us: number
  changes_us: number
  later_us: number
}

const offsetAt = (moment: RawBuilder<unknown>) =>
  sql`(extract(epoch from (${moment} at time zone z.zone) - (${moment} at time zone 'UTC')) * 1000000)::int8`

// A play may belong to the day of a shift that began some days earlier.
const DAYS_BEFORE = 10

/** PostgreSQL: the markets on a day, one whose zone changed with a row for each day around it. Clocks change at most once a day, at a quarter of an hour. */
function selectMarkets({ from, until }: PlayWindow, markets: readonly string[]): RawBuilder<MarketDay> {
  const [start, end] = [sql`${from}::timestamptz`, sql`${until}::timestamptz`]
  return sql<MarketDay>`
    select m.uid, plain_cell(m.name) as name, z.zone, z.first_day::text, z.last_day::text, ${offsetAt(start)} as offset_us,
           ${offsetAt(sql`(${end} - interval '1 second')`)} as later_us,
           coalesce((select (extract(epoch from min(q)) * 1000000)::int8
                       from generate_series(${start}, ${end} - interval '15 minutes', interval '15 minutes') q
                      where ${offsetAt(sql`q`)} <> ${offsetAt(start)}), 9e18::int8) as changes_us
      from market m cross join lateral (
             select m.zone, '0001-01-01'::date as first_day, '9999-12-31'::date as last_day where m.earlier_zones = '[]'
             union all
             select zone_on(m.zone, m.earlier_zones, d::date), d::date, d::date
               from generate_series(${start} - ${sql.lit(DAYS_BEFORE)} * interval '1 day', ${end} + interval '2 days', '1 day') d
              where m.earlier_zones <> '[]') z
     where m.uid = any(${markets}::uuid[])`
}

/** DuckDB: objects of JSON as rows. */
const rowsOfJson = (columns: Record<string, string>, rows: readonly unknown[]) => sql`
  select unnest(from_json(${sql.lit(JSON.stringify(rows))}, ${sql.lit(JSON.stringify([columns]))}), recursive := true)`

/** Each takes about 2 kB until it is in DuckDB. */
const NAMES_AT_ONCE = 5000

const NAMED = { uid: 'UUID', name: 'VARCHAR' }
const MARKET_DAY = {
  ...NAMED,
  zone: 'VARCHAR',
  first_day: 'DATE',
  last_day: 'DATE',
  offset_us: 'BIGINT',
  changes_us: 'BIGINT',
  later_us: 'BIGINT',
}

/** Days that are read in one go: some that are in the database, or one that has archived plays. */
interface CsvPart {
  days: string[]
  archived?: ArchivedPart
}

/** Writes archived days of the ad log as CSV, the same bytes that PostgreSQL would write. */
export class ArchivedCsv {
  readonly #reading: CopyTransaction
  readonly #parquet: ParquetFiles
  readonly #query: PlayFilter
  #folder: string | undefined
  #session: DuckSession | undefined
  /** The records whose names DuckDB has: a fleet may have a hundred thousand trucks, and a file is about some of them. */
  readonly #named: Record<NamedTable, Set<string>> = {
    program: new Set(),
    truck: new Set(),
    artwork: new Set(),
    address: new Set(),
  }

  constructor(reading: CopyTransaction, parquet: ParquetFiles, query: PlayFilter) {
    this.#reading = reading
    this.#parquet = parquet
    this.#query = query
  }

  /** Divides days, in their order, into those that have archived plays and runs of others. */
  async divide(days: readonly string[]): Promise<CsvPart[]> {
    const archived = await findArchivedOn(this.#reading.db, this.#query, days)
    const parts: CsvPart[] = []
    for (const day of days) {
      const files = archived?.files.filter((file) => day.startsWith(file.day)) ?? []
      const run = parts.at(-1)
      if (archived && files.length > 0) parts.push({ days: [day], archived: { ...archived, files } })
      else if (run && !run.archived) run.days.push(day)
      else parts.push({ days: [day] })
    }
    return parts
  }

  /** The lines of one day. The next part of the day is written while the previous one is sent. */
  async *day({ days, archived }: CsvPart, onRows: (count: number) => void): AsyncGenerator<Buffer> {
    const [from] = days
    if (from === undefined || !archived) return
    const window = windowOfDays(from)
    // Late plays, which are merged into the archive by its next run.
    const lines = await writeHotLines(this.#reading, this.#query, window, (await this.#open()).folder)
    const { paths, release } = await this.#parquet.holdCopies(archived.files)
    try {
      const plays = playsOfDay(paths, lines)
      await this.#loadNames(plays, archived, window)
      const slices = sliceDay(this.#query, window, archived.files)
      const write = (index: number) => this.#writeSlice(plays, slices[index], { keys: archived, index })
      let next = write(0)
      for (const index of slices.keys()) {
        const { file, rows } = await next
        next = write(index + 1)
        // A failure is reported when it is its turn.
        next.catch(() => undefined)
        yield* createReadStream(file, { highWaterMark: READ_BLOCK }) as AsyncIterable<Buffer>
        onRows(rows)
        await rm(file)
      }
    } finally {
      release()
    }
  }

  async close(): Promise<void> {
    await this.#session?.close()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  async #writeSlice(
    plays: RawBuilder<unknown>,
    slice: PlayWindow | undefined,
    { keys, index }: { keys: ArchiveKeys; index: number },
  ): Promise<{ file: string; rows: number }> {
    const file = path.join((await this.#open()).folder, `${index % 2}.csv`)
    if (!slice) return { file, rows: 0 }
    const { session } = await this.#open()
    const [written] = await session.run(sql<{ Count: string }>`
      copy (select ${LINE} from (${plays}) p join market m on m.uid = p.market_uid and p.day between m.first_day and m.last_day
              join truck t on t.uid = p.truck_uid
              join program g on g.uid = p.program_uid join artwork w on w.uid = p.artwork_set_uid left join address a on a.uid = p.address_uid
             where ${archivedWhere(this.#query, keys, slice)} ${archivedOrder(this.#query)})
        to ${sql.lit(file)} (format csv, header false, delimiter e'\\x01', quote '', escape '')`)
    return { file, rows: Number(written?.Count ?? 0) }
  }

  async #loadNames(plays: RawBuilder<unknown>, keys: ArchiveKeys, window: PlayWindow): Promise<void> {
    const { session } = await this.#open()
    const [used] = await session.run(selectUsed(plays, archivedWhere(this.#query, keys, window)))
    const markets = await this.#reading.query(selectMarkets(window, used?.market ?? []))
    const cells = markets.map((market) => ({ ...market, name: csvCell(market.name ?? ''), zone: csvCell(market.zone) }))
    await session.run(sql`create or replace temporary table market as ${rowsOfJson(MARKET_DAY, cells)}`)
    for (const table of namedTables) await this.#addNames(session, table, used?.[table] ?? [])
  }

  async #addNames(session: DuckSession, table: NamedTable, uids: readonly string[]): Promise<void> {
    const known = this.#named[table]
    const missing = uids.filter((uid) => !known.has(uid))
    for (let at = 0; at < missing.length; at += NAMES_AT_ONCE) {
      const some = missing.slice(at, at + NAMES_AT_ONCE)
      const rows = await this.#reading.query(NAMES[table](some))
      const cells = rows.map(({ uid, name }) => ({ uid, name: name === null ? null : csvCell(name) }))
      await session.run(sql`insert into ${sql.id(table)} ${rowsOfJson(NAMED, cells)}`)
      for (const uid of some) known.add(uid)
    }
  }

  async #open(): Promise<{ folder: string; session: DuckSession }> {
    this.#folder ??= await this.#parquet.makeWorkFolder()
    if (!this.#session) {
      this.#session = this.#parquet.openSession()
      for (const table of namedTables) {
        await this.#session.run(sql`create temporary table ${sql.id(table)} (uid uuid, name varchar)`)
      }
    }
    return { folder: this.#folder, session: this.#session }
  }
}

const READ_BLOCK = 256 * 1024
