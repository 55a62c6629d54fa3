import { Readable } from 'node:stream'
import { type ExportFormat, formatDay, playReasonLabel, popGradeLabel, truckSideLabel } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type CopyOut, copyCsv } from '../../platform/db/copy.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { Download } from '../../platform/http/download.ts'
import { dayColumn, localTimeColumn, type SheetColumn } from '../../platform/spreadsheet/columns.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { type ExportContext, exportSheet, sheetTypes, summarizeExport } from '../../platform/spreadsheet/sheet.ts'
import { type Cell, MAX_SHEET_ROWS } from '../../platform/spreadsheet/xlsx.ts'
import {
  dayAfter,
  daysWithPlays,
  IS_LATE_PLAY,
  orderOfPlays,
  pageOfPlays,
  PLAY_JOINS,
  type PlayLogQuery,
  playsWhere,
  streamDays,
} from './log.ts'
import { namesOfFilters, requireMarket, requireProgram } from './report-filters.ts'
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
  Time: `to_char(p.started_at at time zone m.zone, 'YYYY-MM-DD HH24:MI:SS')`,
  Zone: 'm.zone',
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

/** Which plays a file holds: those of a query, on the days (UTC) that have some. */
interface PlaySelection {
  query: PlayLogQuery
  days: readonly string[]
}

const selectPlays = ({ query }: PlaySelection, from: string, until: string) => sql<FileRow>`
  select ${COLUMNS} from play p ${PLAY_JOINS} where ${playsWhere(query, from, until)} ${orderOfPlays(query)}`

/** A statement with its values written into it, because COPY takes none. */
function inlineValues(db: Db, statement: RawBuilder<unknown>): string {
  const { sql: text, parameters } = statement.compile(db)
  return text.replace(/\$(\d+)/g, (_, number: string) => {
    const value = parameters[Number(number) - 1]
    return literal(Array.isArray(value) ? `{${value.join(',')}}` : String(value))
  })
}

/** The statements behind a file of CSV, one for each day. */
export const csvStatements = (db: Db, selection: PlaySelection): string[] =>
  selection.days.map((day) => inlineValues(db, selectPlays(selection, day, dayAfter(day))))

/**
 * All plays as CSV, written by PostgreSQL itself. It is written day by day, so that the first rows are sent at once and
 * memory does not grow with the length of the period.
 */
function csvFile(db: Db, selection: PlaySelection, about: ExportContext) {
  let copy: CopyOut | undefined
  async function* content() {
    // The byte order mark tells Excel that this is UTF-8.
    yield `\ufeff${titles.join(',')}\n`
    copy = await copyCsv(db, csvStatements(db, selection))
    yield* copy
    yield `"# ${summarizeExport(copy.rows, about).join('; ').replaceAll('"', '""')}"\n`
  }
  const file = Readable.from(content(), { objectMode: false })
  // A reader that goes away does not wait for the next row.
  file.on('close', () => copy?.destroy())
  return { file, exportSummary: { rows: () => copy?.rows ?? 0, filters: about.filters } }
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

/** The filters of a file, as its last line states them. */
async function describeFilters(db: Db, query: PlayLogQuery, program: string): Promise<string[]> {
  const { market, shift, truck, side, grade, from, to, sort, search } = query
  const names = await namesOfFilters(db, query)
  return [
    ...(search ? [`search: ${search}`] : []),
    `program: ${program}`,
    ...(market ? [`market: ${names.market}`] : []),
    ...(shift ? [`shift: ${await nameOfShift(db, shift)}`] : []),
    ...(from ? [`from: ${from}`] : []),
    ...(to ? [`to: ${to}`] : []),
    ...(truck ? [`truck: ${names.trucks}`] : []),
    ...(side ? [`side: ${side.map((each) => truckSideLabel[each]).join(', ')}`] : []),
    ...(grade ? [`grade: ${grade.map((each) => popGradeLabel[each]).join(', ')}`] : []),
    ...(sort ? [`sorted by ${sort}`] : []),
  ]
}

/** The name of the file: `ad-log_acme-summer_houston-tx_rear_2026-07-01_2026-07-31`. */
async function fileNameOf(db: Db, query: PlayLogQuery, program: string): Promise<string> {
  const { market, truck, side = [], from, to } = query
  const names = await namesOfFilters(db, query)
  return exportFileName({
    name: sheet.name,
    of: [
      program,
      ...(market ? [names.market] : []),
      ...(truck ? [names.trucks] : []),
      ...side.map((each) => truckSideLabel[each]),
    ],
    days: [from, to].filter((day) => day !== undefined),
  })
}

/** Every play that a query leaves, as a file. */
export async function exportPlays(
  db: Db,
  scope: Scope,
  query: PlayLogQuery & { format: ExportFormat },
): Promise<Download> {
  const { name } = await requireProgram(db, scope, query.program)
  await requireMarket(db, query.market)
  if (query.format === 'xlsx') {
    const { total } = await pageOfPlays(db, scope, { ...query, page: 1, pageSize: 1 })
    if (total >= MAX_SHEET_ROWS) throw new AppError('tooManyRows')
  }
  const selection = { query, days: await daysWithPlays(db, query) }
  const about = {
    filters: await describeFilters(db, query, name),
    zone: (await zonesOfPlays(db, query)).join(', ') || 'the zone of the market',
    now: new Date(),
    filename: await fileNameOf(db, query, name),
  }
  if (query.format === 'xlsx')
    return exportSheet(
      'xlsx',
      sheet,
      streamDays(db, selection.days, (...hours) => selectPlays(selection, ...hours)),
      about,
    )
  const { file, exportSummary } = csvFile(db, selection, about)
  return new Download(`${about.filename}.csv`, sheetTypes.csv, file, { exportSummary })
}
