import { createWriteStream, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../files/store.ts'
import { AppError } from '../runtime/app-error.ts'
import { withinMs } from '../runtime/promises.ts'
import { semaphore } from '../runtime/semaphore.ts'

/** A blob that never changes, with its size. */
export interface FixedBlob {
  blob: string
  bytes: number
}

const ANSWER_MS = 10_000
const STALLED_MS = 20_000
const RETRY_SECONDS = 60

const filesUnavailable = (cause: unknown) =>
  Object.assign(
    new AppError('unavailable', {
      text: "Archived data can't be read right now: the file storage does not answer. Please try again in a minute.",
      retryAfter: RETRY_SECONDS,
    }),
    { cause },
  )

/** Copies a blob to a file. A storage that is silent for long, or sends another number of bytes, fails it. */
export async function download(blobs: BlobStore, { blob, bytes }: FixedBlob, to: string): Promise<void> {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), STALLED_MS)
  let received = 0
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh()
      received += chunk.length
      done(null, chunk)
    },
  })
  try {
    const content = await withinMs(ANSWER_MS, blobs.read(blob))
    await pipeline(content, watched, createWriteStream(to, { mode: 0o600 }), { signal: stalled.signal })
    if (received !== bytes) throw new Error(`The blob ${blob} has ${received} bytes instead of ${bytes}.`)
  } catch (error) {
    await rm(to, { force: true })
    throw filesUnavailable(error)
  } finally {
    clearTimeout(timer)
  }
}

interface Copy {
  path: string
  bytes: number
  /** How many readers need it right now. */
  readers: number
  ready: Promise<void>
}

export interface HeldCopies {
  paths: string[]
  release: () => void
}

const DOWNLOADS = 8

/** Copies of blobs on the disk of this machine. Those that were read longest ago go first when there are too many. */
export class LocalCopies {
  /** By the path of the copy, in the order of their last use. */
  readonly #copies = new Map<string, Copy>()
  readonly #fewAtOnce = semaphore(DOWNLOADS)
  #lastNumber = 0

  constructor(
    private readonly blobs: BlobStore,
    private readonly parent: () => Promise<string>,
    private readonly limitBytes: number,
  ) {}

  /** Files with the content of these blobs; they stay until they are released. */
  async hold(files: readonly FixedBlob[]): Promise<HeldCopies> {
    const { localPath } = this.blobs
    if (localPath) return { paths: files.map(({ blob }) => localPath(blob)), release: () => {} }
    const folder = path.join(await this.parent(), 'copies')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const taken = files.map((file) => this.#take(file, folder))
    const release = () => {
      for (const copy of taken) copy.readers--
      this.#makeRoom()
    }
    try {
      await Promise.all(taken.map(({ ready }) => ready))
      return { paths: taken.map((copy) => copy.path), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #take(file: FixedBlob, folder: string): Copy {
    const known = this.#copies.get(file.blob)
    const copy = known ?? this.#fetch(file, path.join(folder, String(++this.#lastNumber)))
    copy.readers++
    this.#copies.delete(file.blob)
    this.#copies.set(file.blob, copy)
    return copy
  }

  #fetch(file: FixedBlob, target: string): Copy {
    const ready = this.#fewAtOnce(1, () => download(this.blobs, file, target)).catch((error: unknown) => {
      this.#copies.delete(file.blob)
      throw error
    })
    return { path: target, bytes: file.bytes, readers: 0, ready }
  }

  #makeRoom(): void {
    let held = [...this.#copies.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [blob, copy] of this.#copies) {
      if (held <= this.limitBytes) return
      if (copy.readers > 0) continue
      this.#copies.delete(blob)
      held -= copy.bytes
      rmSync(copy.path, { force: true })
    }
  }
}
