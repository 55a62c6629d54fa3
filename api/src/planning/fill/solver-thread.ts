import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Solved, SolveModel } from './solve.ts'

/** The message to the thread that runs HiGHS. */
export interface SolverQuestion {
  id: number
  /** HiGHS itself. */
  program: WebAssembly.Module
  text: string
  names: readonly string[]
  seconds: number
  gap: number
  /** A value for each name, or none. */
  start: number[]
}

export interface SolverAnswer {
  id: number
  found: Solved['found']
  values: [name: string, value: number][]
}

const workerUrl = new URL('./highs-worker.js', import.meta.url)
const MAX_HEAP_MB = 512
/** HiGHS looks at the clock between two steps, some of which take long. */
const GRACE_SECONDS = 15

let program: Promise<WebAssembly.Module> | undefined

async function compileProgram(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('highs/runtime')))
  } catch (error) {
    // The next search tries it again.
    program = undefined
    throw error
  }
}

/** HiGHS, compiled once for all threads: compiling it for each of them takes longer than most searches. */
const loadProgram = () => (program ??= compileProgram())

/** A thread that solves one linear program after another until it is ended or a signal aborts. */
export class SolverThread {
  readonly #worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } })
  readonly #ended: Promise<never>
  #lastId = 0

  constructor(signal: AbortSignal) {
    this.#worker.unref()
    // Without a listener the event would end the process; the exit that follows rejects.
    this.#worker.on('error', () => {})
    const ended = new Error('The solver has ended.')
    this.#ended = new Promise((_, reject) =>
      this.#worker.once('exit', () => reject(signal.aborted ? (signal.reason as Error) : ended)),
    )
    this.#ended.catch(() => {})
    signal.addEventListener('abort', () => void this.end(), { once: true })
    if (signal.aborted) void this.end()
  }

  readonly solve: SolveModel = async ({ text, names }, { seconds, gap = 0, start }) => {
    const id = ++this.#lastId
    const compiled = await loadProgram()
    const timer = setTimeout(() => void this.end(), (seconds + GRACE_SECONDS) * 1000)
    const answered = new Promise<SolverAnswer>((resolve) => {
      const take = (answer: SolverAnswer) => {
        if (answer.id !== id) return
        this.#worker.off('message', take)
        resolve(answer)
      }
      this.#worker.on('message', take)
    })
    const from = start ? names.map((name) => start.get(name) ?? 0) : []
    const question: SolverQuestion = { id, program: compiled, text, names, seconds, gap, start: from }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker.postMessage(question)
    try {
      const { found, values } = await Promise.race([answered, this.#ended])
      return { found, values: new Map(values) }
    } finally {
      clearTimeout(timer)
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
