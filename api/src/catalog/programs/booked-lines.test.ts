import { type BookedLineInput, type Program, type ProgramInput, programs } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const { call, db } = world

const acme = await world.addClient('Acme')
const [dallas, austin] = [(await world.addMarket('Dallas')).uid, (await world.addMarket('Austin')).uid]

const line = (given: Partial<BookedLineInput> = {}): BookedLineInput => ({
  marketUid: dallas,
  unit: 'truckDays',
  amount: 20,
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  priceCents: null,
  ...given,
})

let count = 0
const input = (given: Partial<ProgramInput> = {}): ProgramInput => ({
  clientUid: acme.uid,
  name: `Booked ${++count}`,
  status: 'active',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  popUrl: `booked ${count}`,
  markets: [{ marketUid: dallas }, { marketUid: austin }],
  ...given,
})
const create = (bookedLines?: BookedLineInput[]) =>
  call(programs.create, { body: input(bookedLines && { bookedLines }) })
const save = ({ uid, version, name, popUrl }: Program, given: Partial<ProgramInput>) =>
  call(programs.update, { body: { ...input({ name, popUrl }), ...given, uid, version } })

const told = ({ bookedLines }: Program) =>
  bookedLines.map(({ market, unit, amount, startsOn, endsOn, priceCents }) => [
    market.name,
    unit,
    amount,
    startsOn,
    endsOn,
    priceCents,
  ])

describe('booked lines', () => {
  test('are saved with their program, in their order, and changed in place', async () => {
    const lines = [line({ unit: 'miles', amount: 500, priceCents: 120_050 }), line({ marketUid: austin, amount: 3 })]
    const program = (await create(lines)).body.data
    expect(told(program)).toEqual([
      ['Dallas', 'miles', 500, '2026-07-01', '2026-07-31', 120_050],
      ['Austin', 'truckDays', 3, '2026-07-01', '2026-07-31', null],
    ])
    const changed = (
      await save(program, {
        bookedLines: [
          line({ marketUid: austin, amount: 4, endsOn: '2026-07-15' }),
          line({ marketUid: austin, amount: 5, startsOn: '2026-07-16' }),
        ],
      })
    ).body.data
    expect(told(changed)).toEqual([
      ['Austin', 'truckDays', 4, '2026-07-01', '2026-07-15', null],
      ['Austin', 'truckDays', 5, '2026-07-16', '2026-07-31', null],
    ])
    expect(changed.bookedLines[0]?.uid).toBe(program.bookedLines[1]?.uid)
    expect((await save(changed, { bookedLines: [] })).body.data.bookedLines).toEqual([])
  })

  test('stay as they are where a caller does not name them, unless the program leaves them no place', async () => {
    const program = (await create([line({ marketUid: austin })])).body.data
    const kept = (await save(program, { note: 'Same lines' })).body.data
    expect(kept.bookedLines).toEqual(program.bookedLines)
    const problem = { bookedLines: 'Its booked lines need the markets and dates it has. Change them, too.' }
    expect((await save(kept, { markets: [{ marketUid: dallas }] })).error.fields).toEqual(problem)
    expect((await save(kept, { endsOn: '2026-07-30' })).error.fields).toEqual(problem)
    const moved = await save(kept, { markets: [{ marketUid: dallas }], bookedLines: [line()] })
    expect(told(moved.body.data)).toEqual([['Dallas', 'truckDays', 20, '2026-07-01', '2026-07-31', null]])
  })

  test.each([
    ['of another market', line({ marketUid: acme.uid }), 'marketUid', 'Add this market to the program first.'],
    ['after the program', line({ endsOn: '2026-08-01' }), 'endsOn', 'The program ends on Jul 31, 2026.'],
    ['of nothing', line({ amount: 0 }), 'amount', 'Must be a whole number from 1 to 1,000,000,000.'],
    ['of half a day', line({ amount: 0.5 }), 'amount', 'Must be a whole number from 1 to 1,000,000,000.'],
    ['below zero', line({ priceCents: -1 }), 'priceCents', 'Must be a price from $0 to $1,000,000,000, or empty.'],
  ])('%s are refused', async (_, wrong, field, message) => {
    const { status, error } = await create([wrong])
    expect([status, error.fields]).toEqual([400, { [`bookedLines.0.${field}`]: message }])
  })

  test('that count the same days twice are refused, also by the database', async () => {
    const { error } = await create([line(), line({ startsOn: '2026-07-31' })])
    expect(error.fields).toEqual({ 'bookedLines.1.unit': 'Another line books the same for these days.' })
    const { uid } = (await create([line()])).body.data
    const row = { program_uid: uid, market_uid: dallas, amount: 1, starts_on: '2026-07-02', ends_on: '2026-07-02' }
    const insert = (given: object) =>
      db
        .insertInto('booked_line')
        .values({ ...row, unit: 'hours', ...given })
        .execute()
    await expect(insert({ unit: 'truckDays' })).rejects.toThrow('booked_line_once')
    await expect(insert({ amount: 0 })).rejects.toThrow('booked_line_amount_check')
    await expect(insert({ ends_on: '2026-07-01' })).rejects.toThrow('booked_line_ends_after_it_starts')
    await expect(insert({ price_cents: -1 })).rejects.toThrow('booked_line_price_cents_check')
    await expect(insert({ market_uid: acme.uid })).rejects.toThrow('booked_line_of_program_market')
    await insert({})
  })

  test('stand in the history and in the file of their program', async () => {
    const program = (await create([line({ priceCents: 5000 })])).body.data
    await save(program, { bookedLines: [line({ amount: 25, priceCents: 5000 })] })
    const { body } = await call(programs.history, { params: { uid: program.uid }, query: {} })
    const place = {
      market: 'Dallas',
      unit: 'truckDays',
      startsOn: '2026-07-01',
      endsOn: '2026-07-31',
      priceCents: 5000,
    }
    expect(body.data[0]?.fields).toEqual([
      { field: 'bookedLine', old: { ...place, amount: 20 }, new: { ...place, amount: 25 } },
    ])
    const { text } = await call(programs.list, { query: { format: 'csv', search: program.name } })
    expect(text).toContain('Dallas: 25 truck-days (2026-07-01 – 2026-07-31, $50.00)')
  })

  test('show their price to staff and to their own client, and nothing to another', async () => {
    const { uid } = (await create([line({ priceCents: 9900 })])).body.data
    const priceFor = async (token: string) => {
      const { status, body } = await call(programs.get, { params: { uid } }, { token })
      return status === 200 ? body.data.bookedLines[0]?.priceCents : status
    }
    const own = await world.addUser('client', ['clients'], acme.uid)
    const other = await world.addUser('client', ['clients'], (await world.addClient('Bolt')).uid)
    expect(await Promise.all([world.people.sales, own, other].map(({ token }) => priceFor(token)))).toEqual([
      9900, 9900, 404,
    ])
  })
})

describe('a copy of a program', () => {
  test('is a draft with its markets and lines, all dates moved by as much as the start', async () => {
    const program = (await create([line({ startsOn: '2026-07-06', endsOn: '2026-07-31', priceCents: 700 })])).body.data
    const body = { uid: program.uid, name: 'Again', popUrl: 'again', startsOn: '2027-02-01' }
    const { status, body: copied } = await call(programs.copy, { body })
    expect(status).toBe(200)
    expect(copied.data).toMatchObject({
      client: program.client,
      name: 'Again',
      status: 'draft',
      startsOn: '2027-02-01',
      endsOn: '2027-03-03',
      version: 1,
    })
    expect(copied.data.markets).toEqual(program.markets)
    expect(told(copied.data)).toEqual([['Dallas', 'truckDays', 20, '2027-02-06', '2027-03-03', 700]])
    expect((await call(programs.copy, { body })).status).toBe(409)
    const late = await call(programs.copy, { body: { ...body, name: 'Late', popUrl: 'late', startsOn: '2199-12-30' } })
    expect(late.error.fields).toEqual({ startsOn: 'The copy would end after 2199.' })
  })

  test('is made by those who may change programs only', async () => {
    const { uid } = (await create()).body.data
    const own = await world.addUser('client', ['clients'], acme.uid)
    const body = { uid, name: 'Mine', popUrl: 'mine', startsOn: '2027-02-01' }
    for (const { token } of [own, world.people.driver]) {
      expect((await call(programs.copy, { body }, { token })).status).toBe(403)
    }
  })
})
