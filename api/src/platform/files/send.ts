import { Readable } from 'node:stream'
import { AppError } from '../runtime/app-error.ts'
import { Download } from '../http/download.ts'
import type { BlobStore, ByteRange } from './store.ts'

interface Sent {
  name: string
  type: string
  /** How many bytes it has, where that is known. */
  size?: number
  /** The range that the request asks for, as its header says it. */
  range: string | undefined
  cacheSeconds: number
  /** Who else may keep it besides the browser that asked. */
  cache?: 'private' | 'public'
}

/** A blob as the answer of a call, whole or by range. It never changes under its name, so it may be kept. */
export async function sendBlob(store: BlobStore, blob: string, sent: Sent): Promise<Download> {
  const { name, type, cacheSeconds, cache = 'private' } = sent
  const size = sent.size ?? (await store.size(blob))
  if (size === undefined) throw new AppError('notFound')
  const range = rangeOf(sent.range, size)
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': `${cache}, max-age=${cacheSeconds}, immutable`,
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (range === 'outside') {
    const nothing = { ...headers, 'content-range': `bytes */${size}` }
    return new Download(name, type, Readable.from([]), { status: 416, headers: nothing })
  }
  return new Download(name, type, await store.read(blob, range), {
    inline: true,
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(range ? range.end - range.start + 1 : size),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    },
  })
}

/** The one range that a request asks for. Several at once, or anything else, is answered with the whole file. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [first, last] = [found?.[1], found?.[2]]
  if (!found || (first === '' && last === '')) return undefined
  if (first === '') return Number(last) === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'outside' : { start, end }
}
