import { Readable } from 'node:stream'
import {
  type ExportFormat,
  formatDay,
  hoursOfSpan,
  playReasonLabel,
  popGradeLabel,
  truckSideLabel,
} from '@roadshow/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { anyOf } from '../../platform/db/any-of.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { CopyTransaction, inlineValues } from '../../platform/db/copy.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { Download } from '../../platform/http/download.ts'
import { dayColumn, localTimeColumn, type SheetColumn } from '../../platform/spreadsheet/columns.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { type ExportContext, exportSheet, sheetTypes, summarizeExport } from '../../platform/spreadsheet/sheet.ts'
import { type Cell, MAX_SHEET_ROWS } from '../../platform/spreadsheet/xlsx.ts'
import { withAddressSnapshot } from './address-hours.ts'
import { nameOfAddress } from './address-name.ts'
import { ArchivedCsv } from './archive/csv.ts'
import { findArchivedOn } from './archive/read.ts'
import { windowOfDays } from './archive/rules.ts'
import type { PlayStores } from './archive/stores.ts'
import {
  daysWithPlays,
  IS_LATE_PLAY,
  notesOfOldPlays,
  pageOfPlays,
  PLAY_JOINS,
  type PlaySelection,
  streamPlays,
} from './log.ts'
import {
  type DayTotalsQuery,
  directionOf,
  orderOfPlays,
  type PlayFilter,
  type PlayLogQuery,
  playsWhere,
} from './play-filter.ts'
import { namesOfFilters, requirePrograms } from './report-filters.ts'
import { hideDriver, resolveFilter } from './resolve-filter.ts'
import { zonesOfPlays } from './totals-by-day.ts'

const literal = (text: string) => pg.escapeLiteral(text)
/** The value of a column as the label that people read. */
const labelOf = (column: string, labels: Record<string, string>) =>
  `case ${column} ${Object.entries(labels)
    .map(([value, label]) => `when ${literal(value)} then ${literal(label)}`)
    .join(' ')} end`

/** Each column of a file as SQL. `plain_cell` keeps text from being read as a formula; numbers stay numbers. */
const CELLS = {
  Day: `to_char(p.day, 'YYYY-MM-DD')`,
  Time: `to_char(p.started_at at time zone zone_on(m.zone, m.earlier_zones, p.day), 'YYYY-MM-DD HH24:MI:SS')`,
  Zone: 'zone_on(m.zone, m.earlier_zones, p.day)',
  Program: 'plain_cell(g.name)',
  Market: 'plain_cell(m.name)',
  Truck: 'plain_cell(t.number)',
  Side: labelOf('p.side', truckSideLabel),
  'Artwork set': 'plain_cell(w.name)',
  Seconds: 'p.duration_ms / 1000::float8',
  'SD address': 'plain_cell(a.label)',
  Latitude: 'p.latitude',
  Longitude: 'p.longitude',
  Grade: labelOf('p.grade', popGradeLabel),
  Reason: labelOf('p.reason', playReasonLabel),
  Number: 'p.sequence',
  'Received (UTC)': `to_char(p.received_at, 'YYYY-MM-DD HH24:MI:SS')`,
  Late: `case when ${IS_LATE_PLAY} then 'late' end`,
  Shift: 'p.shift_uid::text',
}
const titles = Object.keys(CELLS) as (keyof typeof CELLS)[]
const COLUMNS = sql.raw(titles.map((title) => `${CELLS[title]} as "${title}"`).join(', '))

type FileRow = Record<keyof typeof CELLS, Cell>
const plainColumn = (title: keyof typeof CELLS) => (row: FileRow) => row[title]
/** The columns of a workbook: days and times are real ones. */
const workbookColumns: Record<string, SheetColumn<FileRow>> = {
  ...Object.fromEntries(titles.map((title) => [title, plainColumn(title)])),
  Day: dayColumn(plainColumn('Day')),
  Time: localTimeColumn(plainColumn('Time')),
  'Received (UTC)': localTimeColumn(plainColumn('Received (UTC)')),
}
const sheet = { name: 'ad-log', columns: workbookColumns }

type LogSelection = PlaySelection

const selectDay =
  ({ query }: LogSelection) =>
  (day: string) => {
    const { from, until } = windowOfDays(day)
    return sql<FileRow>`
      select ${COLUMNS} from play p ${PLAY_JOINS} where ${playsWhere(query, from, until)} ${orderOfPlays(query)}`
  }

/** The statements behind a file of CSV, one for each day. */
export const csvStatements = (selection: LogSelection): string[] =>
  selection.days.map((day) => inlineValues(selectDay(selection)(day)))

/** All plays as CSV, of one moment: those in the database are written by PostgreSQL itself, archived days by DuckDB. */
function csvFile({ db, parquet }: PlayStores, selection: LogSelection, about: ExportContext) {
  const { query, days } = selection
  let rows = 0
  let reading: CopyTransaction | undefined
  async function* hotDays(hot: readonly string[]) {
    const copy = reading?.copyOut(hot.map(selectDay(selection)), 'csv')
    if (!copy) return
    yield* copy
    rows += copy.rows
  }
  async function* content() {
    // The byte order mark tells Excel that this is UTF-8.
    yield `\ufeff${titles.join(',')}\n`
    reading = await CopyTransaction.begin(db, 'repeatable read read only')
    const csv = new ArchivedCsv(reading, parquet, query)
    try {
      for (const part of await csv.divide(days)) {
        if (part.archived) yield* csv.day(part, (count) => (rows += count))
        else yield* hotDays(part.days)
      }
      await reading.commit()
    } finally {
      reading.end()
      await csv.close()
    }
    yield `"# ${summarizeExport(rows, about).join('; ').replaceAll('"', '""')}"\n`
  }
  const file = Readable.from(content(), { objectMode: false })
  // A reader that goes away does not wait for the next row.
  file.on('close', () => reading?.end())
  return { file, exportSummary: { rows: () => rows, filters: about.filters } }
}

/** A shift as people know it: `T-4 on Nov 16, 2026`. */
async function nameOfShift(db: Db, uid: string): Promise<string> {
  const shift = await db
    .selectFrom('shift as s')
    .innerJoin('truck as t', 't.uid', 's.truck_uid')
    .select(['t.number', 's.local_date'])
    .where('s.uid', '=', uid)
    .executeTakeFirst()
  return shift ? `${shift.number} on ${formatDay(shift.local_date)}` : 'unknown'
}

/** The names of what a file is filtered by. */
interface FilterNames {
  program: string | undefined
  client: string
  market: string
  trucks: string
  drivers: string
}

/** The names of drivers and clients. Only staff filter by them. */
async function namesOfPeople(db: Db, { client = [], driver = [] }: DayTotalsQuery) {
  const clients = await db
    .selectFrom('client')
    .select('name')
    .where('uid', '=', anyOf(client))
    .orderBy('name')
    .execute()
  const drivers = await db
    .selectFrom('user_account')
    .select('name')
    .where('uid', '=', anyOf(driver))
    .where('role', '=', 'driver')
    .orderBy('name')
    .execute()
  const listOf = (found: readonly { name: string }[]) => found.map(({ name }) => name).join(', ') || 'unknown'
  return { client: listOf(clients), drivers: listOf(drivers) }
}

async function readNames(db: Db, scope: Scope, query: PlayLogQuery, filter: PlayFilter): Promise<FilterNames> {
  const programs = query.program ? await requirePrograms(db, scope, query.program) : undefined
  return {
    program: programs?.map(({ name }) => name).join(', '),
    ...(await namesOfPeople(db, hideDriver(scope, { ...query, ...(scope.rows === 'own' && { client: [] }) }))),
    ...(await namesOfFilters(db, filter)),
  }
}

const clockOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** The filters of a file, as its last line states them. */
async function describeFilters(db: Db, query: PlayLogQuery, names: FilterNames): Promise<string[]> {
  const { client, market, shift, driver, truck, side, grade, from, to, fromHour = 0, toHour = 24, sort } = query
  const { address, since, until } = query
  return [
    ...(query.search ? [`search: ${query.search}`] : []),
    names.program === undefined ? 'all programs' : `program: ${names.program}`,
    ...(client ? [`client: ${names.client}`] : []),
    ...(market ? [`market: ${names.market}`] : []),
    ...(shift ? [`shift: ${await nameOfShift(db, shift)}`] : []),
    ...(from ? [`from: ${from}`] : []),
    ...(to ? [`to: ${to}`] : []),
    ...(hoursOfSpan(query) ? [`hours: ${clockOf(fromHour)} to ${clockOf(toHour)}`] : []),
    ...(truck ? [`truck: ${names.trucks}`] : []),
    ...(driver ? [`driver: ${names.drivers}`] : []),
    ...(side ? [`side: ${side.map((each) => truckSideLabel[each]).join(', ')}`] : []),
    ...(address ? [`SD address: ${(await nameOfAddress(db, query))?.name ?? 'unknown'}`] : []),
    ...(since ? [`since: ${since}`] : []),
    ...(until ? [`until: ${until}`] : []),
    ...(grade ? [`grade: ${grade.map((each) => popGradeLabel[each]).join(', ')}`] : []),
    ...(sort ? [`sorted by ${sort}`] : []),
  ]
}

/** The name of the file: `ad-log_acme-summer_houston-tx_rear_2026-07-01_2026-07-31`. */
const fileNameOf = ({ market, truck, side = [], from, to }: PlayLogQuery, names: FilterNames): string =>
  exportFileName({
    name: sheet.name,
    of: [
      ...(names.program === undefined ? [] : [names.program]),
      ...(market ? [names.market] : []),
      ...(truck ? [names.trucks] : []),
      ...side.map((each) => truckSideLabel[each]),
    ],
    days: [from, to].filter((day) => day !== undefined),
  })

/** Every play that a query leaves, as a file. */
export async function exportPlays(
  stores: PlayStores,
  scope: Scope,
  query: PlayLogQuery & { format: ExportFormat },
): Promise<Download> {
  const { db } = stores
  const resolved = await resolveFilter(db, scope, query)
  const filter = await withAddressSnapshot(stores, resolved)
  if (query.format === 'xlsx') {
    const { total } = await pageOfPlays(stores, scope, { ...query, page: 1, pageSize: 1 })
    if (total >= MAX_SHEET_ROWS) throw new AppError('tooManyRows')
  }
  const selection = { query: filter, days: await daysWithPlays(db, filter) }
  const names = await readNames(db, scope, query, filter)
  const zones = await zonesOfPlays(db, filter)
  const about = {
    filters: await describeFilters(db, query, names),
    zone: zones.join(', ') || 'the zone of the market',
    now: new Date(),
    notes: await notesOfOldPlays(db, filter, zones[0] ?? 'UTC'),
    filename: fileNameOf(query, names),
  }
  await requireFirstFile(stores, selection)
  if (query.format === 'xlsx') {
    const list = { columns: COLUMNS, joins: PLAY_JOINS }
    return exportSheet('xlsx', sheet, streamPlays<FileRow>(stores, selection, list), about)
  }
  const { file, exportSummary } = csvFile(stores, selection, about)
  return new Download(`${about.filename}.csv`, sheetTypes.csv, file, { exportSummary })
}

/** Answers an error instead of half a file where the storage is away. */
async function requireFirstFile({ db, parquet }: PlayStores, { query, days }: LogSelection): Promise<void> {
  const archived = await findArchivedOn(db, query, days)
  const file = directionOf(query) === 'asc' ? archived?.files[0] : archived?.files.at(-1)
  if (file) await parquet.withCopies([file], async () => undefined)
}
