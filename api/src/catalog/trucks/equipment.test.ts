import { pixel, trucks } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const { call } = await openWorld()

const side = (y: number) => ({ x: 0, y, width: 10, height: 10 })
const sides = { driverSide: side(0), passengerSide: side(10), rear: side(20) }
const map = (await call(pixel.create, { body: { name: 'Small', width: 10, height: 30, pitchUm: 5000, sides } })).body
  .data
const body = { number: 'G-1', kind: 'led', state: 'active', geotabDeviceId: 'b1A', pixelMapUid: map.uid } as const

test('a truck keeps its pixel map and its Geotab device, which no other truck has', async () => {
  const { data } = (await call(trucks.create, { body })).body
  expect(data).toMatchObject({ geotabDeviceId: 'b1A', pixelMap: { uid: map.uid, name: 'Small' }, player: 'missing' })
  const taken = await call(trucks.create, { body: { ...body, number: 'G-2' } })
  expect([taken.status, taken.error.code, taken.error.fields]).toEqual([
    409,
    'geotabTaken',
    { geotabDeviceId: 'Another truck already has this Geotab device.' },
  ])
  const odd = await call(trucks.create, { body: { ...body, number: 'G-2', geotabDeviceId: 'b 1' } })
  expect([odd.status, Object.keys(odd.error.fields ?? {})]).toEqual([400, ['geotabDeviceId']])
  // MyGeotab tells b1A from b1a, and many trucks have none.
  for (const [number, geotabDeviceId] of Object.entries({ 'G-3': 'b1a', 'G-4': '', 'G-5': '' })) {
    expect((await call(trucks.create, { body: { ...body, number, geotabDeviceId, pixelMapUid: null } })).status).toBe(
      200,
    )
  }
  const listed = await call(trucks.list, { query: { pixelMap: map.uid } })
  expect(listed.body.data.map(({ number }) => number)).toEqual(['G-1'])
  const { body: history } = await call(trucks.history, { params: { uid: data.uid }, query: {} })
  expect(history.data[0]?.fields).toContainEqual({ field: 'pixelMap', old: null, new: 'Small' })
})
