import { type Device, devices, PAIRING_CHARACTERS, screenPairings, type Truck, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { authenticateDevice } from './index.ts'
import { MAX_SCREENS_OF_NETWORK } from './screen-pairing.ts'

const world = await openWorld()
const { call, db, people } = world

let count = 0
const newMac = () => `02:BB:CC:00:${String(Math.floor(++count / 90) + 10)}:${String((count % 90) + 10)}`
const newAddress = () => `10.7.${++count % 250}.9`
const addTruck = async (): Promise<Truck> =>
  (await call(trucks.create, { body: { number: `S-${++count}`, kind: 'led', state: 'active' } })).body.data

/** A screen as it is before it is paired: it has a MAC address and a network, and no session. */
function newScreen(macAddress = newMac(), address = newAddress()) {
  const asScreen = { token: '', address }
  const open = () => call(screenPairings.open, { body: { macAddress } }, asScreen)
  const collect = (secret: string) => call(screenPairings.collect, { body: { secret } }, asScreen)
  return { macAddress, open, collect, shown: async () => (await open()).body.data }
}

const claim = (truck: Truck, code: string, caller: { token?: string; address?: string } = {}) =>
  call(screenPairings.claim, { body: { truckUid: truck.uid, code } }, { address: newAddress(), ...caller })
const deviceOf = async ({ uid }: Truck): Promise<Device | undefined> =>
  (await call(devices.list, { query: { truck: uid } })).body.data[0]
const expire = (macAddress: string) =>
  sql`update screen_pairing set expires_at = now() - interval '1 second' where mac_address = ${macAddress}`.execute(db)

describe('a screen that shows a code', () => {
  test('becomes the player of the truck that the code is entered for, and collects its key once', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { code, secret, expiresAt } = await screen.shown()
    expect(code).toMatch(new RegExp(`^[${PAIRING_CHARACTERS}]{8}$`))
    expect((Date.parse(expiresAt) - Date.now()) / 60_000).toBeCloseTo(15, 0)
    expect((await screen.collect(secret)).body.data).toEqual({ state: 'waiting', key: null, deviceUid: null })

    const typed = `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`
    const claimed = await claim(truck, typed)
    expect(claimed.body.data).toMatchObject({
      truckUid: truck.uid,
      kind: 'player',
      macAddress: screen.macAddress,
      state: 'waiting',
      codeExpiresAt: expiresAt,
    })
    const { state, key, deviceUid } = (await screen.collect(secret)).body.data
    expect([state, key]).toEqual(['paired', expect.stringMatching(/^[\w-]{43}$/)])
    expect(deviceUid).toBe((await deviceOf(truck))?.uid)
    expect(await authenticateDevice(db, screen.macAddress, String(key))).toMatchObject({ truckUid: truck.uid })
    expect(await deviceOf(truck)).toMatchObject({ state: 'paired', codeExpiresAt: null })
    expect((await screen.collect(secret)).body.data).toEqual({ state: 'expired', key: null, deviceUid: null })
    expect((await claim(truck, code)).error.fields).toMatchObject({ code: expect.stringContaining('already used') })
  })

  test('is paired by one of two calls that collect at the same time', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { code, secret } = await screen.shown()
    await claim(truck, code)
    const answers = await Promise.all([1, 2, 3].map(() => screen.collect(secret)))
    const keys = answers.flatMap(({ body }) => body.data.key ?? [])
    expect(keys).toHaveLength(1)
    expect(await authenticateDevice(db, screen.macAddress, String(keys[0]))).toMatchObject({ truckUid: truck.uid })
  })

  test('gets a new code when it asks again; the old code and secret stop working', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const [old, fresh] = [await screen.shown(), await screen.shown()]
    expect((await claim(truck, old.code)).error.fields).toHaveProperty('code')
    expect((await screen.collect(old.secret)).body.data.state).toBe('expired')
    expect((await claim(truck, fresh.code)).status).toBe(200)
    expect((await screen.collect(fresh.secret)).body.data.state).toBe('paired')
  })

  test('keeps its code when another network asks with the same MAC address', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { code, secret } = await screen.shown()
    const stranger = newScreen(screen.macAddress)
    const strange = await stranger.shown()
    expect((await claim(truck, code)).status).toBe(200)
    expect((await stranger.collect(strange.secret)).body.data.state).toBe('waiting')
    expect((await screen.collect(secret)).body.data.state).toBe('paired')
  })

  test('is worthless after a quarter of an hour, before and after the code was entered', async () => {
    const [truck, screen, late] = [await addTruck(), newScreen(), newScreen()]
    const [shown, claimed] = [await screen.shown(), await late.shown()]
    await claim(truck, claimed.code)
    await expire(screen.macAddress)
    await expire(late.macAddress)
    expect((await claim(truck, shown.code)).error.fields).toHaveProperty('code')
    expect((await late.collect(claimed.secret)).body.data).toEqual({ state: 'expired', key: null, deviceUid: null })
    expect(await deviceOf(truck)).toMatchObject({ state: 'unpaired', codeExpiresAt: null })
  })

  test('is paired again as the same device, and ends the old key', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const first = await screen.shown()
    await claim(truck, first.code)
    const { key } = (await screen.collect(first.secret)).body.data
    const device = await deviceOf(truck)
    const second = await screen.shown()
    expect((await claim(truck, second.code)).body.data.uid).toBe(device?.uid)
    // Until the screen has the new key, the old one works.
    await authenticateDevice(db, screen.macAddress, String(key))
    expect((await screen.collect(second.secret)).body.data.state).toBe('paired')
    await expect(authenticateDevice(db, screen.macAddress, String(key))).rejects.toThrow('Wrong device key')
  })

  test('is not taken from another truck', async () => {
    const [truck, other, screen] = [await addTruck(), await addTruck(), newScreen()]
    const first = await screen.shown()
    await claim(truck, first.code)
    await screen.collect(first.secret)
    const second = await screen.shown()
    const { error } = await claim(other, second.code)
    expect(error.fields).toEqual({
      code: `This screen belongs to truck ${truck.number}. Remove its device there first.`,
    })
    expect(error.inTheWay).toEqual([
      { kind: 'truck', name: `Truck ${truck.number}`, screen: `/trucks?open=${truck.uid}&tab=devices`, act: null },
    ])
    expect(await deviceOf(other)).toBeUndefined()
  })

  test('gets no key once its device was revoked or deleted after the code was entered', async () => {
    for (const end of [devices.revoke, devices.remove]) {
      const [truck, screen] = [await addTruck(), newScreen()]
      const { code, secret } = await screen.shown()
      const { uid } = (await claim(truck, code)).body.data
      await call(end, { params: { uid } })
      expect((await screen.collect(secret)).body.data).toEqual({ state: 'expired', key: null, deviceUid: null })
    }
  })
})

describe('a code is entered', () => {
  test('only by users who may change trucks, with a line in the audit log', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { code } = await screen.shown()
    const sales = await world.addUser('sales', ['trucks'])
    for (const { token } of [sales, people.driver, people.client]) {
      expect((await claim(truck, code, { token })).status).toBe(403)
    }
    expect((await claim(truck, code, { token: '' })).status).toBe(401)
    expect((await claim(truck, code)).status).toBe(200)
    const lines = db.selectFrom('audit_log').select('actor_uid').where('kind', '=', 'screenClaimed')
    expect(await lines.where('subject', '=', screen.macAddress).execute()).toEqual([{ actor_uid: people.admin.uid }])
  })

  test('for a truck that is there', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { code } = await screen.shown()
    await call(trucks.remove, { params: { uid: truck.uid } })
    expect((await claim(truck, code)).error.fields).toEqual({ truckUid: 'Truck not found.' })
  })

  test('a few times wrong; then the user waits', async () => {
    const [truck, screen] = [await addTruck(), newScreen()]
    const { token } = await world.addUser('admin')
    const guess = (code: string) => claim(truck, code, { token, address: '10.9.9.9' })
    const answers = []
    for (let tried = 0; tried < 8; tried++) answers.push((await guess('33333333')).status)
    expect(answers.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(answers.at(-1)).toBe(429)
    expect((await guess((await screen.shown()).code)).status).toBe(429)
  })
})

test('one network shows a limited number of codes at once', async () => {
  const address = newAddress()
  const answers = []
  for (let screens = 0; screens <= MAX_SCREENS_OF_NETWORK; screens++) {
    answers.push((await newScreen(newMac(), address).open()).status)
  }
  expect(answers.slice(0, -1).every((status) => status === 200)).toBe(true)
  expect(answers.at(-1)).toBe(429)
  expect((await newScreen().open()).status).toBe(200)
})
