import { markets, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

const outline: [number, number][] = [
  [-98, 32],
  [-96, 32],
  [-96, 33],
]
const depot = { name: 'Yard', latitude: 32.7, longitude: -96.9, radiusM: 400 }
let count = 0
const given = () => ({ name: `Market ${++count}`, state: 'TX', zone: 'America/Chicago' })

describe('a market', () => {
  test('is added, read, changed and deleted', async () => {
    const input = { ...given(), latitude: 32.7767, longitude: -96.797, radiusM: 50_000, outline, depots: [depot] }
    const { status, body } = await call(markets.create, { body: input })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...input, version: 1 })
    const changed = await call(markets.update, {
      body: { ...given(), uid: body.data.uid, version: 1, outline: null, depots: [] },
    })
    expect(changed.body.data).toMatchObject({ latitude: null, outline: null, depots: [], version: 2 })
    expect((await call(markets.get, { params: { uid: body.data.uid } })).body).toEqual(changed.body)
    const stale = await call(markets.update, { body: { ...given(), uid: body.data.uid, version: 1 } })
    expect([stale.status, stale.error.code]).toEqual([409, 'staleVersion'])
    expect((await call(markets.remove, { params: { uid: body.data.uid } })).status).toBe(200)
    expect((await call(markets.get, { params: { uid: body.data.uid } })).status).toBe(404)
  })

  test('is not there twice', async () => {
    const first = await call(markets.create, { body: given() })
    const again = await call(markets.create, { body: { ...given(), name: first.body.data.name.toUpperCase() } })
    expect([again.status, again.error.fields]).toEqual([
      409,
      { name: 'This state already has a market with this name.' },
    ])
  })

  test('says at the field what is wrong', async () => {
    const bad = await call(markets.create, {
      body: { ...given(), zone: 'Nowhere/City', latitude: 3, depots: [{ ...depot, name: '' }] },
    })
    expect(bad.status).toBe(400)
    expect(bad.error.fields).toMatchObject({ zone: expect.any(String), 'depots.0.name': 'Required.' })
  })

  test('that trucks and programs need stays, and says which they are', async () => {
    const { uid } = (await call(markets.create, { body: given() })).body.data
    const truck = await call(trucks.create, {
      body: { number: 'M-7', kind: 'led', state: 'active', homeMarketUid: uid },
    })
    const program = await world.addProgram({ name: 'Summer', markets: [{ marketUid: uid }] })
    const refused = await call(markets.remove, { params: { uid } })
    expect([refused.status, refused.error.error]).toEqual([
      409,
      'This market is still used by truck M-7 and program Summer.',
    ])
    await call(trucks.remove, { params: { uid: truck.body.data.uid } })
    await db.updateTable('client_program').set({ status: 'completed' }).where('uid', '=', program.uid).execute()
    expect((await call(markets.remove, { params: { uid } })).status).toBe(200)
  })

  test('is kept by admin and sales, looked at by drivers, and not seen by clients', async () => {
    const { uid } = (await call(markets.create, { body: given() }, { token: people.sales.token })).body.data
    const status = async (token: string) => [
      (await call(markets.get, { params: { uid } }, { token })).status,
      (await call(markets.create, { body: given() }, { token })).status,
      (await call(markets.remove, { params: { uid } }, { token })).status,
    ]
    expect(await status(people.driver.token)).toEqual([200, 403, 403])
    expect(await status(people.client.token)).toEqual([403, 403, 403])
    const trucksOnly = await world.addUser('sales', ['trucks'])
    expect(await status(trucksOnly.token)).toEqual([200, 403, 403])
    expect(await status(people.sales.token)).toEqual([200, 200, 200])
  })

  test('keeps its history', async () => {
    const { uid } = (await call(markets.create, { body: given() })).body.data
    await call(markets.update, { body: { ...given(), uid, version: 1, zone: 'America/Denver', depots: [depot] } })
    const [newest] = (await call(markets.history, { params: { uid }, query: {} })).body.data
    expect(newest?.fields).toContainEqual({ field: 'zone', old: 'America/Chicago', new: 'America/Denver' })
    expect(newest?.fields).toContainEqual({ field: 'depots', old: [], new: [depot] })
  })

  test('has its time zone proposed from its place', async () => {
    const at = (latitude: number, longitude: number) => call(markets.zone, { query: { latitude, longitude } })
    expect((await at(33.4484, -112.074)).body.data.zone).toBe('America/Phoenix')
    expect((await at(95, 0)).error.fields).toHaveProperty('latitude')
  })

  test('is exported', async () => {
    const csv = await call(markets.list, { query: { format: 'csv' } })
    expect(csv.text).toContain('Name,State,Zone,Latitude,Longitude,Radius (miles),Outline,Depots')
  })
})
