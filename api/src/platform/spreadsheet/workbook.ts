import { Worker } from 'node:worker_threads'

/** Says why a workbook was not read. */
export class WorkbookRefused extends Error {
  constructor(readonly reason: 'unreadable' | 'tooLarge' | 'macros') {
    super(reason)
  }
}

export interface Grid {
  /** All rows from the first one on, empty rows included. */
  rows: string[][]
  /** Whether a cell is computed, by row and column from 0. */
  isFormula: (row: number, column: number) => boolean
}

const READING_MS = 20_000
const MAX_HEAP_MB = 512

const workerUrl = new URL('./workbook-worker.js', import.meta.url)

/** The message of the worker. Computed cells are `row:column`, both from 0. */
export type WorkbookAnswer = { rows: string[][]; formulas: string[] } | { refused: 'tooLarge' | 'macros' }

/** Reads the first sheet of a workbook, in a thread with limited memory and time. */
export async function readFirstSheet(content: Buffer): Promise<Grid> {
  const file = new Uint8Array(content).buffer
  const worker = new Worker(workerUrl, {
    workerData: { file },
    transferList: [file],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const timer = setTimeout(() => void worker.terminate(), READING_MS)
  const answer = await new Promise<WorkbookAnswer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', () => reject(new WorkbookRefused('unreadable')))
    worker.once('exit', () => reject(new WorkbookRefused('unreadable')))
  }).finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
  if ('refused' in answer) throw new WorkbookRefused(answer.refused)
  const formulas = new Set(answer.formulas)
  return { rows: answer.rows, isFormula: (row, column) => formulas.has(`${row}:${column}`) }
}
