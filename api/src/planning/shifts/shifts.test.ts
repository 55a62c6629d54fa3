import { randomUUID } from 'node:crypto'
import { type ShiftInput, shifts, users } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { driverOf } from './shift-row.ts'
import { toShiftInput, openTestPlan } from './test-plan.ts'
import { addStretch } from './out-of-service/test-stretch.ts'

const world = await openWorld()
const { call, db, people, addUser } = world
const { market, elsewhere, program, other, addTruck, addDriver, input, create, plan, update, move } =
  await openTestPlan(world)

describe('the hours of a shift', () => {
  test('stand in its market’s zone; an end before the start is the next day’s', async () => {
    const night = await plan({ date: '2026-07-01', start: '20:00', end: '04:00' })
    expect(night).toMatchObject({
      zone: 'America/Chicago',
      startsAt: '2026-07-02T01:00:00Z',
      endsAt: '2026-07-02T09:00:00Z',
    })
  })

  test('are right on the days when clocks change', async () => {
    const forward = await plan({ date: '2026-03-07', start: '20:00', end: '04:00' })
    expect([forward.startsAt, forward.endsAt]).toEqual(['2026-03-08T02:00:00Z', '2026-03-08T09:00:00Z'])
    const back = await plan({ date: '2026-10-31', start: '20:00', end: '04:00' })
    expect([back.startsAt, back.endsAt]).toEqual(['2026-11-01T01:00:00Z', '2026-11-01T10:00:00Z'])
    const skipped = await create({ date: '2026-03-08', start: '02:30', end: '10:00' })
    expect(skipped.error.fields).toEqual({ start: 'Clocks in America/Chicago skip 2:30 AM on that day.' })
  })

  test('are two different times', async () => {
    expect((await create({ start: '08:00', end: '08:00' })).error.fields).toEqual({
      end: 'Must differ from the start.',
    })
    expect((await create({ start: '8:00' })).error.fields).toEqual({ start: 'Must be a time such as 08:00.' })
  })

  test('are checked by the database itself', async () => {
    const shift = await plan()
    const wrong = db.updateTable('shift').where('uid', '=', shift.uid)
    await expect(wrong.set({ starts_at: '2026-07-01T12:00:00Z' }).execute()).rejects.toThrow(
      /shift_starts_as_clocks_show/,
    )
    await expect(wrong.set({ end_time: '17:00' }).execute()).rejects.toThrow(/shift_ends_as_clocks_show/)
  })
})

describe('a truck and a driver', () => {
  test('are never in two overlapping shifts; the refusal names what is in the way', async () => {
    const first = await plan({ start: '08:00', end: '16:00' })
    const truck = await create({ truckUid: first.truck.uid, start: '15:00', end: '20:00' })
    expect(truck.status).toBe(409)
    expect(truck.error).toMatchObject({
      code: 'shiftClash',
      clashes: [{ uid: first.uid, over: 'truck' }],
      fields: {
        truckUid: expect.stringContaining(`${first.truck.name} · The driver · Jul 1, 2026, 8:00 AM–4:00 PM · Summer`),
      },
    })
    const driver = await create({ driverUid: driverOf(first).uid, start: '15:00', end: '20:00' })
    expect(driver.error).toMatchObject({ code: 'shiftClash', clashes: [{ uid: first.uid, over: 'driver' }] })
    expect(
      (await create({ truckUid: first.truck.uid, driverUid: driverOf(first).uid, start: '16:00', end: '20:00' }))
        .status,
    ).toBe(200)
  })

  test('clash also across midnight, and when a shift is moved onto another', async () => {
    const night = await plan({ date: '2026-07-01', start: '20:00', end: '04:00' })
    expect((await create({ truckUid: night.truck.uid, date: '2026-07-02', start: '03:00', end: '09:00' })).status).toBe(
      409,
    )
    const day = await plan({ truckUid: night.truck.uid, date: '2026-07-02', start: '04:00', end: '09:00' })
    expect((await update(day, { start: '03:30' })).error.clashes).toEqual([
      { uid: night.uid, over: 'truck', name: expect.any(String) },
    ])
    expect((await update(day, { end: '10:00' })).status).toBe(200)
  })

  test('are free again when a shift is canceled or no one came, until it is planned again', async () => {
    const shift = await plan()
    expect((await move(shift, 'cancelled')).error.fields).toEqual({ reason: 'Enter a reason.' })
    const canceled = (await move(shift, 'cancelled', 'Snow')).body.data
    expect(canceled).toMatchObject({ status: 'cancelled', reason: 'Snow' })
    const instead = await plan({ truckUid: shift.truck.uid, driverUid: driverOf(shift).uid })
    expect((await move(canceled, 'planned')).error.clashes?.map(({ over }) => over)).toEqual(['truck', 'driver'])
    await move(instead, 'noShow', 'Ill')
    expect((await move(canceled, 'planned')).body.data).toMatchObject({ status: 'planned', reason: '' })
  })

  test('are refused by the database too', async () => {
    const { truck, driver } = await plan()
    const row = await db.selectFrom('shift').selectAll().where('truck_uid', '=', truck.uid).executeTakeFirstOrThrow()
    const { uid: _uid, search_text: _text, ...copy } = row
    const insert = (given: object) =>
      db
        .insertInto('shift')
        .values({ ...copy, stops: '[]', ...given })
        .execute()
    await expect(insert({ driver_uid: await addDriver() })).rejects.toThrow(/shift_truck_once/)
    await expect(insert({ truck_uid: await addTruck() })).rejects.toThrow(/shift_driver_once/)
    expect(driver?.uid).toBe(copy.driver_uid)
  })
})

describe('a shift is refused with the reason', () => {
  test.each<[string, () => Promise<Partial<ShiftInput>>, Record<string, string>]>([
    [
      'outside the program’s dates',
      async () => ({ date: '2027-01-01' }),
      { date: 'Summer runs from Jan 1, 2026 to Dec 31, 2026.' },
    ],
    [
      'outside a market’s own dates',
      async () => ({ marketUid: elsewhere }),
      { date: 'Summer runs in Austin from Jun 1, 2026 to Jun 30, 2026.' },
    ],
    [
      'in a market the program is not in',
      async () => ({ programUid: other, marketUid: elsewhere }),
      { marketUid: 'Winter does not run in Austin.' },
    ],
    [
      'with a truck in the shop',
      async () => ({ truckUid: await truckInShop() }),
      { truckUid: expect.stringMatching(/^T-\d+ is in the shop Jun 30, 2026 – Jul 2, 2026\.$/) },
    ],
    ['with a deleted driver', async () => ({ driverUid: await deletedDriver() }), { driverUid: 'Driver not found.' }],
    [
      'with someone who is no driver',
      async () => ({ driverUid: people.sales.uid }),
      { driverUid: 'The sales is not a driver.' },
    ],
    [
      'with artwork of another program',
      async () => ({ artworkSetUid: await artworkOf(other) }),
      { artworkSetUid: 'This artwork set belongs to another program.' },
    ],
    [
      'with an address set that is none',
      async () => ({ addressSetUid: program }),
      { addressSetUid: 'SD address set not found.' },
    ],
  ])('%s', async (_, given, fields) => {
    const refused = await create(await given())
    expect([refused.status, refused.error.fields]).toEqual([400, fields])
    const saved = await plan()
    expect((await update(saved, await given())).status).toBe(400)
    expect((await call(shifts.get, { params: { uid: saved.uid } })).body.data).toEqual(saved)
  })

  const truckInShop = async () => {
    const truckUid = await addTruck()
    await addStretch(world.db, { truckUid, from: '2026-06-30', to: '2026-07-02' })
    return truckUid
  }
  const deletedDriver = async () => {
    const { uid } = await addUser('driver')
    await call(users.remove, { params: { uid } })
    return uid
  }
  const artworkOf = async (programUid: string) =>
    (
      await db
        .insertInto('artwork_set')
        .values({ program_uid: programUid, name: `Set ${randomUUID()}` })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid

  test('but keeps what was deleted or went to the shop since', async () => {
    const shift = await plan()
    await db.updateTable('truck').set({ state: 'retired' }).where('uid', '=', shift.truck.uid).execute()
    expect((await update(shift, { note: 'kept' })).body.data).toMatchObject({ note: 'kept', truck: shift.truck })
  })

  test('and an old version is refused', async () => {
    const shift = await plan()
    await update(shift, { note: 'one' })
    expect((await update(shift, { note: 'two' })).error.code).toBe('staleVersion')
  })
})

describe('what becomes of a shift', () => {
  test('it goes out, is completed, and cannot be deleted then', async () => {
    const out = (await move(await plan(), 'out')).body.data
    expect(out).toMatchObject({ status: 'out', startedAt: expect.any(String), stoppedAt: null })
    const done = (await move(out, 'completed')).body.data
    expect(done).toMatchObject({ status: 'completed', startedAt: out.startedAt, stoppedAt: expect.any(String) })
    expect((await call(shifts.remove, { params: { uid: done.uid } })).error.code).toBe('shiftMove')
    expect((await move(done, 'cancelled', 'x')).error.error).toBe(
      "This change isn't possible for a shift that is completed. It can only become out.",
    )
    const [detail] = (await call(shifts.details, { query: { uid: done.uid } })).body.data
    expect(detail).toMatchObject({ plannedMinutes: 480, actualMinutes: 0, lateMinutes: expect.any(Number) })
  })

  test('a planned one is deleted, and its truck is free', async () => {
    const shift = await plan()
    expect((await call(shifts.remove, { params: { uid: shift.uid } })).status).toBe(200)
    await plan({ truckUid: shift.truck.uid, driverUid: driverOf(shift).uid })
  })

  test('a driver starts and completes their own, and changes nothing else', async () => {
    const driver = await addUser('driver')
    const shift = await plan({ driverUid: driver.uid })
    const foreign = await plan()
    expect((await move(foreign, 'out', '', driver.token)).status).toBe(404)
    expect((await move(shift, 'cancelled', 'no wish', driver.token)).status).toBe(409)
    const out = (await move(shift, 'out', '', driver.token)).body.data
    expect((await move(out, 'completed', '', driver.token)).body.data.status).toBe('completed')
    expect((await create({}, driver.token)).status).toBe(403)
    const { data } = (await call(shifts.list, { query: {} }, { token: driver.token })).body
    expect(data.map(({ uid }) => uid)).toEqual([shift.uid])
    expect((await call(shifts.get, { params: { uid: foreign.uid } }, { token: driver.token })).status).toBe(404)
    const board = await call(shifts.board, { query: { from: '2026-07-01', to: '2026-07-07' } }, { token: driver.token })
    expect(board.body.data.shifts.map(({ uid }) => uid)).toEqual([shift.uid])
    expect(board.body.data.trucks.map(({ uid }) => uid)).toEqual([shift.truck.uid])
    const days = await call(
      shifts.byDriver,
      { query: { from: '2026-07-01', to: '2026-07-07' } },
      { token: driver.token },
    )
    expect(days.body.data.map(({ driver: whose, shifts: own }) => [whose?.uid, own.length])).toEqual([[driver.uid, 1]])
  })
})

describe('rest', () => {
  test('shorter than the settings ask for is said, not refused', async () => {
    const driverUid = await addDriver()
    await plan({ driverUid, date: '2026-08-01', start: '12:00', end: '22:00' })
    const tried = await call(shifts.clashes, {
      body: await input({ driverUid, date: '2026-08-02', start: '06:30', end: '10:00' }),
    })
    expect(tried.body.data).toEqual({
      problems: {},
      clashes: [],
      shortRestHours: 8.5,
      inactiveProgram: null,
      lateArrivals: [],
    })
    const second = await plan({ driverUid, date: '2026-08-02', start: '06:30', end: '10:00' })
    expect(second.shortRestHours).toBe(8.5)
    const board = await call(shifts.board, { query: { from: '2026-08-02', to: '2026-08-02', driver: driverUid } })
    const found = board.body.data.shifts.filter(({ isMatch }) => isMatch)
    expect(found.map(({ shortRestHours }) => shortRestHours)).toEqual([8.5])
    expect((await plan({ driverUid, date: '2026-08-03', start: '08:00', end: '10:00' })).shortRestHours).toBeNull()
  })
})

describe('trying a shift', () => {
  test('tells problems and clashes, and saves nothing', async () => {
    const shift = await plan({ date: '2026-09-01' })
    const { total } = (await call(shifts.list, { query: {} })).body
    const body = await input({ truckUid: shift.truck.uid, date: '2026-09-01', programUid: other, marketUid: elsewhere })
    const { data } = (await call(shifts.clashes, { body })).body
    expect(data.problems).toEqual({ marketUid: 'Winter does not run in Austin.' })
    expect(data.clashes).toEqual([{ uid: shift.uid, over: 'truck', name: expect.any(String) }])
    expect(
      (await call(shifts.clashes, { body: { ...toShiftInput(shift), uid: shift.uid } })).body.data.clashes,
    ).toEqual([])
    expect((await call(shifts.list, { query: {} })).body.total).toBe(total)
  })
})

describe('copying a week', () => {
  test('copies what fits, names what does not, and only tells when asked to', async () => {
    const [first, second] = [
      await plan({ date: '2026-10-05' }),
      await plan({ date: '2026-10-11', start: '20:00', end: '04:00' }),
    ]
    const taken = await plan({ date: '2026-10-12', truckUid: first.truck.uid })
    await move(await plan({ date: '2026-10-06' }), 'cancelled', 'Snow')
    const body = { from: '2026-10-05', to: '2026-10-11', onto: '2026-10-12', save: false }
    const tried = (await call(shifts.copy, { body })).body.data
    expect(tried).toEqual({
      copied: 1,
      inactive: 0,
      lateArrivals: [],
      undoUid: null,
      refused: [
        {
          reason: 'The truck has another shift at that time.',
          shifts: [
            {
              uid: first.uid,
              name: expect.stringContaining('Oct 12, 2026, 8:00 AM–4:00 PM'),
              detail: expect.stringContaining(`Overlaps ${taken.truck.name}`),
            },
          ],
        },
      ],
    })
    expect((await call(shifts.copy, { body: { ...body, save: true } })).body.data).toEqual({
      ...tried,
      undoUid: expect.any(String),
    })
    const { data } = (await call(shifts.list, { query: { truck: second.truck.uid, sort: 'startsAt' } })).body
    expect(data.map(({ date, start, end, status }) => [date, start, end, status])).toEqual([
      ['2026-10-11', '20:00', '04:00', 'planned'],
      ['2026-10-18', '20:00', '04:00', 'planned'],
    ])
    expect((await call(shifts.copy, { body: { ...body, save: true } })).body.data.copied).toBe(0)
    expect((await call(shifts.copy, { body: { ...body, onto: '2026-10-05' } })).error.fields).toEqual({
      onto: 'Choose other days.',
    })
  })
})

describe('the list', () => {
  test('is searched by truck, driver, program and client, filtered, and exported', async () => {
    const shift = await plan({ date: '2026-11-20', note: 'Bring the keys' })
    const found = async (query: object) =>
      (await call(shifts.list, { query: { from: '2026-11-20', to: '2026-11-20', ...query } })).body.data.map(
        ({ uid }) => uid,
      )
    for (const search of [shift.truck.name, 'the driver', 'summer', shift.client.name, 'keys'])
      expect(await found({ search })).toEqual([shift.uid])
    expect(await found({ search: 'nothing of the kind' })).toEqual([])
    expect(await found({ program: other })).toEqual([])
    expect(await found({ client: shift.client.uid, market, status: 'planned', driver: driverOf(shift).uid })).toEqual([
      shift.uid,
    ])
    const { text } = await call(shifts.list, { query: { format: 'csv', truck: shift.truck.uid } })
    expect(text).toContain('Date,Start,End,Zone,Truck,Driver,Client,Program,Market')
    expect(text).toContain(`# 1 row; truck: ${shift.truck.name};`)
  })

  test('of a board is bounded in days', async () => {
    const refused = await call(shifts.board, { query: { from: '2026-01-01', to: '2026-03-01' } })
    expect(refused.error.fields).toEqual({ to: 'Must be at most 34 days after the first day, and not before it.' })
  })

  test('of drivers shows their days', async () => {
    const shift = await plan({ date: '2026-12-01' })
    const query = { from: '2026-12-01', to: '2026-12-07', driver: driverOf(shift).uid }
    const { data, total } = (await call(shifts.byDriver, { query })).body
    expect([total, data[0]?.driver, data[0]?.shifts]).toEqual([1, shift.driver, [shift]])
    const narrowed = (await call(shifts.byDriver, { query: { ...query, market: elsewhere } })).body
    expect(narrowed.total).toBe(0)
  })
})

test('a retired truck is not offered for planning, but known by its uid', async () => {
  const { truck } = await plan()
  await db.updateTable('truck').set({ state: 'retired' }).where('uid', '=', truck.uid).execute()
  const offered = async (query: object) => (await call(shifts.trucks, { query })).body.data
  expect(await offered({ search: truck.name })).toEqual([])
  expect(await offered({ uid: truck.uid })).toEqual([{ ...truck, state: 'retired' }])
})

test('history says who moved what', async () => {
  const shift = await plan()
  await update(shift, { start: '09:00' })
  const { data } = (await call(shifts.history, { params: { uid: shift.uid }, query: {} })).body
  expect(data[0]).toMatchObject({ by: 'The admin', fields: [{ field: 'startTime', old: '08:00:00', new: '09:00:00' }] })
  expect(data[1]?.fields.find(({ field }) => field === 'truck')?.new).toBe(shift.truck.name)
})
