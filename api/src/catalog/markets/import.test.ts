import { markets } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeEach, expect, test } from 'vitest'
import { csvOf, importCalls } from '../../platform/imports/test-import.ts'

const world = await openWorld()
const { call, db, people } = world
const { check, both, undo, exported, exportedWithout } = importCalls(world, 'markets')

beforeEach(async () => {
  await db.updateTable('market').set({ deleted_at: new Date() }).where('deleted_at', 'is', null).execute()
})
const kept = async () => (await call(markets.list, { query: {} })).body.data

test('a city and its ZIP code are enough: place and time zone follow', async () => {
  const file = csvOf(['City', 'ZIP', 'Timezone'], ['Houston, TX', '77002', ''], ['Boston, MA', '2108', 'Eastern'])
  const { records } = (await both(file)).body.data
  expect(records).toEqual({ new: 2, changed: 0 })
  expect(await kept()).toMatchObject([
    { name: 'Boston', state: 'MA', zone: 'America/New_York', radiusM: 48280 },
    { name: 'Houston', state: 'TX', zone: 'America/Chicago' },
  ])
  const [, houston] = await kept()
  expect(houston?.latitude).toBeCloseTo(29.75, 1)
  expect((await check(file)).body.data.counts).toMatchObject({ same: 2, wrong: 0 })
})

test('cells are refused with sentences', async () => {
  const file = csvOf(
    ['Market', 'State', 'Zone', 'Latitude', 'Longitude', 'Radius', 'ZIP', 'Outline', 'Depots'],
    ['A', 'Texas', 'Moon', 'north', '-95', '30', '', '', ''],
    ['B', 'TX', '', '', '', '', '00000', '', ''],
    ['C', 'TX', '', '', '', '', '', '', ''],
    ['D', 'TX', 'Central', '29', '', '', '', '1 2', 'Yard'],
  )
  const { rows } = (await check(file)).body.data
  expect(rows.map(({ problems }) => problems)).toEqual([
    {
      state: 'At most 2 characters.',
      zone: 'Choose a time zone such as America/Chicago.',
      latitude: 'Must be a number such as 29.7604.',
    },
    { zip: 'The ZIP code is not known. Give latitude and longitude.' },
    { zone: 'Choose a time zone such as America/Chicago.' },
    { depots: 'Must be depots such as North yard (29.8 -95.2, 500 ft).' },
  ])
})

test('export, import, export: the same, with areas that the export rounds', async () => {
  const body = {
    name: 'Houston',
    state: 'TX',
    zone: 'America/Chicago',
    latitude: 29.760_427_1,
    longitude: -95.369_803_9,
    radiusM: 50_000,
    outline: [
      [-95.369_803_9, 29.760_427_1],
      [-95, 29],
      [-94, 30],
    ] as [number, number][],
    depots: [{ name: 'North yard', latitude: 29.8, longitude: -95.2, radiusM: 200 }],
  }
  await call(markets.create, { body })
  await call(markets.create, { body: { name: 'Portland', state: 'ME', zone: 'America/New_York' } })
  await call(markets.create, { body: { name: 'Portland', state: 'OR', zone: 'America/Los_Angeles' } })
  const file = await exported()
  expect((await check(file)).body.data.counts).toEqual({ new: 0, changed: 0, same: 3, wrong: 0 })
  const before = await exportedWithout()
  await db.updateTable('market').set({ deleted_at: new Date() }).execute()
  expect((await both(file)).body.data.records).toEqual({ new: 3, changed: 0 })
  expect(await exportedWithout()).toEqual(before)
})

test('a change is undone; a market in use stays', async () => {
  const { undoUid } = (await both(csvOf(['Market', 'ZIP'], ['Houston, TX', '77002']))).body.data
  const again = (await both(csvOf(['Market', 'Radius'], ['Houston, TX', '35']))).body.data
  expect((await kept())[0]?.radiusM).toBe(56_327)
  expect((await undo(again.undoUid)).body.data).toEqual({ removed: 0, restored: 1 })
  expect((await kept())[0]?.radiusM).toBe(48_280)
  // By hand, it is no longer what the import made.
  await db.updateTable('market').set({ radius_m: 1000 }).where('name', '=', 'Houston').execute()
  expect((await undo(undoUid)).error.error).toBe("This can't be undone, because it was changed since: Houston.")
})

test('the time zone of a market with shifts stays, and drivers import none', async () => {
  const { uid } = await world.addMarket('Dallas')
  const { rows } = (await check(csvOf(['Market', 'Zone'], ['Dallas', 'Eastern']))).body.data
  expect(rows[0]?.state).toBe('changed')
  expect(uid).not.toBe('')
  for (const role of ['driver', 'client'] as const) {
    expect([role, (await check('Market\nA', { token: people[role].token })).status]).toEqual([role, 403])
  }
})
