import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../runtime/app-error.ts'
import { fileUidOfIncoming } from './queries.ts'
import type { BlobStore } from './store.ts'

type ListedBlob = { blob: string; size: number }

interface Move {
  from: BlobStore
  /** Every complete blob of `from`. */
  blobs: AsyncIterable<ListedBlob>
  to: BlobStore
  /** Where files pass through on their way to another store, and where `journal` is. */
  folder: string
  /** The file that lists the blobs whose copies were read back: a move that was cut off goes on after them. */
  journal: string
  /** Whether an original is removed once its copy was read back. */
  isRemoving: boolean
  say: (sentence: string) => void
  signal: AbortSignal
}

export interface MoveSummary {
  /** Copied and read back in this run. */
  copied: number
  bytes: number
  /** Copied before. */
  found: number
  removed: number
  /** The blobs that could not be moved. */
  failed: string[]
}

const AT_ONCE = 4
const PROGRESS_EVERY = 500
// The server names the type of a file from its row, never from the store.
const CONTENT_TYPE = 'application/octet-stream'

async function sha256Of(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

/** The blobs that earlier runs have copied. Each line is one, as `sha256sum` writes it. */
async function openJournal(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  // A run that was killed may have left half a line.
  if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n')
  return new Set([...text.matchAll(/^[0-9a-f]{64} {2}(\S+)$/gm)].map(([, blob = '']) => blob))
}

/** A file of this machine with the content of a blob, its hash, and what removes it again. */
async function asFile(from: BlobStore, blob: string, folder: string) {
  const local = from.localPath?.(blob)
  if (local !== undefined)
    return { file: local, sha256: await sha256Of(createReadStream(local)), dispose: async () => {} }
  const file = path.join(folder, blob.replaceAll('/', '-'))
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(await from.read(blob), hashing, createWriteStream(file, { mode: 0o600 }))
  return { file, sha256: hash.digest('hex'), dispose: () => rm(file, { force: true }) }
}

/** Copies a blob and reads the copy back; answers the hash of both. */
async function copyBlob({ from, to }: Move, blob: string, folder: string): Promise<string> {
  const { file, sha256, dispose } = await asFile(from, blob, folder)
  try {
    await to.writeFile(blob, file, CONTENT_TYPE)
  } finally {
    await dispose()
  }
  if ((await sha256Of(await to.read(blob))) !== sha256) throw new Error('its copy has another content')
  return sha256
}

/**
 * Copies every blob from one store to another, and reads each copy back before it counts. A blob never changes under its
 * name, so nodes may work on meanwhile: a later run copies what was added. Uploads under way stay where they began.
 */
export async function moveBlobs(move: Move): Promise<MoveSummary> {
  const { from, to, blobs, journal, isRemoving, say, signal } = move
  const known = await openJournal(journal)
  const summary: MoveSummary = { copied: 0, bytes: 0, found: 0, removed: 0, failed: [] }
  const folder = await mkdtemp(path.join(move.folder, 'moving-'))

  async function moveOne({ blob, size }: ListedBlob): Promise<void> {
    if (known.has(blob) && (await to.size(blob)) === size) summary.found++
    else {
      const sha256 = await copyBlob(move, blob, folder)
      await appendFile(journal, `${sha256}  ${blob}\n`, { mode: 0o600, flush: true })
      summary.copied++
      summary.bytes += size
    }
    if (isRemoving) {
      await from.remove(blob)
      summary.removed++
    }
    const done = summary.found + summary.copied
    if (done % PROGRESS_EVERY === 0) say(`${done.toLocaleString('en-US')} files are there.`)
  }

  const listed = blobs[Symbol.asyncIterator]()
  async function work(): Promise<void> {
    for (;;) {
      const { done, value } = await listed.next()
      if (done || signal.aborted) return
      if (fileUidOfIncoming(value.blob) !== undefined) continue
      await moveOne(value).catch((error: unknown) => {
        // Such as a storage account that is away: no other file could be moved either.
        if (error instanceof AppError) throw error
        summary.failed.push(value.blob)
        say(`The file ${value.blob} could not be moved: ${(error as Error).message}`)
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  await rm(folder, { recursive: true, force: true })
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return summary
}
