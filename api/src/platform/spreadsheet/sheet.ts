import { Readable } from 'node:stream'
import type { ExportFormat } from '@roadshow/contract'
import { stringify } from 'csv-stringify'
import { Download, type ExportSummary } from '../http/download.ts'
import { type Cell, writeXlsx } from './xlsx.ts'

/** How records become rows of a file. */
export interface Sheet<Row> {
  /** In the file's name: `trucks_2026-11-15.csv`. */
  name: string
  columns: Record<string, (row: Row) => Cell>
}

export interface ExportContext {
  /** The filters of the list, such as `State: Active`. */
  filters: string[]
  zone: string
  now: Date
  /** The file's name, if it is not the sheet's name and the day. */
  filename?: string
}

export const sheetTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Text that a spreadsheet would run as a formula gets a quote in front; numbers stay numbers. */
const neutral = (cell: Cell): Cell => (typeof cell === 'string' && /^[=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell)

/** An instant in UTC as people read it. */
export const formatUtc = (instant: string): string => instant.slice(0, 19).replace('T', ' ')

/** An instant in the local time of a zone. */
export const formatLocalTime = (instant: string | null, zone: string): string =>
  instant === null
    ? ''
    : new Date(instant).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

/** Exports all rows as a file, a few rows at a time. The file ends with the number of rows and the filters. */
export function exportSheet<Row>(
  format: ExportFormat,
  sheet: Sheet<Row>,
  rows: AsyncIterable<Row>,
  about: ExportContext,
) {
  const titles = Object.keys(sheet.columns)
  const cells = Object.values(sheet.columns)
  let count = 0
  async function* table(): AsyncGenerator<Cell[]> {
    yield titles
    for await (const row of rows) {
      count++
      yield cells.map((cell) => neutral(cell(row)))
    }
  }
  const filename = about.filename ?? `${sheet.name}_${about.now.toISOString().slice(0, 10)}`
  return sheetFile({
    format,
    title: sheet.name,
    filename,
    table: table(),
    summary: () => summarizeExport(count, about),
    exportSummary: { rows: () => count, filters: about.filters },
  })
}

/** The lines after the last row of an export. */
export const summarizeExport = (count: number, { filters, zone, now }: ExportContext): string[] => [
  `${count} ${count === 1 ? 'row' : 'rows'}`,
  ...(filters.length > 0 ? filters : ['no filters']),
  `times in ${zone}`,
  `exported ${formatUtc(now.toISOString())}`,
]

interface SheetFile {
  format: ExportFormat
  title: string
  filename: string
  table: AsyncIterable<Cell[]>
  /** Lines that follow the last row. */
  summary: () => string[]
  /** What the audit log records of an export. */
  exportSummary?: ExportSummary
}

/** A table as a CSV or XLSX file, with a summary after its last row. */
export function sheetFile({ format, title, filename, table, summary, exportSummary }: SheetFile): Download {
  const content = format === 'csv' ? csv(table, summary) : writeXlsx(title, table, summary)
  return new Download(`${filename}.${format}`, sheetTypes[format], content, { ...(exportSummary && { exportSummary }) })
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
