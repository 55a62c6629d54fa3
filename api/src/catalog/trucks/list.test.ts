import { type InputOf, type Truck, type TruckInput, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call } = world

const add = async (given: Partial<TruckInput> & { number: string }): Promise<Truck> =>
  (await call(trucks.create, { body: { kind: 'led', state: 'active', ...given } })).body.data

const addMarket = async (name: string) => (await world.addMarket(name)).uid

type Query = InputOf<typeof trucks.list>['query']
const list = async (query: Query) => (await call(trucks.list, { query })).body
const numbers = async (query: Query) => (await list({ pageSize: '200', ...query })).data.map((row) => row.number)

describe('the list', () => {
  test('searches number, plate, VIN and note by any part, in any case', async () => {
    const vin = 'ZZZ00000000000001'
    await add({ number: 'Quokka 12', plate: 'PLT-QK', vin, note: 'Rear screen\nhas a CRACK' })
    await add({ number: 'Quokka 13', note: 'fine' })
    for (const search of [
      'quokka 12',
      'UOKKA 12',
      'plt-qk',
      'lt-q',
      vin.slice(0, 6).toLowerCase(),
      'crack',
      'screen has',
      '12 crack',
      'CRACK quokka',
      '  rear   quokka  ',
    ]) {
      expect(await numbers({ search }), search).toEqual(['Quokka 12'])
    }
    expect(await numbers({ search: 'quokka' })).toEqual(['Quokka 12', 'Quokka 13'])
    expect(await numbers({ search: 'quokka fine crack' })).toEqual([])
    expect((await list({ search: '   ' })).total).toBe((await list({})).total)
  })

  test('takes %, _ and \\ in a search for themselves', async () => {
    const odd = { percent: '50% off', underscore: 'a_b', backslash: 'c\\d', both: '\\%_' }
    for (const [number, note] of Object.entries(odd)) await add({ number, note })
    await add({ number: 'plain', note: '50 off axb cd' })
    expect(await numbers({ search: '0%' })).toEqual(['percent'])
    expect(await numbers({ search: 'a_b' })).toEqual(['underscore'])
    expect(await numbers({ search: 'c\\d' })).toEqual(['backslash'])
    expect(await numbers({ search: '\\%_' })).toEqual(['both'])
    expect((await numbers({ search: '%' })).toSorted()).toEqual(['both', 'percent'])
    expect((await numbers({ search: '\\' })).toSorted()).toEqual(['backslash', 'both'])
  })

  test('finds letters of every script in either case', async () => {
    await add({ number: 'Intl-1', note: 'Größe ΟΔΟΣ Élan İstanbul 日本 🚚' })
    for (const search of ['größe', 'GRÖßE', 'ΟΔΟΣ', 'Οδοσ', 'élan', 'ÉLAN', 'İstanbul', '日本', '🚚']) {
      expect(await numbers({ search }), search).toEqual(['Intl-1'])
    }
  })

  test('filters by state, kind and market, by several of each, and by all of them at once', async () => {
    const [place, austin] = [await addMarket('Filterville'), await addMarket('Austin')]
    await add({ number: 'F-1', state: 'active', kind: 'led', homeMarketUid: place })
    await add({ number: 'F-2', state: 'inShop', kind: 'led', homeMarketUid: place })
    await add({ number: 'F-3', state: 'retired', kind: 'printed', homeMarketUid: place })
    await add({ number: 'F-4', state: 'active', kind: 'printed', homeMarketUid: austin })
    await add({ number: 'F-5', state: 'active', kind: 'led' })
    const search = 'F-'
    expect(await numbers({ search, state: 'active' })).toEqual(['F-1', 'F-4', 'F-5'])
    expect(await numbers({ search, state: ['inShop', 'retired'] })).toEqual(['F-2', 'F-3'])
    expect(await numbers({ search, kind: 'printed' })).toEqual(['F-3', 'F-4'])
    expect(await numbers({ search, kind: ['led', 'printed'] })).toEqual(['F-1', 'F-2', 'F-3', 'F-4', 'F-5'])
    expect(await numbers({ search, market: place })).toEqual(['F-1', 'F-2', 'F-3'])
    expect(await numbers({ search, market: [place, austin] })).toEqual(['F-1', 'F-2', 'F-3', 'F-4'])
    expect(await numbers({ market: place, state: ['active', 'retired'], kind: 'led' })).toEqual(['F-1'])
    expect(await numbers({ market: '01900000-0000-7000-8000-000000000000' })).toEqual([])
    expect(await list({ market: place, state: 'active' })).toMatchObject({ total: 1 })
  })

  test('sorts numbers as people count', async () => {
    for (const number of ['S-10', 'S-2', 's-3', 'S-1', 'S-100', 'S-20a', 'S-20']) await add({ number, note: 'sorted' })
    const counted = ['S-1', 'S-2', 's-3', 'S-10', 'S-20', 'S-20a', 'S-100']
    expect(await numbers({ search: 'sorted' })).toEqual(counted)
    expect(await numbers({ search: 'sorted', sort: 'number' })).toEqual(counted)
    expect(await numbers({ search: 'sorted', sort: '-number' })).toEqual(counted.toReversed())
  })

  test('sorts by each order it offers, both ways', async () => {
    const [a, b, c] = [
      await add({ number: 'O-1', plate: 'O-B', state: 'retired', note: 'ordered' }),
      await add({ number: 'O-2', plate: 'O-C', state: 'active', note: 'ordered' }),
      await add({ number: 'O-3', plate: 'O-A', state: 'inShop', note: 'ordered' }),
    ]
    await call(trucks.update, {
      body: {
        number: 'O-1',
        plate: 'O-B',
        kind: 'led',
        state: 'retired',
        note: 'ordered again',
        uid: a.uid,
        version: 1,
      },
    })
    const orders = { number: [a, b, c], plate: [c, a, b], state: [b, c, a], updatedAt: [b, c, a] }
    for (const [sort, order] of Object.entries(orders)) {
      const expected = order.map(({ number }) => number)
      expect(await numbers({ search: 'ordered', sort: sort as 'number' }), sort).toEqual(expected)
      expect(await numbers({ search: 'ordered', sort: `-${sort}` as 'number' }), `-${sort}`).toEqual(
        expected.toReversed(),
      )
    }
  })

  test('is paged, ten at a time, with the total of all', async () => {
    for (let n = 1; n <= 23; n++) await add({ number: `P-${n}`, note: 'paged' })
    const first = await list({ search: 'paged' })
    expect([first.page, first.pageSize, first.total, first.data.length]).toEqual([1, 10, 23, 10])
    const third = await list({ search: 'paged', page: '3' })
    expect([third.page, third.total, third.data.map((row) => row.number)]).toEqual([3, 23, ['P-21', 'P-22', 'P-23']])
    const all = []
    for (const page of ['1', '2', '3', '4']) all.push(...(await list({ search: 'paged', page, pageSize: '7' })).data)
    expect(all.map((row) => row.number)).toEqual(Array.from({ length: 23 }, (_, n) => `P-${n + 1}`))
  })

  test('is empty past its end, with the right total', async () => {
    const { total } = await list({})
    expect(await list({ page: '1000' })).toEqual({ data: [], page: 1000, pageSize: 10, total })
    expect(await list({ search: 'paged', page: '4' })).toEqual({ data: [], page: 4, pageSize: 10, total: 23 })
    expect(await list({ search: 'nothing like this' })).toEqual({ data: [], page: 1, pageSize: 10, total: 0 })
  })
})
