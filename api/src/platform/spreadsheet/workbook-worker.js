// This file runs in a thread of its own: a workbook that is small as a file and endless in memory ends this thread, not
// the server. It is JavaScript, so that Node starts it from the sources (tests) as from `dist`; its types are checked.
import { text } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/universal'
import { fromBufferPromise } from 'yauzl'

/** @typedef {{ zip: import('yauzl').ZipFile, entries: import('yauzl').Entry[] }} Archive */

const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
const MACROS = /vbaProject\.bin$|macrosheets\//i

/**
 * @param {ArrayBuffer} file
 * @returns {Promise<Archive>}
 */
async function openArchive(file) {
  const zip = await fromBufferPromise(Buffer.from(file), { lazyEntries: true })
  /** @type {import('yauzl').Entry[]} */
  const entries = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return { zip, entries }
}

/**
 * @param {Archive} archive
 * @returns {'tooLarge' | 'macros' | undefined}
 */
function refusalOf({ entries }) {
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_UNPACKED_BYTES) return 'tooLarge'
  return entries.some(({ fileName }) => MACROS.test(fileName)) ? 'macros' : undefined
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
 * The computed cells of a sheet. The library reads only values, so formulas are found in the XML.
 * @param {string} sheetXml
 */
function formulasOf(sheetXml) {
  const cells = sheetXml.matchAll(/<(?:\w+:)?c\s[^>]*?\br="([A-Z]+)(\d+)"[^>]*>\s*<(?:\w+:)?f[\s>/]/g)
  return Array.from(cells, ([, letters = '', row]) => `${Number(row) - 1}:${columnIndex(letters)}`)
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
 * @param {ArrayBuffer} file
 * @returns {Promise<import('./workbook.ts').WorkbookAnswer>}
 */
async function readWorkbookFile(file) {
  const archive = await openArchive(file)
  const refused = refusalOf(archive)
  if (refused) return { refused }
  const formulas = formulasOf(await firstSheetXml(archive))
  const rows = await readSheet(file)
  return { rows: rows.map((row) => row.map(formatCell)), formulas }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(await readWorkbookFile(workerData.file))
