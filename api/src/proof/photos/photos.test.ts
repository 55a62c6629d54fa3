import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_BASE, MAX_PHOTO_BYTES, pops, shifts } from '@roadshow/contract'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { toShiftInput } from '../../planning/shifts/test-plan.ts'
import { regradePhotosSince } from './regrade.ts'
import {
  addTrackedShifts,
  AT_NOON,
  AUSTIN_CENTER,
  cameraPhoto,
  DALLAS_CENTER,
  openShoot,
  photoFile,
  placeNorthOf,
  shootTime,
} from './test-photos.ts'

const world = await openWorld()
const { call, db, people, app, folder } = world
const shoot = await openShoot(world)
const { program, other, dallas, austin, driver, otherDriver, clientUser, add, added, read, hear } = shoot
const { shift, others, truckAt } = await addTrackedShifts(shoot)

const ofProgram = { programUid: program.uid }
const fetched = (url: string) => app.inject({ url })
const blobs = async () => (await readdir(folder)).filter((name) => name.startsWith('pop-')).length
const outcomes = (reply: Awaited<ReturnType<typeof add>>) => reply.body.data.map(({ outcome }) => outcome)
const refusals = (reply: Awaited<ReturnType<typeof add>>) => reply.body.data.map(({ error }) => error)

describe('a photo', () => {
  test('is kept upright in three sizes with nothing but its pixels', async () => {
    const content = await cameraPhoto({ ...AT_NOON, width: 3000, height: 2000, orientation: 6 })
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
    expect(await when(await cameraPhoto(AT_NOON))).toEqual([iso, 'exif'])
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
    const { latitude, longitude } = await added(await cameraPhoto(AT_NOON), ofProgram)
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
    const camera = await added(await cameraPhoto(AT_NOON), elsewhere, driver.token)
    expect(camera).toMatchObject({ timeSource: 'exif', placeSource: 'exif', accuracyM: null, phoneTakenAt: null })
    expect(camera).toMatchObject({ grade: 'verified' })
    const { place, ...clockOnly } = AT_NOON
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
    expect(await added(await cameraPhoto(AT_NOON))).toMatchObject({ ...here, shift: { uid: shift.uid } })
    expect(await added(await cameraPhoto({ ...AT_NOON, place: placeNorthOf(DALLAS_CENTER, 3900) }))).toMatchObject({
      program: { uid: other.uid },
      shift: { uid: others.uid },
    })
    // Given wins over near.
    expect(
      await added(await cameraPhoto({ ...AT_NOON, place: placeNorthOf(DALLAS_CENTER, 3900) }), ofProgram),
    ).toMatchObject(here)
    expect(await added(await cameraPhoto(), { shiftUid: shift.uid })).toMatchObject(here)
    // No truck of it was there: the market by the place alone.
    const alone = await added(await cameraPhoto({ ...AT_NOON, place: AUSTIN_CENTER }), ofProgram)
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
      photoFile(await cameraPhoto({ ...AT_NOON, place: AUSTIN_CENTER })),
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
    expect(refusals(await add([photoFile(await cameraPhoto(AT_NOON))], foreign, driver.token))).toEqual([none])
    const taken = await add([photoFile(await cameraPhoto(AT_NOON))], { shiftUid: others.uid }, driver.token)
    expect([taken.status, taken.error.fields]).toEqual([400, { shiftUid: 'Shift not found.' }])
    expect((await add([photoFile(await cameraPhoto(AT_NOON))], {}, clientUser.token)).status).toBe(403)
    expect((await add([photoFile(await cameraPhoto(AT_NOON))], {}, '')).status).toBe(401)
  })
})
