import { Readable } from 'node:stream'
import type { ExportFormat } from '@roadshow/contract'
import { stringify } from 'csv-stringify'
import { Download, type ExportSummary } from '../http/download.ts'
import { type Cell, cellOf, type ColumnKind, kindOfColumn, type SheetColumn } from './columns.ts'
import { exportFileName } from './file-name.ts'
import { formatLocalTime, isZone, localDayOf } from './local-time.ts'
import { writeXlsx } from './xlsx.ts'

/** How records become rows of a file. */
export interface Sheet<Row> {
  /** In the file's name: `trucks_2026-11-15.csv`. */
  name: string
  columns: Record<string, SheetColumn<Row>>
}

export interface ExportContext {
  /** The filters of the list, such as `State: Active`. */
  filters: string[]
  /** The zone of the times in the file, or a few words where each row names its own. */
  zone: string
  now: Date
  /** What else the list says of its rows, such as since when there are any. */
  notes?: readonly string[]
  /** The file's name, if it is not the sheet's name and the day. */
  filename?: string
}

/** What a file with times of several zones says; it has a column that names the zone of each row. */
export const ROW_ZONES = 'the zone of each row'

export const sheetTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Exports all rows as a file, a few rows at a time. The file ends with the number of rows and the filters. */
export function exportSheet<Row>(
  format: ExportFormat,
  sheet: Sheet<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
  about: ExportContext,
) {
  const titles = Object.keys(sheet.columns)
  const columns = Object.values(sheet.columns)
  const today = localDayOf(about.now, isZone(about.zone) ? about.zone : 'UTC')
  const file = { zone: about.zone, today, isWorkbook: format === 'xlsx' }
  let count = 0
  async function* table(): AsyncGenerator<Cell[]> {
    yield titles
    for await (const row of rows) {
      count++
      yield columns.map((column) => cellOf(column, row, file))
    }
  }
  return sheetFile({
    format,
    title: sheet.name,
    filename: about.filename ?? exportFileName({ name: sheet.name, days: [today] }),
    table: table(),
    kinds: columns.map(kindOfColumn),
    summary: () => summarizeExport(count, about),
    exportSummary: { rows: () => count, filters: about.filters },
  })
}

/** The lines after the last row of an export. */
export function summarizeExport(count: number, { filters, zone, now, notes = [] }: ExportContext): string[] {
  const exportZone = isZone(zone) ? zone : 'UTC'
  return [
    `${count} ${count === 1 ? 'row' : 'rows'}`,
    ...notes,
    ...(filters.length > 0 ? filters : ['no filters']),
    `times in ${zone}`,
    `exported ${formatLocalTime(now, exportZone)} ${exportZone}`,
  ]
}

interface SheetFile {
  format: ExportFormat
  title: string
  filename: string
  table: AsyncIterable<Cell[]>
  /** The kinds of the table's columns, for a workbook; plain text and numbers have none. */
  kinds?: readonly (ColumnKind | undefined)[]
  /** Lines that follow the last row. */
  summary: () => string[]
  /** What the audit log records of an export. */
  exportSummary?: ExportSummary
}

/** A table as a CSV or XLSX file, with a summary after its last row. */
export function sheetFile({ format, title, filename, table, kinds, summary, exportSummary }: SheetFile): Download {
  const content = format === 'csv' ? csv(table, summary) : writeXlsx(title, table, summary, kinds)
  return new Download(`${filename}.${format}`, sheetTypes[format], content, { exportSummary })
}

function csv(table: AsyncIterable<Cell[]>, summary: () => string[]): Readable {
  async function* all() {
    yield* table
    yield [`# ${summary().join('; ')}`]
  }
  const rows = Readable.from(all())
  // The byte order mark tells Excel that this is UTF-8.
  // A line break inside a cell may be either kind; stringify itself looks for the delimiter only.
  const file = stringify({ bom: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  rows.on('error', (error) => file.destroy(error))
  // A reader that goes away half-way also ends the reading from the database.
  file.on('close', () => rows.destroy())
  return rows.pipe(file)
}
