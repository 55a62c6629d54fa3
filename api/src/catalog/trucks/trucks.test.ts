import { type InputOf, type Truck, type TruckInput, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db } = world

let count = 0
/** A VIN that no one else has. */
const newVin = () => `1HT${String(++count).padStart(14, '0')}`
const newTruck = (given: Partial<TruckInput> = {}): TruckInput => ({
  number: `N-${++count}`,
  kind: 'led',
  state: 'active',
  ...given,
})

async function add(given: Partial<TruckInput> = {}): Promise<Truck> {
  const { status, body, text } = await call(trucks.create, { body: newTruck(given) })
  expect(status, text).toBe(200)
  return body.data
}

const addMarket = async (name: string) => (await world.addMarket(name)).uid

const remove = ({ uid }: Truck) => call(trucks.remove, { params: { uid } })
const asInput = ({ number, plate, vin, kind, state, homeMarket, note }: Truck): TruckInput => {
  const homeMarketUid = homeMarket?.uid ?? null
  return { number, plate, vin, kind, state, homeMarketUid, note }
}
const change = (truck: Truck, given: Partial<TruckInput>) =>
  call(trucks.update, { body: { ...asInput(truck), uid: truck.uid, version: truck.version, ...given } })

/** How many calls got which status. */
function tally(answers: { status: number }[]) {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

type Query = InputOf<typeof trucks.list>['query']
const list = async (query: Query) => (await call(trucks.list, { query })).body
const numbers = async (query: Query) => (await list({ pageSize: '200', ...query })).data.map((row) => row.number)

const dallas = await addMarket('Dallas')
const austin = await addMarket('Austin')

describe('a truck', () => {
  test('is added, read and listed with its home market', async () => {
    const given = {
      number: 'A-1',
      plate: 'abc-123',
      vin: newVin(),
      kind: 'printed',
      state: 'inShop',
      homeMarketUid: dallas,
      note: 'Two\nlines',
    } as const
    const truck = await add(given)
    expect(truck).toMatchObject({
      uid: truck.uid,
      number: 'A-1',
      plate: 'ABC-123',
      vin: given.vin,
      kind: 'printed',
      state: 'inShop',
      homeMarket: { uid: dallas, name: 'Dallas', zone: 'America/Chicago' },
      note: 'Two\nlines',
      createdAt: truck.createdAt,
      updatedAt: truck.createdAt,
      version: 1,
    })
    expect(truck.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    expect(Math.abs(Date.parse(truck.createdAt) - Date.now())).toBeLessThan(60_000)
    expect((await call(trucks.get, { params: truck })).body.data).toEqual(truck)
    expect((await list({ search: given.vin })).data).toEqual([truck])
  })

  test('is changed at its version, and a slower user gets a conflict', async () => {
    const truck = await add({ homeMarketUid: dallas })
    const changed = await change(truck, { note: 'first', homeMarketUid: null })
    expect(changed.body.data).toMatchObject({
      uid: truck.uid,
      note: 'first',
      homeMarket: null,
      version: 2,
      createdAt: truck.createdAt,
    })
    expect(changed.body.data.updatedAt > truck.updatedAt).toBe(true)
    const slower = await change(truck, { note: 'second' })
    expect([slower.status, slower.error]).toEqual([
      409,
      { code: 'staleVersion', error: 'Someone else changed this record. Reload to see their changes.' },
    ])
    expect((await change({ ...truck, version: 3 }, { note: 'from the future' })).status).toBe(409)
    expect((await call(trucks.get, { params: truck })).body.data).toEqual(changed.body.data)
  })

  test('is changed by exactly one of ten at the same moment', async () => {
    const truck = await add()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => change(truck, { note: `by ${n}` })))
    expect(tally(answers)).toEqual({ 200: 1, 409: 9 })
    const winner = answers.find(({ status }) => status === 200)?.body.data
    expect((await call(trucks.get, { params: truck })).body.data).toEqual(winner)
  })

  test('that is deleted is gone for every call, but not from the database', async () => {
    const [truck, other] = [await add(), await add()]
    const { total } = await list({})
    expect((await remove(truck)).body).toEqual({ data: { uid: truck.uid } })
    for (const answer of [
      await call(trucks.get, { params: truck }),
      await change(truck, { note: 'late' }),
      await remove(truck),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'notFound'])
    }
    expect((await list({})).total).toBe(total - 1)
    expect(await numbers({ search: truck.number })).not.toContain(truck.number)
    expect((await call(trucks.get, { params: other })).status).toBe(200)
    const kept = await db.selectFrom('truck').selectAll().where('uid', '=', truck.uid).executeTakeFirstOrThrow()
    expect(kept.deleted_at).not.toBeNull()
  })

  test('that never was answers 404', async () => {
    const truck = { ...(await add()), uid: '01900000-0000-7000-8000-000000000000' }
    for (const answer of [await call(trucks.get, { params: truck }), await change(truck, {}), await remove(truck)]) {
      expect(answer.status).toBe(404)
    }
  })
})

describe('no two trucks have the same', () => {
  const taken = (field: string, message: string) => ({ status: 409, error: { fields: { [field]: message } } })

  test('number, in whatever case', async () => {
    const truck = await add({ number: 'Truck Ä-7' })
    const other = await add()
    const refused = taken('number', 'Another truck already has this number.')
    for (const number of ['Truck Ä-7', 'TRUCK Ä-7', ' truck ä-7 ']) {
      expect(await call(trucks.create, { body: newTruck({ number }) }), number).toMatchObject(refused)
      expect(await change(other, { number }), number).toMatchObject(refused)
    }
    expect((await change(truck, { number: 'TRUCK ä-7' })).status).toBe(200)
    await add({ number: 'Truck Ä-07' })
  })

  test('plate, which is measured as it is kept', async () => {
    expect((await add({ plate: ` ${'ß'.repeat(6)} ` })).plate).toBe('S'.repeat(12))
    const long = await call(trucks.create, { body: newTruck({ plate: 'ß'.repeat(7) }) })
    expect([long.status, long.error.fields]).toEqual([400, { plate: 'At most 12 characters.' }])
  })

  test('plate, unless it has none', async () => {
    await add({ plate: 'XYZ-1' })
    const other = await add({ plate: '' })
    const refused = taken('plate', 'Another truck already has this plate.')
    expect(await call(trucks.create, { body: newTruck({ plate: 'xyz-1' }) })).toMatchObject(refused)
    expect(await change(other, { plate: 'XYZ-1' })).toMatchObject(refused)
    await add({ plate: '' })
  })

  test('VIN, unless it has none', async () => {
    const vin = newVin()
    await add({ vin })
    const other = await add({ vin: '' })
    const refused = taken('vin', 'Another truck already has this VIN.')
    expect(await call(trucks.create, { body: newTruck({ vin: vin.toLowerCase() }) })).toMatchObject(refused)
    expect(await change(other, { vin })).toMatchObject(refused)
    await add({ vin: '' })
  })

  test('as long as both are there: a deleted truck’s number, plate and VIN are free again', async () => {
    const given = { number: 'Free-1', plate: 'FREE-1', vin: newVin() }
    await remove(await add(given))
    await add(given)
  })

  test('number, when they are added at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(trucks.create, { body: newTruck({ number: 'Race-1' }) })),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 7 })
  })
})

test('a home market must be one that is there', async () => {
  const gone = await addMarket('Ghost town')
  await db.updateTable('market').set({ deleted_at: new Date() }).where('uid', '=', gone).execute()
  const truck = await add()
  for (const homeMarketUid of [gone, '01900000-0000-7000-8000-000000000000']) {
    for (const answer of [
      await call(trucks.create, { body: newTruck({ homeMarketUid }) }),
      await change(truck, { homeMarketUid }),
    ]) {
      expect([answer.status, answer.error.fields]).toEqual([400, { homeMarketUid: 'Market not found.' }])
    }
  }
})

describe('the history of a truck', () => {
  test('says who did what when, from where, with old and new values, and markets by their names', async () => {
    const truck = (
      await call(
        trucks.create,
        { body: newTruck({ number: 'H-1', homeMarketUid: dallas }) },
        { address: '203.0.113.5' },
      )
    ).body.data
    const other = await add({ note: 'someone else’s row' })
    await change(other, { note: 'changed' })
    const second = await world.addUser('admin')
    await db.updateTable('user_account').set({ name: 'Second Admin' }).where('uid', '=', second.uid).execute()
    const body = { ...asInput(truck), uid: truck.uid, version: 1, plate: 'H-PLATE', homeMarketUid: austin, note: 'x' }
    await call(trucks.update, { body }, { token: second.token, address: '203.0.113.6' })
    await call(trucks.update, { body: { ...body, version: 2, homeMarketUid: null, state: 'retired' } })

    const { body: history } = await call(trucks.history, { params: truck, query: {} })
    expect([history.total, history.page, history.pageSize]).toEqual([3, 1, 50])
    const fields = (index: number) => history.data[index]?.fields.toSorted((a, b) => a.field.localeCompare(b.field))
    expect(history.data[0]).toMatchObject({ action: 'changed', by: 'The admin', address: '127.0.0.1' })
    expect(fields(0)).toEqual([
      { field: 'homeMarket', old: 'Austin', new: null },
      { field: 'state', old: 'active', new: 'retired' },
    ])
    expect(history.data[1]).toMatchObject({ action: 'changed', by: 'Second Admin', address: '203.0.113.6' })
    expect(fields(1)).toEqual([
      { field: 'homeMarket', old: 'Dallas', new: 'Austin' },
      { field: 'note', old: '', new: 'x' },
      { field: 'plate', old: '', new: 'H-PLATE' },
    ])
    expect(history.data[2]).toMatchObject({
      action: 'created',
      by: 'The admin',
      address: '203.0.113.5',
      at: truck.createdAt,
    })
    expect(fields(2)).toEqual([
      { field: 'homeMarket', old: null, new: 'Dallas' },
      { field: 'kind', old: null, new: 'led' },
      { field: 'number', old: null, new: 'H-1' },
      { field: 'state', old: null, new: 'active' },
    ])
  })

  test('is paged, newest first', async () => {
    let truck = await add()
    for (let n = 1; n <= 5; n++) truck = (await change(truck, { note: `change ${n}` })).body.data
    const { body } = await call(trucks.history, { params: truck, query: { page: '2', pageSize: '2' } })
    expect([body.total, body.data.map(({ fields }) => fields[0]?.new)]).toEqual([6, ['change 3', 'change 2']])
    const past = await call(trucks.history, { params: truck, query: { page: '9' } })
    expect([past.body.total, past.body.data]).toEqual([6, []])
  })

  test('has nothing to say of a change that changed nothing, nor of one that was refused', async () => {
    const truck = await add()
    expect((await change(truck, {})).status).toBe(200)
    expect((await change(truck, { note: 'stale' })).status).toBe(409)
    expect((await call(trucks.history, { params: truck, query: {} })).body.total).toBe(1)
  })

  test('is kept and shown when the truck is deleted', async () => {
    const truck = await add()
    await call(trucks.remove, { params: truck }, { address: '203.0.113.8' })
    const { data } = (await call(trucks.history, { params: truck, query: {} })).body
    expect(data.map(({ action }) => action)).toEqual(['deleted', 'created'])
    const kept = await db.selectFrom('history').selectAll().where('record_uid', '=', truck.uid).orderBy('id').execute()
    expect(kept.map(({ action }) => action)).toEqual(['created', 'deleted'])
    expect(kept[1]).toMatchObject({ actor_uid: world.people.admin.uid, address: '203.0.113.8', changes: {} })
  })
})

describe('a salesperson with the trucks module', () => {
  test('sees trucks and changes none', async () => {
    const { token } = await world.addUser('sales', ['trucks'])
    const truck = await add({ note: 'not for sale' })
    const as = { token }
    expect((await call(trucks.get, { params: truck }, as)).body.data).toEqual(truck)
    expect((await call(trucks.list, { query: { search: 'not for sale' } }, as)).body.data).toEqual([truck])
    expect((await call(trucks.list, { query: { format: 'csv', search: 'not for sale' } }, as)).text).toContain(
      truck.number,
    )
    expect((await call(trucks.history, { params: truck, query: {} }, as)).body.total).toBe(1)
    const body = { ...asInput(truck), note: 'sold' }
    for (const answer of [
      await call(trucks.create, { body: newTruck() }, as),
      await call(trucks.update, { body: { ...body, uid: truck.uid, version: truck.version } }, as),
      await call(trucks.remove, { params: truck }, as),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await call(trucks.get, { params: truck })).body.data).toEqual(truck)
  })
})
