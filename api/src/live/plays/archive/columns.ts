import { type RawBuilder, sql } from 'kysely'

/** Grows when the columns of the files change; older files keep theirs. */
export const COLUMNS_VERSION = 1

/** The types of the columns in a Parquet file. */
type ColumnType = 'uuid' | 'instant' | 'date' | 'text' | 'integer' | 'bigint' | 'double' | 'freeText'

/** Every column of a play, in the order of the files. Free text comes last, so that the text of a row is unambiguous. */
export const archiveColumns = {
  started_at: 'instant',
  day: 'date',
  program_uid: 'uuid',
  market_uid: 'uuid',
  shift_uid: 'uuid',
  truck_uid: 'uuid',
  device_uid: 'uuid',
  side: 'text',
  artwork_set_uid: 'uuid',
  sha256: 'text',
  duration_ms: 'integer',
  latitude: 'double',
  longitude: 'double',
  address_uid: 'uuid',
  grade: 'text',
  reason: 'text',
  sequence: 'bigint',
  received_at: 'instant',
  play_id: 'freeText',
} satisfies Record<string, ColumnType>

const columns = Object.entries(archiveColumns) as [keyof typeof archiveColumns, ColumnType][]
const names = columns.map(([name]) => name)
const list = (expressions: readonly string[]) => sql.raw(expressions.join(', '))

/** The names of all columns. */
export const COLUMN_NAMES = list(names)

/** A column of PostgreSQL as plain text without commas, quotes or line ends. */
const plainText: Record<ColumnType, (column: string) => string> = {
  uuid: (column) => `${column}::text`,
  instant: (column) => `(extract(epoch from ${column}) * 1000000)::bigint::text`,
  date: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
  text: (column) => column,
  integer: (column) => `${column}::text`,
  bigint: (column) => `${column}::text`,
  double: (column) => `${column}::text`,
  freeText: (column) => `encode(convert_to(${column}, 'UTF8'), 'hex')`,
}

/** A play `p` as one line of comma-separated values, for DuckDB. */
export const PLAIN_LINE = sql.raw(
  `concat_ws(',', ${columns.map(([name, type]) => `coalesce(${plainText[type](`p.${name}`)}, '')`).join(', ')})`,
)

/** The same text as a column of DuckDB. */
const parsedText: Record<ColumnType, (column: string) => string> = {
  uuid: (column) => `${column}::uuid`,
  instant: (column) => `make_timestamptz(${column}::bigint)`,
  date: (column) => `${column}::date`,
  text: (column) => column,
  integer: (column) => `${column}::integer`,
  bigint: (column) => `${column}::bigint`,
  double: (column) => `${column}::double`,
  freeText: (column) => `decode(unhex(${column}))`,
}

// By default DuckDB reads through buffers of 32 MB.
const CSV_BUFFER = sql.lit(2 * 1024 * 1024)
const CSV_LINE = sql.lit(64 * 1024)

/** DuckDB: the plays of a file of plain lines. */
export const playsOfLines = (file: string): RawBuilder<unknown> => sql`
  select ${list(columns.map(([name, type]) => `${parsedText[type](name)} as ${name}`))}
    from read_csv(${sql.lit(file)}, auto_detect = false, header = false, delim = ',', quote = '', escape = '', nullstr = '',
                  buffer_size = ${CSV_BUFFER}, max_line_size = ${CSV_LINE}, columns = {${list(names.map((name) => `'${name}': 'VARCHAR'`))}})`

/** DuckDB: the plays of Parquet files. */
export const playsOfParquet = (files: readonly string[]): RawBuilder<unknown> =>
  sql`select ${COLUMN_NAMES} from read_parquet([${sql.join(files.map((file) => sql.lit(file)))}])`

/** Two sums over the hash of each row; `hash` yields hexadecimal digits. Sums of two sets add up to that of their union. */
const checksumText = (digits: (from: number) => string) =>
  `coalesce(sum(${digits(1)}), 0)::text || '-' || coalesce(sum(${digits(16)}), 0)::text`

const sameInBoth = {
  postgres: {
    ...plainText,
    double: (column: string) => `('x' || encode(float8send(${column}), 'hex'))::bit(64)::text`,
    freeText: (column: string) => column,
  },
  duckdb: {
    uuid: (column: string) => `${column}::varchar`,
    instant: (column: string) => `epoch_us(${column})::varchar`,
    date: (column: string) => `${column}::varchar`,
    text: (column: string) => column,
    integer: (column: string) => `${column}::varchar`,
    bigint: (column: string) => `${column}::varchar`,
    double: (column: string) => `${column}::bit::varchar`,
    freeText: (column: string) => column,
  },
} satisfies Record<string, Record<ColumnType, (column: string) => string>>

const rowText = (engine: keyof typeof sameInBoth) =>
  `concat_ws('|', ${columns.map(([name, type]) => `coalesce(${sameInBoth[engine][type](name)}, '')`).join(', ')})`

/** PostgreSQL: the number and the checksum of plays by market; plays without a shift have the nil uid. */
export const sumsInPostgres = (plays: RawBuilder<unknown>): RawBuilder<DaySum> => sql<DaySum>`
  select market, count(*)::int8 as rows,
         ${sql.raw(checksumText((from) => `('x' || substr(hash, ${from}, 15))::bit(60)::bigint`))} as checksum
    from (select coalesce(market_uid, '00000000-0000-0000-0000-000000000000') as market,
                 encode(sha256(convert_to(${sql.raw(rowText('postgres'))}, 'UTF8')), 'hex') as hash
            from (${plays}) p offset 0) h
   group by market order by market`

/** DuckDB: the number and the checksum of plays. */
export const sumInDuckdb = (plays: RawBuilder<unknown>): RawBuilder<Omit<DaySum, 'market'>> => sql`
  select count(*)::integer as rows,
         ${sql.raw(checksumText((from) => `('0x' || substr(hash, ${from}, 15))::bigint`))} as checksum
    from (select sha256(${sql.raw(rowText('duckdb'))}) as hash from (${plays}) p) h`

export interface DaySum {
  /** The nil uid for plays that belong to no shift. */
  market: string
  rows: number
  checksum: string
}
