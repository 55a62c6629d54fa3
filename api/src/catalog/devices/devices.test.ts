import {
  type Device,
  devices,
  type DeviceKind,
  macAddress,
  PAIRING_CHARACTERS,
  type Truck,
  trucks,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { authenticateDevice } from './index.ts'

const world = await openWorld()
const { call, db } = world

let count = 0
const newMac = () => `AA:BB:CC:00:${String(Math.floor(++count / 90) + 10)}:${String((count % 90) + 10)}`
const addTruck = async (): Promise<Truck> =>
  (await call(trucks.create, { body: { number: `D-${++count}`, kind: 'led', state: 'active' } })).body.data
const add = async (truck: Truck, kind: DeviceKind = 'player'): Promise<Device> =>
  (await call(devices.create, { body: { truckUid: truck.uid, kind, macAddress: newMac() } })).body.data
const codeFor = async ({ uid }: Device) => (await call(devices.code, { params: { uid } })).body.data.code
// Each device from an address of its own, so that one test's failures do not slow another.
const pair = ({ macAddress: mac }: Pick<Device, 'macAddress'>, code: string) =>
  call(devices.pair, { body: { macAddress: mac, code } }, { token: '', address: `10.1.${++count % 250}.7` })
const paired = async (device: Device) => (await pair(device, await codeFor(device))).body.data.key
const ofTruck = async ({ uid }: Truck) => (await call(devices.list, { query: { truck: uid } })).body.data

describe('a MAC address', () => {
  test.each(['aa:bb:cc:0d:0e:0f', 'AA-BB-CC-0D-0E-0F', ' aabb.cc0d.0e0f ', 'aabbcc0d0e0f'])('may be %s', (typed) => {
    expect(macAddress.parse(typed)).toBe('AA:BB:CC:0D:0E:0F')
  })
  test.each(['', 'aa:bb:cc:0d:0e', 'aa:bb-cc:0d:0e:0f', 'gg:bb:cc:0d:0e:0f', 'aa:bb:cc:0d:0e:0f:00', 'aabb.cc0d0e0f'])(
    'is not %j',
    (typed) => {
      expect(macAddress.safeParse(typed).error?.issues[0]?.message).toMatch(/^A MAC address has twelve/)
    },
  )
  test('belongs to one device, and is free again when the device or its truck is deleted', async () => {
    const [one, other] = [await addTruck(), await addTruck()]
    const device = await add(one)
    const again = { body: { truckUid: other.uid, kind: 'driver', macAddress: device.macAddress } } as const
    const taken = await call(devices.create, again)
    expect([taken.status, taken.error.fields]).toEqual([
      409,
      { macAddress: 'Another device already has this MAC address.' },
    ])
    await call(devices.remove, { params: { uid: device.uid } })
    const second = await call(devices.create, again)
    expect(second.status).toBe(200)
    const key = await paired(second.body.data)
    await call(trucks.remove, { params: { uid: other.uid } })
    await expect(authenticateDevice(db, device.macAddress, key)).rejects.toThrow('Unknown MAC address')
    expect((await call(devices.create, { body: { ...again.body, truckUid: one.uid } })).status).toBe(200)
  })
  test('is refused for a truck that is gone', async () => {
    const truck = await addTruck()
    await call(trucks.remove, { params: { uid: truck.uid } })
    const refused = await call(devices.create, { body: { truckUid: truck.uid, kind: 'player', macAddress: newMac() } })
    expect([refused.status, refused.error.fields]).toEqual([400, { truckUid: 'Truck not found.' }])
  })
})

describe('pairing', () => {
  test('gives a key once for a code, and the truck has its player', async () => {
    const truck = await addTruck()
    const device = await add(truck)
    expect([device.state, truck.player]).toEqual(['unpaired', 'missing'])
    const given = (await call(devices.code, { params: { uid: device.uid } })).body.data
    expect(given.code).toMatch(new RegExp(`^[${PAIRING_CHARACTERS}]{8}$`))
    const minutes = (Date.parse(given.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14.5)
    expect(minutes).toBeLessThanOrEqual(15)
    expect((await ofTruck(truck))[0]).toMatchObject({ state: 'waiting', codeExpiresAt: given.expiresAt })

    const typed = `${given.code.slice(0, 4).toLowerCase()}-${given.code.slice(4)}`
    const { status, body } = await pair({ macAddress: device.macAddress.replaceAll(':', '').toLowerCase() }, typed)
    expect(status).toBe(200)
    expect(body.data.key).toMatch(/^[\w-]{43}$/)
    expect((await ofTruck(truck))[0]).toMatchObject({ state: 'paired', codeExpiresAt: null, revokedAt: null })
    expect((await call(trucks.get, { params: { uid: truck.uid } })).body.data.player).toBe('paired')
    expect(await authenticateDevice(db, device.macAddress, body.data.key)).toMatchObject({
      uid: device.uid,
      truckUid: truck.uid,
      kind: 'player',
    })
    expect((await pair(device, given.code)).error.code).toBe('pairingRefused')
  })

  test('tells a code to anyone who asks for it, and keeps it nowhere to be read', async () => {
    const device = await add(await addTruck())
    const asked = { params: { uid: device.uid } }
    const headers = { 'idempotency-key': `code-of-${device.uid}` }
    const first = (await call(devices.code, asked, { headers })).body.data
    const again = (await call(devices.code, asked, { headers })).body.data
    expect(again.code).not.toBe(first.code)
    expect(await db.selectFrom('idempotency_key').selectAll().execute()).toEqual([])
    expect((await pair(device, first.code)).error.code).toBe('pairingRefused')
    expect((await pair(device, again.code)).status).toBe(200)
  })

  test('refuses everything else in the same words', async () => {
    const truck = await addTruck()
    const [device, other] = [await add(truck), await add(truck)]
    const old = await codeFor(device)
    const code = await codeFor(device)
    const refusals = [
      await pair(device, old),
      await pair(device, 'ACDEFGHJ'),
      await pair(device, ''),
      await pair(other, code),
      await pair({ macAddress: 'FE:FE:FE:FE:FE:FE' }, code),
    ]
    await sql`update device set code_expires_at = now() - interval '1 second' where uid = ${device.uid}`.execute(db)
    refusals.push(await pair(device, code))
    for (const { status, error } of refusals) {
      expect([status, error]).toEqual([
        403,
        { code: 'pairingRefused', error: 'This code is wrong, expired or already used. Please request a new one.' },
      ])
    }
    expect((await ofTruck(truck)).map(({ state }) => state)).toEqual(['unpaired', 'unpaired'])
  })

  test('lets one of two at the same moment have the key', async () => {
    const device = await add(await addTruck())
    const code = await codeFor(device)
    const answers = await Promise.all([pair(device, code), pair(device, code), pair(device, code)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403, 403])
  })

  /** Tries a device from a network until it must wait, for longer than a test takes. */
  async function tryUntilBlocked(macAddress: string, key: string, addressOf: (n: number) => string) {
    const body = { macAddress, code: 'ACDEFGHJ' }
    let free = 0
    while ((await call(devices.pair, { body }, { token: '', address: addressOf(free) })).status === 403) {
      free += 1
      await sql`update throttle set blocked_until = blocked_until + interval '1 minute'
                 where key = ${key} and blocked_until > last_at`.execute(db)
    }
    return free
  }

  test('is slowed down at one device and network, at one device, and at one network', async () => {
    const [one, other] = [await add(await addTruck()), await add(await addTruck())]
    const pairKey = `pairing pair:10.9.9.8 ${one.macAddress}`
    expect(await tryUntilBlocked(one.macAddress, pairKey, () => '10.9.9.8')).toBe(6)
    const deviceKey = `pairing subject:${other.macAddress}`
    expect(await tryUntilBlocked(other.macAddress, deviceKey, (n) => `10.9.8.${n}`)).toBe(21)
    const fromOne = []
    for (let n = 1; n <= 34; n++) {
      const body = { macAddress: newMac(), code: 'ACDEFGHJ' }
      fromOne.push((await call(devices.pair, { body }, { token: '', address: '10.9.9.9' })).status)
    }
    expect(fromOne).toContain(429)
  })

  test('by strangers who guess codes does not delay a new code, nor the network where it was created', async () => {
    const device = await add(await addTruck())
    const deviceKey = `pairing subject:${device.macAddress}`
    await codeFor(device)
    await tryUntilBlocked(device.macAddress, deviceKey, (n) => `10.8.8.${n}`)
    const code = await codeFor(device)
    await tryUntilBlocked(device.macAddress, deviceKey, (n) => `10.8.7.${n}`)
    expect((await pair(device, code)).status).toBe(429)
    const body = { macAddress: device.macAddress, code }
    expect((await call(devices.pair, { body }, { token: '' })).status).toBe(200)
    // A new code ends the wait everywhere.
    expect((await pair(device, await codeFor(device))).status).toBe(200)
  })

  test('again keeps the old key until the new code is used, which ends it', async () => {
    const truck = await addTruck()
    const device = await add(truck)
    const first = await paired(device)
    const code = await codeFor(device)
    expect((await ofTruck(truck))[0]).toMatchObject({ state: 'paired', codeExpiresAt: expect.any(String) as string })
    expect(await authenticateDevice(db, device.macAddress, first)).toBeDefined()
    const second = (await pair(device, code)).body.data.key
    await expect(authenticateDevice(db, device.macAddress, first)).rejects.toThrow('Wrong device key')
    expect(await authenticateDevice(db, device.macAddress, second)).toBeDefined()
  })

  test('is taken back with the key and any code', async () => {
    const truck = await addTruck()
    const device = await add(truck)
    const key = await paired(device)
    const code = await codeFor(device)
    const revoked = await call(devices.revoke, { params: { uid: device.uid } })
    expect(revoked.body.data).toMatchObject({ state: 'revoked', pairedAt: null, codeExpiresAt: null })
    await expect(authenticateDevice(db, device.macAddress, key)).rejects.toThrow('was revoked')
    expect((await pair(device, code)).status).toBe(403)
    expect((await call(trucks.get, { params: { uid: truck.uid } })).body.data.player).toBe('missing')
    await paired(device)
    expect((await ofTruck(truck))[0]).toMatchObject({ state: 'paired', revokedAt: null })
  })

  test('keeps neither codes nor keys in the clear, nor in the history', async () => {
    const device = await add(await addTruck())
    const code = await codeFor(device)
    const key = (await pair(device, code)).body.data.key
    const { rows } = await sql<{ kept: string }>`
      select d::text || (select string_agg(h::text, '') from history h where record_uid = d.uid) as kept
        from device d where uid = ${device.uid}`.execute(db)
    expect(rows[0]?.kept).not.toContain(code)
    expect(rows[0]?.kept).not.toContain(key)
    const { body } = await call(devices.history, { params: { uid: device.uid }, query: {} })
    const fields = body.data.flatMap((change) => change.fields.map(({ field }) => field))
    expect(new Set(fields)).toEqual(new Set(['kind', 'macAddress', 'codeExpiresAt', 'pairedAt']))
    expect(body.data[0]?.by).toBeNull()
  })
})

test('the list of trucks filters by player, exactly also after a device was paired or revoked', async () => {
  const [one, other] = [await addTruck(), await addTruck()]
  const player = await add(one)
  await add(other, 'driver')
  const total = async (state: 'paired' | 'missing') =>
    (await call(trucks.list, { query: { player: state, pageSize: '1' } })).body.total
  const [before, missing] = [await total('paired'), await total('missing')]
  await paired(player)
  expect([await total('paired'), await total('missing')]).toEqual([before + 1, missing - 1])
  await call(devices.revoke, { params: { uid: player.uid } })
  expect([await total('paired'), await total('missing')]).toEqual([before, missing])
})

test('someone who may only look at trucks changes no device', async () => {
  const { token } = await world.addUser('sales', ['trucks'])
  const { uid } = await add(await addTruck())
  expect((await call(devices.list, { query: {} }, { token })).status).toBe(200)
  for (const endpoint of [devices.code, devices.revoke, devices.remove]) {
    expect((await call(endpoint, { params: { uid } }, { token })).status).toBe(403)
  }
})

test('an id that names no device answers 404', async () => {
  const params = { uid: '01900000-0000-7000-8000-000000000000' }
  for (const endpoint of [devices.code, devices.revoke, devices.remove]) {
    expect((await call(endpoint, { params })).status).toBe(404)
  }
})
