import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type ImportColumns, MAX_TABLE_ROWS } from '@roadshow/contract'
import { parse } from 'csv-parse/sync'
import { AppError } from '../app-error.ts'
import type { ReceivedFile } from './multipart.ts'

/** A row of somebody's table: its number as a spreadsheet counts, and the cells of the columns that are known. */
export interface TableRow<Column extends string> {
  row: number
  cells: Partial<Record<Column, string>>
}

const refused = (code: 'badInput' | 'tooLarge' | 'unreadableTable', text: string) =>
  new AppError(code, { text, fields: { file: text } })

const unreadable = () =>
  refused('unreadableTable', 'The file could not be read as a table. Please send a CSV or XLSX file.')

/** Reads a CSV or XLSX file whose first row names the columns, in whichever of their spellings. */
export async function readTable<Column extends string>(
  file: ReceivedFile,
  columns: ImportColumns<Column>,
): Promise<TableRow<Column>[]> {
  const isZip = file.content.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))
  const [header, ...rows] = isZip ? await readXlsx(file.content) : readCsv(file.content)
  const places = placesOf(header ?? [], columns)
  const found = rows.map((cells, index) => ({ row: index + 2, cells: cellsAt(places, cells) }))
  const filled = found.filter(({ cells }, index) => Object.keys(cells).length > 0 && !isSummary(rows[index] ?? []))
  if (filled.length > MAX_TABLE_ROWS) {
    const most = MAX_TABLE_ROWS.toLocaleString('en-US')
    throw refused('tooLarge', `The file has more than ${most} rows. Please send it in parts.`)
  }
  if (filled.length === 0) throw refused('badInput', 'The file has no rows below its first one.')
  return filled
}

const spelling = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Which known column stands at each place of the table. */
function placesOf<Column extends string>(header: string[], columns: ImportColumns<Column>): (Column | undefined)[] {
  const names = Object.entries(columns) as [Column, readonly [string, ...string[]]][]
  const known = new Map(names.flatMap(([column, titles]) => titles.map((title) => [spelling(title), column] as const)))
  const places = header.map((title) => known.get(spelling(title)))
  if (places.every((column) => column === undefined)) {
    const titles = names.map(([, [title]]) => title).join(', ')
    throw refused('badInput', `The first row must name the columns: ${titles}.`)
  }
  // Of two columns with the same name the first one counts.
  return places.map((column, index) => (places.indexOf(column) === index ? column : undefined))
}

function cellsAt<Column extends string>(places: (Column | undefined)[], cells: string[]) {
  const found: Partial<Record<Column, string>> = {}
  for (const [index, column] of places.entries()) {
    const text = plain(cells[index] ?? '')
    if (column !== undefined && text !== '') found[column] = text
  }
  return found
}

// No-break spaces come with tables from the web; the quote that keeps our exports from running as formulas goes again.
const plain = (cell: string) =>
  cell
    .replaceAll('\u00a0', ' ')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

/** The line with which our own exports end. */
const isSummary = ([first = '', ...others]: string[]) => first.startsWith('# ') && others.every((cell) => cell === '')

function readCsv(content: Buffer): string[][] {
  const text = decoded(content)
  // A file of another kind: no table holds zero bytes.
  if (text.includes('\u0000')) throw unreadable()
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      to: MAX_TABLE_ROWS + 2,
      skip_empty_lines: false,
    })
  } catch {
    throw unreadable()
  }
}

/** UTF-8, the UTF-16 that Excel calls Unicode text, or what older Windows programs write. */
function decoded(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder('utf-16le').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

/** The sign that the first line has most often, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

const MAX_UNPACKED = 100 * 1024 * 1024
const READING_MS = 20_000

// A workbook that is small in the file and endless in memory ends its own thread, not the server.
const READER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const text = (cell) => cell === null ? '' : cell instanceof Date ? cell.toISOString().slice(0, 16).replace('T00:00', '').replace('T', ' ') : String(cell)
  require(workerData.library).readSheet(workerData.file).then((rows) => parentPort.postMessage(rows.map((row) => row.map(text))))
`
const library = createRequire(import.meta.url).resolve('read-excel-file/universal')

/** The first sheet of a workbook. */
function readXlsx(content: Buffer): Promise<string[][]> {
  if (unpackedSize(content) > MAX_UNPACKED)
    throw refused('tooLarge', 'The workbook is too large. Please send it as CSV.')
  const file = new Uint8Array(content).buffer
  const worker = new Worker(READER, {
    eval: true,
    workerData: { library, file },
    transferList: [file],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  const timer = setTimeout(() => void worker.terminate(), READING_MS)
  return new Promise<string[][]>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', () => reject(unreadable()))
    worker.once('exit', () => reject(unreadable()))
  }).finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
}

const ENTRY = Buffer.from('PK\u0001\u0002')

/** What the files of an archive will take, as its directory says; the reader reserves no more than that. */
function unpackedSize(archive: Buffer): number {
  let size = 0
  for (let at = archive.indexOf(ENTRY); at >= 0 && at + 46 <= archive.length; at = archive.indexOf(ENTRY, at + 46)) {
    size += archive.readUInt32LE(at + 24)
  }
  return size
}
