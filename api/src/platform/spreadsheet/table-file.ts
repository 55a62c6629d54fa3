import { type ImportColumns, MAX_TABLE_ROWS } from '@roadshow/contract'
import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '../runtime/app-error.ts'
import { parseCsv } from './csv.ts'
import type { ReceivedFile } from '../http/multipart.ts'
import { type Grid, readFirstSheet, WorkbookRefused } from './workbook.ts'

/** A row of an uploaded table: its number in the spreadsheet, and the cells of the known columns. */
export interface TableRow<Column extends string> {
  row: number
  cells: Partial<Record<Column, string>>
  /** Cells that are computed; what they show may be old. */
  formulas?: Column[]
  /** What stands to the right of all titles, as where text with commas is not in quotes. */
  beyond?: string
}

export interface Table<Column extends string> {
  /** The known columns that the file has. */
  columns: Column[]
  /** Titles of columns that are not known. */
  ignored: string[]
  /** Titles of columns that name the same as an earlier one. */
  repeated: string[]
  rows: TableRow<Column>[]
}

type Refusal = 'badInput' | 'tooLarge' | 'unreadableTable'
/** The refusal of a whole file. */
export const tableRefusal = (code: Refusal, text: string) => new AppError(code, { text, fields: { file: text } })

const unreadable = (text = 'This file could not be read as a table.') =>
  tableRefusal('unreadableTable', `${text} Please use a CSV or XLSX file.`)

/** Reads a CSV or XLSX file whose first row names the columns, in whichever of their spellings. */
export async function openTable<Column extends string>(
  file: ReceivedFile,
  columns: ImportColumns<Column>,
): Promise<Table<Column>> {
  const { rows, isFormula } = await gridOf(file.content)
  const isFilled = (row: string[]) => row.some((cell) => plain(cell) !== '')
  const top = rows.findIndex(isFilled)
  const header = (rows[top] ?? []).map(plain)
  const { byIndex, ...titles } = columnsByIndex(header, columns)
  const filled: TableRow<Column>[] = []
  for (let index = top + 1; index < rows.length; index++) {
    const row = rows[index] ?? []
    if (!isFilled(row) || isSummary(row)) continue
    const cells = cellsAt(byIndex, row)
    const formulas = byIndex.filter((column, at) => column !== undefined && isFormula(index, at)) as Column[]
    if (Object.keys(cells).length === 0 && formulas.length === 0) continue
    const beyond = row.slice(header.length).map(plain).filter(Boolean).join(', ')
    filled.push({ row: index + 1, cells, ...(formulas.length > 0 && { formulas }), ...(beyond && { beyond }) })
  }
  if (filled.length > MAX_TABLE_ROWS || rows.length >= MAX_LINES) {
    const most = MAX_TABLE_ROWS.toLocaleString('en-US')
    throw tableRefusal('tooLarge', `The file has more than ${most} rows. Please split it up.`)
  }
  if (filled.length === 0) throw tableRefusal('badInput', 'The file has no rows below the header row.')
  return { columns: byIndex.filter((column) => column !== undefined), ...titles, rows: filled }
}

export const readTableRows = async <Column extends string>(file: ReceivedFile, columns: ImportColumns<Column>) =>
  (await openTable(file, columns)).rows

const spelling = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Which known column stands at each index of the table. */
function columnsByIndex<Column extends string>(header: string[], columns: ImportColumns<Column>) {
  const names = Object.entries(columns) as [Column, readonly [string, ...string[]]][]
  const known = new Map(names.flatMap(([column, titles]) => titles.map((title) => [spelling(title), column] as const)))
  const found = header.map((title) => known.get(spelling(title)))
  if (found.every((column) => column === undefined)) {
    const titles = names.map(([, [title]]) => title).join(', ')
    throw tableRefusal('badInput', `The first row must name the columns: ${titles}.`)
  }
  // Of two columns with the same name the first one counts.
  const byIndex = found.map((column, index) => (found.indexOf(column) === index ? column : undefined))
  return {
    byIndex,
    ignored: header.filter((title, index) => title !== '' && found[index] === undefined),
    repeated: header.filter((_, index) => found[index] !== byIndex[index]),
  }
}

function cellsAt<Column extends string>(byIndex: (Column | undefined)[], cells: string[]) {
  const found: Partial<Record<Column, string>> = {}
  for (const [index, column] of byIndex.entries()) {
    if (column === undefined) continue
    const text = plain(cells[index] ?? '')
    if (text !== '') found[column] = text
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

async function gridOf(content: Buffer): Promise<Grid> {
  if (!content.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return readCsv(content)
  return readFirstSheet(content).catch((error: unknown) => {
    if (!(error instanceof WorkbookRefused)) throw error
    if (error.reason === 'tooLarge')
      throw tableRefusal('tooLarge', 'This workbook is too large. Please save it as CSV.')
    if (error.reason === 'macros') throw unreadable('This workbook has macros, which are not accepted.')
    throw unreadable()
  })
}

// Of a file that is mostly empty lines not all are read, and then none counts.
const MAX_LINES = 5 * MAX_TABLE_ROWS

async function readCsv(content: Buffer): Promise<Grid> {
  if (!isUtf16(content)) await refuseOthers(content)
  const text = decoded(content)
  // A file of another kind: no table holds zero bytes.
  if (text.includes('\u0000')) throw unreadable()
  const rows = parseCsv(text, delimiterOf(text), MAX_LINES)
  if (!rows) throw unreadable()
  return { rows, isFormula: (row, column) => /^\s*=/.test(rows[row]?.[column] ?? '') }
}

/** Says what a file is that is called a table and is none. */
async function refuseOthers(content: Buffer): Promise<void> {
  const kind = await fileTypeFromBuffer(content)
  if (!kind || kind.mime.startsWith('text/')) return
  if (kind.ext === 'cfb') throw unreadable('This workbook is in the old Excel format (.xls) or has a password.')
  throw unreadable(`This is a ${kind.ext.toUpperCase()} file, not a table.`)
}

// Letters of UTF-8 as they look when they are read as Windows-1252: Ã©, â€™.
const READ_WRONGLY = /[\u00c2-\u00c5][\u0080-\u00bf]|\u00e2\u0080[\u0080-\u00bf]/
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

// Where it differs from Latin-1, for which some versions of Node take it.
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

// Either way round; some sounds and pictures begin like that too, and show zero bytes then.
const isUtf16 = ([first, second]: Buffer) => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** UTF-8, the UTF-16 that Excel calls Unicode text, or what older Windows programs write. */
function decoded(content: Buffer): string {
  if (isUtf16(content)) return new TextDecoder(content[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    // Some lines of one kind, some of the other: whichever is taken, letters of the other would be saved wrong.
    if (content.subarray(0, 3).equals(BOM) || READ_WRONGLY.test(content.toString('latin1'))) {
      throw tableRefusal(
        'unreadableTable',
        'The file mixes UTF-8 with another encoding. Please save it as “CSV UTF-8” or as XLSX.',
      )
    }
    return content
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? '')
  }
}

/** The sign that the first line has most often, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '').replace(/"[^"]*"/g, '')
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
