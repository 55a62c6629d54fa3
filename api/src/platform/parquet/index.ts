import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { BlobStore } from '../files/store.ts'
import { type DuckSession, DuckThread } from './duckdb.ts'
import { type FixedBlob, type HeldCopies, LocalCopies } from './local-copies.ts'

export type { DuckSession } from './duckdb.ts'
export { download, type FixedBlob } from './local-copies.ts'

const GB = 1024 ** 3
const COPIES_BYTES = 4 * GB
// Reading lets a node grow by less than 150 MB, DuckDB's own code and the rows on their way included.
const READING_MEMORY = { usual: '24MB', most: '256MB' }
// Sorting a day of millions of plays fails with much less. It happens on one node at a time.
const SORTING_MEMORY = { usual: '256MB', most: '512MB' }

/** Parquet files in the blob storage, read and written by DuckDB in a thread of its own. */
export class ParquetFiles {
  readonly blobs: BlobStore
  readonly #parent: string
  readonly #reader: DuckThread
  readonly #sorter: DuckThread
  readonly #copies: LocalCopies
  #folder: Promise<string> | undefined

  constructor(blobs: BlobStore, parent: string, copiesBytes: number = COPIES_BYTES) {
    this.blobs = blobs
    this.#parent = parent
    const folder = () => this.#makeFolder()
    this.#reader = new DuckThread(folder, READING_MEMORY)
    this.#sorter = new DuckThread(folder, SORTING_MEMORY)
    this.#copies = new LocalCopies(blobs, folder, copiesBytes)
  }

  /** Made when it is first needed: most nodes never read the archive. */
  #makeFolder(): Promise<string> {
    return (this.#folder ??= makeNodeFolder(this.#parent))
  }

  /** Runs statements of DuckDB that share temporary tables. */
  inSession<T>(work: (session: DuckSession) => Promise<T>): Promise<T> {
    return withSession(this.#reader.openSession(), work)
  }

  /** Runs statements that sort or read whole days at once. */
  inLargeSession<T>(work: (session: DuckSession) => Promise<T>): Promise<T> {
    return withSession(this.#sorter.openSession(), work)
  }

  /** A session that its user closes. */
  openSession(): DuckSession {
    return this.#reader.openSession()
  }

  /** Runs work on local files with the content of these blobs; they stay until it ends. */
  async withCopies<T>(files: readonly FixedBlob[], work: (paths: string[]) => Promise<T>): Promise<T> {
    const { paths, release } = await this.#copies.hold(files)
    try {
      return await work(paths)
    } finally {
      release()
    }
  }

  /** Local files with the content of these blobs, which their user releases. */
  holdCopies(files: readonly FixedBlob[]): Promise<HeldCopies> {
    return this.#copies.hold(files)
  }

  /** Runs work with a folder for intermediate files. */
  async inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.makeWorkFolder()
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** An empty folder for intermediate files; its user removes it. */
  async makeWorkFolder(): Promise<string> {
    return mkdtemp(path.join(await this.#makeFolder(), 'work-'))
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#sorter.close()])
    const folder = await this.#folder
    this.#folder = undefined
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

async function withSession<T>(session: DuckSession, work: (session: DuckSession) => Promise<T>): Promise<T> {
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

const PREFIX = `${os.hostname()}-`

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes folders of processes on this machine that are gone. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) && /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]
    if (pid && !isRunning(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

/** A folder of this process alone: nodes may share their data folder. */
async function makeNodeFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await removeAbandoned(parent)
  return mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`))
}

const open = new WeakMap<BlobStore, ParquetFiles>()

interface ParquetContext {
  blobs: BlobStore
  env?: { dataDir?: string | undefined }
}

/** The Parquet files of a node; everything that works with the same storage shares them. */
export function parquetOf({ blobs, env = {} }: ParquetContext): ParquetFiles {
  const known = open.get(blobs)
  if (known) return known
  const opened = new ParquetFiles(blobs, path.join(env.dataDir ?? path.join(os.tmpdir(), 'roadshow'), 'parquet'))
  open.set(blobs, opened)
  return opened
}
