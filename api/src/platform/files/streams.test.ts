import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { files, type UploadTarget } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { aMovie } from '@roadshow/test-kit/media'

const world = await openWorld()
const { app, call, people } = world
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const token = people.sales.token
const PATIENCE = { timeout: 10_000 }

const announce = async (size: number): Promise<UploadTarget> =>
  (
    await call(
      files.getUploadSas,
      { body: { purpose: 'artwork', name: 'a.mp4', contentType: 'video/mp4', size } },
      { token },
    )
  ).body.data

const open = (url: string, offset: number) =>
  // A connection of its own: what breaks is no one else's.
  request(`${origin}${url}&offset=${offset}`, {
    method: 'PUT',
    agent: false,
    headers: { 'content-type': 'application/octet-stream' },
  })

async function received(url: string): Promise<number> {
  const answer = (await (await fetch(`${origin}${url}`)).json()) as { data: { received: number } }
  return answer.data.received
}

/** Sends everything and reads the answer. */
async function send(url: string, offset: number, content: Iterable<Buffer>) {
  const put = open(url, offset)
  const answered = once(put, 'response') as Promise<[IncomingMessage]>
  const [[response]] = await Promise.all([answered, pipeline(Readable.from(content), put)])
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()) as { data?: { received: number }; code?: string },
  }
}

test('a connection that breaks leaves what has arrived, and another goes on there', async () => {
  const movie = aMovie({ data: 3_000_000 })
  const { fileUid, url } = await announce(movie.length)
  const first = open(url, 0)
  first.on('error', () => undefined)
  first.write(movie.subarray(0, 1_000_000))
  await expect.poll(() => received(url), PATIENCE).toBe(1_000_000)
  first.destroy()
  expect(await send(url, 1_000_000, [movie.subarray(1_000_000)])).toMatchObject({ status: 200 })
  expect((await call(files.complete, { body: { fileUid } }, { token })).body.data).toMatchObject({ size: movie.length })
})

test('a page that connects again takes over from a connection that only seems to live', async () => {
  const movie = aMovie({ data: 500_000 })
  const { fileUid, url } = await announce(movie.length)
  const hanging = open(url, 0)
  hanging.on('error', () => undefined)
  hanging.write(movie.subarray(0, 100_000))
  await expect.poll(() => received(url), PATIENCE).toBe(100_000)
  expect(await send(url, 100_000, [movie.subarray(100_000)])).toMatchObject({
    status: 200,
    body: { data: { received: movie.length } },
  })
  hanging.destroy()
  expect((await call(files.complete, { body: { fileUid } }, { token })).status).toBe(200)
})

test('a sender that hides how much it sends is stopped at the announced size', async () => {
  const { fileUid, url } = await announce(1000)
  await send(
    url,
    0,
    Array.from({ length: 200 }, () => Buffer.alloc(1000)),
  ).catch(() => undefined)
  await expect
    .poll(
      () => world.db.selectFrom('stored_file').select('uid').where('uid', '=', fileUid).executeTakeFirst(),
      PATIENCE,
    )
    .toBeUndefined()
})

test('200 MB pass through without filling memory', async () => {
  const MB = 1024 * 1024
  const whole = aMovie({ data: 8 })
  // The picture data grows to 200 MB, between the same header and the same end.
  const at = whole.indexOf('mdat') - 4
  const [head, end] = [whole.subarray(0, at + 8), whole.subarray(at + 16)]
  const filler = Buffer.alloc(MB, 7)
  const mdat = Buffer.from(head)
  mdat.writeUInt32BE(8 + 200 * MB, at)
  const size = mdat.length + 200 * MB + end.length
  const { fileUid, url } = await announce(size)
  function* content() {
    yield mdat
    for (let sent = 0; sent < 200; sent++) yield filler
    yield end
  }
  const before = process.memoryUsage().rss
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  expect(await send(url, 0, content())).toMatchObject({ status: 200 })
  const { body } = await call(files.complete, { body: { fileUid } }, { token })
  clearInterval(watching)
  expect(body.data).toMatchObject({ size, width: 640, durationMs: 5000 })
  expect((most - before) / MB).toBeLessThan(100)
})
