import { type InputOf, photoQueue, type PopPhoto, pops } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { addTrackedShifts, AT_NOON, cameraPhoto, openShoot } from './test-photos.ts'

const world = await openWorld()
const { call, people } = world
const shoot = await openShoot(world)
const { program, other, dallas, austin, driver, clientUser, added, read } = shoot
await addTrackedShifts(shoot)

const queued = async () => (await call(photoQueue.list, { query: { pageSize: '200' } })).body.data
const decide = (photo: PopPhoto, more: Partial<InputOf<typeof pops.updatePhoto>['body']>, token?: string) => {
  const { uid, version, caption, status, market, shift } = photo
  const saved = { uid, version, caption, status, marketUid: market?.uid ?? null, shiftUid: shift?.uid ?? null }
  return call(pops.updatePhoto, { body: { ...saved, ...more } }, token === undefined ? {} : { token })
}

describe('the queue of photos', () => {
  test('has those of all programs that wait, oldest first, with what is needed to decide', async () => {
    const first = await added(await cameraPhoto(AT_NOON), { programUid: program.uid })
    const second = await added(await cameraPhoto({}), { programUid: other.uid })
    const done = await added(await cameraPhoto({}), { programUid: program.uid, marketUid: dallas.uid })
    await decide(done, { status: 'approved' })
    const waiting = await queued()
    expect(waiting.map(({ uid }) => uid)).toEqual([first.uid, second.uid])
    expect(waiting[0]).toMatchObject({
      program: { uid: program.uid },
      market: { uid: dallas.uid },
      takenBy: { uid: expect.any(String) },
      grade: 'verified',
      artwork: null,
    })
    expect(waiting[0]?.client.name).not.toBe('')
    expect(waiting[0]?.markets.map(({ uid }) => uid).toSorted()).toEqual([dallas.uid, austin.uid].toSorted())
    const ofOther = await call(photoQueue.list, { query: { program: other.uid } })
    expect(ofOther.body.data.map(({ uid }) => uid)).toEqual([second.uid])
  })

  test('is for those who may approve: not for drivers and clients', async () => {
    for (const { token } of [driver, clientUser]) {
      expect((await call(photoQueue.list, { query: {} }, { token })).status).toBe(403)
    }
    expect((await call(photoQueue.list, { query: {} }, { token: people.sales.token })).status).toBe(200)
  })

  test('lets the first of two people decide, and tells the second who did', async () => {
    const photo = await added(await cameraPhoto(AT_NOON), { programUid: program.uid })
    const [one, two] = await Promise.all([
      decide(photo, { status: 'approved' }, people.sales.token),
      decide(photo, { status: 'hidden', rejection: 'Blurry' }),
    ])
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    const loser = one.status === 409 ? one : two
    expect(loser.error.code).toBe('staleVersion')
    const now = await read(photo.uid)
    expect(now.status).toBe(one.status === 200 ? 'approved' : 'hidden')
    expect(now.changedBy?.uid).toBe(one.status === 200 ? people.sales.uid : people.admin.uid)
    expect((await queued()).map(({ uid }) => uid)).not.toContain(photo.uid)
  })

  test('keeps why a photo is rejected until it gets another status, and the undone photo is as it was', async () => {
    const bare = await added(await cameraPhoto({}), { programUid: program.uid })
    const approved = (await decide(bare, { status: 'approved', marketUid: austin.uid })).body.data
    expect(approved).toMatchObject({ status: 'approved', market: { uid: austin.uid } })
    const undone = (await decide(bare, { status: 'waiting', version: approved.version })).body.data
    expect(undone).toMatchObject({ status: 'waiting', market: null, rejection: '' })
    const hidden = (await decide(undone, { status: 'hidden', rejection: 'Blurry, dark or cut off' })).body.data
    expect(hidden.rejection).toBe('Blurry, dark or cut off')
    const named = (await decide(hidden, { caption: 'Elm' })).body.data
    expect(named).toMatchObject({ caption: 'Elm', rejection: 'Blurry, dark or cut off' })
    const again = (await decide(named, { status: 'waiting' })).body.data
    expect(again.rejection).toBe('')
    const long = await decide(again, { status: 'hidden', rejection: 'x'.repeat(301) })
    expect([long.status, Object.keys(long.error.fields ?? {})]).toEqual([400, ['rejection']])
    await call(pops.setPhotoStatus, {
      body: { uids: [bare.uid], status: 'hidden', rejection: 'Same as another photo' },
    })
    expect((await read(bare.uid)).rejection).toBe('Same as another photo')
  })

  test('tells drivers why, but not who in the office decided', async () => {
    const photo = await added(await cameraPhoto(AT_NOON), {}, driver.token)
    await decide(photo, { status: 'hidden', rejection: 'The artwork is not visible' })
    const own = await call(pops.photo, { params: { uid: photo.uid } }, { token: driver.token })
    expect(own.body.data).toMatchObject({ rejection: 'The artwork is not visible', changedBy: null })
    const forbidden = await decide(own.body.data, { status: 'waiting' }, driver.token)
    expect(forbidden.status).toBe(403)
  })
})
