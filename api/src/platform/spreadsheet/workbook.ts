import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Why a workbook was not read. */
export class WorkbookRefused extends Error {
  readonly reason: 'unreadable' | 'tooLarge' | 'macros'

  constructor(reason: WorkbookRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

export interface Grid {
  /** From the first row on, empty ones included. */
  rows: string[][]
  /** Whether a cell is computed, by the place of its row and its column from 0. */
  isFormula: (row: number, column: number) => boolean
}

const MAX_UNPACKED = 100 * 1024 * 1024
const READING_MS = 20_000
const MACROS = /vbaProject\.bin$|macrosheets\//i

// A workbook that is small in the file and endless in memory ends its own thread, not the server. The library gives
// values only, so that formulas are looked for beside it. A time is stored as a fraction, hence the rounding.
const READER = `
  const { parentPort, workerData: { library, file, entries } } = require('node:worker_threads')
  const { inflateRawSync } = require('node:zlib')
  const bytes = Buffer.from(file)
  const contentOf = (name) => {
    const entry = entries.find((each) => each.name === name)
    if (!entry) return ''
    const start = entry.local + 30 + bytes.readUInt16LE(entry.local + 26) + bytes.readUInt16LE(entry.local + 28)
    const packed = bytes.subarray(start, start + entry.packed)
    return (entry.method === 8 ? inflateRawSync(packed, { maxOutputLength: entry.size + 1 }) : packed).toString()
  }
  const firstSheet = () => {
    const id = /<(?:\\w+:)?sheet\\s[^>]*?\\w+:id="([^"]+)"/.exec(contentOf('xl/workbook.xml'))?.[1]
    const relations = contentOf('xl/_rels/workbook.xml.rels').match(/<(?:\\w+:)?Relationship\\s[^>]*>/g) ?? []
    const target = relations.find((each) => each.includes('Id="' + id + '"'))?.match(/Target="([^"]+)"/)?.[1] ?? ''
    return contentOf(target.startsWith('/') ? target.slice(1) : 'xl/' + target)
  }
  const column = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  const formulas = () =>
    [...firstSheet().matchAll(/<(?:\\w+:)?c\\s[^>]*?\\br="([A-Z]+)(\\d+)"[^>]*>\\s*<(?:\\w+:)?f[\\s>\\/]/g)]
      .map(([, letters, row]) => row - 1 + ':' + column(letters))
  const instant = (date) => {
    const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
    return (iso.slice(0, 10) + ' ' + iso.slice(11, 19)).replace(' 00:00:00', '').replace(/:00$/, '')
  }
  const text = (cell) => cell === null ? '' : cell instanceof Date ? instant(cell) : String(cell)
  const found = formulas()
  require(library).readSheet(file).then((rows) =>
    parentPort.postMessage({ rows: rows.map((row) => row.map(text)), formulas: found }))
`
const library = createRequire(import.meta.url).resolve('read-excel-file/universal')

/** The first sheet of a workbook. */
export async function readWorkbook(content: Buffer): Promise<Grid> {
  const entries = entriesOf(content)
  if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED) throw new WorkbookRefused('tooLarge')
  if (entries.some(({ name }) => MACROS.test(name))) throw new WorkbookRefused('macros')
  const file = new Uint8Array(content).buffer
  const worker = new Worker(READER, {
    eval: true,
    workerData: { library, file, entries },
    transferList: [file],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  const timer = setTimeout(() => void worker.terminate(), READING_MS)
  const { rows, formulas } = await new Promise<{ rows: string[][]; formulas: string[] }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', () => reject(new WorkbookRefused('unreadable')))
    worker.once('exit', () => reject(new WorkbookRefused('unreadable')))
  }).finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
  const computed = new Set(formulas)
  return { rows, isFormula: (row, column) => computed.has(`${row}:${column}`) }
}

const ENTRY = Buffer.from('PK\u0001\u0002')

/** The files of an archive with what they will take, as its directory says; the reader reserves no more than that. */
function entriesOf(archive: Buffer) {
  const entries: { name: string; method: number; packed: number; size: number; local: number }[] = []
  for (let at = archive.indexOf(ENTRY); at >= 0 && at + 46 <= archive.length; at = archive.indexOf(ENTRY, at + 46)) {
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      local: archive.readUInt32LE(at + 42),
    })
  }
  return entries
}
