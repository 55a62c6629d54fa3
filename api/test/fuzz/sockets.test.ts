import type { AddressInfo } from 'node:net'
import {
  type DeviceClientType,
  deviceHealth,
  type DeviceToServer,
  driverIssue,
  driverShift,
  modules,
  play,
  type WebToServer,
} from '@roadshow/contract'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { fleetSockets } from '../../src/live/fleet/index.ts'
import { deviceChannels } from '../../src/live/players/index.ts'
import { fleetOf } from '../../src/live/players/test-fleet.ts'
import { openSockets } from '../../src/platform/sockets/index.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { rounds, seed, timeoutOf } from './test-settings.ts'
import { diceOf, hostile, valuesOf } from './test-values.ts'

const world = await openWorld()
const { app, db } = world
const fleet = fleetOf(world)
const failures = vi.spyOn(app.log, 'error')

const sockets = await openSockets(app, world.url, {
  modules: [deviceChannels(app), fleetSockets(app)],
  connectsPerMinute: 100_000,
})
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => sockets.close())
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** Every event that someone may send, and what belongs into it. One that is missing here does not compile. */
const events: Record<keyof DeviceToServer | keyof WebToServer, z.ZodType> = {
  test: z.unknown(),
  'get-driver-data': z.null(),
  'get-player-data': z.null(),
  'get-player-data-web': z.null(),
  'player-plays': z.array(play).max(5),
  'driver-shift': z.array(driverShift).max(5),
  'driver-issue': z.array(driverIssue).max(5),
  'device-health': deviceHealth,
  'get-all-geotab-stats': z.null(),
}
const names = Object.keys(events) as (keyof typeof events)[]

const running = await fleet.addRunning()
const devices: Record<DeviceClientType, { macAddress: string; key: string }> = {
  player: running.device,
  'player-web': running.device,
  driver: await fleet.addDevice(running.truckUid, 'driver'),
}
const page = await world.addUser('client', modules)
const handshakes = {
  web: { clientType: 'web', userUid: page.uid, token: page.token },
  ...Object.fromEntries(
    Object.entries(devices).map(([clientType, { macAddress, key }]) => [clientType, { clientType, macAddress, key }]),
  ),
}

async function come(handshake: object): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth: handshake })
  afterAll(() => void socket.disconnect())
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  return socket
}

const MAX_WAIT_MS = 15_000

/** What becomes of someone who says this of themselves. */
const knock = (auth: object) =>
  new Promise<string>((resolve) => {
    const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth })
    const timer = setTimeout(() => end('left waiting'), MAX_WAIT_MS)
    const end = (what: string) => {
      clearTimeout(timer)
      resolve(what)
      socket.disconnect()
    }
    socket.on('connect', () => end('let in'))
    socket.on('connect_error', (error: Error & { data?: { code: string } }) => end(error.data?.code ?? error.message))
    // A handshake that is no handshake has no answer but this.
    socket.io.once('close', () => end('hung up'))
  })

/** The code of a refusal, which a handshake in order always gets. */
const refusalCode = (auth: object) =>
  new Promise<string | undefined>((resolve) => {
    const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth })
    afterAll(() => void socket.disconnect())
    socket.on('connect', () => resolve('let in'))
    socket.on('connect_error', (error: Error & { data?: { code: string } }) => resolve(error.data?.code))
  })

/** What came back: an answer, that the server hung up, or nothing. */
function outcome(socket: Socket, send: (answer: (reply: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('nothing'), MAX_WAIT_MS)
    const end = (reply: unknown) => {
      clearTimeout(timer)
      resolve(reply)
    }
    socket.once('disconnect', () => end('hung up'))
    send(end)
  })
}

const isWell = async (socket: Socket) =>
  expect(await outcome(socket, (answer) => socket.emit('test', 1, answer))).toMatchObject({ got: 1 })

const pools = new Map([
  ['truck', [running.truckUid]],
  ['client_program', [running.programUid]],
  ['artwork_set', [running.art.uid]],
  ['shift', [running.shift.uid]],
])

describe(`every event, whatever it is sent (FUZZ_SEED=${seed})`, () => {
  test.each(Object.entries(handshakes))(
    'of %s is answered, and no one else notices',
    async (clientType, handshake) => {
      const dice = diceOf(seed * 1000 + clientType.length)
      const values = valuesOf(dice, () => pools)
      const bystanders = [await come(handshakes.web), await come({ ...handshake })]
      const problems: string[] = []
      let socket = await come(handshake)
      for (const name of rounds(names, 4, 0.2)) {
        const right = values.valid(events[name])
        const sent = dice.pick([right, right, values.nearly(right), values.hostile(right), dice.pick(hostile)])
        const more = dice.chance(0.1) ? [dice.pick(hostile), dice.pick(hostile)] : []
        const reply = await outcome(socket, (answer) => socket.emit(name, sent, ...more, answer))
        const told = () => problems.push(`${name} ${JSON.stringify(sent)?.slice(0, 400)} → ${JSON.stringify(reply)}`)
        if (reply === 'nothing') told()
        else if (reply === 'hung up') socket = await come(handshake)
        else if (typeof reply !== 'object' || reply === null || (reply as { code?: string }).code === 'internal') told()
        // No one has to want an answer.
        if (dice.chance(0.2)) socket.emit(name, sent)
      }
      expect(problems.join('\n')).toBe('')
      await Promise.all([...bystanders, socket].map(isWell))
      expect(failures.mock.calls).toEqual([])
    },
    timeoutOf(0.2),
  )

  const frames = [
    '2',
    '2[',
    '2["x"',
    '2["disconnect"]',
    '2["connect_error"]',
    '2["newListener"]',
    '2{"a":1}',
    '2[1]',
    '2[null]',
    '2[[]]',
    '2["__proto__"]',
    '2["constructor",1]',
    '2["test"]',
    '27["test"]',
    '299999999999999999999["test"]',
    '2/other,["test"]',
    '51-["test",{"_placeholder":true,"num":0}]',
    '51-["test",{"_placeholder":true,"num":99}]',
    '59999999999-["test"]',
    '5-1-["test"]',
    '3',
    '3999[]',
    '30[null]',
    '4{"message":1}',
    '6',
    '7',
    '9',
    '',
    '\0',
    '0{"token":1}',
    '0',
    '1',
  ]

  test('also when it is no message at all: the line is kept or cut, and others stay', async () => {
    const bystander = await come(handshakes.web)
    for (const frame of [...frames, 'x'.repeat(1_100_000), Buffer.from([1, 2, 3]), Buffer.alloc(1_100_000)]) {
      const socket = await come(handshakes.web)
      const gone = new Promise<string>((resolve) => socket.on('disconnect', () => resolve('hung up')))
      socket.io.engine.write(frame)
      const answered = new Promise<string>((resolve) => socket.emit('test', 1, () => resolve('answered')))
      const late = new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), MAX_WAIT_MS).unref())
      const what = typeof frame === 'string' ? frame.slice(0, 60) : `${frame.length} bytes`
      expect(await Promise.race([gone, answered, late]), what).not.toBe('nothing')
      socket.disconnect()
    }
    await isWell(bystander)
    expect(failures.mock.calls).toEqual([])
  })

  test('and no API key is let in, in whatever field it comes', async () => {
    const { token } = await world.addKey({ access: 'write' })
    for (const handshake of Object.values(handshakes)) {
      for (const field of ['token', 'key']) {
        expect(await refusalCode({ ...handshake, [field]: token })).toBe('keyRefused')
      }
    }
  })

  test('and no handshake that means harm is let in or left waiting', async () => {
    const dice = diceOf(seed)
    const values = valuesOf(dice, () => pools)
    for (let n = 0; n < 40; n++) {
      const right: object = dice.pick(Object.values(handshakes))
      const auth = values.hostile(right)
      if (JSON.stringify(auth) === JSON.stringify(right) || typeof auth !== 'object' || auth === null) continue
      expect(await knock(auth), JSON.stringify(auth).slice(0, 300)).toMatch(
        /^(hung up|signedOut|badInput|deviceUnknown|deviceKey|deviceKind)$/,
      )
    }
    await isWell(await come(handshakes.web))
    const seen = await db.selectFrom('session').select('uid').where('user_uid', '=', page.uid).execute()
    expect(seen).toHaveLength(1)
  })
})
