import { randomBytes } from 'node:crypto'
import { devices, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { type DeviceSocket, fleetOf, type TestDevice } from './test-fleet.ts'

const world = await openWorld()
const { db, call } = world
const { addDevice, addRunning, addTruck, aPlay, come, knock, open, openNode, openSecondNode } = fleetOf(world)
const [first, second] = [await openNode(), await openSecondNode()]

const handshakeOf = ({ macAddress, key }: TestDevice, clientType = 'player') => ({ clientType, macAddress, key })
const newKey = () => randomBytes(32).toString('base64url')

/** What a device hears of its end, and when. */
function ending(socket: DeviceSocket) {
  let isTold = false
  socket.on('device-ended', () => (isTold = true))
  return new Promise<{ at: number; isTold: boolean }>((resolve) =>
    socket.on('disconnect', () => resolve({ at: performance.now(), isTold })),
  )
}

async function expectEnded(ends: Promise<{ at: number; isTold: boolean }>[], since: number) {
  for (const { at, isTold } of await Promise.all(ends)) {
    expect(isTold).toBe(true)
    expect(at - since).toBeLessThan(1000)
  }
}

describe('a device is let in', () => {
  test('with its own key on a channel of its kind, however its MAC address is written', async () => {
    const truck = await addTruck()
    const [player, driver] = [await addDevice(truck), await addDevice(truck, 'driver')]
    expect(await knock(first, handshakeOf(player))).toBe('let in')
    expect(await knock(first, handshakeOf(player, 'player-web'))).toBe('let in')
    expect(await knock(first, handshakeOf(driver, 'driver'))).toBe('let in')
    const written = player.macAddress.toLowerCase().replaceAll(':', '-')
    expect(await knock(first, { ...handshakeOf(player), macAddress: written })).toBe('let in')
  })

  test('not with a wrong key, nor another’s, nor under a MAC address that no one has', async () => {
    const [one, other] = [await addDevice(await addTruck()), await addDevice(await addTruck())]
    expect(await knock(first, { ...handshakeOf(one), key: newKey() })).toBe('deviceKey')
    expect(await knock(first, { ...handshakeOf(one), key: other.key })).toBe('deviceKey')
    expect(await knock(first, { ...handshakeOf(one), macAddress: '00:00:00:00:00:01' })).toBe('deviceUnknown')
  })

  test('not on a channel of another kind', async () => {
    const truck = await addTruck()
    const [player, driver] = [await addDevice(truck), await addDevice(truck, 'driver')]
    expect(await knock(first, handshakeOf(player, 'driver'))).toBe('deviceKind')
    expect(await knock(first, handshakeOf(driver))).toBe('deviceKind')
    expect(await knock(first, handshakeOf(driver, 'player-web'))).toBe('deviceKind')
    expect(await knock(first, handshakeOf(player, 'web'))).toBe('signedOut')
    expect(await knock(first, handshakeOf(player, 'toaster'))).toBe('signedOut')
  })

  test('not without a handshake that makes sense', async () => {
    const { macAddress, key } = await addDevice(await addTruck())
    const odd = [
      {},
      { macAddress },
      { key },
      { macAddress: 1, key },
      { macAddress, key: 'x' },
      { macAddress: 'x', key },
    ]
    for (const given of [...odd, { macAddress, key: { $ne: '' } }, { macAddress: [macAddress], key: [key] }]) {
      expect(await knock(first, { clientType: 'player', ...given }), JSON.stringify(given)).toBe('badInput')
    }
  })

  test('not before it is paired, nor once its key was taken back or it was deleted', async () => {
    const [unpaired, revoked, deleted] = [
      await addDevice(await addTruck()),
      await addDevice(await addTruck()),
      await addDevice(await addTruck()),
    ]
    await db.updateTable('device').set({ key_hash: null }).where('uid', '=', unpaired.uid).execute()
    await call(devices.revoke, { params: { uid: revoked.uid } })
    await call(devices.remove, { params: { uid: deleted.uid } })
    expect(await knock(first, handshakeOf(unpaired))).toBe('deviceKey')
    expect(await knock(first, handshakeOf(revoked))).toBe('deviceRevoked')
    expect(await knock(first, handshakeOf(deleted))).toBe('deviceUnknown')
  })
})

describe('a connected device is told and disconnected within a second', () => {
  test('when its key is taken back, on every node, and comes back in no way', async () => {
    const truck = await addTruck()
    const [device, other] = [await addDevice(truck), await addDevice(truck, 'driver')]
    const sockets = [await come(first, device), await come(second, device), await come(first, device, 'player-web')]
    const stays = await come(second, other, 'driver')
    const ends = sockets.map(ending)
    const since = performance.now()
    await call(devices.revoke, { params: { uid: device.uid } })
    await expectEnded(ends, since)
    expect(stays.connected).toBe(true)
    const again = new Promise((resolve) =>
      sockets[0]?.on('connect_error', (error: Error & { data?: unknown }) => resolve(error.data)),
    )
    sockets[0]?.connect()
    expect(await again).toEqual({ code: 'deviceRevoked' })
  })

  test('when it or its truck is deleted', async () => {
    const truck = await addTruck()
    const [device, other] = [await addDevice(truck), await addDevice(truck, 'driver')]
    const one = ending(await come(first, device))
    const since = performance.now()
    await call(devices.remove, { params: { uid: device.uid } })
    await expectEnded([one], since)
    const two = ending(await come(second, other, 'driver'))
    const later = performance.now()
    expect((await call(trucks.remove, { params: { uid: truck } })).status).toBe(200)
    await expectEnded([two], later)
  })

  test('when it was paired again, except with the new key', async () => {
    const device = await addDevice(await addTruck())
    const old = ending(await come(first, device))
    const { code } = (await call(devices.code, { params: { uid: device.uid } })).body.data
    const since = performance.now()
    const paired = await call(devices.pair, { body: { macAddress: device.macAddress, code } }, { token: '' })
    const fresh = await come(first, { ...device, key: paired.body.data.key })
    await expectEnded([old], since)
    expect(fresh.connected).toBe(true)
  })

  test('also when the node could not hear of it', async () => {
    const [device, other] = [await addDevice(await addTruck()), await addDevice(await addTruck())]
    const socket = await come(first, device)
    const stays = await come(first, other)
    const end = ending(socket)
    // Nothing is told of what happens here, as if the notification had been lost.
    await sql`alter table device disable trigger tell_ended`.execute(db)
    await call(devices.revoke, { params: { uid: device.uid } })
    await sql`alter table device enable trigger tell_ended`.execute(db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`.execute(db)
    expect((await end).isTold).toBe(true)
    expect(stays.connected).toBe(true)
  })
})

describe('a device says and asks', () => {
  test('whether it is heard, as every client does', async () => {
    const socket = await come(first, await addDevice(await addTruck()), 'player-web')
    const answer = await socket.timeout(5000).emitWithAck('test', { hello: [1, null] })
    expect(answer).toEqual({
      got: { hello: [1, null] },
      serverTime: expect.any(String) as string,
      clientType: 'player-web',
    })
    const { uid: userUid, token } = world.people.client
    const page = open(first, { clientType: 'web', userUid, token })
    expect(await page.timeout(5000).emitWithAck('test', 'x')).toMatchObject({ got: 'x', clientType: 'web' })
  })

  test('nothing that its channel does not have', async () => {
    const truck = await addTruck()
    const [player, driver] = [
      await come(first, await addDevice(truck)),
      await come(first, await addDevice(truck, 'driver'), 'driver'),
    ]
    const error = { error: 'Event not found on this channel.', code: 'noSuchCall' }
    const ask = (socket: DeviceSocket, event: string) => socket.timeout(5000).emitWithAck(event as 'test', [])
    for (const event of ['get-driver-data', 'driver-shift', 'get-player-data-web', '__proto__', 'constructor', '']) {
      expect(await ask(player, event), event).toEqual(error)
    }
    expect(await ask(driver, 'player-plays')).toEqual(error)
  })

  test('how it is; the answer tells how wrong its clock is', async () => {
    const { device, truckUid } = await addRunning()
    const player = await come(first, device)
    const say = (health: object) => player.timeout(5000).emitWithAck('device-health', health as never)
    const files = ['a'.repeat(64)]
    const at = new Date(Date.now() + 90_000).toISOString()
    expect(await say({ at, files, gpsFix: true, freeBytes: 5e12, appVersion: '1.2' })).toEqual({
      clockOffsetMs: expect.closeTo(90_000, -4) as number,
    })
    const row = await db
      .selectFrom('device_health')
      .selectAll()
      .where('device_uid', '=', device.uid)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ files, gps_fix: true, free_bytes: 5e12, app_version: '1.2' })
    expect(await say({ at: '0001-01-01T00:00:00Z', gpsFix: false })).toEqual({ clockOffsetMs: -(2 ** 31 - 1) })
    expect(await say({ at, gpsFix: 'yes' })).toMatchObject({ error: expect.stringContaining('gpsFix') as string })
    expect(await say([])).toHaveProperty('error')
    const seen = () => db.selectFrom('device_seen').selectAll().where('device_uid', '=', device.uid).executeTakeFirst()
    await vi.waitFor(async () => expect(await seen()).toBeDefined(), { timeout: 15_000 })
    const { data } = (await call(devices.list, { query: { truck: truckUid } })).body
    expect(data[0]?.seenAt).not.toBeNull()
    expect(data[0]?.version).toBe(1)
  })

  test('far too much at once, and is the only one that is disconnected', async () => {
    const { art, device } = await addRunning()
    const [player, other] = [await come(first, device), await come(first, device)]
    const gone = new Promise((resolve) => player.on('disconnect', resolve))
    player.emit('player-plays', [{ ...aPlay(art), playId: 'x'.repeat(2_000_000) }], () => {})
    await gone
    const answer = await other.timeout(5000).emitWithAck('player-plays', [aPlay(art)])
    expect(answer).toMatchObject({ rows: [{ result: 'accepted' }] })
  })

  test('more than it is answered in time, and is told so', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => player.timeout(20_000).emitWithAck('player-plays', [aPlay(art)])),
    )
    const refused = answers.filter((answer) => 'error' in answer)
    expect(refused.length).toBeGreaterThan(0)
    const { count } = await db
      .selectFrom('play')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('device_uid', '=', device.uid)
      .executeTakeFirstOrThrow()
    expect(count).toBe(answers.length - refused.length)
  })
})
