import {
  type DeviceCommand,
  type DeviceCommandAnswer,
  devices,
  MAX_SCREEN_PICTURE_BYTES,
  screens,
} from '@roadshow/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { runJob } from '../../platform/jobs/runner.ts'
import { pictureBlob, expireCommands } from './commands.ts'
import { type DeviceSocket, fleetOf, type TestDevice } from './test-fleet.ts'

const world = await openWorld()
const { app, call, db, people } = world
const { addDevice, addTruck, come, open, openNode, openSecondNode } = fleetOf(world)
const [first, second] = [await openNode(), await openSecondNode()]

const jpeg = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#2563eb' } })
  .jpeg()
  .toBuffer()
const picture = jpeg.toString('base64')

type Answerer = (command: DeviceCommand) => DeviceCommandAnswer | undefined

/** A player that answers commands, and the commands that it got. */
function answering(socket: DeviceSocket, answer: Answerer = () => ({ result: 'done' })): DeviceCommand[] {
  const got: DeviceCommand[] = []
  socket.on('device-command', (command, reply) => {
    got.push(command)
    const given = answer(command)
    if (given) reply(given)
  })
  return got
}

const give = (device: TestDevice, kind: DeviceCommand['kind'], caller: { token?: string } = {}, seconds?: number) =>
  call(screens.command, { params: { uid: device.uid }, body: { kind, ...(seconds && { seconds }) } }, caller)
const screenOf = async (device: TestDevice) =>
  (await call(screens.list, { params: { uid: device.truckUid } })).body.data.find(
    ({ deviceUid }) => deviceUid === device.uid,
  )
const newest = async (device: TestDevice) => (await screenOf(device))?.commands[0]
const load = (uid: string, token = people.admin.token) =>
  app.inject({
    url: `/api/v1/device-commands/${uid}/picture`,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
const job = (one: typeof expireCommands) =>
  runJob(
    one,
    { db, blobs: app.blobs, env: { brandName: '', publicUrl: '' }, log: () => {} },
    { signal: new AbortController().signal },
  )
const age = (device: TestDevice, interval: string) =>
  sql`update device_command set asked_at = asked_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval
       where device_uid = ${device.uid}`.execute(db)

describe('a command', () => {
  test('reaches the screen on whichever node it is connected, and its answer reaches open pages', async () => {
    const device = await addDevice(await addTruck())
    const got = answering(await come(second, device, 'player-web'))
    const { uid: userUid, token } = people.admin
    const page = open(first, { clientType: 'web', userUid, token })
    await page.timeout(5000).emitWithAck('test', 'x')
    const changes: string[] = []
    page.on('screens-changed' as never, ((truckUid: string) => changes.push(truckUid)) as never)
    const given = (await give(device, 'testPattern')).body.data
    expect(given).toMatchObject({ kind: 'testPattern', state: 'waiting', by: { name: 'The admin' }, answer: '' })
    await vi.waitFor(async () => expect(await newest(device)).toMatchObject({ uid: given.uid, state: 'done' }))
    expect(got).toEqual([
      { commandUid: given.uid, kind: 'testPattern', seconds: 60, expiresAt: expect.stringMatching(/Z$/) as string },
    ])
    await vi.waitFor(() => expect(changes.filter((uid) => uid === device.truckUid).length).toBeGreaterThan(1))
    const lines = db.selectFrom('audit_log').select(['actor_uid', 'detail']).where('kind', '=', 'deviceCommand')
    expect(await lines.where('subject', '=', device.macAddress).execute()).toEqual([
      { actor_uid: people.admin.uid, detail: 'Test pattern' },
    ])
  })

  test('is refused by the screen with its reason, or when its answer makes no sense', async () => {
    const device = await addDevice(await addTruck())
    const answers: unknown[] = [{ result: 'refused', reason: 'No sound here.' }, { result: 'maybe' }]
    answering(await come(first, device), () => answers.shift() as DeviceCommandAnswer)
    await give(device, 'volumeOff')
    await vi.waitFor(async () =>
      expect(await newest(device)).toMatchObject({ state: 'refused', answer: 'No sound here.' }),
    )
    await give(device, 'reload')
    const answer = "The screen's answer could not be read."
    await vi.waitFor(async () =>
      expect(await newest(device)).toMatchObject({ kind: 'reload', state: 'refused', answer }),
    )
  })

  test('waits for a screen that comes within its time, once for two clicks', async () => {
    const device = await addDevice(await addTruck())
    const one = (await give(device, 'restart')).body.data
    expect((await give(device, 'restart')).body.data.uid).toBe(one.uid)
    const socket = await come(first, device)
    const got = answering(socket)
    await socket.timeout(5000).emitWithAck('get-player-data')
    await vi.waitFor(async () => expect(await newest(device)).toMatchObject({ uid: one.uid, state: 'done' }))
    expect(got.map(({ commandUid }) => commandUid)).toEqual([one.uid])
  })

  test('expires with a sentence: not connected, or connected without an answer', async () => {
    const [away, silent] = [await addDevice(await addTruck()), await addDevice(await addTruck())]
    const got = answering(await come(first, silent), () => undefined)
    await give(away, 'download')
    await give(silent, 'download')
    await vi.waitFor(() => expect(got).toHaveLength(1))
    await age(away, '31 seconds')
    await age(silent, '31 seconds')
    expect(await newest(away)).toMatchObject({
      state: 'expired',
      answer: 'The screen is not connected. Nothing was sent.',
    })
    await job(expireCommands)
    expect(await newest(silent)).toMatchObject({
      state: 'expired',
      answer: 'The screen did not answer within 30 seconds.',
      answeredAt: null,
    })
    // It can be given again, and the old one is not delivered late.
    const again = (await give(away, 'download')).body.data
    const socket = await come(second, away)
    const late = answering(socket)
    await socket.timeout(5000).emitWithAck('get-player-data')
    await vi.waitFor(() => expect(late.map(({ commandUid }) => commandUid)).toEqual([again.uid]))
  })

  test('is for paired players only', async () => {
    const truck = await addTruck()
    const [driver, revoked, removed] = [
      await addDevice(truck, 'driver'),
      await addDevice(truck),
      await addDevice(truck),
    ]
    await call(devices.revoke, { params: { uid: revoked.uid } })
    await call(devices.remove, { params: { uid: removed.uid } })
    expect((await give(driver, 'restart')).error.code).toBe('notAScreen')
    expect((await give(revoked, 'restart')).error.code).toBe('screenUnpaired')
    expect((await give(removed, 'restart')).status).toBe(404)
    expect((await give(revoked, 'explode' as never)).error.fields).toEqual({ kind: 'Choose one of the commands.' })
    expect((await give(revoked, 'blank', {}, 4000)).error.fields).toHaveProperty('seconds')
    expect((await call(screens.list, { params: { uid: truck } })).body.data.map(({ deviceUid }) => deviceUid)).toEqual([
      revoked.uid,
    ])
  })

  test('is given by users who may change trucks, and seen by those who may see them', async () => {
    const device = await addDevice(await addTruck())
    const sales = await world.addUser('sales', ['trucks'])
    const { uid: otherClient } = await world.addClient()
    const client = await world.addUser('client', ['pop', 'overview', 'clients'], otherClient)
    for (const { token } of [sales, client, people.driver, people.client]) {
      expect((await give(device, 'showScreen', { token })).status).toBe(403)
    }
    expect((await give(device, 'showScreen', { token: '' })).status).toBe(401)
    const see = (token: string) => call(screens.list, { params: { uid: device.truckUid } }, { token })
    expect((await see(sales.token)).status).toBe(200)
    for (const { token } of [client, people.driver, people.client]) expect((await see(token)).status).toBe(403)
    expect((await screenOf(device))?.commands).toEqual([])
  })
})

describe('the picture of a screen', () => {
  async function shown() {
    const device = await addDevice(await addTruck())
    answering(await come(second, device), () => ({ result: 'done', picture }))
    const { uid } = (await give(device, 'showScreen')).body.data
    await vi.waitFor(async () => expect(await newest(device)).toMatchObject({ state: 'done', hasPicture: true }))
    return { device, uid }
  }

  test('is loaded by users who may see the truck, and by no one else', async () => {
    const { uid } = await shown()
    const loaded = await load(uid)
    expect([loaded.statusCode, loaded.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(loaded.rawPayload.equals(jpeg)).toBe(true)
    const sales = await world.addUser('sales', ['trucks'])
    expect((await load(uid, sales.token)).statusCode).toBe(200)
    const { uid: otherClient } = await world.addClient()
    const client = await world.addUser('client', ['pop', 'overview'], otherClient)
    for (const { token } of [client, people.driver, people.client])
      expect((await load(uid, token)).statusCode).toBe(403)
    expect((await load(uid, '')).statusCode).toBe(401)
    expect((await load('01900000-0000-7000-8000-000000000000')).statusCode).toBe(404)
  })

  test('is gone after an hour, and with its device', async () => {
    const [old, removed] = [await shown(), await shown()]
    await age(old.device, '61 minutes')
    expect((await load(old.uid)).statusCode).toBe(404)
    expect(await newest(old.device)).toMatchObject({ state: 'done', hasPicture: false })
    expect(await app.blobs.size(pictureBlob(old.uid))).toBe(jpeg.length)
    await world.sweep()
    expect(await app.blobs.size(pictureBlob(old.uid))).toBeUndefined()
    expect(await app.blobs.size(pictureBlob(removed.uid))).toBe(jpeg.length)
    await call(devices.remove, { params: { uid: removed.device.uid } })
    expect((await load(removed.uid)).statusCode).toBe(404)
  })

  test('must be a JPEG of limited size', async () => {
    const device = await addDevice(await addTruck())
    const pictures = [
      Buffer.from('<svg/>').toString('base64'),
      Buffer.alloc(MAX_SCREEN_PICTURE_BYTES + 10, 255).toString('base64'),
    ]
    answering(await come(first, device), () => ({ result: 'done', picture: pictures.shift() ?? '' }))
    for (const answer of ['The screen answered without a picture.', "The screen's answer could not be read."]) {
      await give(device, 'showScreen')
      await vi.waitFor(async () =>
        expect(await newest(device)).toMatchObject({ state: 'refused', answer, hasPicture: false }),
      )
    }
  })
})

describe('the health of a screen', () => {
  const screen = {
    filesHeld: 3,
    filesNeeded: 5,
    bytesHeld: 3e9,
    bytesNeeded: 5e9,
    clockOffsetMs: -120,
    droppedFrames: 12,
    shownFrames: 60_000,
    playsWaiting: 40,
    playsLost: 0,
    gpsSource: 'bridge' as const,
    lastProblem: null,
  }
  const say = (socket: DeviceSocket, more: object) =>
    socket
      .timeout(5000)
      .emitWithAck('device-health', { at: new Date().toISOString(), gpsFix: true, appVersion: '2.0', ...more })

  test('is stored and shown with its files, frames and plays; older players have none', async () => {
    const device = await addDevice(await addTruck())
    const socket = await come(first, device, 'player-web')
    expect((await screenOf(device))?.health).toBeNull()
    await say(socket, {})
    expect((await screenOf(device))?.health).toMatchObject({ appVersion: '2.0', hasGpsFix: true, screen: null })
    await say(socket, { screen })
    expect((await screenOf(device))?.health?.screen).toEqual(screen)
    expect(await say(socket, { screen: { filesHeld: 1 } })).toHaveProperty('clockOffsetMs')
    expect((await screenOf(device))?.health?.screen).toMatchObject({ filesHeld: 1, filesNeeded: null, gpsSource: null })
    for (const wrong of [{ filesHeld: -1 }, { gpsSource: 'stars' }, { surprise: 1 }]) {
      expect(await say(socket, { screen: wrong })).toHaveProperty('error')
    }
  })

  test('says that it has no GPS, and gets the positions of its own truck', async () => {
    const [device, other] = [await addDevice(await addTruck()), await addDevice(await addTruck())]
    const [without, withOwn, older] = [
      await come(first, device, 'player-web'),
      await come(second, device, 'player-web'),
      await come(first, other),
    ]
    const got: [name: string, position: unknown][] = []
    for (const [name, socket] of Object.entries({ without, withOwn, older }))
      socket.on('truck-position', (position) => got.push([name, position]))
    const move = async (at: string, latitude: number) => {
      for (const { truckUid } of [device, other]) {
        await sql`insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh) values (${truckUid}, ${at}, ${latitude}, -96.8, 40)
          on conflict (truck_uid) do update
            set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude, speed_kmh = excluded.speed_kmh`.execute(
          db,
        )
      }
      await sql`select pg_notify('trucks_moved', '')`.execute(db)
    }
    await move('2026-11-16T12:00:00Z', 32.78)
    await say(without, { screen: { ...screen, gpsSource: null } })
    await say(withOwn, { screen })
    await say(older, {})
    const position = { at: '2026-11-16T12:00:00Z', latitude: 32.78, longitude: -96.8, speedKmh: 40 }
    await vi.waitFor(() => expect(got).toEqual([['without', position]]), { timeout: 5000 })
    await move('2026-11-16T12:00:10Z', 32.79)
    await vi.waitFor(() => expect(got.at(-1)?.[1]).toMatchObject({ latitude: 32.79 }), { timeout: 5000 })
    await say(without, { screen })
    await say(withOwn, { screen: { ...screen, gpsSource: 'server' } })
    await vi.waitFor(() => expect(got.at(-1)?.[0]).toBe('withOwn'), { timeout: 5000 })
    expect(got.map(([name]) => name)).toEqual(['without', 'without', 'withOwn'])
  })
})
