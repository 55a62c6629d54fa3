import { Readable } from 'node:stream'
import { AppError } from '../runtime/app-error.ts'
import { Download } from '../http/download.ts'
import type { BlobStore, ByteRange } from './store.ts'

interface BlobAnswer {
  name: string
  type: string
  /** The number of bytes, if known. */
  size?: number
  /** The request's Range header. */
  range: string | undefined
  cacheSeconds: number
}

/** Answers with a blob, whole or by range. A blob never changes under its name, so it can be cached. */
export async function sendBlob(store: BlobStore, blob: string, answer: BlobAnswer): Promise<Download> {
  const { name, type, cacheSeconds } = answer
  const size = answer.size ?? (await store.size(blob))
  if (size === undefined) throw new AppError('notFound')
  const range = parseRange(answer.range, size)
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${cacheSeconds}, immutable`,
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (range === 'outside') {
    const unsatisfied = { ...headers, 'content-range': `bytes */${size}` }
    return new Download(name, type, Readable.from([]), { status: 416, headers: unsatisfied })
  }
  const content = await store.read(blob, range).catch(async (error: unknown) => {
    // A row can outlive its file, after a restore without files for one.
    throw (await store.size(blob)) === undefined ? new AppError('notFound') : error
  })
  return new Download(name, type, content, {
    inline: true,
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(range ? range.end - range.start + 1 : size),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    },
  })
}

/** The single range of a Range header. Several ranges, or a malformed header, get the whole file. */
function parseRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [first, last] = [found?.[1], found?.[2]]
  if (!found || (first === '' && last === '')) return undefined
  if (first === '') return Number(last) === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'outside' : { start, end }
}
