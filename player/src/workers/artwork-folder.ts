import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const BLOCK = 1024 * 1024
const FLUSH_EVERY = 8 * BLOCK
// A connection that carries nothing for this long is given up; the next attempt continues from the last byte.
const STALL_MS = 30_000

export interface WantedFile {
  sha256: string
  size: number
  url: string
}

/** Why a file did not arrive: worth another attempt later, or wrong whatever is done. */
export type FileProblem = 'wrongHash' | 'wrongSize' | 'gone' | 'cutOff' | 'noSpace'

export class FileError extends Error {
  readonly problem: FileProblem

  constructor(problem: FileProblem) {
    super(problem)
    this.problem = problem
  }
}

// Chromium has it for files of the private file system; the types do not.
type MovableHandle = FileSystemFileHandle & { move(name: string): Promise<void> }

const PART = '.part'

/** Artwork in the browser's private file system. A file has its hash as its name only once its bytes have this hash. */
export class ArtworkFolder {
  readonly #folder: FileSystemDirectoryHandle

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder
  }

  /** The hashes of files that were complete once; a power cut may have damaged them since. */
  async list(): Promise<string[]> {
    const names: string[] = []
    for await (const name of this.#folder.keys()) if (!name.endsWith(PART)) names.push(name)
    return names
  }

  async remove(sha: string): Promise<void> {
    for (const name of [sha, `${sha}${PART}`]) {
      await this.#folder.removeEntry(name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    }
  }

  /** Reads a complete file again. One that has changed is removed. */
  async isIntact(sha: string): Promise<boolean> {
    const handle = await this.#folder.getFileHandle(sha).catch(() => undefined)
    if (!handle) return false
    const access = await handle.createSyncAccessHandle()
    const hash = sha256.create()
    try {
      hashUpTo(access, hash, access.getSize())
    } finally {
      access.close()
    }
    if (bytesToHex(hash.digest()) === sha) return true
    await this.remove(sha)
    return false
  }

  /** Downloads a file, from where an earlier attempt stopped. */
  async download(file: WantedFile, onBytes: (bytes: number) => void): Promise<void> {
    const handle = await this.#folder.getFileHandle(`${file.sha256}${PART}`, { create: true })
    const access = await handle.createSyncAccessHandle()
    try {
      const isResumed = access.getSize() > 0
      await receive(access, file, onBytes).catch(async (error: unknown) => {
        if (!isFalse(error)) throw error
        access.truncate(0)
        // The first part may be the wrong one: the whole file gets one more chance.
        if (!isResumed) throw error
        await receive(access, file, onBytes)
      })
    } catch (error) {
      if (isFalse(error)) access.truncate(0)
      throw isQuota(error) ? new FileError('noSpace') : error
    } finally {
      access.flush()
      access.close()
    }
    await (handle as MovableHandle).move(file.sha256)
  }
}

const isFalse = (error: unknown) =>
  error instanceof FileError && (error.problem === 'wrongHash' || error.problem === 'wrongSize')
const isNotFound = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'
const isQuota = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError'

type Hash = ReturnType<typeof sha256.create>

function hashUpTo(access: FileSystemSyncAccessHandle, hash: Hash, end: number): void {
  const block = new Uint8Array(BLOCK)
  for (let at = 0; at < end;) {
    const length = access.read(block.subarray(0, Math.min(BLOCK, end - at)), { at })
    if (length === 0) throw new FileError('cutOff')
    hash.update(block.subarray(0, length))
    at += length
  }
}

/** Writes the bytes as they come and hashes them on the way; throws unless they are the file. */
async function receive(
  access: FileSystemSyncAccessHandle,
  { sha256: wanted, size, url }: WantedFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let hash = sha256.create()
  let at = access.getSize()
  if (at > size) {
    access.truncate(0)
    at = 0
  }
  hashUpTo(access, hash, at)
  onBytes(at)
  if (at < size || size === 0) {
    const stalled = new AbortController()
    let timer = setTimeout(() => stalled.abort(), STALL_MS)
    try {
      const response = await fetch(url, {
        ...(at > 0 && { headers: { range: `bytes=${at}-` } }),
        cache: 'no-store',
        credentials: 'omit',
        signal: stalled.signal,
      })
      if (!response.ok || !response.body) throw new FileError('gone')
      // A server that does not know ranges sends the file from its beginning.
      if (response.status !== 206 && at > 0) {
        access.truncate(0)
        hash = sha256.create()
        at = 0
      }
      let flushedAt = at
      for await (const chunk of response.body) {
        clearTimeout(timer)
        timer = setTimeout(() => stalled.abort(), STALL_MS)
        if (at + chunk.length > size) throw new FileError('wrongSize')
        access.write(chunk, { at })
        hash.update(chunk)
        at += chunk.length
        if (at - flushedAt >= FLUSH_EVERY) {
          access.flush()
          flushedAt = at
        }
        onBytes(at)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  if (at < size) throw new FileError('cutOff')
  if (bytesToHex(hash.digest()) !== wanted) throw new FileError('wrongHash')
}
