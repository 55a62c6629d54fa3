import {
  addresses,
  dailySchedule,
  addDays,
  type Endpoint,
  oldOverview,
  oldPrograms,
  payroll,
  pops,
  sdReport,
  shifts,
} from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { cameraPhoto, SHOOT_DAY } from '../proof/photos/test-photos.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { flattened, type Given, newCall, oldCall, openPairs, type Row } from './test-pairs.ts'

const world = await openWorld()
const scene = await openPairs(world)
const { send, sent, kinds, inOld, program, other, austin, driver, otherDriver } = scene
const { admin } = world.people

// Each driver has a shift of yesterday and a photo of it; the client of one of the two programs has a user.
const own = await scene.addShift(driver.uid)
const foreign = await scene.addShift(otherDriver.uid, other)
const photo = await scene.added(
  await cameraPhoto({ clock: `${SHOOT_DAY}T12:00:00` }),
  { shiftUid: own.uid },
  driver.token,
)
await sent(pops.setPhotoStatus, { body: { uids: [photo.uid], status: 'approved' } })
await scene.added(await cameraPhoto({ width: 40, height: 30 }), { shiftUid: foreign.uid }, otherDriver.token)

const shift = await kinds.shift.fresh()
await sent(kinds.shift.now.create, { body: shift })
const saved = await sent(kinds.program.now.create, { body: await kinds.program.fresh() })
const gone = '01900000-0000-7000-8000-000000000000'
const week = { from: '2020-02-03', to: '2020-02-09', cents: 0 }
const period = (await world.call(payroll.approve, { body: week })).body.data
await world.call(payroll.move, { body: { uid: period.uid, version: period.version, state: 'locked', reason: '' } })

const client = await world.addUser('client', ['overview', 'programByClient', 'clients', 'pop'], scene.client.uid)
const planner = await world.addUser('driver', ['dailySchedule', 'userSchedule', 'schedule', 'pop'])
const mine = await sent(kinds.shift.now.create, { body: { ...(await kinds.shift.fresh()), driverUid: planner.uid } })
const readers = { admin, client, planner, driver }
const monday = addDays(SHOOT_DAY, -6)

describe('what is refused is refused by both with the same answer', () => {
  const shiftInput = async (given: object) => ({ body: { ...(await kinds.shift.fresh()), ...given } })
  const programInput = async (given: object) => ({ body: { ...(await kinds.program.fresh()), ...given } })

  test.each<[string, string, () => Promise<Given>, number]>([
    ['a shift in the way', 'POST daily-schedule/', async () => ({ body: shift }), 409],
    ['a truck that is in use', 'POST daily-schedule/', () => shiftInput({ truckUid: shift.truckUid }), 409],
    ['a driver who is gone', 'POST daily-schedule/', () => shiftInput({ driverUid: gone }), 400],
    [
      'a market of another program',
      'POST daily-schedule/',
      () => shiftInput({ programUid: other.uid, marketUid: austin.uid }),
      400,
    ],
    ['a day of a locked period', 'POST daily-schedule/', () => shiftInput({ date: '2020-02-05' }), 409],
    ['hours that are none', 'POST daily-schedule/', () => shiftInput({ end: '08:00' }), 400],
    ['a shift that is not there', 'PUT daily-schedule/', () => shiftInput({ uid: gone, version: 1 }), 404],
    ['a file that is none', 'POST daily-schedule/upload', async () => ({ body: { save: false } }), 400],
    ['an address that is taken', 'POST programs/', () => programInput({ popUrl: saved['popUrl'] }), 409],
    ['dates in the wrong order', 'POST programs/', () => programInput({ endsOn: '2025-01-01' }), 400],
    ['a draft of what runs', 'PUT programs/', () => programInput({ status: 'draft', uid: saved.uid, version: 1 }), 400],
    ['a program with shifts to come', 'DELETE programs/{uid}', async () => ({ params: { uid: await planned() } }), 409],
    [
      'a cover of another program',
      'PUT pop/',
      async () => ({ body: { uid: other.uid, version: 1, coverPhotoUid: gone } }),
      400,
    ],
    ['an old version of a POP', 'PUT pop/', async () => ({ body: { uid: other.uid, version: 99 } }), 409],
    [
      'markets of others',
      'PUT pop/pop-market',
      async () => ({ body: { uid: other.uid, version: 1, markets: [{ marketUid: austin.uid }] } }),
      400,
    ],
    [
      'a version that is not read',
      'POST pop/program-pop',
      async () => ({ body: { uid: program.uid, version: 99 } }),
      409,
    ],
    ['a program without a page', 'GET pop/miles-driven', async () => ({ query: { programUid: gone } }), 404],
  ])('%s: %s', async (_, name, given, status) => {
    const asked = await given()
    const [byOld, byNew] = [await send(oldCall(name), asked), await send(newCall(name), asked)]
    expect([byOld.status, byOld.error]).toEqual([byNew.status, byNew.error])
    expect(byOld.status, byOld.text).toBe(status)
  })

  /** A program that a shift of tomorrow needs. */
  async function planned(): Promise<string> {
    const days = { startsOn: SHOOT_DAY, endsOn: addDays(SHOOT_DAY, 30) }
    const { uid } = await sent(kinds.program.now.create, { body: { ...(await kinds.program.fresh()), ...days } })
    await sent(kinds.shift.old.create, await shiftInput({ programUid: uid, date: addDays(SHOOT_DAY, 3) }))
    return uid
  }

  test('a clash names the shift in the way', async () => {
    const { error } = await send(kinds.shift.old.create, { body: shift })
    expect(error).toMatchObject({ code: 'shiftClash', clashes: [{ over: 'truck' }, { over: 'driver' }] })
  })
})

// What an old row sums up in another way than the new one.
const SUMMED = ['photos', 'plays', 'issues', 'shifts']

/** Whatever old and new rows both have is the same. */
function expectSame(old: readonly object[], now: readonly object[]) {
  for (const [index, row] of now.entries()) {
    const flat = Object.entries(flattened(row)).filter(
      ([field]) => field in (old[index] ?? {}) && !SUMMED.includes(field),
    )
    expect(flat.length).toBeGreaterThan(1)
    expect(old[index]).toMatchObject(Object.fromEntries(flat))
  }
}

describe('everybody sees the same rows by both', () => {
  test.each<[string, object, object, (keyof typeof readers)[]]>([
    ['GET old-overview/shifts', { day: SHOOT_DAY }, { day: SHOOT_DAY }, ['admin', 'client']],
    ['GET old-overview/pop-photos', {}, {}, ['admin', 'client']],
    ['GET daily-schedule/run', { date: SHOOT_DAY }, { from: SHOOT_DAY, to: SHOOT_DAY }, ['admin', 'planner']],
    [
      'GET daily-schedule/details/run',
      { date: SHOOT_DAY, sort: '-startsAt' },
      { from: SHOOT_DAY, to: SHOOT_DAY, sort: '-startsAt' },
      ['admin', 'planner'],
    ],
    ['GET user-schedule/run', { from: monday }, { from: monday, to: SHOOT_DAY }, ['admin', 'planner']],
    ['GET programs/run', { sort: 'name' }, { sort: 'name' }, ['admin', 'client']],
    ['GET pop/run', {}, {}, ['admin', 'client', 'driver']],
  ])('%s', async (name, oldQuery, newQuery, who) => {
    type Keyed = Row & { driverUid: string; driver: Row; shifts?: Row[] }
    const listOf = async (endpoint: Endpoint, query: object, token: string) => {
      const { body, text, status } = await send(endpoint, { query: { ...query, pageSize: '200' } }, token)
      expect(status, text).toBe(200)
      return body as { data: Keyed[]; total: number }
    }
    const uids = ({ data }: { data: Keyed[] }) =>
      data.map((row) => [row.uid ?? row.driverUid ?? row.driver.uid, row.shifts?.map(({ uid }) => uid)])
    const totals = []
    for (const reader of who) {
      const byOld = await listOf(oldCall(name), oldQuery, readers[reader].token)
      const byNew = await listOf(newCall(name), newQuery, readers[reader].token)
      expect([byOld.total, uids(byOld)], reader).toEqual([byNew.total, uids(byNew)])
      expect(byOld.data.length, reader).toBeGreaterThan(0)
      expectSame(byOld.data, byNew.data)
      totals.push(byOld.total)
    }
    // Anyone who sees their own rows sees fewer than the admin.
    expect(Math.max(...totals.slice(1))).toBeLessThan(totals[0] ?? 0)
  })

  test('a photo, and what a shift came to, in flat rows', async () => {
    const newest = (await world.call(pops.newest, { query: { sort: 'createdAt' } })).body.data[0]
    const flat = (await world.call(oldOverview.photos, { query: { sort: 'createdAt' } })).body.data[0]
    expect(flat).toMatchObject({ uid: photo.uid, shiftUid: own.uid, truckUid: own.truck.uid, takenByUid: driver.uid })
    const pathOf = (url = '') => url.split('?')[0]
    for (const [size, url] of [
      ['small', flat?.smallUrl],
      ['medium', flat?.mediumUrl],
      ['large', flat?.largeUrl],
    ] as const) {
      expect(pathOf(url)).toBe(pathOf(newest?.urls[size]))
      expect(url).toContain(`/${size}?`)
    }
    const [details, came] = [
      (await world.call(shifts.details, { query: { uid: own.uid } })).body.data[0],
      (await world.call(dailySchedule.details, { query: { date: SHOOT_DAY, truck: own.truck.uid } })).body.data[0],
    ]
    expect(came).toMatchObject({ uid: own.uid, photos: 1, plays: details?.plays.count, metres: null, openIssues: 0 })
  })

  test('the SD report of a program, which is not for other clients', async () => {
    const place = {
      label: 'Shop',
      address: 'Main St',
      latitude: 32.78,
      longitude: -96.8,
      radiusM: 300,
      locatedBy: 'given',
    }
    const set = await sent(addresses.create, {
      body: { programUid: program.uid, name: 'Shops', addresses: [{ ...place, artworkSetUid: null }] },
    })
    const carrying = await kinds.shift.fresh()
    const { uid } = await sent(shifts.create, { body: { ...carrying, addressSetUid: set.uid } })
    for (const [index, status] of ['out', 'completed'].entries()) {
      await sent(shifts.move, { body: { uid, version: index + 1, status } })
    }
    const asked = { market: scene.dallas.uid, from: SHOOT_DAY, to: addDays(SHOOT_DAY, 2) }
    const byOld = { params: { programUid: program.uid }, query: asked }
    const byNew = { query: { ...asked, program: program.uid } }
    expect(await sent(oldPrograms.sdReport, byOld)).toMatchObject([{ label: 'Shop', approaches: 0 }])
    expect(await sent(oldPrograms.sdReport, byOld)).toEqual(await sent(sdReport.list, byNew))
    const another = await world.addUser('client', ['programByClient', 'clients'], (await world.addClient()).uid)
    expect((await send(oldPrograms.sdReport, byOld, another.token)).status).toBe(404)
    expect((await send(sdReport.list, byNew, another.token)).status).toBe(404)
  })

  test('someone else’s shift can be neither seen nor changed', async () => {
    expect(await inOld(kinds.shift, mine.uid, planner.token)).toMatchObject({ uid: mine.uid })
    expect(await inOld(kinds.shift, foreign.uid, planner.token)).toBeUndefined()
    const body = { ...(await kinds.shift.fresh()), uid: mine.uid, version: 1 }
    for (const change of [kinds.shift.old.update, kinds.shift.now.update]) {
      expect((await send(change, { body }, planner.token)).status).toBe(403)
    }
  })

  test.each([
    ['GET daily-schedule/run', { date: SHOOT_DAY }, { from: SHOOT_DAY, to: SHOOT_DAY }],
    ['GET daily-schedule/details/run', { date: SHOOT_DAY }, { from: SHOOT_DAY, to: SHOOT_DAY }],
    ['GET pop/run', {}, {}],
  ])('%s gives the same file', async (name, oldQuery, newQuery) => {
    const fileOfList = async (endpoint: Endpoint, query: object) =>
      (await send(endpoint, { query: { ...query, format: 'csv' } })).text.replace(/exported .*/, '')
    const csv = await fileOfList(oldCall(name), oldQuery)
    expect(csv).toBe(await fileOfList(newCall(name), newQuery))
    expect(csv.split('\n').length).toBeGreaterThan(3)
  })
})
