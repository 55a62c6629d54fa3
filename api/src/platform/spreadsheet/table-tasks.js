import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { isOutOfMemory, Refusal } from '../decoding/refusal.js'
import { parseCsv } from './csv.js'
import { MAX_CELL } from './table-limits.js'
import { readFirstSheet } from './workbook.js'

/**
 * All rows from the first one on, empty rows included; and whether a cell is computed, by row and column from 0.
 * @typedef {{ rows: string[][], isFormula: (row: number, column: number) => boolean }} Grid
 */
/** The titles of each known column. @typedef {Record<string, readonly string[]>} Columns */
/** @typedef {import('./table-file.ts').ColumnChoices} Choices */
/** @typedef {import('./table-file.ts').Table<string> | import('./table-file.ts').ChosenTable<string>} Table */

const unreadable = (text = 'This file could not be read as a table.') =>
  new Refusal(`${text} Please use a CSV or XLSX file.`, 'unreadableTable')

// No-break spaces come with tables from the web; the quote that keeps our exports from running as formulas goes again.
const plain = (/** @type {string} */ cell) =>
  cell
    .replaceAll('\u00a0', ' ')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

const isFilled = (/** @type {string[]} */ row) => row.some((cell) => plain(cell) !== '')

/**
 * The line with which our own exports end.
 * @param {string[]} row
 */
const isSummary = ([first = '', ...others]) => first.startsWith('# ') && others.every((cell) => cell === '')

/**
 * Reads a CSV or XLSX file in which a row names the columns, in whichever of their spellings. It answers JSON, which the
 * node reads faster than rows.
 * @param {{ columns: Columns, mostRows: number, choices?: Choices }} input
 * @param {import('../decoding/task-file.ts').TaskFile} file
 */
export async function readTable({ columns, mostRows, choices }, file) {
  // Of a file that is mostly empty lines not all are read, and then none counts.
  const most = { rows: mostRows, lines: 5 * mostRows }
  const grid = await gridOf(await file.whole(), most)
  const tooManyRows = new Refusal(
    `The file has more than ${mostRows.toLocaleString('en-US')} rows. Please split it up.`,
    'tooLarge',
  )
  if (grid === 'tooManyRows') throw tooManyRows
  const table = tableOf(grid, columns, choices)
  if (table.rows.length > mostRows || grid.rows.length >= most.lines) throw tooManyRows
  if (table.rows.length === 0 && !isUnknown(table, choices))
    throw new Refusal('The file has no rows below the header row.', 'badInput')
  const json = JSON.stringify(table)
  if (json.length > MAX_JSON) throw new Refusal('The cells of this file hold too much text.', 'tooLarge')
  return json
}

/** Of 20,000 rows, some thousand characters each. */
const MAX_JSON = 24 * 1024 * 1024

/**
 * @param {string[]} row
 * @param {number} number
 */
function checkCells(row, number) {
  if (row.every(({ length }) => length <= MAX_CELL)) return
  const [where, most] = [number, MAX_CELL].map((count) => count.toLocaleString('en-US'))
  throw new Refusal(`A cell in row ${where} has more than ${most} characters. Please shorten it.`, 'tooLarge')
}

/** Where columns are chosen by hand, a file is read whose headings name none. @param {Table} table @param {Choices | undefined} choices */
const isUnknown = (table, choices) => choices !== undefined && table.columns.length === 0

/**
 * @param {Grid} grid
 * @param {Columns} columns
 * @param {Choices | undefined} choices
 * @returns {Table}
 */
function tableOf({ rows, isFormula }, columns, choices) {
  const names = knownNames(columns)
  const top = headerRowOf(rows, names)
  checkCells(rows[top] ?? [], top + 1)
  const header = trimmedEnd((rows[top] ?? []).map(plain))
  const headings = headingsKey(header)
  const { byIndex, ...titles } = columnsByIndex(header, columns, choices?.given ?? choices?.remembered[headings])
  /** @type {Table['rows']} */
  const filled = []
  for (let index = top + 1; index < rows.length; index++) {
    const row = rows[index] ?? []
    if (!isFilled(row) || isSummary(row) || isRepeatedHeader(row, header)) continue
    checkCells(row, index + 1)
    const cells = cellsAt(byIndex, row)
    const formulas = byIndex.flatMap((column, at) => (column !== undefined && isFormula(index, at) ? [column] : []))
    if (Object.keys(cells).length === 0 && formulas.length === 0) continue
    const beyond = row.slice(header.length).map(plain).filter(Boolean).join(', ')
    filled.push({ row: index + 1, cells, ...(formulas.length > 0 && { formulas }), ...(beyond && { beyond }) })
  }
  const known = byIndex.filter((column) => column !== undefined)
  if (!choices) {
    if (known.length === 0) throw noColumns(columns)
    return { columns: known, ...titles, rows: filled }
  }
  const below = rows.slice(top + 1, top + 1 + EXAMPLE_ROWS)
  return {
    columns: known,
    ...titles,
    rows: filled,
    headerRow: top + 1,
    headingsKey: headings,
    headings: header.map((title, index) => ({
      title: title.slice(0, MAX_TITLE),
      column: byIndex[index] ?? null,
      example:
        below
          .map((row) => plain(row[index] ?? ''))
          .find(Boolean)
          ?.slice(0, MAX_TITLE) ?? '',
    })),
  }
}

const EXAMPLE_ROWS = 20
const MAX_TITLE = 100

const spelling = (/** @type {string} */ title) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** “Employee #” is the number of an employee where there is such a column. @param {ReadonlyMap<string, string>} names @param {string} title */
const columnNamed = (names, title) => names.get(spelling(title.replaceAll('#', 'no'))) ?? names.get(spelling(title))

/** @param {string[]} row */
const trimmedEnd = (row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)

/** Identifies a set of headings. @param {string[]} header */
const headingsKey = (header) => createHash('sha256').update(header.map(spelling).join('\n')).digest('hex')

/** Sheets that are printed on several pages repeat their header. @param {string[]} row @param {string[]} header */
const isRepeatedHeader = (row, header) =>
  header.length > 1 && header.every((title, index) => plain(row[index] ?? '') === title)

/** Each title of a known column. @param {Columns} columns */
const knownNames = (columns) =>
  new Map(
    Object.entries(columns).flatMap(([column, titles]) =>
      titles.map((title) => /** @type {const} */ ([spelling(title), column])),
    ),
  )

/** Titles, dates and blank lines stand above a header; no sheet has more of them. */
const MOST_ABOVE = 100

/**
 * The row that names the most columns; of several the first. Without one, the first row of several cells.
 * @param {string[][]} rows
 * @param {ReadonlyMap<string, string>} names
 */
function headerRowOf(rows, names) {
  const first = rows.findIndex(isFilled)
  let [best, most] = [first, 0]
  const end = first < 0 ? 0 : first + MOST_ABOVE
  for (const [index, row] of rows.slice(0, end).entries()) {
    const known = new Set(row.map((cell) => columnNamed(names, plain(cell))))
    known.delete(undefined)
    if (known.size > most) [best, most] = [index, known.size]
  }
  if (most > 0) return best
  const several = rows.slice(0, end).findIndex((row) => row.filter((cell) => plain(cell) !== '').length > 1)
  return several < 0 ? first : several
}

/** @param {Columns} columns */
const noColumns = (columns) =>
  new Refusal(
    `The first row must name the columns: ${Object.values(columns)
      .map(([title]) => title)
      .join(', ')}.`,
    'badInput',
  )

/**
 * Which known column stands at each index of the table.
 * @param {string[]} header
 * @param {Columns} columns
 * @param {readonly (string | null)[] | undefined} chosen by hand, for each heading
 */
function columnsByIndex(header, columns, chosen) {
  const names = knownNames(columns)
  const found = header.map((title, index) => {
    const column = chosen ? chosen[index] : columnNamed(names, title)
    return column && Object.hasOwn(columns, column) ? column : undefined
  })
  // Of two columns with the same name the first one counts.
  const byIndex = found.map((column, index) => (found.indexOf(column) === index ? column : undefined))
  return {
    byIndex,
    ignored: header.filter((title, index) => title !== '' && found[index] === undefined),
    repeated: header.filter((_, index) => found[index] !== byIndex[index]),
  }
}

/**
 * @param {(string | undefined)[]} byIndex
 * @param {string[]} cells
 */
function cellsAt(byIndex, cells) {
  /** @type {Record<string, string>} */
  const found = {}
  for (const [index, column] of byIndex.entries()) {
    if (column === undefined) continue
    const text = plain(cells[index] ?? '')
    if (text !== '') found[column] = text
  }
  return found
}

const ARCHIVE = Buffer.from('PK\u0003\u0004')

/**
 * @param {Buffer} content
 * @param {{ rows: number, lines: number }} most
 * @returns {Promise<Grid | 'tooManyRows'>}
 */
async function gridOf(content, most) {
  if (!content.subarray(0, ARCHIVE.length).equals(ARCHIVE)) return readCsv(content, most.lines)
  return readFirstSheet(content, most).catch((/** @type {unknown} */ error) => {
    throw error instanceof Refusal || isOutOfMemory(error) ? error : unreadable()
  })
}

/**
 * @param {Buffer} content
 * @param {number} mostLines
 * @returns {Promise<Grid>}
 */
async function readCsv(content, mostLines) {
  if (!isUtf16(content)) await refuseOthers(content)
  const text = decoded(content)
  // A file of another kind: no table holds zero bytes.
  if (text.includes('\u0000')) throw unreadable()
  const rows = parseCsv(text, delimiterOf(text), mostLines)
  if (!rows) throw unreadable()
  return { rows, isFormula: (row, column) => /^\s*=/.test(rows[row]?.[column] ?? '') }
}

/**
 * Names the kind of a file that is called a table and is another.
 * @param {Buffer} content
 */
async function refuseOthers(content) {
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

/**
 * Either way round; some sounds and pictures begin like that too, and show zero bytes then.
 * @param {Buffer} content
 */
const isUtf16 = ([first, second]) => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * UTF-8, the UTF-16 that Excel calls Unicode text, or what older Windows programs write.
 * @param {Buffer} content
 */
function decoded(content) {
  if (isUtf16(content)) return new TextDecoder(content[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    // Some lines of one kind, some of the other: whichever is taken, letters of the other would be saved wrong.
    if (content.subarray(0, 3).equals(BOM) || READ_WRONGLY.test(content.toString('latin1'))) {
      throw new Refusal(
        'The file mixes UTF-8 with another encoding. Please save it as “CSV UTF-8” or as XLSX.',
        'unreadableTable',
      )
    }
    return content
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? '')
  }
}

// Titles are shorter, however many there are.
const LONGEST_TITLES = 100_000

/**
 * The sign that the first line has most often, outside of quotes.
 * @param {string} text
 */
function delimiterOf(text) {
  const line = (/^[^\r\n]*/.exec(text.trimStart().slice(0, LONGEST_TITLES))?.[0] ?? '').replace(/"[^"]*"/g, '')
  const count = (/** @type {string} */ sign) => line.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
