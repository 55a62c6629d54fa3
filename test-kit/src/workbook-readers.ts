import { DAY_MS } from '@roadshow/contract'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type CellObject, read, utils } from 'xlsx'

/** A sheet as a reader of workbooks gives it back: dates and times as text, numbers as numbers. */
export interface ReadSheet {
  rows: (string | number | null)[][]
  /** The number formats of the second row. */
  formats: string[]
  /** The first cell below and right of what is frozen: `A2`; undefined where the reader does not say. */
  frozen: string | null | undefined
  /** The cells that the filter row covers: `A1:C9`. */
  filtered: string | null
  widths: number[]
}

export type ReadBook = Record<string, ReadSheet>

// Spreadsheets count days from the end of 1899.
const DAYS_TO_1970 = 25_569

/** A serial date as people read it, by its format. Spreadsheets store fractions of a day, so it is rounded. */
function dateText(serial: number, format: string): string {
  const ms = Math.round(((serial - DAYS_TO_1970) * DAY_MS) / 1000) * 1000
  const iso = new Date(ms).toISOString()
  if (!format.includes('hh')) return iso.slice(0, 10)
  return format.includes('yyyy') ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : iso.slice(11, 16)
}

function readValue(cell: CellObject | undefined): string | number | null {
  if (!cell || cell.v === undefined) return null
  const { v: value, z: format = '' } = cell
  if (typeof value !== 'number') return String(value)
  return /yyyy|hh/.test(String(format)) ? dateText(value, String(format)) : value
}

/** Opens a workbook with SheetJS. It does not read what is frozen. */
export function readWithSheetJs(file: Buffer): ReadBook {
  const book = read(file, { cellNF: true, cellStyles: true })
  const entries = book.SheetNames.map((name): [string, ReadSheet] => {
    const sheet = book.Sheets[name] ?? {}
    const { e: last } = utils.decode_range(sheet['!ref'] ?? 'A1')
    const columns = Array.from({ length: last.c + 1 }, (_, column) => column)
    const cellAt = (r: number, c: number) => sheet[utils.encode_cell({ r, c })] as CellObject | undefined
    return [
      name,
      {
        rows: Array.from({ length: last.r + 1 }, (_, row) => columns.map((column) => readValue(cellAt(row, column)))),
        formats: columns.map((column) => String(cellAt(1, column)?.z ?? 'General')),
        frozen: undefined,
        filtered: sheet['!autofilter']?.ref ?? null,
        widths: columns.map((column) => sheet['!cols']?.[column]?.width ?? 0),
      },
    ]
  })
  return Object.fromEntries(entries)
}

const SCRIPT = `
import datetime, json, sys, openpyxl
def text(value):
    if isinstance(value, datetime.datetime):
        value = (value + datetime.timedelta(milliseconds=500)).replace(microsecond=0)
        return value.strftime('%Y-%m-%d %H:%M:%S')
    if isinstance(value, datetime.time): return value.strftime('%H:%M')
    if isinstance(value, datetime.date): return value.isoformat()
    return value
books = []
for name in sys.argv[1:]:
    book = openpyxl.load_workbook(name)
    sheets = {}
    for sheet in book.worksheets:
        widths = [sheet.column_dimensions[openpyxl.utils.get_column_letter(n + 1)].width for n in range(sheet.max_column)]
        formats = [cell.number_format for cell in sheet[2]] if sheet.max_row > 1 else []
        sheets[sheet.title] = {
            'rows': [[text(cell.value) for cell in row] for row in sheet.iter_rows()],
            'formats': formats, 'frozen': sheet.freeze_panes, 'filtered': sheet.auto_filter.ref, 'widths': widths}
    books.append(sheets)
json.dump(books, sys.stdout)
`

/** A Python that has openpyxl, if one is installed: Debian's package belongs to Debian's own Python. */
export function findOpenpyxl(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((python) => {
    try {
      execFileSync(python, ['-c', 'import openpyxl'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

/** Opens workbooks with openpyxl, which refuses what the schema does not allow. */
export function readWithOpenpyxl(python: string, files: readonly Buffer[]): ReadBook[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roadshow-workbooks-'))
  try {
    const names = files.map((file, index) => {
      const name = path.join(folder, `${index}.xlsx`)
      writeFileSync(name, file)
      return name
    })
    const answer = execFileSync(python, ['-W', 'error', '-c', SCRIPT, ...names], { maxBuffer: 256 * 1024 * 1024 })
    return JSON.parse(answer.toString()) as ReadBook[]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
