import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RawBuilder } from 'kysely'
import { compileFragment } from '../db/records/fragments.ts'

type Value = string | number | boolean | null

/** A message to the thread that runs DuckDB. */
export interface DuckQuestion {
  id: number
  session: number
  /** `open` starts a statement and answers the names of its columns; `next` reads its rows. */
  kind: 'run' | 'open' | 'next' | 'close'
  text: string
  values: Value[]
}

// More threads need more memory, and the node needs the other cores.
const THREADS = 1
// Statements run in Node's pool of four threads, which files and names of hosts need too.
const AT_ONCE = 2
// Rows are garbage as soon as they are sent. With the room that a thread has by default, 30 MB more of them pile up.
const YOUNG_MB = 4
const IDLE_MS = 5 * 60_000

const workerUrl = new URL('./duckdb-worker.js', import.meta.url)

interface Waiting {
  resolve: (rows: unknown[] | undefined) => void
  reject: (error: Error) => void
}

/** What DuckDB holds at most. Beyond it, DuckDB writes to its folder, where it can. */
interface DuckMemory {
  usual: string
  /** For a statement that failed with the usual. */
  most: string
}

/** One thread with a DuckDB in memory. It starts with the first statement and ends when none follows for a while. */
export class DuckThread {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Promise<Worker> | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  #openSessions = 0

  constructor(
    private readonly folder: () => Promise<string>,
    private readonly memory: DuckMemory,
  ) {}

  /** A connection of its own: its temporary tables are seen by its own statements only. */
  openSession(): DuckSession {
    clearTimeout(this.#idle)
    this.#openSessions++
    const session = ++this.#lastId
    const ask = (question: Omit<DuckQuestion, 'id' | 'session'>) => this.#ask({ ...question, session })
    return new DuckSession(ask, () => this.#endSession())
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await (await worker)?.terminate()
  }

  #endSession(): void {
    this.#openSessions--
    if (this.#openSessions === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
  }

  async #ask(question: Omit<DuckQuestion, 'id'>): Promise<unknown[] | undefined> {
    const worker = await (this.#worker ??= this.#start())
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
      worker.postMessage({ ...question, id })
    })
  }

  async #start(): Promise<Worker> {
    const spill = path.join(await this.folder(), 'spill')
    await mkdir(spill, { recursive: true, mode: 0o700 })
    const options = {
      memory_limit: this.memory.usual,
      threads: String(THREADS),
      temp_directory: spill,
      // What a statement no longer needs is given back to the system at once.
      allocator_flush_threshold: '8MB',
      // The system caches files already.
      enable_external_file_cache: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'false',
    }
    const worker = new Worker(workerUrl, {
      workerData: { options, mostMemory: this.memory.most, atOnce: AT_ONCE },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.on('message', ({ id, rows, error }: { id: number; rows?: unknown[]; error?: string }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(rows)
      else waiting?.reject(new Error(error))
    })
    // Without a listener the event would end the process; the statements under way fail by the exit that follows.
    worker.on('error', () => {})
    worker.on('exit', () => this.#failAll())
    worker.unref()
    return worker
  }

  #failAll(): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error('DuckDB has ended.'))
    this.#waiting.clear()
  }
}

type Ask = (question: Omit<DuckQuestion, 'id' | 'session'>) => Promise<unknown[] | undefined>

/** Statements of DuckDB, one after another. Values travel as text, so statements cast them. */
export class DuckSession {
  constructor(
    private readonly ask: Ask,
    private readonly onClose: () => void,
  ) {}

  async run<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return ((await this.ask({ kind: 'run', ...textOf(statement) })) ?? []) as Row[]
  }

  /** The rows of a statement in chunks. The session runs nothing else meanwhile. */
  async *stream<Row>(statement: RawBuilder<Row>): AsyncGenerator<Row[]> {
    const names = (await this.ask({ kind: 'open', ...textOf(statement) })) as string[]
    for (;;) {
      const rows = (await this.ask({ kind: 'next', text: '', values: [] })) as unknown[][] | undefined
      if (!rows) return
      yield rows.map((values) => toRow(names, values) as Row)
    }
  }

  async close(): Promise<void> {
    try {
      await this.ask({ kind: 'close', text: '', values: [] })
    } finally {
      this.onClose()
    }
  }
}

/** Names do not travel with each row: most of a message would be names. */
function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}

function textOf(statement: RawBuilder<unknown>): { text: string; values: Value[] } {
  const { sql, parameters } = compileFragment(statement)
  return { text: sql, values: parameters as Value[] }
}
