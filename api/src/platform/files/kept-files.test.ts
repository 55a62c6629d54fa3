import { files } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../db/connection.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import sharp from 'sharp'
import { claimFile, storeUploadedPicture } from './index.ts'
import { sign } from './signature.ts'
import { aBomb, aMovie, aPicture, mp4, withExif } from '@roadshow/test-kit/media'
import { uploadHelpers } from './test-uploads.ts'

const world = await openWorld()
const { app, call, db, people } = world
const { target, put, stored, rowOf, keptFiles } = uploadHelpers(world)

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

  test('says that it is gone where only its row is left', async () => {
    const { uid, url } = await stored(await aPicture('png'))
    const { blob_name } = await db
      .selectFrom('stored_file')
      .select('blob_name')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    await app.blobs.remove(blob_name)
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'notFound'])
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
  test('is deleted on request by anyone who may see it', async () => {
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
    await inTransaction(db, (db) => claimFile(db, scope, { uid: used.uid, purpose: 'artwork' }))
    const mine = [used.uid, unused.uid, half.fileUid]
    const others = await db.selectFrom('stored_file').select('uid').where('uid', 'not in', mine).execute()
    await world.sweep(['stored_file'])
    expect(await rowOf(unused.uid)).toBeDefined()
    await db
      .updateTable('stored_file')
      .set({ announced_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('uid', 'in', mine)
      .execute()
    await world.sweep(['stored_file'])
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
    await expect(claimFile(db, scope, { uid, purpose: 'logo', field: 'logoFileUid' })).rejects.toMatchObject({
      fields: { logoFileUid: /File not found/ },
    })
    await expect(claimFile(db, scope, { uid: fileUid, purpose: 'artwork' })).rejects.toMatchObject({ code: 'badInput' })
  })
})

describe('a picture that comes with a call', () => {
  test('is written again: upright, without its camera data', async () => {
    const scope = await world.adminScope()
    const rubbish = withExif(await aPicture('jpeg', 200, 100), Buffer.alloc(100, 0x41))
    const file = await storeUploadedPicture(app, scope, { purpose: 'photo', name: 'me.jpg', content: rubbish })
    expect(file).toMatchObject({ width: 200, height: 100, contentType: 'image/jpeg' })
    const { rawPayload } = await app.inject(file.url)
    expect(rawPayload.includes('Exif')).toBe(false)
    expect(rawPayload.length).toBe(file.size)
  })

  test('is refused like any other', async () => {
    const scope = await world.adminScope()
    const before = await keptFiles()
    const given = { purpose: 'photo', name: 'me.png' } as const
    await expect(storeUploadedPicture(app, scope, { ...given, content: Buffer.from('<html>') })).rejects.toMatchObject({
      code: 'fileRefused',
    })
    await expect(
      storeUploadedPicture(app, scope, { ...given, name: 'me.gif', content: await aPicture('png') }),
    ).rejects.toMatchObject({ code: 'wrongMediaType' })
    await expect(storeUploadedPicture(app, scope, { ...given, content: aBomb(30_000, 30_000) })).rejects.toMatchObject({
      code: 'fileRefused',
    })
    expect(await keptFiles()).toEqual(before)
  })
})

describe('files that no record uses yet', () => {
  const announce = (token: string, size = 100) =>
    call(files.getUploadSas, { body: { purpose: 'artwork', name: 'a.mp4', contentType: 'video/mp4', size } }, { token })
  const GB = 1024 ** 3
  const countOf = async (userUid: string) =>
    (await db.selectFrom('stored_file').select('uid').where('announced_by', '=', userUid).execute()).length

  test('are limited in number for each user, however many are announced at once, until the sweep', async () => {
    const [one, other] = [await world.addUser('sales'), await world.addUser('sales')]
    await sql`insert into stored_file (blob_name, purpose, original_name, content_type, size_bytes, announced_by)
      select gen_random_uuid(), 'artwork', 'a.mp4', 'video/mp4', 100, ${one.uid} from generate_series(1, 195)`.execute(
      db,
    )
    const answers = await Promise.all(Array.from({ length: 20 }, () => announce(one.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await countOf(one.uid)).toBe(200)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused).toMatchObject({ status: 409, error: { code: 'uploadQuota' } })
    expect(refused?.error.error).toBe(
      'You have uploaded 200 files that no record uses yet, and at most 200 files or 5 GB are kept. Save the record they belong to, or try again tomorrow: unused files are deleted after a day.',
    )
    expect((await announce(other.token)).status).toBe(200)

    await db
      .updateTable('stored_file')
      .set({ announced_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('announced_by', '=', one.uid)
      .execute()
    await world.sweep(['stored_file'])
    expect((await announce(one.token)).status).toBe(200)
  })

  test('are limited in bytes; one that a record uses does not count', async () => {
    const { uid, token } = await world.addUser('sales')
    await sql`insert into stored_file (blob_name, purpose, original_name, content_type, size_bytes, announced_by)
      values (gen_random_uuid(), 'artwork', 'a.mp4', 'video/mp4', ${5 * GB - 1000}, ${uid})`.execute(db)
    expect((await announce(token, 1001)).error).toMatchObject({ code: 'uploadQuota' })
    expect((await announce(token, 1000)).status).toBe(200)
    expect((await announce(token, 1)).status).toBe(409)
    await db.updateTable('stored_file').set({ claimed_at: new Date() }).where('announced_by', '=', uid).execute()
    expect((await announce(token, 1001)).status).toBe(200)
  })
})

test('a logo keeps only its pixels, however it was uploaded; artwork is kept byte for byte', async () => {
  const content = await sharp(await aPicture('jpeg'))
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .toBuffer()
  const logo = await stored(content, { purpose: 'logo', name: 'logo.jpg', contentType: 'image/jpeg' })
  const kept = (await app.inject(logo.url)).rawPayload
  expect(kept.length).toBe(logo.size)
  expect((await sharp(content).metadata()).exif).toBeDefined()
  expect((await sharp(kept).metadata()).exif).toBeUndefined()
  const artwork = await stored(content, { name: 'a.jpg', contentType: 'image/jpeg' })
  expect((await app.inject(artwork.url)).rawPayload.equals(content)).toBe(true)
})
