import { randomUUID } from 'node:crypto'
import { DAY_MS, type DriverData, type PlayerData, settings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { DALLAS, type DeviceSocket, fleetOf } from './test-fleet.ts'

const world = await openWorld()
const { app, call, db } = world
const { addArtwork, addDevice, addRunning, addShift, addTruck, come, openNode, openSecondNode } = fleetOf(world)
const [first, second] = [await openNode(), await openSecondNode()]

const HOUR = 3_600_000

const playerData = async (socket: DeviceSocket): Promise<PlayerData> => {
  const answer = await socket.timeout(5000).emitWithAck('get-player-data')
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

const pushed = <T extends 'get-player-data' | 'get-player-data-web' | 'get-driver-data'>(
  socket: DeviceSocket,
  event: T,
) =>
  new Promise<T extends 'get-driver-data' ? DriverData : PlayerData>((resolve, reject) => {
    socket.once(event, ((data: never) => resolve(data)) as never)
    setTimeout(() => reject(new Error('Nothing was pushed.')), 5000).unref()
  })

async function addAddresses(programUid: string, places: { label: string; artwork: string | null }[]): Promise<string> {
  const { uid } = await db
    .insertInto('address_set')
    .values({ program_uid: programUid, name: `Shops ${randomUUID()}` })
    .returning('uid')
    .executeTakeFirstOrThrow()
  for (const [position, { label, artwork }] of places.entries()) {
    const place = { ...DALLAS, radius_m: 500, located_by: 'given', position }
    await db
      .insertInto('sd_address')
      .values({ set_uid: uid, label, artwork_set_uid: artwork, ...place })
      .execute()
  }
  return uid
}

describe('a player is told', () => {
  test('what to show on which shift, near which addresses, and where to get it', async () => {
    const sides = Object.fromEntries(
      ['driverSide', 'passengerSide', 'rear'].map((side, index) => [
        side,
        { x: index * 10, y: 0, width: 10, height: 10 },
      ]),
    )
    const map = await db
      .insertInto('pixel_map')
      .values({ name: 'A map', width: 30, height: 10, pitch_um: 4000, sides: JSON.stringify(sides) })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const { art, device, programUid, shift, truckUid } = await addRunning()
    await db.updateTable('truck').set({ pixel_map_uid: map.uid }).where('uid', '=', truckUid).execute()
    const [shop, draft] = [await addArtwork(programUid), await addArtwork(programUid, 'draft')]
    const address_set_uid = await addAddresses(programUid, [
      { label: 'Own', artwork: shop.uid },
      { label: 'Not approved', artwork: draft.uid },
      { label: 'The same', artwork: null },
    ])
    await db.updateTable('shift').set({ address_set_uid }).where('uid', '=', shift.uid).execute()
    const data = await playerData(await come(first, device))
    expect(data.truck.uid).toBe(truckUid)
    expect(data.pixelMap).toEqual({ width: 30, height: 10, sides })
    expect(data.shifts).toHaveLength(1)
    const [told] = data.shifts
    expect(told).toMatchObject({ uid: shift.uid, programUid, startsAt: expect.stringMatching(/Z$/) as string })
    expect(told?.artwork?.artworkSetUid).toBe(art.uid)
    expect(told?.artwork?.files.map(({ side, sha256 }) => [side, sha256])).toEqual([
      ['driverSide', art.files[0]?.sha256],
      ['passengerSide', art.files[1]?.sha256],
      ['rear', art.files[2]?.sha256],
    ])
    expect(told?.addresses.map(({ label, artwork }) => [label, artwork?.artworkSetUid])).toEqual([
      ['Own', shop.uid],
      ['Not approved', undefined],
      ['The same', undefined],
    ])
    expect(told?.addresses[0]).toMatchObject({ ...DALLAS, radiusM: 500 })
    // The address of a file is the permission to get it; there are no bytes behind this one.
    const { url = '' } = told?.artwork?.files[0] ?? {}
    await app.blobs.write(
      (
        await db
          .selectFrom('stored_file')
          .select('blob_name')
          .where('uid', '=', art.files[0]?.uid ?? '')
          .executeTakeFirstOrThrow()
      ).blob_name,
      Buffer.alloc(100),
      'image/png',
    )
    expect((await app.inject({ url })).statusCode).toBe(200)
    expect((await app.inject({ url: url.replace('expires=', 'expires=9') })).statusCode).toBe(403)
    const expires = Number(new URL(url, 'http://localhost').searchParams.get('expires'))
    expect(expires * 1000 - Date.now()).toBeGreaterThan(DAY_MS)
  })

  test('nothing that is not approved as it is, over, canceled, far ahead or another truck’s', async () => {
    const { device, marketUid, programUid, truckUid, art, shift } = await addRunning()
    const planned = (hours: number, more: object = {}) =>
      addShift({
        truckUid,
        programUid,
        marketUid,
        from: Date.now() + hours * HOUR,
        to: Date.now() + (hours + 2) * HOUR,
        ...more,
      })
    await planned(-10)
    const next = await planned(20, { artwork_set_uid: (await addArtwork(programUid, 'draft')).uid })
    await planned(60)
    await planned(30, { status: 'cancelled', reason: 'Rain' })
    await addRunning()
    const player = await come(first, device)
    expect((await playerData(player)).shifts.map(({ uid, artwork }) => [uid, artwork?.artworkSetUid])).toEqual([
      [shift.uid, art.uid],
      [next.uid, undefined],
    ])
    // An approval of other files than those it has, however that came about.
    await db
      .updateTable('artwork_set')
      .set({ approved_hash: 'f'.repeat(64) })
      .where('uid', '=', art.uid)
      .execute()
    expect((await playerData(player)).shifts[0]?.artwork).toBeNull()
  })

  test('to go on with a shift that runs over until another one starts, and to begin with an early start', async () => {
    const { marketUid, programUid } = await addRunning()
    const truckUid = await addTruck()
    const add = (from: number, to: number) =>
      addShift({ truckUid, programUid, marketUid, from: Date.now() + from * HOUR, to: Date.now() + to * HOUR })
    const change = (uid: string, values: object) => db.updateTable('shift').set(values).where('uid', '=', uid).execute()
    const player = await come(first, await addDevice(truckUid))
    const told = async () =>
      (await playerData(player)).shifts.map((each) => [each.uid, Date.parse(each.startsAt), Date.parse(each.endsAt)])
    const shift = await add(-3, -1)
    const startsAt = Date.parse(shift.startsAt)
    expect(await told()).toEqual([])
    await change(shift.uid, { status: 'out', started_at: new Date(startsAt - HOUR) })
    expect(await told()).toEqual([[shift.uid, startsAt - HOUR, startsAt + 14 * HOUR]])

    const next = await add(1, 3)
    expect((await told()).map(([uid]) => uid)).toEqual([shift.uid, next.uid])
    const startedAt = Date.now()
    await change(next.uid, { status: 'out', started_at: new Date(startedAt) })
    expect(await told()).toEqual([[next.uid, startedAt, Date.parse(next.endsAt) + 12 * HOUR]])
  })

  test('that there is nothing, and by a truck that is gone nothing at all', async () => {
    const device = await addDevice(await addTruck())
    expect(await playerData(await come(first, device))).toMatchObject({ pixelMap: null, shifts: [] })
  })
})

describe('what changes is pushed, on whichever node, to those whom it concerns', () => {
  async function addListening() {
    const running = await addRunning()
    const driver = await addDevice(running.truckUid, 'driver')
    const sockets = {
      player: await come(first, running.device),
      web: await come(second, running.device, 'player-web'),
      driver: await come(second, driver, 'driver'),
    }
    await sockets.player.emitWithAck('get-player-data')
    await sockets.web.emitWithAck('get-player-data-web')
    await sockets.driver.emitWithAck('get-driver-data')
    return { ...running, ...sockets }
  }

  test('another artwork for a shift', async () => {
    const { driver, player, programUid, shift, web } = await addListening()
    const other = await addArtwork(programUid)
    const bystander = await addListening()
    let isTold = false
    bystander.player.on('get-player-data', () => (isTold = true))
    const coming = [pushed(player, 'get-player-data'), pushed(web, 'get-player-data-web')] as const
    const comingToDriver = pushed(driver, 'get-driver-data')
    await db
      .updateTable('shift')
      .set({ artwork_set_uid: other.uid, note: 'Mind the bridge' })
      .where('uid', '=', shift.uid)
      .execute()
    for (const data of await Promise.all(coming)) expect(data.shifts[0]?.artwork?.artworkSetUid).toBe(other.uid)
    expect((await comingToDriver).shifts[0]?.note).toBe('Mind the bridge')
    expect(isTold).toBe(false)
  })

  test('a withdrawn approval, an address, a pixel map and a new shift', async () => {
    const { art, marketUid, player, programUid, shift, truckUid } = await addListening()
    const withdrawn = pushed(player, 'get-player-data')
    await db
      .updateTable('artwork_set')
      .set({ status: 'draft', approved_hash: null })
      .where('uid', '=', art.uid)
      .execute()
    expect((await withdrawn).shifts[0]?.artwork).toBeNull()

    const address_set_uid = await addAddresses(programUid, [{ label: 'Shop', artwork: null }])
    const withAddresses = pushed(player, 'get-player-data')
    await db.updateTable('shift').set({ address_set_uid }).where('uid', '=', shift.uid).execute()
    expect((await withAddresses).shifts[0]?.addresses).toHaveLength(1)
    const moved = pushed(player, 'get-player-data')
    await db.transaction().execute(async (db) => {
      await db.updateTable('sd_address').set({ radius_m: 900 }).where('set_uid', '=', address_set_uid).execute()
      await db.updateTable('address_set').set({ note: 'Moved' }).where('uid', '=', address_set_uid).execute()
    })
    expect((await moved).shifts[0]?.addresses[0]?.radiusM).toBe(900)

    const renamed = pushed(player, 'get-player-data')
    await db.updateTable('truck').set({ number: 'T 77' }).where('uid', '=', truckUid).execute()
    expect((await renamed).truck.number).toBe('T 77')

    const added = pushed(player, 'get-player-data')
    const span = { from: Date.now() + 10 * HOUR, to: Date.now() + 12 * HOUR }
    await addShift({ truckUid, programUid, marketUid, ...span })
    expect((await added).shifts).toHaveLength(2)
  })

  test('the spot length of its program, in milliseconds', async () => {
    const { player, programUid } = await addListening()
    expect((await playerData(player)).shifts[0]?.spotMs).toBeNull()
    const changed = pushed(player, 'get-player-data')
    await db.updateTable('client_program').set({ spot_seconds: 10 }).where('uid', '=', programUid).execute()
    expect((await changed).shifts[0]?.spotMs).toBe(10_000)
  })

  test('the house artwork, to every player, and its end when its approval is withdrawn', async () => {
    const { player, programUid, web } = await addListening()
    const house = await addArtwork(programUid)
    const set = async (fallbackArtworkUid: string | null) => {
      const { version, values } = (await call(settings.get, {})).body.data
      return call(settings.update, { body: { ...values, fallbackArtworkUid, version } })
    }
    const refused = await set((await addArtwork(programUid, 'draft')).uid)
    expect(refused.error.fields).toEqual({ fallbackArtworkUid: 'Choose an artwork set that is approved.' })
    expect((await playerData(player)).fallback).toBeNull()

    const coming = [pushed(player, 'get-player-data'), pushed(web, 'get-player-data-web')] as const
    expect((await set(house.uid)).status).toBe(200)
    for (const { fallback } of await Promise.all(coming)) {
      expect(fallback).toMatchObject({ artworkSetUid: house.uid, files: [{ sha256: house.sha256 }, {}, {}] })
    }
    const withdrawn = [pushed(player, 'get-player-data'), pushed(web, 'get-player-data-web')] as const
    await db
      .updateTable('artwork_set')
      .set({ status: 'draft', approved_hash: null })
      .where('uid', '=', house.uid)
      .execute()
    for (const { fallback } of await Promise.all(withdrawn)) expect(fallback).toBeNull()
    // Other settings can still be saved while the chosen set is not approved.
    expect((await set(house.uid)).status).toBe(200)
    expect((await set(null)).status).toBe(200)
    const { data } = (await call(settings.history, { query: {} })).body
    const { name } = await db
      .selectFrom('artwork_set')
      .select('name')
      .where('uid', '=', house.uid)
      .executeTakeFirstOrThrow()
    expect(data.map(({ fields }) => fields)).toEqual([
      [{ field: 'fallbackArtworkUid', old: name, new: null }],
      [{ field: 'fallbackArtworkUid', old: null, new: name }],
    ])
  })

  test('but not what makes no difference to it', async () => {
    const { player, shift } = await addListening()
    let count = 0
    player.on('get-player-data', () => count++)
    await db.updateTable('shift').set({ note: 'For the driver only' }).where('uid', '=', shift.uid).execute()
    const late = pushed(player, 'get-player-data')
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(count).toBe(0)
    await db.updateTable('shift').set({ artwork_set_uid: null }).where('uid', '=', shift.uid).execute()
    await late
    expect(count).toBe(1)
  })
})

test('a driver is told where to be, for whom, and whom to call', async () => {
  const { programUid, shift, truckUid, art } = await addRunning()
  const program = await db
    .selectFrom('client_program')
    .selectAll()
    .where('uid', '=', programUid)
    .executeTakeFirstOrThrow()
  const contacts = [
    { name: 'Ann', title: '', email: '', phone: '555-1' },
    { name: 'Without a phone', title: '', email: 'a@example.com', phone: '' },
  ]
  await db
    .updateTable('client')
    .set({ contacts: JSON.stringify(contacts) })
    .where('uid', '=', program.client_uid)
    .execute()
  const driver = await come(first, await addDevice(truckUid, 'driver'), 'driver')
  const data = await driver.timeout(5000).emitWithAck('get-driver-data')
  if ('error' in data) throw new Error(data.error)
  const name = (await db.selectFrom('artwork_set').select('name').where('uid', '=', art.uid).executeTakeFirstOrThrow())
    .name
  expect(data.shifts).toMatchObject([
    {
      uid: shift.uid,
      driver: 'The driver',
      program: program.name,
      zone: 'UTC',
      status: 'planned',
      artworkSet: name,
      date: shift.startsAt.slice(0, 10),
      start: shift.startsAt.slice(11, 16),
      end: shift.endsAt.slice(11, 16),
      contacts: [
        {
          name: 'Ann',
          phone: '555-1',
        },
      ],
    },
  ])
})
