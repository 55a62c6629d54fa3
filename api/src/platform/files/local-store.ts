import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { API_BASE } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import { isExpired, isValidSignature, sign } from './signature.ts'
import { type BlobStore, uploadTargetExpiry } from './store.ts'

interface Signed {
  expires: number
  size: number
  signature: string
}

/** A folder of this machine. Its upload targets are addresses of this server, which hands the bytes on to `append`. */
export interface LocalStore extends BlobStore {
  /** Refuses an address that was not signed for this blob, has expired, or whose blob is finished already. */
  admit(blob: string, signed: Signed): Promise<void>
  /** How much of a blob has arrived. */
  received(blob: string): Promise<number>
  /** Adds bytes at the place where the blob ends so far; answers how much there is now. */
  append(blob: string, offset: number, content: Readable, size: number): Promise<number>
}

export const isLocalStore = (store: BlobStore): store is LocalStore => 'append' in store

export const USED_LINK = 'This upload link was used already: the file has arrived.'

const BROKEN = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

// A disk takes and gives large blocks with less work than Node's usual 16 and 64 kB.
const WRITE_BLOCK = 1024 * 1024
const READ_BLOCK = 256 * 1024

const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size

/** Lets at most this many bytes through; one more fails the stream. */
function atMost(bytes: number): Transform {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new AppError('tooLarge', { text: 'More was sent than was announced.' }))
      else done(null, chunk)
    },
  })
}

export async function openLocalStore(folder: string): Promise<LocalStore> {
  await mkdir(folder, { recursive: true })
  /** Blobs that are being appended to, and how to end that. */
  const underWay = new Map<string, { stop: () => void; stopped: Promise<unknown> }>()

  const fileOf = (blob: string) => {
    if (!/^[\w-]+$/.test(blob)) throw new Error(`Not the name of a blob: ${blob}`)
    return path.join(folder, blob)
  }
  const partOf = (blob: string) => `${fileOf(blob)}.part`

  async function finish(blob: string): Promise<void> {
    const part = await open(partOf(blob), 'r+')
    try {
      await part.sync()
    } finally {
      await part.close()
    }
    await rename(partOf(blob), fileOf(blob))
  }

  async function appendAlone(blob: string, offset: number, content: Readable, size: number, signal: AbortSignal) {
    const received = (await sizeOf(partOf(blob))) ?? 0
    if (offset !== received) {
      throw new AppError('uploadOffset', { text: `The upload goes on at ${received}, not at ${offset}.` })
    }
    const part = createWriteStream(partOf(blob), { flags: 'a', mode: 0o600, highWaterMark: WRITE_BLOCK })
    try {
      await pipeline(content, atMost(size - offset), part, { signal })
    } catch (error) {
      // The sender is gone, or goes on over another connection; what has arrived stays for that.
      if (BROKEN.includes((error as NodeJS.ErrnoException).code ?? '')) throw new AppError('uploadUnfinished')
      throw error
    }
    const now = (await sizeOf(partOf(blob))) ?? 0
    if (now === size) await finish(blob)
    return now
  }

  return {
    async uploadTarget(blob, size) {
      const expiry = uploadTargetExpiry()
      const expires = Math.floor(expiry.getTime() / 1000)
      const query = new URLSearchParams({
        expires: String(expires),
        size: String(size),
        signature: sign('PUT', blob, expires, size),
      })
      return {
        url: `${API_BASE}/blob-storage/blobs/${blob}?${query.toString()}`,
        method: 'PUT',
        protocol: 'ranges',
        headers: { 'content-type': 'application/octet-stream' },
        expiresAt: new Date(expires * 1000).toISOString(),
      }
    },

    async admit(blob, { expires, size, signature }) {
      if (!isValidSignature(signature, 'PUT', blob, expires, size)) throw new AppError('uploadLink')
      if (isExpired(expires)) {
        throw new AppError('uploadLink', { text: 'This upload link has expired. Please start the upload again.' })
      }
      if ((await sizeOf(fileOf(blob))) !== undefined) {
        throw new AppError('uploadLink', { text: USED_LINK })
      }
    },

    received: async (blob) => (await sizeOf(partOf(blob))) ?? 0,

    async append(blob, offset, content, size) {
      // A connection that broke may not have told this server yet: whoever comes anew takes over.
      const before = underWay.get(blob)
      before?.stop()
      const ending = new AbortController()
      const stopped = Promise.resolve(before?.stopped.catch(() => undefined)).then(() =>
        appendAlone(blob, offset, content, size, ending.signal),
      )
      const mine = { stop: () => ending.abort(), stopped }
      underWay.set(blob, mine)
      try {
        return await stopped
      } finally {
        if (underWay.get(blob) === mine) underWay.delete(blob)
      }
    },

    async write(blob, content) {
      try {
        await writeFile(partOf(blob), content, { mode: 0o600 })
        await finish(blob)
      } catch (error) {
        // Half a file of a full disk would keep it full.
        await rm(partOf(blob), { force: true })
        throw error
      }
    },
    read: async (blob, range) => {
      const stream = createReadStream(fileOf(blob), { ...range, highWaterMark: READ_BLOCK })
      await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
      return stream
    },
    size: (blob) => sizeOf(fileOf(blob)),
    move: (from, to) => rename(fileOf(from), fileOf(to)),
    async remove(blob) {
      underWay.get(blob)?.stop()
      await Promise.all([rm(fileOf(blob), { force: true }), rm(partOf(blob), { force: true })])
    },
  }
}
