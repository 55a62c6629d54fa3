// Reads workbooks in a decoder: one that is small as a file and endless in memory is refused by its own figures.
import { text } from 'node:stream/consumers'
import { readSheet } from 'read-excel-file/universal'
import { fromBufferPromise } from 'yauzl'
import { Refusal } from '../decoding/refusal.js'
import { sheetProblem, workbookTooLarge } from './table-limits.js'

/** @typedef {{ zip: import('yauzl').ZipFile, entries: import('yauzl').Entry[] }} Archive */

const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
// A workbook has some ten parts, and a few for each sheet.
const MAX_PARTS = 2000
const MACROS = /vbaProject\.bin$|macrosheets\//i

/**
 * @param {Buffer} content
 * @returns {Promise<Archive>}
 */
async function openArchive(content) {
  const zip = await fromBufferPromise(content, { lazyEntries: true })
  if (zip.entryCount > MAX_PARTS) throw new Refusal(workbookTooLarge, 'tooLarge')
  /** @type {import('yauzl').Entry[]} */
  const entries = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return { zip, entries }
}

/** @param {Archive} archive */
function checkParts({ entries }) {
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_UNPACKED_BYTES)
    throw new Refusal(workbookTooLarge, 'tooLarge')
  if (entries.some(({ fileName }) => MACROS.test(fileName)))
    throw new Refusal(
      'This workbook has macros, which are not accepted. Please use a CSV or XLSX file.',
      'unreadableTable',
    )
}

/**
 * The text of a file in the archive. yauzl fails if it unpacks to another size than the archive declares.
 * @param {Archive} archive
 * @param {string} name
 */
async function textOf({ zip, entries }, name) {
  const entry = entries.find(({ fileName }) => fileName === name)
  return entry ? text(await zip.openReadStreamPromise(entry)) : ''
}

/** @param {Archive} archive */
async function firstSheetXml(archive) {
  const workbook = await textOf(archive, 'xl/workbook.xml')
  const id = /<(?:\w+:)?sheet\s[^>]*?\w+:id="([^"]+)"/.exec(workbook)?.[1]
  const relations = await textOf(archive, 'xl/_rels/workbook.xml.rels')
  const relation = relations.match(/<(?:\w+:)?Relationship\s[^>]*>/g)?.find((each) => each.includes(`Id="${id}"`))
  const target = relation?.match(/Target="([^"]+)"/)?.[1] ?? ''
  return textOf(archive, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
}

/** @param {string} letters */
const columnIndex = (letters) => letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/**
 * How far the rows and cells of a sheet reach. Read before the library reads it, which makes every row up to the last one.
 * @param {string} sheetXml
 */
function extentOf(sheetXml) {
  const extent = { lastRow: 0, lastColumn: 0, filledRow: 0, filledColumn: 0, filledRows: 0 }
  for (const [tag, place] of sheetXml.matchAll(/<(?:\w+:)?(?:row|c)\s[^>]*?\br=["']([A-Z]*\d+)["'][^>]*>/g)) {
    const [, letters = '', digits] = /^([A-Z]*)(\d+)$/.exec(place ?? '') ?? []
    const [row, column] = [Number(digits), columnIndex(letters) + 1]
    extent.lastRow = Math.max(extent.lastRow, row)
    extent.lastColumn = Math.max(extent.lastColumn, column)
    if (column === 0 || tag.endsWith('/>')) continue
    if (row !== extent.filledRow) extent.filledRows++
    extent.filledRow = Math.max(extent.filledRow, row)
    extent.filledColumn = Math.max(extent.filledColumn, column)
  }
  return extent
}

/**
 * The computed cells of a sheet. The library reads only values, so formulas are found in the XML.
 * @param {string} sheetXml
 */
function formulasOf(sheetXml) {
  const cells = sheetXml.matchAll(/<(?:\w+:)?c\s[^>]*?\br="([A-Z]+)(\d+)"[^>]*>\s*<(?:\w+:)?f[\s>/]/g)
  return new Set(Array.from(cells, ([, letters = '', row]) => `${Number(row) - 1}:${columnIndex(letters)}`))
}

/**
 * A date as people write it. Excel stores a time as a fraction of a day, so it is rounded to the second.
 * @param {Date} date
 */
function formatDate(date) {
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`.replace(' 00:00:00', '').replace(/:00$/, '')
}

/** @param {unknown} cell */
const formatCell = (cell) =>
  cell instanceof Date ? formatDate(cell) : (/** @type {string | number | boolean | null} */ (cell)?.toString() ?? '')

/**
 * Reads the first sheet of a workbook, from its first row on; `tooManyRows` before it is read.
 * @param {Buffer} content
 * @param {{ rows: number, lines: number }} most
 * @returns {Promise<import('./table-tasks.js').Grid | 'tooManyRows'>}
 */
export async function readFirstSheet(content, most) {
  const archive = await openArchive(content)
  checkParts(archive)
  const sheetXml = await firstSheetXml(archive)
  const problem = sheetProblem(extentOf(sheetXml), most)
  if (problem === 'tooManyRows') return problem
  if (problem) throw new Refusal(problem.text, problem.code)
  const formulas = formulasOf(sheetXml)
  const file = new Uint8Array(content).buffer
  const rows = (await readSheet(file)).map((row) => row.map(formatCell))
  return { rows, isFormula: (row, column) => formulas.has(`${row}:${column}`) }
}
