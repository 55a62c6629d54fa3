import { text } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/universal'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

// This file runs in a thread of its own: a workbook that is small as a file and endless in memory ends this thread, not
// the server.

/** The message that this thread answers with. Computed cells are `row:column`, both from 0. */
export type WorkbookAnswer = { rows: string[][]; formulas: string[] } | { refused: 'tooLarge' | 'macros' }

const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
const MACROS = /vbaProject\.bin$|macrosheets\//i

type Archive = { zip: ZipFile; entries: Entry[] }

async function openArchive(file: ArrayBuffer): Promise<Archive> {
  const zip = await fromBufferPromise(Buffer.from(file), { lazyEntries: true })
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return { zip, entries }
}

function refusalOf({ entries }: Archive): 'tooLarge' | 'macros' | undefined {
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_UNPACKED_BYTES) return 'tooLarge'
  return entries.some(({ fileName }) => MACROS.test(fileName)) ? 'macros' : undefined
}

/** The text of a file in the archive. yauzl fails if it unpacks to another size than the archive declares. */
async function textOf({ zip, entries }: Archive, name: string): Promise<string> {
  const entry = entries.find(({ fileName }) => fileName === name)
  return entry ? text(await zip.openReadStreamPromise(entry)) : ''
}

async function firstSheetXml(archive: Archive): Promise<string> {
  const workbook = await textOf(archive, 'xl/workbook.xml')
  const id = /<(?:\w+:)?sheet\s[^>]*?\w+:id="([^"]+)"/.exec(workbook)?.[1]
  const relations = await textOf(archive, 'xl/_rels/workbook.xml.rels')
  const relation = relations.match(/<(?:\w+:)?Relationship\s[^>]*>/g)?.find((each) => each.includes(`Id="${id}"`))
  const target = relation?.match(/Target="([^"]+)"/)?.[1] ?? ''
  return textOf(archive, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
}

const columnIndex = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** The computed cells of a sheet. The library reads only values, so formulas are found in the XML. */
function formulasOf(sheetXml: string): string[] {
  const cells = sheetXml.matchAll(/<(?:\w+:)?c\s[^>]*?\br="([A-Z]+)(\d+)"[^>]*>\s*<(?:\w+:)?f[\s>/]/g)
  return Array.from(cells, ([, letters = '', row]) => `${Number(row) - 1}:${columnIndex(letters)}`)
}

/** A date as people write it. Excel stores a time as a fraction of a day, so it is rounded to the second. */
function formatDate(date: Date): string {
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`.replace(' 00:00:00', '').replace(/:00$/, '')
}

const formatCell = (cell: unknown) => (cell === null ? '' : cell instanceof Date ? formatDate(cell) : String(cell))

async function readWorkbookFile(file: ArrayBuffer): Promise<WorkbookAnswer> {
  const archive = await openArchive(file)
  const refused = refusalOf(archive)
  if (refused) return { refused }
  const formulas = formulasOf(await firstSheetXml(archive))
  const rows = await readSheet(file)
  return { rows: rows.map((row) => row.map(formatCell)), formulas }
}

parentPort?.postMessage(await readWorkbookFile((workerData as { file: ArrayBuffer }).file))
