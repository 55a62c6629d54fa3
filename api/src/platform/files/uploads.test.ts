import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { setDecodingLimits } from '../decoding/decoder.ts'
import { defaultDecodingLimits } from '../decoding/limits.ts'
import { sign } from './signature.ts'
import {
  aBomb,
  aMovie,
  aPicture,
  aWebm,
  box,
  element,
  jpeg,
  mp4,
  pngFile,
  webm,
  withExif,
} from '@roadshow/test-kit/media'
import { type Announced, uploadHelpers } from './test-uploads.ts'

const world = await openWorld()
const { app, people } = world
const { announce, target, put, complete, upload, stored, rowOf, keptFiles } = uploadHelpers(world)

/** What is refused has a sentence and leaves neither row nor bytes. */
async function expectRefused(content: Buffer, given: Partial<Announced>, sentence: RegExp) {
  const before = await keptFiles()
  const { fileUid, status, error } = await upload(content, given)
  expect(status).toBe(422)
  expect(error.error).toMatch(sentence)
  expect(await rowOf(fileUid)).toBeUndefined()
  expect(await keptFiles()).toEqual(before)
}

describe('an upload', () => {
  test('is announced, sent, verified, and read again', async () => {
    const content = await aPicture('png', 640, 320)
    const file = await stored(content, { name: 'Küste “1”.png' })
    expect(file).toMatchObject({
      name: 'Küste “1”.png',
      contentType: 'image/png',
      size: content.length,
      width: 640,
      height: 320,
    })
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/)
    const read = await app.inject(file.url)
    expect(read.rawPayload.equals(content)).toBe(true)
    expect(read.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-length': String(content.length),
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(read.headers['content-disposition']).toMatch(/^inline; filename="[\w.-]+"; filename\*=UTF-8''K%C3%BCste/)
    const small = await app.inject(file.thumbnailUrl ?? '')
    expect(small.statusCode).toBe(200)
    expect(small.headers['content-type']).toBe('image/webp')
    expect(small.rawPayload.length).toBeLessThan(content.length)
  })

  test('goes on where it broke off', async () => {
    const content = await aPicture('png')
    const { fileUid, url } = await target({ size: content.length })
    const half = Math.floor(content.length / 2)
    expect((await put(url, content.subarray(0, half))).json()).toEqual({
      data: { received: half, size: content.length },
    })
    expect((await complete(fileUid)).error).toMatchObject({ code: 'uploadUnfinished' })
    expect((await put(url, content)).json()).toMatchObject({ code: 'uploadOffset' })
    expect((await app.inject(url)).json()).toEqual({ data: { received: half, size: content.length } })
    expect((await put(url, content.subarray(half), half)).json()).toEqual({
      data: { received: content.length, size: content.length },
    })
    expect((await complete(fileUid)).status).toBe(200)
    expect((await complete(fileUid)).status, 'verifying twice').toBe(200)
  })

  test('of a video tells its size and length, from its header', async () => {
    expect(await stored(aMovie({ width: 1920, height: 480, durationMs: 15_040 }), mp4)).toMatchObject({
      width: 1920,
      height: 480,
      durationMs: 15_040,
    })
    expect(await stored(aMovie({ width: 1920, height: 1080, turned: true }), mp4)).toMatchObject({
      width: 1080,
      height: 1920,
    })
    expect(await stored(aWebm({ width: 800, height: 200, durationMs: 4000 }), webm)).toMatchObject({
      width: 800,
      height: 200,
      durationMs: 4000,
    })
  })

  test('of a video whose header does not say takes the browser’s word, and notes it', async () => {
    const file = await stored(aWebm(), { ...webm, durationMs: 6100, width: 1, height: 1 })
    expect(file).toMatchObject({ width: 640, height: 320, durationMs: 6100, thumbnailUrl: null })
    expect(await rowOf(file.uid)).toMatchObject({ measured_by: 'browser' })
  })

  test('of a video shows the frame that the browser made', async () => {
    const content = aMovie()
    const { fileUid, url } = await target({ ...mp4, size: content.length })
    await put(url, content)
    const { body } = await complete(fileUid, { frame: (await aPicture('jpeg')).toString('base64') })
    expect((await app.inject(body.data.thumbnailUrl ?? '')).headers['content-type']).toBe('image/webp')
  })

  test('of a video goes on without a frame that is no picture', async () => {
    const content = aMovie()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    for (const frame of [svg, 'rubbish']) {
      const { fileUid, url } = await target({ ...mp4, size: content.length })
      await put(url, content)
      const { status, body } = await complete(fileUid, { frame: Buffer.from(frame).toString('base64') })
      expect([status, body.data.thumbnailUrl]).toEqual([200, null])
    }
  })
})

describe('bytes that are sent while others of the same file are verified', () => {
  // Each verification that waits for its bytes has a decoder.
  beforeAll(() => setDecodingLimits({ ...defaultDecodingLimits, atOnce: 4 }))
  afterAll(() => setDecodingLimits(defaultDecodingLimits))

  const [first, second] = [aMovie({ width: 640 }), aMovie({ width: 320 })]
  const broken = Buffer.alloc(first.length, 1)

  /** Verifies a file; its bytes are opened, and read on when `release` is called. */
  async function slowComplete(fileUid: string) {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const read = app.blobs.read.bind(app.blobs)
    const reading = vi.spyOn(app.blobs, 'read').mockImplementationOnce(async (...args) => {
      const stream = await read(...args)
      await released
      return stream
    })
    const verifying = complete(fileUid)
    await vi.waitFor(() => expect(reading).toHaveBeenCalled(), { timeout: 10_000 })
    reading.mockRestore()
    return { verifying, release }
  }

  const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

  async function expectStored(fileUid: string, content: Buffer) {
    const row = await rowOf(fileUid)
    expect(row?.sha256).toBe(hashOf(content))
    const { body } = await complete(fileUid)
    expect(body.data.sha256).toBe(hashOf(content))
    expect(hashOf((await app.inject(body.data.url)).rawPayload)).toBe(hashOf(content))
  }

  async function sendWhileVerified(content: Buffer) {
    const before = await keptFiles()
    const { fileUid, url } = await target({ ...mp4, size: first.length })
    await put(url, first)
    const { verifying, release } = await slowComplete(fileUid)
    expect((await put(url, content)).statusCode).toBe(200)
    const added = async () => (await keptFiles()).filter((name) => !before.includes(name))
    return { fileUid, verifying, release, added }
  }

  test('count if they are verified first, and the row has their hash', async () => {
    expect(first).toHaveLength(second.length)
    const { fileUid, verifying, release, added } = await sendWhileVerified(second)
    expect((await complete(fileUid)).body.data.sha256).toBe(hashOf(second))
    release()
    const late = await verifying
    expect([late.status, late.body.data.sha256]).toEqual([200, hashOf(second)])
    await expectStored(fileUid, second)
    expect(await added()).toHaveLength(1)
  })

  test.each([
    ['valid', second],
    ['refused', broken],
  ])('change nothing if they are verified later: %s', async (_, content) => {
    const { fileUid, verifying, release, added } = await sendWhileVerified(content)
    const later = await slowComplete(fileUid)
    release()
    expect((await verifying).body.data.sha256).toBe(hashOf(first))
    later.release()
    expect((await later.verifying).status).toBe(200)
    await expectStored(fileUid, first)
    expect(await added()).toHaveLength(1)
  })

  test('and are refused first take the file with them', async () => {
    const { fileUid, verifying, release, added } = await sendWhileVerified(broken)
    expect((await complete(fileUid)).status).toBe(422)
    release()
    expect((await verifying).status).toBe(404)
    expect(await rowOf(fileUid)).toBeUndefined()
    expect(await added()).toEqual([])
  })

  test.each(['artwork', 'photo'] as const)('are none where one %s is verified three times at once', async (purpose) => {
    const content = await aPicture('png')
    for (let n = 1; n <= 2; n++) {
      const { fileUid, url } = await target({ purpose, size: content.length })
      await put(url, content)
      const all = await Promise.all([complete(fileUid), complete(fileUid), complete(fileUid)])
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
      const row = await rowOf(fileUid)
      expect(all.map(({ body }) => body.data.sha256)).toEqual(Array.from({ length: 3 }, () => row?.sha256))
      expect(hashOf((await app.inject(all[0].body.data.url)).rawPayload)).toBe(row?.sha256)
    }
  })
})

describe('refused before anything is sent', () => {
  test.each([
    [
      '2 GB',
      { size: 2 * 1024 ** 3, ...mp4 },
      413,
      'size',
      'A MP4 file can have at most 500 MB. This file has 2,048 MB.',
    ],
    [
      'a large picture',
      { size: 51 * 1024 ** 2 },
      413,
      'size',
      'A PNG file can have at most 50 MB. This file has 51 MB.',
    ],
    ['a wrong extension', { name: 'art.exe' }, 415, 'name', 'A PNG file ends in .png.'],
    [
      'SVG',
      { name: 'art.svg', contentType: 'image/svg+xml' },
      415,
      'contentType',
      'Please choose a JPEG, PNG, WebP, MP4 or WebM file.',
    ],
    [
      'a video as a logo',
      { ...mp4, purpose: 'logo' as const },
      415,
      'contentType',
      'Please choose a JPEG, PNG or WebP file.',
    ],
    ['nothing', { size: 0 }, 400, 'size', 'The file is empty.'],
  ])('%s', async (_, given, status, field, sentence) => {
    const answer = await announce(given)
    expect(answer.status).toBe(status)
    expect(answer.error.fields?.[field]).toContain(sentence)
    expect(answer.text).not.toContain('url')
  })

  test('anyone who may not upload for the purpose', async () => {
    expect((await announce({}, people.client.token)).status).toBe(403)
    expect((await announce({}, people.driver.token)).status).toBe(403)
    expect((await announce({ purpose: 'photo' }, people.driver.token)).status).toBe(200)
  })
})

const WEBM_HEAD = element('1a45dfa3', element('4282', Buffer.from('webm')))

describe('refused after a look inside, with nothing left behind', () => {
  test('HTML named .png', () =>
    expectRefused(Buffer.from('<!doctype html><script>alert(1)</script>'), {}, /^This is not a PNG file/))

  test('a PNG named .jpg', async () => expectRefused(await aPicture('png'), jpeg, /not a JPEG file. It is a PNG file/))

  test('a truncated JPEG', async () => {
    const whole = await aPicture('jpeg', 800, 600)
    await expectRefused(whole.subarray(0, Math.floor(whole.length * 0.6)), jpeg, /damaged or incomplete/)
  })

  test('a decompression bomb', () => expectRefused(aBomb(30_000, 30_000), {}, /more than 80 million pixels/))

  test('camera data that is rubbish', async () => {
    const plain = await aPicture('jpeg')
    await expectRefused(withExif(plain, Buffer.alloc(200, 0x41)), jpeg, /camera data/)
    await expectRefused(withExif(plain, Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1')), jpeg, /camera data/)
  })

  test('a picture that takes too much memory to open', () => {
    const header = { width: 8900, height: 8900, depth: 16, color: 6, interlaced: true } as const
    return expectRefused(pngFile(header, deflateSync(Buffer.alloc(1000))), {}, /takes 605 MB of memory to open/)
  })

  test('videos with headers of very many parts', async () => {
    const boxes = Buffer.alloc(8 * 1_000_000, box('free'))
    const movie = Buffer.concat([aMovie().subarray(0, 24), box('moov', boxes)])
    await expectRefused(movie, mp4, /more than 1,000 parts/)
    const tracks = Array.from({ length: 65 }, () => box('trak'))
    await expectRefused(Buffer.concat([aMovie().subarray(0, 24), box('moov', ...tracks)]), mp4, /more than 64 tracks/)
    const elements = element('18538067', Buffer.alloc(2 * 100_000, Buffer.from([0xec, 0x80])))
    await expectRefused(Buffer.concat([WEBM_HEAD, elements]), webm, /more than 1,000 parts/)
  })

  test('a WebM without a picture track', async () => {
    const info = element('1549a966')
    await expectRefused(Buffer.concat([WEBM_HEAD, element('18538067', info)]), webm, /no picture track/)
    await expectRefused(Buffer.concat([WEBM_HEAD, element('18538067', info, element('1654ae6b'))]), webm, /no picture/)
  })

  test('videos that name what no video has', async () => {
    await expectRefused(aMovie({ durationMs: 90_000_000 }), mp4, /a length of more than a day/)
    await expectRefused(aWebm({ durationMs: Infinity }), webm, /a length of more than a day/)
    const side = element('b0', Buffer.alloc(6, 0x11))
    const track = element('ae', element('83', Buffer.from([1])), element('e0', side, element('ba', Buffer.from([9]))))
    const wide = element('18538067', element('1654ae6b', track))
    await expectRefused(Buffer.concat([WEBM_HEAD, wide]), webm, /a size of 18764998447377 × 9 pixels/)
  })

  test('videos that are cut off, or none', async () => {
    const movie = aMovie({ data: 50_000 })
    await expectRefused(movie.subarray(0, 20_000), mp4, /incomplete/)
    await expectRefused(aMovie({ kind: 'soun' }), mp4, /no picture track/)
    await expectRefused(aWebm({ durationMs: 1000 }).subarray(0, 60), webm, /incomplete/)
    await expectRefused(aMovie(), webm, /not a WebM file/)
  })

  test('more bytes than announced', async () => {
    const { fileUid, url } = await target({ size: 1000 })
    const before = await keptFiles()
    await put(url, Buffer.alloc(400))
    const answer = await put(url, Buffer.alloc(700), 400)
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ error: 'The file is larger than announced.' })
    expect(await keptFiles()).toEqual(before)
    expect(await rowOf(fileUid)).toBeUndefined()
  })
})

describe('the address of an upload', () => {
  const some = Buffer.alloc(100, 1)

  test('is for one blob', async () => {
    const [mine, other] = [await target({}), await target({})]
    const foreign = mine.url.replace(mine.fileUid, other.fileUid)
    const answer = await put(foreign, some)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: "This upload link isn't valid for this file." })
    expect((await put(mine.url.replace('size=100', 'size=101'), some)).statusCode).toBe(403)
    expect((await put(mine.url.replace(/signature=.*/, 'signature='), some)).statusCode).toBe(403)
  })

  test('expires', async () => {
    const { fileUid } = await target({})
    const past = Math.floor(Date.now() / 1000) - 1
    const blob = `incoming-${fileUid}`
    const url = `/api/v1/blob-storage/blobs/${blob}?expires=${past}&size=100&signature=${sign('PUT', blob, past, 100)}`
    const answer = await put(url, some)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'This upload link has expired. Please start the upload again.' })
  })

  test('is used up once the file has arrived, and opens nothing afterwards', async () => {
    const content = await aPicture('png')
    const { fileUid, url } = await target({ size: content.length })
    await put(url, content)
    const again = await put(url, Buffer.alloc(content.length))
    expect(again.statusCode).toBe(403)
    expect(again.json()).toMatchObject({ error: 'This upload link was already used. The file has arrived.' })
    const { body } = await complete(fileUid)
    expect((await put(url, Buffer.alloc(content.length))).json()).toMatchObject({ code: 'uploadLink' })
    expect((await app.inject(body.data.url)).rawPayload.equals(content)).toBe(true)
  })

  test('names no path', async () => {
    for (const name of ['..%2f..%2fetc%2fpasswd', '%00', 'a.b']) {
      const answer = await put(`/api/v1/blob-storage/blobs/${name}?expires=9999999999&size=100&signature=x`, some)
      expect(answer.statusCode, name).toBe(400)
    }
  })
})
