import { auth, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

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

  test('shares its key with no one else’s', async () => {
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

describe('a change or a deletion with an Idempotency-Key', () => {
  const added = async () => {
    const truck = newTruck()
    const { uid, version } = (await world.call(trucks.create, { body: truck })).body.data
    const change = (note: string, key: string) =>
      world.call(trucks.update, { body: { ...truck, uid, version, note } }, { headers: { 'idempotency-key': key } })
    const remove = (key: string, which = uid) =>
      world.call(trucks.remove, { params: { uid: which } }, { headers: { 'idempotency-key': key } })
    return { uid, change, remove }
  }
  const saved = async (uid: string) => (await world.call(trucks.get, { params: { uid } })).body.data

  test('is made once: who lost the answer gets it again, not that someone changed the record', async () => {
    const { uid, change } = await added()
    const key = newKey()
    const lost = await change('mine', key)
    const again = await change('mine', key)
    expect(lost.status).toBe(200)
    expect([again.status, again.text]).toEqual([200, lost.text])
    expect(await saved(uid)).toMatchObject({ version: 2, note: 'mine' })
    const history = (await world.call(trucks.history, { params: { uid }, query: {} })).body
    expect(history.total).toBe(2)
    expect((await change('mine', newKey())).error.code).toBe('staleVersion')
  })

  test('is made once also when it comes five times at the same moment', async () => {
    const { uid, change, remove } = await added()
    const [changing, removing] = [newKey(), newKey()]
    const five = <T>(of: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, of))
    expect((await five(() => change('mine', changing))).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await saved(uid)).toMatchObject({ version: 2 })
    const removed = await five(() => remove(removing))
    expect(removed.map(({ status, body }) => [status, body.data])).toEqual(removed.map(() => [200, { uid }]))
    expect((await remove(newKey())).status).toBe(404)
  })

  test('is refused when the key was used for another body, another record or another call', async () => {
    const [one, other] = [await added(), await added()]
    const key = newKey()
    await one.change('mine', key)
    const refused = [await one.change('another', key), await other.change('mine', key), await one.remove(key)]
    expect(refused.map(({ error }) => error.code)).toEqual(['keyReused', 'keyReused', 'keyReused'])
    const removing = newKey()
    await one.remove(removing)
    expect((await one.remove(removing, other.uid)).error.code).toBe('keyReused')
    expect(await saved(other.uid)).toMatchObject({ version: 1 })
  })

  test('leaves the key free when it is refused', async () => {
    const { uid, change } = await added()
    const key = newKey()
    await change('theirs', newKey())
    expect((await change('mine', key)).error.code).toBe('staleVersion')
    expect((await change('mine', key)).error.code).toBe('staleVersion')
    expect(await saved(uid)).toMatchObject({ note: 'theirs' })
  })
})

test('what a call notes in the audit log waits for no second connection', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => world.addUser('driver')))
  // More than the pool has connections, each in a transaction of its own.
  const answers = await Promise.all(
    people.map(({ token }) => world.call(auth.logout, {}, { token, headers: { 'idempotency-key': newKey() } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
  const noted = world.db.selectFrom('audit_log').select('actor_uid').where('kind', '=', 'signedOut')
  expect(new Set((await noted.execute()).map(({ actor_uid }) => actor_uid))).toEqual(
    new Set(people.map(({ uid }) => uid)),
  )
}, 8000)

test('without a key every write counts', async () => {
  const truck = newTruck()
  const { uid, version } = (await world.call(trucks.create, { body: truck })).body.data
  expect((await world.call(trucks.create, { body: truck })).error.code).toBe('numberTaken')
  const change = () => world.call(trucks.update, { body: { ...truck, uid, version } })
  expect((await change()).body.data.version).toBe(2)
  expect((await change()).error.code).toBe('staleVersion')
})
