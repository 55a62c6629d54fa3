import { Readable } from 'node:stream'
import { type ExportFormat, popGradeLabel, proposePopUrl, truckSideLabel } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type CopyOut, copyCsv } from '../../platform/db/copy.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { Download } from '../../platform/http/download.ts'
import { type ExportContext, exportSheet, sheetTypes, summarizeExport } from '../../platform/spreadsheet/sheet.ts'
import { type Cell, MAX_SHEET_ROWS } from '../../platform/spreadsheet/xlsx.ts'
import { daysOfPlays, IS_LATE, orderOf, pageOfPlays, PLAY_JOINS, type PlayQuery, playsWhere, wayOf } from './plays.ts'
import { namesIn, programOf, type Span, spansOf } from './spans.ts'

const literal = (text: string) => pg.escapeLiteral(text)
const labelled = (column: string, labels: Record<string, string>) =>
  `case ${column} ${Object.entries(labels)
    .map(([value, label]) => `when ${literal(value)} then ${literal(label)}`)
    .join(' ')} end`

/** Each column of a file as SQL. Text that people wrote is made harmless; numbers stay numbers. */
const CELLS = {
  Time: `to_char(p.started_at at time zone m.zone, 'YYYY-MM-DD HH24:MI:SS')`,
  Zone: 'm.zone',
  Market: 'plain_cell(m.name)',
  Truck: 'plain_cell(t.number)',
  Side: labelled('p.side', truckSideLabel),
  'Artwork set': 'plain_cell(w.name)',
  Seconds: 'p.duration_ms / 1000::float8',
  'SD address': 'plain_cell(a.label)',
  Latitude: 'p.latitude',
  Longitude: 'p.longitude',
  Grade: labelled('p.grade', popGradeLabel),
  Number: 'p.sequence',
  'Received (UTC)': `to_char(p.received_at, 'YYYY-MM-DD HH24:MI:SS')`,
  Late: `case when ${IS_LATE} then 'late' end`,
}
const titles = Object.keys(CELLS) as (keyof typeof CELLS)[]
const columns = titles.map((title) => `${CELLS[title]} as "${title}"`).join(', ')

type FileRow = Record<keyof typeof CELLS, Cell>
const sheet = {
  name: 'ad-log',
  columns: Object.fromEntries(titles.map((title) => [title, (row: FileRow) => row[title]])),
}

const selectOf = (values: Values, query: PlayQuery, spans: readonly Span[], from: string, until: string) =>
  `select ${columns} from play p ${PLAY_JOINS}
    where ${playsWhere(values, query, spans, from, until)} ${orderOf(wayOf(query))}`

/** A statement with its values written into it: COPY takes none. */
const inlined = (statement: string, { list }: Values): string =>
  statement.replace(/\$(\d+)/g, (_, number: string) => {
    const value = list[Number(number) - 1]
    return literal(Array.isArray(value) ? `{${value.join(',')}}` : String(value))
  })

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString()

/** What is read for a file of CSV, day by day. */
export const selectsOf = (query: PlayQuery, spans: readonly Span[], days: readonly string[]): string[] =>
  days.map((day) => {
    const values = new Values()
    return inlined(selectOf(values, query, spans, day, dayAfter(day)), values)
  })

/**
 * All plays as CSV, written by PostgreSQL itself. Day by day, so that what comes first is sorted and sent at once, and
 * nothing grows with the length of the time that was asked for.
 */
function csvOf(db: Db, query: PlayQuery, spans: readonly Span[], days: readonly string[], about: ExportContext) {
  let copy: CopyOut | undefined
  async function* content() {
    // The byte order mark tells Excel that this is UTF-8.
    yield `\ufeff${titles.join(',')}\n`
    copy = await copyCsv(db, selectsOf(query, spans, days))
    yield* copy
    yield `"# ${summarizeExport(copy.rows, about).join('; ').replaceAll('"', '""')}"\n`
  }
  const file = Readable.from(content(), { objectMode: false })
  // A reader that goes away does not wait for the next row.
  file.on('close', () => copy?.destroy())
  return { file, told: { rows: () => copy?.rows ?? 0, filters: about.filters } }
}

/** All plays a few at a time. */
async function* rowsOf(db: Db, query: PlayQuery, spans: readonly Span[], days: readonly string[]) {
  const [one, other] = [days[0], days.at(-1)]
  if (one === undefined || other === undefined) return
  const [first, last] = one < other ? [one, other] : [other, one]
  const values = new Values()
  const statement = selectOf(values, query, spans, first, dayAfter(last))
  for await (const { rows } of db.getExecutor().stream<FileRow>(CompiledQuery.raw(statement, values.list), 2000))
    yield* rows
}

/** What a file says that it holds. */
async function filtersOf(db: Db, query: PlayQuery, program: string): Promise<string[]> {
  const { market, truck, side, grade, from, to, sort, search } = query
  const names = await namesIn(db, query)
  return [
    ...(search ? [`search: ${search}`] : []),
    `program: ${program}`,
    ...(market ? [`market: ${names.market}`] : []),
    `from: ${from}`,
    `to: ${to}`,
    ...(truck ? [`truck: ${names.trucks}`] : []),
    ...(side ? [`side: ${side.map((each) => truckSideLabel[each]).join(', ')}`] : []),
    ...(grade ? [`grade: ${grade.map((each) => popGradeLabel[each]).join(', ')}`] : []),
    ...(sort ? [`sorted by ${sort}`] : []),
  ]
}

/** The name of a report's file: `ad-log_acme-summer_2026-07-01_2026-07-31`. */
export const reportName = (report: string, program: string, { from, to }: { from: string; to: string }) =>
  [report, proposePopUrl(program) || 'program', from, to].join('_')

/** Every play that a query leaves, as a file. */
export async function fileOfPlays(
  db: Db,
  scope: Scope,
  query: PlayQuery & { format: ExportFormat },
): Promise<Download> {
  const { name } = await programOf(db, scope, query.program)
  if (query.format === 'xlsx') {
    const { total } = await pageOfPlays(db, scope, { ...query, page: 1, pageSize: 1 })
    if (total >= MAX_SHEET_ROWS) throw new AppError('tooManyRows')
  }
  const spans = await spansOf(db, query)
  const days = await daysOfPlays(db, query, spans)
  const about = {
    filters: await filtersOf(db, query, name),
    zone: spans.map(({ zone }) => zone).join(', ') || 'the zone of the market',
    now: new Date(),
    filename: reportName(sheet.name, name, query),
  }
  if (query.format === 'xlsx') return exportSheet('xlsx', sheet, rowsOf(db, query, spans, days), about)
  const { file, told } = csvOf(db, query, spans, days, about)
  return new Download(`${about.filename}.csv`, sheetTypes.csv, file, { told })
}
