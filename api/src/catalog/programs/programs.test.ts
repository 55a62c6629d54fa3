import { type InputOf, type Program, type ProgramInput, programs } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { addClient, call, db, people } = world

const [acme, bolt] = [await addClient('Acme'), await addClient('Bolt')]
const [dallas, austin] = [(await world.addMarket('Dallas')).uid, (await world.addMarket('Austin')).uid]
const nowhere = '01900000-0000-7000-8000-000000000000'

let count = 0
const input = (given: Partial<ProgramInput> = {}): ProgramInput => {
  const name = `Program ${++count}`
  return {
    clientUid: acme.uid,
    name,
    status: 'draft',
    startsOn: '2026-07-01',
    endsOn: '2026-07-31',
    popUrl: name,
    ...given,
  }
}
const create = (given: Partial<ProgramInput> = {}) => call(programs.create, { body: input(given) })
const add = async (given: Partial<ProgramInput> = {}): Promise<Program> => (await create(given)).body.data

const update = (
  { uid, version, client, name, status, startsOn, endsOn, popUrl, markets, note }: Program,
  given: object,
) =>
  call(programs.update, {
    body: {
      uid,
      version,
      clientUid: client.uid,
      name,
      status,
      startsOn,
      endsOn,
      popUrl,
      note,
      markets: markets.map((market) => ({ marketUid: market.uid, startsOn: market.startsOn, endsOn: market.endsOn })),
      ...given,
    },
  })

const names = async (query: InputOf<typeof programs.list>['query'], token = people.admin.token) =>
  (await call(programs.list, { query: { pageSize: '200', ...query } }, { token })).body.data.map(({ name }) => name)

const userOf = (clientUid: string) => world.addUser('client', ['clients'], clientUid)

describe('a program', () => {
  test('is saved with its markets, in their order and with their dates', async () => {
    const program = await add({
      markets: [{ marketUid: dallas, startsOn: '2026-07-05', endsOn: '2026-07-10' }, { marketUid: austin }],
    })
    const zone = 'America/Chicago'
    expect(program).toMatchObject({ client: { uid: acme.uid, name: 'Acme' }, startsOn: '2026-07-01', version: 1 })
    expect(program.markets).toEqual([
      { uid: dallas, name: 'Dallas', zone, startsOn: '2026-07-05', endsOn: '2026-07-10' },
      { uid: austin, name: 'Austin', zone, startsOn: null, endsOn: null },
    ])
    const changed = (await update(program, { markets: [{ marketUid: austin, endsOn: '2026-07-20' }] })).body.data
    expect(changed.markets).toEqual([{ uid: austin, name: 'Austin', zone, startsOn: null, endsOn: '2026-07-20' }])
    expect((await update(changed, { markets: [] })).body.data.markets).toEqual([])
    expect((await update(program, {})).error.code).toBe('staleVersion')
    expect((await call(programs.remove, { params: { uid: program.uid } })).status).toBe(200)
    expect((await update(changed, { version: 3 })).status).toBe(404)
  })

  test('has a spot length of 5 to 120 seconds or none, and keeps it where a caller does not name it', async () => {
    const program = await add({ spotSeconds: 15 })
    const kept = (await update(program, { note: 'Same spots' })).body.data
    expect([program.spotSeconds, kept.spotSeconds]).toEqual([15, 15])
    for (const spotSeconds of [4, 121, 7.5, '10']) {
      expect((await update(kept, { spotSeconds })).error.fields).toEqual({
        spotSeconds: 'Must be a whole number from 5 to 120, or empty.',
      })
    }
    expect((await update(kept, { spotSeconds: null })).body.data.spotSeconds).toBeNull()
    const { body } = await call(programs.history, { params: { uid: program.uid }, query: {} })
    expect(body.data[0]?.fields).toEqual([{ field: 'spotSeconds', old: 15, new: null }])
    expect((await add()).spotSeconds).toBeNull()
  })

  test('tells all that one call changed as one change, with names instead of ids', async () => {
    const program = await add({ name: 'Told', popUrl: 'told', markets: [{ marketUid: dallas }, { marketUid: austin }] })
    await update(program, {
      clientUid: bolt.uid,
      markets: [{ marketUid: austin, startsOn: '2026-07-02' }],
    })
    const { body } = await call(programs.history, { params: { uid: program.uid }, query: {} })
    expect([body.total, body.data.map(({ action }) => action)]).toEqual([2, ['changed', 'created']])
    const place = (market: string, startsOn: string | null = null) => ({ market, startsOn, endsOn: null })
    expect(body.data[0]?.fields).toEqual([
      { field: 'client', old: 'Acme', new: 'Bolt' },
      { field: 'market', old: place('Dallas'), new: null },
      { field: 'market', old: place('Austin'), new: place('Austin', '2026-07-02') },
    ])
    expect(body.data[1]?.fields.filter(({ field }) => field === 'market').map((each) => each.new)).toEqual([
      place('Dallas'),
      place('Austin'),
    ])
  })

  test('moves from status to status as the table says', async () => {
    const tried = ['draft', 'active', 'paused', 'completed'] as const
    const reached: Record<string, string[]> = {}
    const refusals = new Set<string>()
    const way: Record<(typeof tried)[number], (typeof tried)[number][]> = {
      draft: [],
      active: ['active'],
      paused: ['active', 'paused'],
      completed: ['active', 'completed'],
    }
    for (const from of tried) {
      reached[from] = []
      for (const to of tried) {
        let program = await add()
        for (const status of way[from]) program = (await update(program, { status })).body.data
        expect(program.status).toBe(from)
        const { status, error } = await update(program, { status: to })
        if (status === 200) reached[from].push(to)
        else refusals.add(error.fields?.['status'] ?? '')
      }
    }
    expect(reached).toEqual({
      draft: ['draft', 'active'],
      active: ['active', 'paused', 'completed'],
      paused: ['active', 'paused', 'completed'],
      completed: ['active', 'completed'],
    })
    expect([...refusals]).toEqual([
      'This program can only be draft or active.',
      'This program can only be active or paused or completed.',
      'This program can only be active or completed.',
    ])
    expect((await create({ status: 'completed' })).error.fields).toEqual({
      status: 'A new program can only be draft or active.',
    })
  })

  test('goes to another client only while it is a draft', async () => {
    const draft = await add()
    const moved = (await update(draft, { clientUid: bolt.uid, status: 'active' })).body.data
    expect(moved.client.name).toBe('Bolt')
    const refused = await update(moved, { clientUid: acme.uid })
    expect([refused.status, refused.error.fields]).toEqual([
      400,
      { clientUid: 'Only a draft can be moved to another client.' },
    ])
  })

  test.each<[string, Partial<ProgramInput>, Record<string, string>]>([
    ['an end before its start', { endsOn: '2026-06-30' }, { endsOn: 'Must not be before the start.' }],
    ['a day that is none', { startsOn: '2026-02-30' }, { startsOn: 'Must be a date such as 2026-07-01.' }],
    ['a year no one means', { startsOn: '0000-01-01' }, { startsOn: 'Must be between 1970 and 2199.' }],
    ['an unknown client', { clientUid: nowhere }, { clientUid: 'Client not found.' }],
    ['no client', { clientUid: '' }, { clientUid: 'Choose a client.' }],
    ['an unknown market', { markets: [{ marketUid: nowhere }] }, { 'markets.0.marketUid': 'Market not found.' }],
    [
      'the same market twice',
      { markets: [{ marketUid: dallas }, { marketUid: dallas }] },
      { 'markets.1.marketUid': 'This market is listed already.' },
    ],
    [
      'a market outside its dates',
      { markets: [{ marketUid: dallas, startsOn: '2026-06-01', endsOn: '2026-08-01' }] },
      {
        'markets.0.startsOn': 'The program starts on Jul 1, 2026.',
        'markets.0.endsOn': 'The program ends on Jul 31, 2026.',
      },
    ],
    [
      'a market that ends before it starts',
      { markets: [{ marketUid: dallas, startsOn: '2026-07-10', endsOn: '2026-07-05' }] },
      { 'markets.0.endsOn': 'Must not be before the start.' },
    ],
    ['an address with a slash', { popUrl: 'a/b' }, { popUrl: 'Only letters, digits, hyphens and spaces.' }],
    ['a reserved address', { popUrl: 'pop' }, { popUrl: 'This name is used by the console itself.' }],
    [
      'a reserved address in capitals',
      { popUrl: 'Program-By-Client' },
      { popUrl: 'This name is used by the console itself.' },
    ],
    ['no address', { popUrl: ' ' }, { popUrl: 'Required.' }],
  ])('with %s is refused at the field, and nothing is saved', async (_, given, fields) => {
    const { total } = (await call(programs.list, { query: {} })).body
    const refused = await create(given)
    expect([refused.status, refused.error.fields]).toEqual([400, fields])
    expect((await call(programs.list, { query: {} })).body.total).toBe(total)
    const saved = await add()
    expect((await update(saved, given)).error.fields).toEqual(fields)
    expect((await call(programs.get, { params: { uid: saved.uid } })).body.data).toEqual(saved)
  })

  test('has an address and, at its client, a name of its own', async () => {
    await add({ name: 'Summer', popUrl: 'summer-26' })
    const address = await create({ popUrl: 'SUMMER-26' })
    expect([address.status, address.error.fields]).toEqual([
      409,
      { popUrl: 'Another program already has this POP address.' },
    ])
    const name = await create({ name: 'SUMMER' })
    expect([name.status, name.error.fields]).toEqual([
      409,
      { name: 'This client already has a program with this name.' },
    ])
    expect((await create({ name: 'Summer', clientUid: bolt.uid })).status).toBe(200)
  })

  test('keeps a market that was deleted since', async () => {
    const { uid: gone } = await world.addMarket('Gone')
    const program = await add({ markets: [{ marketUid: gone }] })
    await db.updateTable('market').set({ deleted_at: new Date() }).where('uid', '=', gone).execute()
    expect((await update(program, { note: 'still there' })).body.data.markets[0]?.name).toBe('Gone')
    expect((await create({ markets: [{ marketUid: gone }] })).status).toBe(400)
  })

  test('is made once by a retried call', async () => {
    const body = input({ markets: [{ marketUid: dallas }] })
    const headers = { 'idempotency-key': 'program-once' }
    const [one, two] = [
      await call(programs.create, { body }, { headers }),
      await call(programs.create, { body }, { headers }),
    ]
    expect(two.body).toEqual(one.body)
    expect(one.body.data.markets).toHaveLength(1)
  })
})

describe('the list', () => {
  test('filters by client, status, market, a day it runs on, and uid', async () => {
    const lone = (await addClient('Lone')).uid
    const search = 'Filtered'
    const of = (name: string, given: Partial<ProgramInput>) =>
      add({ name: `Filtered ${name}`, clientUid: lone, ...given })
    const first = await of('1', { status: 'active', markets: [{ marketUid: dallas }] })
    await of('2', {
      startsOn: '2026-07-31',
      endsOn: '2026-08-31',
      markets: [{ marketUid: austin }, { marketUid: dallas }],
    })
    await of('3', {
      clientUid: acme.uid,
      startsOn: '2026-09-01',
      endsOn: '2026-09-01',
      markets: [{ marketUid: austin }],
    })
    expect(await names({ client: lone })).toEqual(['Filtered 1', 'Filtered 2'])
    expect(await names({ search, status: 'active' })).toEqual(['Filtered 1'])
    expect(await names({ search, market: austin })).toEqual(['Filtered 2', 'Filtered 3'])
    expect(await names({ search, market: [austin, dallas] })).toEqual(['Filtered 1', 'Filtered 2', 'Filtered 3'])
    expect(await names({ search, runningOn: '2026-07-31' })).toEqual(['Filtered 1', 'Filtered 2'])
    expect(await names({ search, runningOn: '2026-08-01' })).toEqual(['Filtered 2'])
    expect(await names({ search, runningOn: '2026-10-01' })).toEqual([])
    expect(await names({ uid: first.uid })).toEqual(['Filtered 1'])
    expect(await names({ search, sort: '-startsOn' })).toEqual(['Filtered 3', 'Filtered 2', 'Filtered 1'])
    const bad = await call(programs.list, { query: { runningOn: '2026-13-01' } })
    expect([bad.status, bad.error.fields]).toEqual([400, { runningOn: 'Must be a date such as 2026-07-01.' }])
  })

  test('stays right as markets change', async () => {
    const { uid: place } = await world.addMarket('Moving')
    const program = await add({ markets: [{ marketUid: place }] })
    const total = async () => (await call(programs.list, { query: { market: place, pageSize: '1' } })).body.total
    expect(await total()).toBe(1)
    await update(program, { markets: [] })
    expect(await total()).toBe(0)
  })

  test('is exported with its filters in words', async () => {
    await add({ name: 'Sheet', clientUid: bolt.uid, markets: [{ marketUid: dallas, startsOn: '2026-07-05' }] })
    const query = { format: 'csv', search: 'sheet', client: bolt.uid, market: dallas, runningOn: '2026-07-09' } as const
    const { text } = await call(programs.list, { query })
    expect(text).toContain(
      'Client,Name,Status,Starts,Ends,Markets,POP address,Spot length in seconds,Note,Updated,Booked',
    )
    expect(text).toMatch(/Bolt,Sheet,Draft,2026-07-01,2026-07-31,Dallas \(2026-07-05 – \),Program \d+,,/)
    expect(text).toContain('# 1 row; search: sheet; client: Bolt; market: Dallas; running on: 2026-07-09;')
  })
})

describe('who sees a program', () => {
  test('a user of role client sees their own client’s, also by guessing ids', async () => {
    const mine = (await addClient('Own')).uid
    const own = await add({ name: 'Own 1', clientUid: mine, status: 'active' })
    const other = await add()
    const { token } = await userOf(mine)
    expect(await names({}, token)).toEqual(['Own 1'])
    expect(await names({ client: acme.uid }, token)).toEqual([])
    expect((await call(programs.get, { params: { uid: own.uid } }, { token })).status).toBe(200)
    expect((await call(programs.get, { params: { uid: other.uid } }, { token })).status).toBe(404)
    expect((await call(programs.history, { params: { uid: other.uid }, query: {} }, { token })).status).toBe(404)
    expect((await call(programs.create, { body: input({ clientUid: mine }) }, { token })).status).toBe(403)
    expect((await call(programs.remove, { params: { uid: own.uid } }, { token })).status).toBe(403)
    const csv = await call(programs.list, { query: { format: 'csv', client: [mine, acme.uid] } }, { token })
    expect(csv.text).toContain('client: Own, unknown;')
  })

  test('sales sees and changes all', async () => {
    const { token } = people.sales
    expect((await call(programs.create, { body: input() }, { token })).status).toBe(200)
    expect((await names({}, token)).length).toBe((await names({})).length)
  })
})
