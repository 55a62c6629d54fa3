import { type PopPhoto, pops } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { addTrackedShifts, AT_NOON, cameraPhoto, openShoot, SHOOT_DAY } from './test-photos.ts'

const world = await openWorld()
const { call, db, people } = world
const shoot = await openShoot(world)
const { program, other, dallas, austin, driver, otherDriver, clientUser, added, read } = shoot
const { shift, others } = await addTrackedShifts(shoot)
const ofProgram = { programUid: program.uid }

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
    const photo = await added(await cameraPhoto(AT_NOON), { ...ofProgram, caption: 'Zebra crossing' })
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
    const photo = await added(await cameraPhoto(AT_NOON), ofProgram)
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
    const photo = await added(await cameraPhoto(AT_NOON), ofProgram)
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
    const placed = await added(await cameraPhoto(AT_NOON), ofProgram)
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
