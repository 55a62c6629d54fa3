import { readdir } from 'node:fs/promises'
import { deflateSync, crc32 } from 'node:zlib'
import { type BodyOf, type FileRef, files, type InputOf, type UploadTarget } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../db/connection.ts'
import { openWorld } from '../test-world.ts'
import { claim, keepUpload, sweepFiles } from './index.ts'
import { sign } from './signature.ts'
import { aMovie, aPicture, aWebm, withExif } from './test-files.ts'

const world = await openWorld()
const { app, call, db, people } = world

type Announced = InputOf<typeof files.getUploadSas>['body']
const announce = (given: Partial<Announced> = {}, token = people.sales.token) =>
  call(
    files.getUploadSas,
    { body: { purpose: 'artwork', name: 'art.png', contentType: 'image/png', size: 100, ...given } },
    { token },
  )

async function target(given: Partial<Announced>): Promise<UploadTarget> {
  const { status, body, text } = await announce(given)
  expect(status, text).toBe(200)
  return body.data
}

const put = (url: string, payload: Buffer, offset = 0) =>
  app.inject({
    method: 'PUT',
    url: `${url}&offset=${offset}`,
    payload,
    headers: { 'content-type': 'application/octet-stream' },
  })

const complete = (fileUid: string, more: Partial<BodyOf<typeof files.complete>> = {}) =>
  call(files.complete, { body: { fileUid, ...more } }, { token: people.sales.token })

/** Announces, sends and verifies a file. */
async function upload(content: Buffer, given: Partial<Announced> = {}) {
  const { fileUid, url } = await target({ size: content.length, ...given })
  const sent = await put(url, content)
  expect(sent.statusCode, sent.body).toBe(200)
  return { fileUid, ...(await complete(fileUid)) }
}

async function stored(content: Buffer, given: Partial<Announced> = {}): Promise<FileRef> {
  const { status, body, text } = await upload(content, given)
  expect(status, text).toBe(200)
  return body.data
}

const rowOf = (uid: string) => db.selectFrom('stored_file').selectAll().where('uid', '=', uid).executeTakeFirst()
const keptFiles = async () => (await readdir(world.folder)).toSorted()

/** What is refused has a sentence and leaves neither row nor bytes. */
async function expectRefused(content: Buffer, given: Partial<Announced>, sentence: RegExp) {
  const before = await keptFiles()
  const { fileUid, status, error } = await upload(content, given)
  expect(status).toBe(422)
  expect(error.error).toMatch(sentence)
  expect(await rowOf(fileUid)).toBeUndefined()
  expect(await keptFiles()).toEqual(before)
}

const jpeg = { name: 'art.jpg', contentType: 'image/jpeg' }
const mp4 = { name: 'art.mp4', contentType: 'video/mp4' }
const webm = { name: 'art.webm', contentType: 'video/webm' }

/** A PNG of a few kilobytes that would decode to gigabytes. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const lines = deflateSync(Buffer.alloc(10_000_000))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ])
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
})

describe('refused before anything is sent', () => {
  test.each([
    [
      '2 GB',
      { size: 2 * 1024 ** 3, ...mp4 },
      413,
      'size',
      'A MP4 file may have at most 500 MB; this one has 2,048 MB.',
    ],
    [
      'a large picture',
      { size: 51 * 1024 ** 2 },
      413,
      'size',
      'A PNG file may have at most 50 MB; this one has 51 MB.',
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

  test('whoever may not upload for the purpose', async () => {
    expect((await announce({}, people.client.token)).status).toBe(403)
    expect((await announce({}, people.driver.token)).status).toBe(403)
    expect((await announce({ purpose: 'photo' }, people.driver.token)).status).toBe(200)
  })
})

describe('refused after a look inside, with nothing left behind', () => {
  test('HTML named .png', () =>
    expectRefused(Buffer.from('<!doctype html><script>alert(1)</script>'), {}, /^This is no PNG file/))

  test('a PNG named .jpg', async () => expectRefused(await aPicture('png'), jpeg, /no JPEG file, but a PNG file/))

  test('a truncated JPEG', async () => {
    const whole = await aPicture('jpeg', 800, 600)
    await expectRefused(whole.subarray(0, Math.floor(whole.length * 0.6)), jpeg, /damaged or cut off/)
  })

  test('a decompression bomb', () => expectRefused(bomb(30_000, 30_000), {}, /more than 80 million pixels/))

  test('camera data that is rubbish', async () => {
    const plain = await aPicture('jpeg')
    await expectRefused(withExif(plain, Buffer.alloc(200, 0x41)), jpeg, /camera data/)
    await expectRefused(withExif(plain, Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1')), jpeg, /camera data/)
  })

  test('videos that are cut off, or none', async () => {
    const movie = aMovie({ data: 50_000 })
    await expectRefused(movie.subarray(0, 20_000), mp4, /cut off/)
    await expectRefused(aMovie({ kind: 'soun' }), mp4, /no picture track/)
    await expectRefused(aWebm({ durationMs: 1000 }).subarray(0, 60), webm, /cut off/)
    await expectRefused(aMovie(), webm, /no WebM file/)
  })

  test('more bytes than announced', async () => {
    const { fileUid, url } = await target({ size: 1000 })
    const before = await keptFiles()
    await put(url, Buffer.alloc(400))
    const answer = await put(url, Buffer.alloc(700), 400)
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ error: 'More was sent than was announced.' })
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
    expect(answer.json()).toMatchObject({ error: 'This upload link is not valid for this file.' })
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
    expect(again.json()).toMatchObject({ error: 'This upload link was used already: the file has arrived.' })
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

describe('reading a file', () => {
  test('needs its signed address, for this file, until it expires', async () => {
    const [one, other] = [await stored(await aPicture('png')), await stored(await aPicture('png'))]
    expect((await app.inject(one.url.replace(one.uid, other.uid))).statusCode).toBe(403)
    expect((await app.inject(one.url.replace('?', '/thumbnail?'))).statusCode).toBe(403)
    expect((await app.inject(`/api/v1/files/${one.uid}`)).statusCode).toBe(401)
    const past = 1_000_000_000
    const expired = `/api/v1/files/${one.uid}?expires=${past}&signature=${sign('GET', `files/${one.uid}`, past)}`
    expect((await app.inject(expired)).json()).toMatchObject({ code: 'fileLink' })
  })

  test('or a session that may see it', async () => {
    const { uid } = await stored(await aPicture('png'))
    const status = async (token: string) =>
      (await app.inject({ url: `/api/v1/files/${uid}`, headers: { authorization: `Bearer ${token}` } })).statusCode
    expect(await status(people.sales.token)).toBe(200)
    expect(await status(people.admin.token)).toBe(200)
    expect(await status(people.client.token)).toBe(404)
    expect(await status(people.driver.token)).toBe(404)
    expect(await status('nobody')).toBe(401)
  })

  test('gives a range', async () => {
    const content = aMovie({ data: 5000 })
    const { url } = await stored(content, mp4)
    const part = async (range: string) => app.inject({ url, headers: { range } })
    const middle = await part('bytes=100-199')
    expect(middle.statusCode).toBe(206)
    expect(middle.headers['content-range']).toBe(`bytes 100-199/${content.length}`)
    expect(middle.rawPayload.equals(content.subarray(100, 200))).toBe(true)
    expect((await part('bytes=-10')).rawPayload.equals(content.subarray(-10))).toBe(true)
    expect((await part('bytes=5000-')).rawPayload.equals(content.subarray(5000))).toBe(true)
    expect((await part('bytes=0-1,5-6')).statusCode).toBe(200)
    const outside = await part(`bytes=${content.length}-`)
    expect(outside.statusCode).toBe(416)
    expect(outside.headers['content-range']).toBe(`bytes */${content.length}`)
  })
})

describe('a file that no record uses', () => {
  test('is deleted on request by whoever may see it', async () => {
    const { uid } = await stored(await aPicture('png'))
    const remove = (token: string) => call(files.deleteBlob, { body: { fileUid: uid } }, { token })
    expect((await remove((await world.addUser('driver')).token)).status).toBe(404)
    expect((await remove(people.sales.token)).status).toBe(200)
    expect(await rowOf(uid)).toBeUndefined()
    expect((await keptFiles()).some((name) => name.includes(uid))).toBe(false)
    expect((await remove(people.sales.token)).status).toBe(404)
  })

  test('is swept a day after it was announced; what is claimed stays', async () => {
    const before = await keptFiles()
    const [used, unused] = [await stored(await aPicture('png')), await stored(await aPicture('png'))]
    const half = await target({ size: 500 })
    await put(half.url, Buffer.alloc(200))
    const scope = await world.adminScope()
    await inTransaction(db, (db) => claim(db, scope, used.uid, 'artwork'))
    const mine = [used.uid, unused.uid, half.fileUid]
    const others = await db.selectFrom('stored_file').select('uid').where('uid', 'not in', mine).execute()
    expect(await sweepFiles(db, app.blobs)).toBe(0)
    await db
      .updateTable('stored_file')
      .set({ announced_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('uid', 'in', mine)
      .execute()
    expect(await sweepFiles(db, app.blobs)).toBe(2)
    expect(await rowOf(used.uid)).toBeDefined()
    expect(await rowOf(unused.uid)).toBeUndefined()
    expect(await keptFiles()).toHaveLength(before.length + 2)
    expect(others.length).toBeGreaterThan(0)
    expect((await call(files.deleteBlob, { body: { fileUid: used.uid } })).error).toMatchObject({ code: 'fileUsed' })
  })

  test('can be claimed only for its purpose, and once it is verified', async () => {
    const scope = await world.adminScope()
    const { uid } = await stored(await aPicture('png'))
    const { fileUid } = await target({})
    await expect(claim(db, scope, uid, 'logo', 'logoFileUid')).rejects.toMatchObject({
      fields: { logoFileUid: /no such file/ },
    })
    await expect(claim(db, scope, fileUid, 'artwork')).rejects.toMatchObject({ code: 'badInput' })
  })
})

describe('a picture that comes with a call', () => {
  test('is written anew: upright, without its camera data', async () => {
    const scope = await world.adminScope()
    const rubbish = withExif(await aPicture('jpeg', 200, 100), Buffer.alloc(100, 0x41))
    const file = await keepUpload(app, scope, { purpose: 'photo', name: 'me.jpg', content: rubbish })
    expect(file).toMatchObject({ width: 200, height: 100, contentType: 'image/jpeg' })
    const { rawPayload } = await app.inject(file.url)
    expect(rawPayload.includes('Exif')).toBe(false)
    expect(rawPayload.length).toBe(file.size)
  })

  test('is refused like any other', async () => {
    const scope = await world.adminScope()
    const before = await keptFiles()
    const given = { purpose: 'photo', name: 'me.png' } as const
    await expect(keepUpload(app, scope, { ...given, content: Buffer.from('<html>') })).rejects.toMatchObject({
      code: 'fileRefused',
    })
    await expect(
      keepUpload(app, scope, { ...given, name: 'me.gif', content: await aPicture('png') }),
    ).rejects.toMatchObject({ code: 'wrongMediaType' })
    await expect(keepUpload(app, scope, { ...given, content: bomb(30_000, 30_000) })).rejects.toMatchObject({
      code: 'fileRefused',
    })
    expect(await keptFiles()).toEqual(before)
  })
})
