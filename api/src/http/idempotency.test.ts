import { trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '../test-world.ts'

const world = await openWorld()
let count = 0
const newKey = () => `test-key-${++count}`
const newTruck = () => ({ number: `T-${++count}`, kind: 'led', state: 'active' }) as const

const create = (body: ReturnType<typeof newTruck>, key: string, token = world.people.admin.token) =>
  world.call(trucks.create, { body }, { token, headers: { 'idempotency-key': key } })

const countTrucks = async () => (await world.call(trucks.list, { query: {} })).body.total

describe('a POST with an Idempotency-Key', () => {
  test('creates once, and its retry gets the same answer', async () => {
    const [truck, key, before] = [newTruck(), newKey(), await countTrucks()]
    const first = await create(truck, key)
    const again = await create(truck, key)
    expect(first.status).toBe(200)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(await countTrucks()).toBe(before + 1)
  })

  test('creates once also when it comes ten times at the same moment', async () => {
    const [truck, key, before] = [newTruck(), newKey(), await countTrucks()]
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(truck, key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 ${answers[0]?.text}`]),
    )
    expect(await countTrucks()).toBe(before + 1)
  })

  test('gets the first answer even when the record has changed since', async () => {
    const [truck, key] = [newTruck(), newKey()]
    const { uid, version } = (await create(truck, key)).body.data
    await world.call(trucks.update, { body: { ...truck, note: 'changed', uid, version } })
    expect((await create(truck, key)).body.data).toMatchObject({ uid, version: 1, note: '' })
  })

  test('is refused when the key was used for something else', async () => {
    const [key, before] = [newKey(), await countTrucks()]
    await create(newTruck(), key)
    const other = await create(newTruck(), key)
    expect([other.status, other.error.code]).toEqual([409, 'keyReused'])
    expect(await countTrucks()).toBe(before + 1)
  })

  test('shares its key with nobody else’s', async () => {
    const [key, before] = [newKey(), await countTrucks()]
    const other = await world.addUser('admin')
    const [mine, theirs] = [await create(newTruck(), key), await create(newTruck(), key, other.token)]
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(mine.body.data.uid).not.toBe(theirs.body.data.uid)
    expect(await countTrucks()).toBe(before + 2)
  })

  test('leaves the key free when it is refused', async () => {
    const [taken, key] = [newTruck(), newKey()]
    const { uid } = (await create(taken, newKey())).body.data
    expect((await create(taken, key)).error.code).toBe('numberTaken')
    await world.call(trucks.remove, { params: { uid } })
    expect((await create(taken, key)).status).toBe(200)
  })

  test('leaves the key free when who calls may not', async () => {
    const [truck, key] = [newTruck(), newKey()]
    expect((await create(truck, key, world.people.sales.token)).status).toBe(403)
    expect((await create(truck, key)).status).toBe(200)
  })

  test.each(['', 'short', 'x'.repeat(201), 'with some spaces', 'größe-größe'])(
    'is refused with the key %j',
    async (key) => {
      const before = await countTrucks()
      const answer = await create(newTruck(), key)
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'badRequest', error: 'An Idempotency-Key has 8 to 200 visible characters.' },
      })
      expect(await countTrucks()).toBe(before)
    },
  )
})

test('without a key every POST counts, and a PUT needs none', async () => {
  const [truck, key] = [newTruck(), newKey()]
  const { uid, version } = (await world.call(trucks.create, { body: truck })).body.data
  expect((await world.call(trucks.create, { body: truck })).error.code).toBe('numberTaken')
  const headers = { 'idempotency-key': key }
  expect((await world.call(trucks.update, { body: { ...truck, uid, version } }, { headers })).body.data.version).toBe(2)
  expect((await world.call(trucks.update, { body: { ...truck, uid, version } }, { headers })).error.code).toBe(
    'staleVersion',
  )
})
