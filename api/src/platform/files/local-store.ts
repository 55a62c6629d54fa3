import { createReadStream } from 'node:fs'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { API_BASE } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import { isExpired, isValidSignature, sign } from './signature.ts'
import { blobFiles, type BlobFiles, type BlobPart, createAppender } from './local-blobs.ts'
import { type BlobStore, uploadTargetExpiry } from './store.ts'

interface SignedTarget {
  expires: number
  size: number
  signature: string
}

/** Stores blobs in a folder of this machine. Its upload targets are URLs of this server, which passes the bytes to `append`. */
export interface LocalStore extends BlobStore {
  /** Refuses a target that is not signed for this blob, has expired, or whose blob is complete. */
  admit(blob: string, signed: SignedTarget): Promise<void>
  /** How many bytes of a blob have arrived. */
  received(blob: string): Promise<number>
  /** Appends bytes at the end of a blob; answers how many it has now. */
  append(blob: string, part: BlobPart): Promise<number>
}

export const isLocalStore = (store: BlobStore): store is LocalStore => 'append' in store

export const USED_LINK = 'This upload link was already used. The file has arrived.'

// Larger reads than Node's 64 kB default cost the disk less work.
const READ_BLOCK = 256 * 1024

export async function openLocalStore(folder: string): Promise<LocalStore> {
  await mkdir(folder, { recursive: true })
  const files = blobFiles(folder)
  const appender = createAppender(files)
  return {
    uploadTarget: async (blob, size) => signedTarget(blob, size),
    admit: (blob, signed) => refuseInvalidTarget(files, blob, signed),
    received: async (blob) => (await files.partSize(blob)) ?? 0,
    append: (blob, part) => appender.append(blob, part),
    write: (blob, content) => writeBlob(files, blob, (part) => writeFile(part, content, { mode: 0o600 })),
    writeFile: (blob, file) => writeBlob(files, blob, (part) => copyFile(file, part)),
    localPath: (blob) => files.pathOf(blob),
    async read(blob, range) {
      const stream = createReadStream(files.pathOf(blob), { ...range, highWaterMark: READ_BLOCK })
      await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
      return stream
    },
    size: (blob) => files.size(blob),
    move: (from, to) => rename(files.pathOf(from), files.pathOf(to)),
    async remove(blob) {
      appender.stop(blob)
      await Promise.all([rm(files.pathOf(blob), { force: true }), rm(files.partPathOf(blob), { force: true })])
    },
  }
}

function signedTarget(blob: string, size: number): Awaited<ReturnType<BlobStore['uploadTarget']>> {
  const expires = Math.floor(uploadTargetExpiry().getTime() / 1000)
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
}

async function refuseInvalidTarget(files: BlobFiles, blob: string, { expires, size, signature }: SignedTarget) {
  if (!isValidSignature(signature, 'PUT', blob, expires, size)) throw new AppError('uploadLink')
  if (isExpired(expires)) {
    throw new AppError('uploadLink', { text: 'This upload link has expired. Please start the upload again.' })
  }
  if ((await files.size(blob)) !== undefined) throw new AppError('uploadLink', { text: USED_LINK })
}

async function writeBlob(files: BlobFiles, blob: string, fill: (part: string) => Promise<void>): Promise<void> {
  const part = files.partPathOf(blob)
  try {
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 })
    await fill(part)
    await files.finish(blob)
  } catch (error) {
    // A partial file would keep a full disk full.
    await rm(part, { force: true })
    throw error
  }
}
