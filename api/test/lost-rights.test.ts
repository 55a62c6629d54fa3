import { photoQueue, pops, replays, users } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { openPops } from '../src/proof/pop/test-pop.ts'

// What is open on a page when a right ends: the next read and the next act are refused.

const world = await openWorld()
const { call, db } = world
const { addPop, addPhoto, addShift, addTruck, austin } = await openPops(world)

const client = await world.addClient('Acme')
const pop = await addPop([austin], { clientUid: client.uid, startsOn: '2026-06-01', endsOn: '2026-08-31' })
const [truck, driver] = [await addTruck(), await world.addUser('driver')]
const shift = await addShift({
  programUid: pop.uid,
  marketUid: austin,
  truckUid: truck.uid,
  driverUid: driver.uid,
  date: '2026-07-01',
  start: '10:00',
  end: '18:00',
})
await addPhoto(pop.uid, austin)
await db.updateTable('pop_photo').set({ status: 'waiting' }).execute()

const takeModules = async (userUid: string, modules: string[]) => {
  await db.updateTable('user_account').set({ modules }).where('uid', '=', userUid).execute()
}
const replay = async (token: string) => (await call(replays.get, { query: { shift } }, { token })).status

test('a module that is taken closes the replay, its file and its list of trucks', async () => {
  const reader = await world.addUser('sales', ['overview'])
  expect(await replay(reader.token)).toBe(200)
  await takeModules(reader.uid, ['users'])
  expect(await replay(reader.token)).toBe(403)
  for (const read of [replays.track, replays.trucks]) {
    const query = read === replays.track ? { shift, as: 'gpx' } : {}
    expect((await call(read, { query } as never, reader)).status).toBe(403)
  }
})

test('a client keeps the hours of the own programs only, from the next read on', async () => {
  const own = await world.addUser('client', ['pop'], client.uid)
  expect(await replay(own.token)).toBe(200)
  const other = await world.addClient('Other')
  await db.updateTable('user_account').set({ client_uid: other.uid }).where('uid', '=', own.uid).execute()
  expect(await replay(own.token)).toBe(404)
})

test('a driver loses a shift that goes to someone else', async () => {
  expect(await replay(driver.token)).toBe(200)
  const next = await world.addUser('driver')
  await db.updateTable('shift').set({ driver_uid: next.uid }).where('uid', '=', shift).execute()
  expect(await replay(driver.token)).toBe(404)
  expect(await replay(next.token)).toBe(200)
})

test('the queue of photos is closed to read and to act', async () => {
  const reader = await world.addUser('sales', ['pop'])
  const { status, body } = await call(photoQueue.list, { query: {} }, reader)
  expect([status, body.total]).toEqual([200, 1])
  const [photo] = body.data
  await takeModules(reader.uid, ['overview'])
  expect((await call(photoQueue.list, { query: {} }, reader)).status).toBe(403)
  expect((await call(pops.photo, { params: { uid: photo?.uid ?? '' } }, reader)).status).toBe(403)
  const { uid = '', version = 1, caption = '' } = photo ?? {}
  const decision = { uid, version, caption, marketUid: austin, shiftUid: null, status: 'approved' as const }
  expect((await call(pops.updatePhoto, { body: decision }, reader)).status).toBe(403)
  expect((await call(photoQueue.list, { query: {} })).body.total).toBe(1)
  // A deleted user is signed out.
  await call(users.remove, { params: { uid: reader.uid } })
  expect((await call(photoQueue.list, { query: {} }, reader)).status).toBe(401)
})
