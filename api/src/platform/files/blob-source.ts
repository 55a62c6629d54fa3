import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileSource } from '../decoding/task-file.ts'
import { AppError } from '../runtime/app-error.ts'
import type { BlobStore } from './store.ts'

/** The bytes of a blob for a decoder, which fetches what it needs. */
const sourceOfBlob = (store: BlobStore, blob: string, size: number): FileSource => ({
  size,
  async read(start, length) {
    if (start >= size || length <= 0) return Buffer.alloc(0)
    return buffer(await store.read(blob, { start, end: Math.min(start + length, size) - 1 }))
  },
})

/** Opens a stored blob for a decoder. */
export async function openBlob(store: BlobStore, blob: string): Promise<FileSource> {
  const size = await store.size(blob)
  if (size === undefined) throw new AppError('notFound')
  return sourceOfBlob(store, blob, size)
}

/** The bytes of a blob for a decoder, and their hash. What is read from the beginning on is hashed on the way. */
export function hashedSource(store: BlobStore, blob: string, size: number) {
  const hash = createHash('sha256')
  const source = sourceOfBlob(store, blob, size)
  let hashed = 0
  return {
    size,
    async read(start: number, length: number): Promise<Buffer> {
      const content = await source.read(start, length)
      if (start !== hashed) return content
      hash.update(content)
      hashed += content.length
      return content
    },
    /** Reads what was not read yet, in pieces: a video is never held in memory as a whole. */
    async sha256(): Promise<string> {
      if (hashed < size) {
        const rest = (await store.read(blob, { start: hashed, end: size - 1 })) as AsyncIterable<Buffer>
        for await (const piece of rest) hash.update(piece)
      }
      return hash.digest('hex')
    },
  }
}
