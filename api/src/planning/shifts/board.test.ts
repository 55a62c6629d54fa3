import { addDays, freeCells, type QueryOf, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openTestPlan } from './test-plan.ts'
import { addStretch } from './out-of-service/test-stretch.ts'

const world = await openWorld()
const { call, db, people } = world
const { market, program, other, addTruck, addDriver, create, plan, input } = await openTestPlan(world)

const MONDAY = '2026-08-03'
const DAYS = Array.from({ length: 7 }, (_, at) => addDays(MONDAY, at))
type Query = QueryOf<typeof shifts.board>
const load = async (given: Partial<Query> = {}, token = people.admin.token) => {
  const query = { from: addDays(MONDAY, -1), to: addDays(MONDAY, 7), ...given }
  const { status, body, error } = await call(shifts.board, { query }, { token })
  expect([status, error]).toEqual([200, body])
  return body.data
}

describe('the filters of the board', () => {
  test('mark shifts and trucks, and hide none', async () => {
    const one = await plan({ date: '2026-09-07' })
    const two = await plan({ date: '2026-09-07', programUid: other })
    const home = await addTruck()
    await db.updateTable('truck').set({ home_market_uid: market }).where('uid', '=', home).execute()
    const query = { from: '2026-09-07', to: '2026-09-07' }
    const matches = async (given: Partial<Query>) => {
      const board = await load({ ...query, ...given })
      const trucks = [one.truck.uid, two.truck.uid, home]
      return [
        [one.uid, two.uid].map((uid) => board.shifts.find((shift) => shift.uid === uid)?.isMatch),
        trucks.map((uid) => board.trucks.find((truck) => truck.uid === uid)?.isMatch),
      ]
    }
    expect(await matches({})).toEqual([
      [true, true],
      [true, true, true],
    ])
    expect(await matches({ program: [other] })).toEqual([
      [false, true],
      [false, true, false],
    ])
    expect(await matches({ driver: [one.driver?.uid ?? ''] })).toEqual([
      [true, false],
      [true, false, false],
    ])
    expect(await matches({ status: ['cancelled'] })).toEqual([
      [false, false],
      [false, false, false],
    ])
    expect(await matches({ driverAnswer: ['declined'] })).toEqual([
      [false, false],
      [false, false, false],
    ])
    expect(await matches({ market: [market] })).toEqual([
      [true, true],
      [true, true, true],
    ])
    expect(await matches({ truck: [two.truck.uid] })).toEqual([
      [false, true],
      [false, true, false],
    ])
  })

  test('show clients no more than their own shifts', async () => {
    const { clientUid } = await db
      .selectFrom('client_program')
      .select('client_uid as clientUid')
      .where('uid', '=', program)
      .executeTakeFirstOrThrow()
    const { token } = await world.addUser('client', ['clients'], clientUid)
    const own = await plan({ date: '2026-09-14' })
    const foreign = await plan({ date: '2026-09-14', programUid: other })
    await addTruck()
    const query = { from: '2026-09-14', to: '2026-09-14', driver: [own.driver?.uid ?? ''] }
    const board = await load(query, token)
    expect(board.shifts.map(({ uid, isMatch, driverUid }) => [uid, isMatch, driverUid])).toEqual([
      [own.uid, false, null],
    ])
    expect(board.trucks.map(({ uid }) => uid)).toEqual([own.truck.uid])
    expect(board.lockedPay).toEqual([])
    expect(foreign.program.uid).toBe(other)
  })
})

const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`

/** A random week: day shifts, nights, some off, of trucks that are active, in the shop or deleted. */
async function planRandomWeek(seed: number): Promise<void> {
  const [cases] = fc.sample(
    fc.array(
      fc.record({
        truck: fc.nat(4),
        day: fc.nat(6),
        hour: fc.nat(23),
        length: fc.integer({ min: 1, max: 12 }),
        program: fc.constantFrom(program, other),
        isOff: fc.boolean(),
      }),
      { minLength: 15, maxLength: 15 },
    ),
    { numRuns: 1, seed },
  )
  const trucks = await Promise.all([addTruck(), addTruck(), addTruck(), addTruck(), addTruck()])
  await db.updateTable('truck').set({ home_market_uid: market }).where('uid', 'in', trucks).execute()
  const drivers = await Promise.all([addDriver(), addDriver()])
  for (const [at, each] of (cases ?? []).entries()) {
    const { status, body } = await create({
      truckUid: trucks[each.truck] ?? '',
      driverUid: drivers[at % 2] ?? '',
      programUid: each.program,
      date: DAYS[each.day] ?? MONDAY,
      start: clock(each.hour),
      end: clock(each.hour + each.length),
    })
    if (status !== 200 || !each.isOff) continue
    const { uid, version } = body.data
    await call(shifts.move, { body: { uid, version, status: 'cancelled', reason: 'Rain' } })
  }
  await db
    .updateTable('shift')
    .set({ deleted_at: new Date() })
    .where('truck_uid', '=', trucks[3] ?? '')
    .where('local_date', '=', DAYS[2] ?? MONDAY)
    .execute()
  await addStretch(db, { truckUid: trucks[3] ?? '', from: DAYS[2] ?? MONDAY, to: DAYS[2] ?? MONDAY })
  await db
    .updateTable('truck')
    .set({ deleted_at: new Date() })
    .where('uid', '=', trucks[4] ?? '')
    .execute()
}

describe('a cell that looks free', () => {
  test('can be booked at any hour of its day, whatever the filters', async () => {
    await planRandomWeek(20_261_117)
    await db
      .insertInto('pay_period')
      .values({
        starts_on: MONDAY,
        ends_on: MONDAY,
        state: 'locked',
        approved_at: new Date(),
        locked_at: new Date(),
        overtime_after_hours: 40,
      })
      .execute()
    const someDriver = (await load()).drivers[0]?.uid ?? ''
    const filters = fc.record(
      {
        market: fc.constant<string[]>([market]),
        program: fc.constantFrom<string[][]>([program], [other]),
        driver: fc.constant<string[]>([someDriver]),
        status: fc.constantFrom<Query['status'][]>(['planned'], ['cancelled']),
        driverAnswer: fc.constant<Query['driverAnswer']>(['declined']),
      },
      { requiredKeys: [] },
    )
    const unfiltered = freeCells(await load(), DAYS)
    expect(unfiltered.length).toBeGreaterThan(10)
    expect(unfiltered.some(({ day }) => day === MONDAY)).toBe(false)
    const driverUid = await addDriver()
    let tried = 0
    await fc.assert(
      fc.asyncProperty(filters, fc.nat(23), fc.integer({ min: 1, max: 8 }), async (given, hour, length) => {
        const board = await load(given)
        const free = freeCells(board, DAYS)
        expect(free).toEqual(unfiltered)
        const cell = free[(hour * 7 + length) % free.length]
        if (!cell) throw new Error('Some cell is free.')
        // Within the day: a night may reach into the next cell.
        const end = Math.min(24, hour + length)
        const body = await input({ ...cell, date: cell.day, driverUid, start: clock(hour), end: clock(end) })
        const { day: _day, ...values } = body as typeof body & { day?: string }
        const { data } = (await call(shifts.clashes, { body: values })).body
        expect([data.problems, data.clashes]).toEqual([{}, []])
        tried++
      }),
      { numRuns: 30, seed: 7 },
    )
    expect(tried).toBe(30)
    // Every free cell is booked for its whole day, one after the other, and then none is left.
    for (const { truckUid, day } of unfiltered) {
      const saved = await create({ truckUid, driverUid: await addDriver(), date: day, start: '00:00', end: '23:59' })
      expect([day, saved.status]).toEqual([day, 200])
    }
    expect(freeCells(await load(), DAYS)).toEqual([])
  })

  test('is not one into which a night of the day before reaches', async () => {
    const night = await plan({ date: '2026-09-21', start: '20:00', end: '04:00' })
    const midnight = await plan({ date: '2026-09-21', start: '16:00', end: '00:00' })
    const board = await load({ from: '2026-09-20', to: '2026-09-23' })
    const free = freeCells(board, ['2026-09-21', '2026-09-22', '2026-09-23'])
    const daysOf = ({ truck }: { truck: { uid: string } }) =>
      free.filter(({ truckUid }) => truckUid === truck.uid).map(({ day }) => day)
    expect([daysOf(night), daysOf(midnight)]).toEqual([['2026-09-23'], ['2026-09-22', '2026-09-23']])
  })
})

test('the board has the drivers who are off and the trucks in the shop on its days, for the office only', async () => {
  const [driverUid, gone, truckUid] = [await addDriver(), await addDriver(), await addTruck()]
  const days = { from: '2026-10-05', to: '2026-10-09' }
  await addStretch(db, { driverUid, from: '2026-10-07', to: '2026-10-08' })
  await addStretch(db, { driverUid, from: '2026-10-12', to: '2026-10-12' })
  await addStretch(db, { driverUid: gone, from: '2026-10-01' })
  await addStretch(db, { truckUid, from: '2026-10-08' })
  const { timesOff, shopTimes } = await load(days)
  expect(timesOff.map(({ driver }) => driver.uid).toSorted()).toEqual([driverUid, gone].toSorted())
  const time = timesOff.find(({ driver }) => driver.uid === driverUid)
  expect([time?.startsAt, time?.endsAt]).toEqual(['2026-10-07T05:00:00Z', '2026-10-09T05:00:00Z'])
  expect(shopTimes.map((each) => each.truckUid)).toContain(truckUid)
  await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', gone).execute()
  expect((await load(days)).timesOff.map(({ driver }) => driver.uid)).toEqual([driverUid])
  for (const role of ['driver', 'client'] as const) {
    const { token } = await world.addUser(role, ['schedule', 'clients'])
    expect(await load(days, token)).toMatchObject({ timesOff: [], shopTimes: [] })
  }
})
