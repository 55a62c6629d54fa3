import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_BASE, MAX_PHOTO_BYTES, type PopPhoto, pops, shifts } from '@roadshow/contract'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { toShiftInput } from '../../planning/shifts/test-plan.ts'
import { regradePhotosSince } from './regrade.ts'
import {
  cameraPhoto,
  shootTime,
  AUSTIN_CENTER,
  DALLAS_CENTER,
  SHOOT_DAY,
  photoFile,
  placeNorthOf,
  ZONE_OFFSET,
  openShoot,
} from './test-photos.ts'

const world = await openWorld()
const { call, db, people, app, folder } = world
const shoot = await openShoot(world)
const { program, other, dallas, austin, driver, otherDriver, clientUser, add, added, read, hear } = shoot

const shift = await shoot.addShift(driver.uid)
const others = await shoot.addShift(otherDriver.uid, other)
const truckAt = (time: string, metres = 0) => ({ at: shootTime(time), ...placeNorthOf(DALLAS_CENTER, metres) })
await hear(shift.truck.uid, [truckAt('12:00:00'), truckAt('12:00:10', 100)])
await hear(others.truck.uid, [truckAt('12:00:00', 4000), truckAt('12:00:10', 4000)])

const zoned = { clock: '12:00:05', offset: ZONE_OFFSET, place: DALLAS_CENTER }
const ofProgram = { programUid: program.uid }
const fetched = (url: string) => app.inject({ url })
const blobs = async () => (await readdir(folder)).filter((name) => name.startsWith('pop-')).length
const outcomes = (reply: Awaited<ReturnType<typeof add>>) => reply.body.data.map(({ outcome }) => outcome)
const refusals = (reply: Awaited<ReturnType<typeof add>>) => reply.body.data.map(({ error }) => error)

describe('a photo', () => {
  test('is kept upright in three sizes with nothing but its pixels', async () => {
    const content = await cameraPhoto({ ...zoned, width: 3000, height: 2000, orientation: 6 })
    expect((await sharp(content).metadata()).exif?.includes('secret')).toBe(true)
    const photo = await added(content, ofProgram)
    expect(photo).toMatchObject({ name: 'photo.jpg', width: 1600, height: 2400, status: 'waiting', version: 1 })
    const widths = { small: [320, 480], medium: [800, 1200], large: [1600, 2400] }
    for (const [size, [width, height]] of Object.entries(widths)) {
      const sent = await fetched(photo.urls[size as keyof typeof widths])
      expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'image/webp'])
      expect(sent.headers['cache-control']).toBe('private, max-age=43200, immutable')
      const found = await sharp(sent.rawPayload).metadata()
      expect(found).toMatchObject({ format: 'webp', width, height, channels: 3 })
      const { exif, icc, xmp, iptc, orientation } = found
      expect({ exif, icc, xmp, iptc, orientation }).toEqual({})
      expect(sent.rawPayload.includes('secret')).toBe(false)
    }
    expect(photo.blur).toMatch(/^data:image\/webp;base64,/)
    expect(photo.blur.length).toBeLessThan(1000)
    const small = await sharp(Buffer.from(photo.blur.split(',')[1] ?? '', 'base64')).metadata()
    expect([small.width, small.height]).toEqual([16, 24])
  })

  test('is never enlarged, and PNG and WebP are as good as JPEG, whatever the name says', async () => {
    const drawn = sharp({ create: { width: 40, height: 20, channels: 4, background: '#80408080' } })
    for (const format of ['png', 'webp'] as const) {
      const photo = await added(await drawn.clone().toFormat(format).toBuffer(), ofProgram)
      expect(photo).toMatchObject({ name: 'photo.jpg', width: 40, height: 20, takenAt: null, placeSource: null })
    }
  })

  test('is shown by signed addresses only', async () => {
    const { uid, urls } = await added(await cameraPhoto(), ofProgram)
    const [path, query] = urls.large.split('?') as [string, string]
    expect((await fetched(path)).statusCode).toBe(400)
    expect((await fetched(`${path}?${query.slice(0, -3)}AAA`)).statusCode).toBe(403)
    expect((await fetched(`${path.replace('large', 'small')}?${query}`)).statusCode).toBe(403)
    expect((await fetched(`${path}?${query.replace(/expires=\d+/, 'expires=1')}`)).statusCode).toBe(403)
    expect((await app.inject({ url: urls.large, headers: { range: 'bytes=0-9' } })).rawPayload).toHaveLength(10)
    await call(pops.removePhoto, { params: { uid } })
    expect((await fetched(urls.large)).statusCode).toBe(404)
  })

  test('says when and where it was taken: with its zone, by satellites, or as clocks in its market showed', async () => {
    const iso = new Date(shootTime('12:00:05')).toISOString().slice(0, 19)
    const when = async (content: Buffer, more = {}) => {
      const { takenAt, timeSource } = await added(content, { ...ofProgram, ...more })
      return [takenAt?.slice(0, 19), timeSource]
    }
    expect(await when(await cameraPhoto(zoned))).toEqual([iso, 'exif'])
    expect(
      await when(await cameraPhoto({ clock: '07:00:00', gpsTime: shootTime('12:00:05'), place: DALLAS_CENTER })),
    ).toEqual([iso, 'exif'])
    expect(await when(await cameraPhoto({ clock: '12:00:05', place: DALLAS_CENTER }))).toEqual([iso, 'exif'])
    // The camera is believed rather than who typed.
    const typed = { takenAt: '2026-01-01T00:00:00Z', latitude: 1, longitude: 2 }
    expect(await when(await cameraPhoto({ clock: '12:00:05', place: DALLAS_CENTER }), typed)).toEqual([iso, 'exif'])
    expect(await when(await cameraPhoto(), { takenAt: `${iso}Z` })).toEqual([iso, 'typed'])
    // No one knows which market's clocks: a moment only when it gets its market.
    const timeless = await added(await cameraPhoto({ clock: '21:00:00' }), ofProgram)
    expect(timeless).toMatchObject({ takenAt: null, timeSource: null, market: null, zone: null })
    const { uid, version, caption, status } = timeless
    const body = { uid, version, caption, status, marketUid: dallas.uid, shiftUid: null }
    const placed = (await call(pops.updatePhoto, { body })).body.data
    expect(Date.parse(placed.takenAt ?? '')).toBe(shootTime('21:00:00'))
    expect([placed.timeSource, placed.zone]).toEqual(['exif', 'America/Chicago'])
    const { latitude, longitude } = await added(await cameraPhoto(zoned), ofProgram)
    expect([latitude, longitude].map((degree) => degree?.toFixed(4))).toEqual(['32.7800', '-96.8000'])
  })
})

describe('what a driver’s phone recorded with a photo', () => {
  const hour = 3_600_000
  const iso = (at: number) => new Date(at).toISOString()
  const atNoon = { takenAt: iso(shootTime('12:00:05')), ...DALLAS_CENTER, accuracyM: 8 }
  const phone = (more = {}) => ({ shiftUid: shift.uid, phone: { ...atNoon, sentAt: iso(Date.now()), ...more } })

  test('is graded by the truck’s track, and says where time and place come from', async () => {
    const photo = await added(await cameraPhoto(), { ...phone(), side: 'rear' }, driver.token)
    expect(photo).toMatchObject({
      takenAt: expect.stringContaining(atNoon.takenAt.slice(0, 19)),
      timeSource: 'phone',
      placeSource: 'phone',
      phoneTakenAt: null,
      accuracyM: 8,
      side: 'rear',
      grade: 'verified',
      ...DALLAS_CENTER,
    })
    // Tracks that arrive late regrade it like any other.
    const far = await added(await cameraPhoto(), phone({ ...placeNorthOf(DALLAS_CENTER, 9000) }), driver.token)
    expect(far.grade).toBe('conflict')
  })

  test('of a shift that another driver has by now still belongs to it and to the truck of that moment', async () => {
    const [former, next, never] = [await world.addUser('driver'), await world.addUser('driver'), otherDriver]
    const given = await shoot.addShift(former.uid)
    await hear(given.truck.uid, [truckAt('12:00:00'), truckAt('12:00:10', 100)])
    const ofShift = { ...phone(), shiftUid: given.uid }
    const before = await added(await cameraPhoto(), ofShift, former.token)
    // Both truck and driver change, after the photos were taken.
    const truckUid = await shoot.addTruck()
    const body = { ...toShiftInput(given), truckUid, driverUid: next.uid, uid: given.uid, version: given.version }
    expect((await call(shifts.update, { body })).status).toBe(200)
    const later = await added(await cameraPhoto(), ofShift, former.token)
    expect(later).toMatchObject({ shift: { uid: given.uid }, truck: { uid: given.truck.uid }, grade: 'verified' })
    await regradePhotosSince(db, '2020-01-01')
    for (const { uid } of [before, later])
      expect(await read(uid)).toMatchObject({ truck: { uid: given.truck.uid }, grade: 'verified' })

    // The next driver has the new truck, and a driver who never had the shift gets the words of an unknown one.
    const own = await added(await cameraPhoto(), ofShift, next.token)
    expect(own.truck?.uid).toBe(truckUid)
    const strange = async (shiftUid: string, token: string) => {
      const { status, error } = await add([photoFile(await cameraPhoto())], { ...phone(), shiftUid }, token)
      return [status, error.fields?.shiftUid]
    }
    const unknown = [400, 'Shift not found.']
    expect(await strange(given.uid, never.token)).toEqual(unknown)
    expect(await strange(randomUUID(), former.token)).toEqual(unknown)
    // Neither driver sees the photos of the other.
    expect((await call(pops.photo, { params: { uid: later.uid } }, { token: next.token })).status).toBe(404)
    expect((await call(pops.photo, { params: { uid: own.uid } }, { token: former.token })).status).toBe(404)
  })

  test('by a clock that is an hour wrong counts at its true time, and both times are kept', async () => {
    for (const wrong of [hour, -hour]) {
      const times = { takenAt: iso(shootTime('12:00:05') + wrong), sentAt: iso(Date.now() + wrong) }
      const photo = await added(await cameraPhoto(), phone(times), driver.token)
      expect(photo).toMatchObject({ timeSource: 'phone', grade: 'verified' })
      expect(Date.parse(photo.phoneTakenAt ?? '')).toBe(shootTime('12:00:05') + wrong)
      expect(Math.abs(Date.parse(photo.takenAt ?? '') - shootTime('12:00:05'))).toBeLessThan(30_000)
    }
  })

  test('yields to camera data, wins over what was typed, and a rough place proves nothing', async () => {
    const elsewhere = phone({ takenAt: iso(shootTime('15:00:00')), ...AUSTIN_CENTER })
    const camera = await added(await cameraPhoto(zoned), elsewhere, driver.token)
    expect(camera).toMatchObject({ timeSource: 'exif', placeSource: 'exif', accuracyM: null, phoneTakenAt: null })
    expect(camera).toMatchObject({ grade: 'verified' })
    const { place, ...clockOnly } = zoned
    const mixed = await added(await cameraPhoto(clockOnly), phone(place), driver.token)
    expect(mixed).toMatchObject({ timeSource: 'exif', placeSource: 'phone', grade: 'verified' })
    const typed = { takenAt: '2026-01-01T00:00:00Z', latitude: 1, longitude: 2 }
    const both = await added(await cameraPhoto(), { ...typed, ...phone() }, driver.token)
    expect(both).toMatchObject({ timeSource: 'phone', placeSource: 'phone', grade: 'verified' })
    const rough = await added(await cameraPhoto(), phone({ accuracyM: 2000 }), driver.token)
    expect(rough).toMatchObject({ grade: 'unverified', accuracyM: 2000 })
    const nowhere = await added(
      await cameraPhoto(),
      phone({ latitude: null, longitude: null, accuracyM: null }),
      driver.token,
    )
    expect(nowhere).toMatchObject({ placeSource: null, accuracyM: null, grade: 'unverified' })
    // Taken after it was sent: the clock was changed in between and says nothing.
    const later = await added(await cameraPhoto(), phone({ takenAt: iso(Date.now() + 2 * hour) }), driver.token)
    expect(later).toMatchObject({ takenAt: null, timeSource: null })
  })

  test('is refused with half a place or an unknown side, and belongs to no other driver’s shift', async () => {
    const file = photoFile(await cameraPhoto())
    const status = async (body: object, token = driver.token) => (await add([file], body, token)).status
    expect(await status(phone({ latitude: null }))).toBe(400)
    expect(await status({ ...phone(), side: 'front' })).toBe(400)
    expect(await status(phone({ accuracyM: -1 }))).toBe(400)
    expect(await status(phone(), otherDriver.token)).toBe(400)
    expect(await status(phone(), clientUser.token)).toBe(403)
  })
})

describe('what is no photo', () => {
  test('is refused with a sentence, and the others of the call are kept', async () => {
    const before = await blobs()
    const good = await cameraPhoto()
    const heic = Buffer.from('0000001866747970686569630000000068656963', 'hex')
    const [head, tail] = [good.subarray(0, 150), Buffer.from('This is no picture at all.'.repeat(20))]
    const reply = await add(
      [
        photoFile(tail),
        photoFile((await cameraPhoto({ width: 800, height: 800 })).subarray(0, 2500)),
        photoFile(heic, 'IMG_1.HEIC', 'application/octet-stream'),
        photoFile(heic, 'IMG_2.jpg'),
        photoFile(Buffer.from('%PDF-1.7\n%âãÏÓ\n')),
        photoFile(Buffer.concat([head.subarray(0, 20), tail])),
        photoFile(good),
      ],
      ofProgram,
    )
    expect(reply.status).toBe(200)
    expect(outcomes(reply)).toEqual([...Array<string>(6).fill('refused'), 'added'])
    const [garbage, cut, ...more] = refusals(reply)
    expect(garbage).toBe('This file is not a picture. Choose JPEG, PNG or WebP photos.')
    expect(cut).toBe('This picture is damaged or incomplete. Please export it again.')
    expect(more.slice(0, 2)).toEqual([expect.stringMatching(/^HEIC .*JPEG\.$/), expect.stringMatching(/^HEIC /)])
    expect(more[2]).toBe('PDF files are not supported. Choose JPEG, PNG or WebP photos.')
    expect(await blobs()).toBe(before + 3)
  })

  test('too many, too large, of another kind or none at all are refused as a whole', async () => {
    const before = await blobs()
    const small = await cameraPhoto()
    const eleven = await Promise.all(Array.from({ length: 11 }, async () => photoFile(await cameraPhoto())))
    expect((await add(eleven, ofProgram)).error).toMatchObject({ error: 'At most 10 files at once.' })
    expect((await add([photoFile(Buffer.alloc(MAX_PHOTO_BYTES + 1, 1))], ofProgram)).status).toBe(413)
    expect((await add([photoFile(small, 'a.gif', 'image/gif')], ofProgram)).status).toBe(415)
    expect((await add([], ofProgram)).error.fields).toEqual({ photos: 'Choose at least one photo.' })
    const half = { ...ofProgram, latitude: 1 }
    expect((await add([photoFile(small)], half)).error.fields).toHaveProperty('longitude')
    const nowhere = { programUid: '01900000-0000-7000-8000-000000000000' }
    expect((await add([photoFile(small)], nowhere)).error.fields).toEqual({ programUid: 'Program not found.' })
    const elsewhere = { programUid: other.uid, marketUid: austin.uid }
    expect((await add([photoFile(small)], elsewhere)).error.fields).toHaveProperty('marketUid')
    const mixed = { programUid: other.uid, shiftUid: shift.uid }
    expect((await add([photoFile(small)], mixed)).error.fields).toHaveProperty('programUid')
    const unlike = { shiftUid: shift.uid, marketUid: austin.uid }
    expect((await add([photoFile(small)], unlike)).error.fields).toHaveProperty('marketUid')
    expect(await blobs()).toBe(before)
  })
})

test('the same file twice in a program is one photo, also at the same moment; in another program it is another', async () => {
  const content = await cameraPhoto()
  const [first, again] = await Promise.all([add([photoFile(content)], ofProgram), add([photoFile(content)], ofProgram)])
  expect([...outcomes(first), ...outcomes(again)].toSorted()).toEqual(['added', 'already'])
  expect(again.body.data[0]?.photo?.uid).toBe(first.body.data[0]?.photo?.uid)
  expect(outcomes(await add([photoFile(content)], { programUid: other.uid }))).toEqual(['added'])
  const before = await blobs()
  const third = await add([photoFile(content, 'renamed.jpg'), photoFile(content)], ofProgram)
  expect(outcomes(third)).toEqual(['already', 'already'])
  expect(await blobs()).toBe(before)
  // Deleted, it may come again.
  await call(pops.removePhoto, { params: { uid: first.body.data[0]?.photo?.uid ?? '' } })
  expect(outcomes(await add([photoFile(content)], ofProgram))).toEqual(['added'])
  // A driver is told no more than that.
  const told = await add([photoFile(content)], { shiftUid: shift.uid }, driver.token)
  expect(told.body.data).toEqual([{ name: 'photo.jpg', outcome: 'already' }])
})

test('uploads wait for memory, and one that breaks off releases it', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const upload = request({
    port,
    method: 'POST',
    path: `${API_BASE}/${pops.addPhotos.path}`,
    host: '127.0.0.1',
    headers: {
      authorization: `Bearer ${people.sales.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 200 * 1024 * 1024,
    },
  })
  upload.on('error', () => {})
  upload.write('--x\r\n')
  await new Promise<void>((resolve) => app.server.once('request', () => resolve()))
  const content = await cameraPhoto()
  let isDone = false
  const waiting = add([photoFile(content)], ofProgram).finally(() => (isDone = true))
  // Everything else answers meanwhile.
  expect((await call(pops.photos, { query: {} })).status).toBe(200)
  expect(isDone).toBe(false)
  upload.destroy()
  expect(outcomes(await waiting)).toEqual(['added'])
})

describe('where a photo belongs', () => {
  test('is found from the truck that was nearest at that time, and must be possible', async () => {
    const here = { program: { uid: program.uid }, market: { uid: dallas.uid }, truck: { uid: shift.truck.uid } }
    expect(await added(await cameraPhoto(zoned))).toMatchObject({ ...here, shift: { uid: shift.uid } })
    expect(await added(await cameraPhoto({ ...zoned, place: placeNorthOf(DALLAS_CENTER, 3900) }))).toMatchObject({
      program: { uid: other.uid },
      shift: { uid: others.uid },
    })
    // Given wins over near.
    expect(
      await added(await cameraPhoto({ ...zoned, place: placeNorthOf(DALLAS_CENTER, 3900) }), ofProgram),
    ).toMatchObject(here)
    expect(await added(await cameraPhoto(), { shiftUid: shift.uid })).toMatchObject(here)
    // No truck of it was there: the market by the place alone.
    const alone = await added(await cameraPhoto({ ...zoned, place: AUSTIN_CENTER }), ofProgram)
    expect(alone).toMatchObject({
      market: { uid: austin.uid },
      truck: null,
      shift: null,
      takenBy: { uid: people.sales.uid },
    })
    expect(await added(await cameraPhoto(), { programUid: other.uid })).toMatchObject({
      market: { uid: dallas.uid },
      shift: null,
    })
    const lost = await add([
      photoFile(await cameraPhoto({ ...zoned, place: AUSTIN_CENTER })),
      photoFile(await cameraPhoto()),
    ])
    expect(refusals(lost)).toEqual(
      Array(2).fill('No truck was near this place at that time. Choose the program the photo belongs to.'),
    )
  })

  test('is a driver’s own shift around the time, or the one they name; never another’s', async () => {
    const photo = await added(await cameraPhoto({ clock: '16:40:00' }), {}, driver.token)
    expect(photo).toMatchObject({
      program: { uid: program.uid },
      shift: { uid: shift.uid },
      takenBy: { uid: driver.uid },
    })
    expect(await added(await cameraPhoto(), { shiftUid: shift.uid }, driver.token)).toMatchObject({ takenAt: null })
    const none = 'You had no shift when this photo was taken. Choose the shift it belongs to.'
    expect(refusals(await add([photoFile(await cameraPhoto({ clock: '21:00:00' }))], {}, driver.token))).toEqual([none])
    expect(refusals(await add([photoFile(await cameraPhoto())], {}, driver.token))).toEqual([none])
    const foreign = { programUid: other.uid }
    expect(refusals(await add([photoFile(await cameraPhoto(zoned))], foreign, driver.token))).toEqual([none])
    const taken = await add([photoFile(await cameraPhoto(zoned))], { shiftUid: others.uid }, driver.token)
    expect([taken.status, taken.error.fields]).toEqual([400, { shiftUid: 'Shift not found.' }])
    expect((await add([photoFile(await cameraPhoto(zoned))], {}, clientUser.token)).status).toBe(403)
    expect((await add([photoFile(await cameraPhoto(zoned))], {}, '')).status).toBe(401)
  })
})

const list = (token: string, query: object = {}) =>
  call(pops.photos, { query: { pageSize: '200', ...query } }, { token })
const input = ({ uid, version, caption, status, market, shift: of }: PopPhoto) => ({
  uid,
  version,
  caption,
  status,
  marketUid: market?.uid ?? null,
  shiftUid: of?.uid ?? null,
})
const change = (photo: PopPhoto, given: object, token = people.sales.token) =>
  call(pops.updatePhoto, { body: { ...input(photo), ...given } }, { token })

describe('who sees and changes photos', () => {
  test('a driver sees their own photos, and changes captions and deletes them while they wait', async () => {
    const own = await added(await cameraPhoto({ clock: '09:00:00' }), {}, driver.token)
    const theirs = await added(await cameraPhoto({ clock: '09:00:00' }), {}, otherDriver.token)
    const { data, total } = (await list(driver.token)).body
    expect(new Set(data.map(({ takenBy }) => takenBy?.uid))).toEqual(new Set([driver.uid]))
    expect(total).toBe(data.length)
    expect((await call(pops.photo, { params: { uid: theirs.uid } }, { token: driver.token })).status).toBe(404)
    expect((await change(theirs, { caption: 'x' }, driver.token)).status).toBe(404)
    const written = (await change(own, { caption: 'At the mall' }, driver.token)).body.data
    expect(written).toMatchObject({ caption: 'At the mall', version: 2, shift: { uid: shift.uid } })
    expect((await change(own, { caption: 'Late' }, driver.token)).status).toBe(409)
    expect((await change(written, { status: 'approved' }, driver.token)).status).toBe(403)
    expect((await change(written, { shiftUid: null, marketUid: null }, driver.token)).status).toBe(403)
    const token = driver.token
    const approve = { body: { uids: [own.uid, theirs.uid], status: 'approved' as const } }
    expect((await call(pops.setPhotoStatus, approve, { token })).status).toBe(403)
    expect((await call(pops.movePhoto, { body: { uid: own.uid, before: null } }, { token })).status).toBe(403)
    expect((await call(pops.removePhoto, { params: { uid: theirs.uid } }, { token })).status).toBe(404)
    expect((await call(pops.setPhotoStatus, approve)).body.data).toEqual({ changed: 2 })
    const events = await db.selectFrom('outbound_event').selectAll().where('type', '=', 'photo.approved').execute()
    expect(events.map(({ object }) => object)).toEqual(
      expect.arrayContaining([own, theirs].map(({ uid }) => `photo ${uid}`)),
    )
    expect(events.find(({ object }) => object === `photo ${own.uid}`)).toMatchObject({
      client_uid: expect.any(String),
      data: { photoUid: own.uid, programUid: own.program.uid, shiftUid: shift.uid },
    })
    expect((await change(await read(own.uid), { caption: 'Mine' }, token)).status).toBe(403)
    expect((await call(pops.removePhoto, { params: { uid: own.uid } }, { token })).status).toBe(403)
    const waiting = await added(await cameraPhoto({ clock: '09:00:00' }), {}, token)
    expect((await call(pops.removePhoto, { params: { uid: waiting.uid } }, { token })).status).toBe(200)
    expect((await call(pops.photo, { params: { uid: waiting.uid } })).status).toBe(404)
  })

  test('a client sees approved photos of their programs without the driver, and changes nothing', async () => {
    const [shown, hidden] = [await added(await cameraPhoto(), ofProgram), await added(await cameraPhoto(), ofProgram)]
    const foreign = await added(await cameraPhoto(), { programUid: other.uid })
    await call(pops.setPhotoStatus, {
      body: { uids: [shown.uid, foreign.uid], status: 'approved', marketUid: dallas.uid },
    })
    const { token } = clientUser
    const seen = (await list(token)).body.data
    expect(seen.find(({ uid }) => uid === shown.uid)).toMatchObject({ takenBy: null, shift: null, status: 'approved' })
    expect(seen.every((each) => each.status === 'approved' && each.program.uid === program.uid)).toBe(true)
    for (const { uid } of [hidden, foreign]) {
      expect((await call(pops.photo, { params: { uid } }, { token })).status).toBe(404)
    }
    expect((await list(people.client.token)).body.data).toEqual([])
    expect((await change(shown, { caption: 'x' }, token)).status).toBe(403)
    expect((await call(pops.removePhoto, { params: { uid: shown.uid } }, { token })).status).toBe(403)
    expect((await call(pops.photoHistory, { params: { uid: shown.uid }, query: {} }, { token })).status).toBe(403)
    const newest = await call(pops.newest, { query: {} }, { token })
    expect(newest.body.data.every(({ program: of }) => of.uid === program.uid)).toBe(true)
  })

  test('the office sees all, by program, market, status, grade and text, and the newest first on the overview', async () => {
    const photo = await added(await cameraPhoto(zoned), { ...ofProgram, caption: 'Zebra crossing' })
    const found = async (query: object) => (await list(people.sales.token, query)).body.data.map(({ uid }) => uid)
    expect(await found({ search: 'zebra' })).toEqual([photo.uid])
    expect(await found({ program: program.uid, market: dallas.uid, status: 'waiting' })).toContain(photo.uid)
    expect(await found({ program: other.uid })).not.toContain(photo.uid)
    expect(await found({ shift: shift.uid, grade: 'verified' })).toContain(photo.uid)
    const newest = (await call(pops.newest, { query: { day: SHOOT_DAY } }, { token: people.sales.token })).body
    expect(newest.data.map(({ uid }) => uid)).toContain(photo.uid)
    const times = newest.data.map(({ takenAt, createdAt }) => Date.parse(takenAt ?? createdAt))
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    expect((await call(pops.newest, { query: { day: '2020-01-01' } })).body.total).toBe(0)
    const plain = (await list(people.admin.token, { pageSize: '1' })).body
    const rows = await db.selectFrom('pop_photo').select('uid').where('deleted_at', 'is', null).execute()
    expect(plain.total).toBe(rows.length)
  })
})

describe('photos of a page', () => {
  test('are reordered one by one, however often', async () => {
    const ofOther = { programUid: other.uid, marketUid: dallas.uid }
    const [one, two, three] = [
      await added(await cameraPhoto(), ofOther),
      await added(await cameraPhoto(), ofOther),
      await added(await cameraPhoto(), ofOther),
    ]
    const names = new Map([
      [one.uid, 1],
      [two.uid, 2],
      [three.uid, 3],
    ])
    const order = async () => (await list(people.sales.token, { program: other.uid, sort: 'position' })).body.data
    const mine = async () => (await order()).flatMap(({ uid }) => names.get(uid) ?? [])
    const move = (uid: string, before: string | null) => call(pops.movePhoto, { body: { uid, before } })
    const lastBefore = async (uid: string) => {
      const all = (await order()).map((photo) => photo.uid)
      return all[all.indexOf(uid) - 1]
    }
    expect(await mine()).toEqual([1, 2, 3])
    await move(three.uid, one.uid)
    expect(await mine()).toEqual([3, 1, 2])
    await move(three.uid, null)
    expect(await mine()).toEqual([1, 2, 3])
    // Between the same two, until no number is left there.
    for (let turn = 0; turn < 40; turn++) {
      expect((await move(turn % 2 ? one.uid : two.uid, three.uid)).status).toBe(200)
      expect(await lastBefore(three.uid)).toBe(turn % 2 ? one.uid : two.uid)
    }
    expect(await mine()).toEqual([2, 1, 3])
    expect((await read(one.uid)).version).toBe(1)
    const elsewhere = await added(await cameraPhoto(), ofProgram)
    expect((await move(one.uid, elsewhere.uid)).error.fields).toHaveProperty('before')
    expect((await move('01900000-0000-7000-8000-000000000000', null)).status).toBe(404)
  })

  test('keep a history, and a deleted photo is no longer a cover', async () => {
    const photo = await added(await cameraPhoto(zoned), ofProgram)
    const cover = () => db.selectFrom('pop').select('cover_photo_uid').where('uid', '=', program.uid).executeTakeFirst()
    await db.updateTable('pop').set({ cover_photo_uid: photo.uid }).where('uid', '=', program.uid).execute()
    await change(photo, { caption: 'Better', status: 'approved' })
    await call(pops.movePhoto, { body: { uid: photo.uid, before: null } })
    const { data } = (await call(pops.photoHistory, { params: { uid: photo.uid }, query: {} })).body
    expect(data.map(({ action, by }) => [action, by])).toEqual([
      ['changed', 'The sales'],
      ['created', 'The sales'],
    ])
    expect(data[0]?.fields.map(({ field }) => field).toSorted()).toEqual(['caption', 'status'])
    expect(data[1]?.fields).toContainEqual({ field: 'shift', old: null, new: SHOOT_DAY })
    await call(pops.removePhoto, { params: { uid: photo.uid } }, { token: people.sales.token })
    expect(await cover()).toEqual({ cover_photo_uid: null })
    expect((await change(photo, { caption: 'x' })).status).toBe(404)
  })

  test('belong only to shifts and markets of their program', async () => {
    const photo = await added(await cameraPhoto(zoned), ofProgram)
    expect((await change(photo, { shiftUid: others.uid })).error.fields).toHaveProperty('shiftUid')
    expect((await change(photo, { marketUid: austin.uid })).error.fields).toHaveProperty('marketUid')
    const free = (await change(photo, { shiftUid: null, marketUid: austin.uid })).body.data
    expect(free).toMatchObject({ market: { uid: austin.uid }, truck: null, grade: 'unverified' })
    expect(free.reason).toBe('Not assigned to a shift, so there is no truck to compare with')
    const back = (await change(free, { shiftUid: shift.uid, marketUid: null })).body.data
    expect(back).toMatchObject({ market: { uid: dallas.uid }, truck: { uid: shift.truck.uid }, grade: 'verified' })
    const single = { body: { uids: [photo.uid, photo.uid], status: 'hidden' as const } }
    expect((await call(pops.setPhotoStatus, single)).body.data).toEqual({ changed: 1 })
    expect((await call(pops.setPhotoStatus, single)).body.data).toEqual({ changed: 0 })
  })
})

describe('an approved photo', () => {
  const approve = (uids: string[], marketUid?: string) =>
    call(pops.setPhotoStatus, { body: { uids, status: 'approved', ...(marketUid !== undefined && { marketUid }) } })
  const preview = async () => (await call(pops.preview, { params: { uid: program.uid } })).body.data.photosWithoutMarket

  test('has a market: approving one without it asks for the market and names the photo', async () => {
    const bare = await added(await cameraPhoto({}), ofProgram)
    expect(bare.market).toBeNull()
    const placed = await added(await cameraPhoto(zoned), ofProgram)
    const refused = await approve([bare.uid, placed.uid])
    expect([refused.status, refused.error.code]).toEqual([409, 'photoNeedsMarket'])
    expect(refused.error.error).toBe(`Choose a market for ${bare.name}: an approved photo appears in its market.`)
    expect((await read(placed.uid)).status).toBe('waiting')
    const single = await change(await read(bare.uid), { status: 'approved' })
    expect([single.status, single.error.fields]).toEqual([409, { marketUid: 'Choose a market.' }])

    expect((await approve([bare.uid, placed.uid], austin.uid)).body.data).toEqual({ changed: 2 })
    expect(await read(bare.uid)).toMatchObject({ status: 'approved', market: { uid: austin.uid } })
    // A photo that has a market keeps it.
    expect(await read(placed.uid)).toMatchObject({ status: 'approved', market: { uid: dallas.uid } })
    const taken = await change(await read(bare.uid), { marketUid: null })
    expect([taken.status, taken.error.code]).toEqual([409, 'photoNeedsMarket'])
    const elsewhere = await world.addMarket('Nowhere')
    const other = await added(await cameraPhoto({}), ofProgram)
    expect((await approve([other.uid], elsewhere.uid)).error.fields).toEqual({
      marketUid: 'The program does not run in this market.',
    })
  })

  test('that was approved without a market before is named before publishing and may get a caption', async () => {
    const old = await added(await cameraPhoto({}), ofProgram)
    await db.updateTable('pop_photo').set({ status: 'approved' }).where('uid', '=', old.uid).execute()
    expect(await preview()).toMatchObject({ count: 1, first: [{ uid: old.uid, name: old.name }] })
    expect((await change(await read(old.uid), { caption: 'Old' })).status).toBe(200)
    expect((await change(await read(old.uid), { marketUid: dallas.uid })).status).toBe(200)
    expect((await preview()).count).toBe(0)
  })
})

test('the newest photos are those taken last, then those that arrived last; a clock that is ahead does not stay on top', async () => {
  const mine = await world.addProgram({ markets: [{ marketUid: dallas.uid }] })
  const photo = async (taken_at: string | null, created_at: string) => {
    const { uid } = await added(await cameraPhoto({}), { programUid: mine.uid })
    await db
      .updateTable('pop_photo')
      .set({ taken_at, time_source: taken_at && 'typed', created_at })
      .where('uid', '=', uid)
      .execute()
    return uid
  }
  const late = await photo('2026-05-01T10:00:00Z', '2026-05-09T10:00:00Z')
  const second = await photo('2026-05-03T10:00:00Z', '2026-05-03T10:05:00Z')
  const ahead = await photo('2031-01-01T10:00:00Z', '2026-05-02T10:00:00Z')
  const unknown = await photo(null, '2026-05-04T10:00:00Z')
  const twin = await photo('2026-05-03T10:00:00Z', '2026-05-03T10:06:00Z')
  const listed = await call(pops.photos, { query: { program: mine.uid, sort: '-takenAt' } })
  expect(listed.body.data.map(({ uid }) => uid)).toEqual([unknown, twin, second, ahead, late])
  const newest = (await call(pops.newest, { query: { pageSize: '200' } })).body.data.filter(
    ({ program: of }) => of.uid === mine.uid,
  )
  expect(newest.map(({ uid }) => uid)).toEqual([unknown, twin, second, ahead, late])
})
