import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { aMovie } from '@roadshow/test-kit/media'
import { type BodyOf, contract, type Endpoint, type ReplyOf } from '@roadshow/contract'
import { median, ratioOf } from './load.ts'
import { MB, megabytes, memoryOf, watchMemory } from './memory.ts'
import { type BenchFigure, percent } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const SIZE = 200 * MB
// As the console sends them.
const PART = 8 * MB
const ROUNDS = 5
const HALF = 0.5
const MAX_GROWTH = 64 * MB

/** A video of 200 MB on its way into the local store, beside the same bytes streamed to a file. */
export async function* measureUploads(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const movie = aMovie({ data: SIZE })
  const sha256 = createHash('sha256').update(movie).digest('hex')
  const before = await watchMemory(world.pid)
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await uploadOurs(world, movie, sha256))
    rates.bare.push(await uploadBare(world, movie))
  }
  const growth = (await memoryOf(world.pid)).peak - before
  const ratio = ratioOf(rates.ours, rates.bare)
  yield {
    name: 'Upload of 200 MB, verified and hashed, beside a bare stream to a file',
    ours: megabytes(median(rates.ours), '/s'),
    beside: megabytes(median(rates.bare), '/s'),
    ratio: percent(ratio),
    bar: `≥ ${percent(HALF)}`,
    met: ratio >= HALF,
  }
  yield {
    name: `Our server's memory over ${ROUNDS} such uploads, growth at its peak`,
    ours: megabytes(growth),
    beside: `${megabytes(before)} before`,
    ratio: '',
    bar: `< ${megabytes(MAX_GROWTH)}`,
    met: growth < MAX_GROWTH,
  }
}

const agent = new Agent({ keepAlive: true })

/** Sends bytes, or an object as JSON. Not by fetch, which would be slower than what it measures. */
async function send(
  url: string,
  method: string,
  body: Buffer | object | undefined,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const isBytes = Buffer.isBuffer(body)
  const bytes = isBytes ? body : Buffer.from(JSON.stringify(body ?? ''))
  const type = isBytes ? 'application/octet-stream' : 'application/json'
  const sending = request(url, {
    method,
    agent,
    headers: { ...headers, ...(body && { 'content-type': type, 'content-length': bytes.length }) },
  })
  sending.end(body && bytes)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const content = await json(answer)
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.statusCode} ${JSON.stringify(content)}`)
  return content
}

/** Bytes per second of a piece of work that moves so many. */
async function rateOf(bytes: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (bytes / (performance.now() - start)) * 1000
}

async function call<E extends Endpoint>(world: BenchWorld, of: E, body: BodyOf<E> & object): Promise<ReplyOf<E>> {
  const { url, headers } = apiTarget(world, of.path)
  return of.reply.parse(await send(url, of.method, body, headers)) as ReplyOf<E>
}

/** Announced, sent and verified, as the console does it. */
async function uploadOurs(world: BenchWorld, movie: Buffer, sha256: string): Promise<number> {
  const { getUploadSas, complete, deleteBlob } = contract.files
  let fileUid = ''
  const rate = await rateOf(movie.length, async () => {
    const announced = { purpose: 'artwork', name: 'bench.mp4', contentType: 'video/mp4', size: movie.length } as const
    const target = (await call(world, getUploadSas, announced)).data
    fileUid = target.fileUid
    for (let offset = 0; offset < movie.length; offset += PART) {
      const url = `${world.ours}${target.url}&offset=${offset}`
      await send(url, target.method, movie.subarray(offset, offset + PART), target.headers)
    }
    const stored = (await call(world, complete, { fileUid })).data
    if (stored.sha256 !== sha256) throw new Error('The stored file is not the one that was sent')
  })
  await call(world, deleteBlob, { fileUid })
  return rate
}

async function uploadBare(world: BenchWorld, movie: Buffer): Promise<number> {
  const rate = await rateOf(movie.length, () => send(`${world.bare}/upload`, 'PUT', movie))
  await send(`${world.bare}/upload`, 'DELETE', undefined)
  return rate
}
