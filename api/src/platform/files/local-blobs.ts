import { createWriteStream } from 'node:fs'
import { open, readdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../runtime/app-error.ts'

const CONNECTION_ERRORS = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

// Larger writes than Node's 16 kB default cost the disk less work.
const WRITE_BLOCK = 1024 * 1024

const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size

// Names may have folders, as those of archived files do. No part of a name is `..`.
const BLOB_NAME = /^[\w-]+(\/[\w=-]+)*(\/[\w=-]+\.parquet)?$/

/** The files of a folder of blobs. A blob that is still arriving has the ending `.part`. */
export function blobFiles(folder: string) {
  const pathOf = (blob: string) => {
    if (!BLOB_NAME.test(blob)) throw new Error(`Not the name of a blob: ${blob}`)
    return path.join(folder, blob)
  }
  const partPathOf = (blob: string) => `${pathOf(blob)}.part`
  return {
    pathOf,
    partPathOf,
    size: (blob: string) => sizeOf(pathOf(blob)),
    partSize: (blob: string) => sizeOf(partPathOf(blob)),

    /** Flushes an arrived blob to the disk and gives it its final name. */
    async finish(blob: string): Promise<void> {
      const part = await open(partPathOf(blob), 'r+')
      try {
        await part.sync()
      } finally {
        await part.close()
      }
      await rename(partPathOf(blob), pathOf(blob))
    },
  }
}
export type BlobFiles = ReturnType<typeof blobFiles>

/** Every complete blob of a folder. Other files in it are not the store's. */
export async function* listBlobs(folder: string): AsyncIterable<{ blob: string; size: number }> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const blob = path.relative(folder, file).replaceAll(path.sep, '/')
    if (!entry.isFile() || !BLOB_NAME.test(blob)) continue
    const size = await sizeOf(file)
    if (size !== undefined) yield { blob, size }
  }
}

/** Bytes of a blob. */
export interface BlobPart {
  /** Where they begin. */
  offset: number
  content: Readable
  /** The size of the whole blob. */
  size: number
}

/** Appends parts to blobs, one at a time for each blob. */
export function createAppender(files: BlobFiles) {
  const running = new Map<string, { stop: () => void; ended: Promise<number> }>()
  return {
    /** Answers how many bytes the blob has now. A newer part replaces one whose connection broke unnoticed. */
    async append(blob: string, part: BlobPart): Promise<number> {
      const earlier = running.get(blob)
      earlier?.stop()
      const controller = new AbortController()
      const ended = Promise.resolve(earlier?.ended.catch(() => undefined)).then(() =>
        appendPart(files, blob, part, controller.signal),
      )
      const current = { stop: () => controller.abort(), ended }
      running.set(blob, current)
      try {
        return await ended
      } finally {
        if (running.get(blob) === current) running.delete(blob)
      }
    },

    stop: (blob: string) => running.get(blob)?.stop(),
  }
}

async function appendPart(files: BlobFiles, blob: string, { offset, content, size }: BlobPart, signal: AbortSignal) {
  const received = (await files.partSize(blob)) ?? 0
  if (offset !== received) throw new AppError('uploadOffset')
  const file = createWriteStream(files.partPathOf(blob), { flags: 'a', mode: 0o600, highWaterMark: WRITE_BLOCK })
  try {
    await pipeline(content, limitBytes(size - offset), file, { signal })
  } catch (error) {
    // The arrived bytes are kept: the sender continues over another connection.
    if (CONNECTION_ERRORS.includes((error as NodeJS.ErrnoException).code ?? '')) throw new AppError('uploadUnfinished')
    throw error
  }
  const now = (await files.partSize(blob)) ?? 0
  if (now === size) await files.finish(blob)
  return now
}

/** Passes at most this many bytes; one more fails the stream. */
function limitBytes(bytes: number): Transform {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new AppError('tooLarge', { text: 'The file is larger than announced.' }))
      else done(null, chunk)
    },
  })
}
