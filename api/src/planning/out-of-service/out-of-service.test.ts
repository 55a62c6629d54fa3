import { addDays, driverApp, localDay, outOfServices, shiftPlanChanges, shifts, trucks } from '@roadshow/contract'
import type { OutOfServiceInput, ShiftInput } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { followShopStays } from '../../catalog/trucks/index.ts'
import { openTestPlan } from '../shifts/test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const office = await openTestPlan(world)
await db.updateTable('client_program').set({ ends_on: '2199-12-31' }).execute()

const TODAY = localDay('America/Chicago')
const day = (n: number) => addDays(TODAY, n)

type Decisions = { uid: string; version: number; toUid: string | null }[]
const save = (input: OutOfServiceInput, shifts: Decisions = [], token = people.admin.token) =>
  call(outOfServices.create, { body: { ...input, shifts } }, { token })
const check = async (input: Omit<OutOfServiceInput, 'reason'>) =>
  (await call(outOfServices.check, { body: input })).body.data
const undo = (uid: string) => call(shiftPlanChanges.undo, { body: { uid } })
const get = async (uid: string) => (await call(shifts.get, { params: { uid } })).body.data
const stateOf = async (uid: string) => (await call(trucks.get, { params: { uid } })).body.data.state

/** A truck at home in Dallas. */
async function addTruck(): Promise<string> {
  const uid = await office.addTruck()
  await db.updateTable('truck').set({ home_market_uid: office.market }).where('uid', '=', uid).execute()
  return uid
}

describe('a truck goes to the shop', () => {
  test('from a day to a day: shifts in it are refused, those before and after are planned', async () => {
    const truckUid = await addTruck()
    const saved = await save({ truckUid, from: day(10), to: day(12), reason: 'Brakes' })
    expect([saved.status, saved.body.data]).toEqual([200, expect.objectContaining({ zone: 'America/Chicago' })])
    const refused = await office.create({ truckUid, date: day(12) })
    expect([refused.status, refused.error.fields]).toEqual([
      400,
      { truckUid: expect.stringMatching(/^T-\d+ is in the shop .+\.$/) },
    ])
    for (const date of [day(9), day(13), day(40)]) expect((await office.create({ truckUid, date })).status).toBe(200)
  })

  test('is not in the shop until then, and back afterwards, whoever looks', async () => {
    const truckUid = await addTruck()
    await save({ truckUid, from: day(1), to: day(2) })
    expect(await stateOf(truckUid)).toBe('active')
    const now = await save({ truckUid: await addTruck(), from: day(0), to: null })
    expect(await stateOf(now.body.data.truck?.uid ?? '')).toBe('inShop')
    await db
      .updateTable('out_of_service')
      .set({ deleted_at: new Date() })
      .where('uid', '=', now.body.data.uid ?? '')
      .execute()
    await followShopStays(db)
    expect(await stateOf(now.body.data.truck?.uid ?? '')).toBe('active')
  })

  test('by its status as before: until further notice, and back from now', async () => {
    const truckUid = await addTruck()
    const put = async (state: 'inShop' | 'active') => {
      const { uid, number, kind, version } = (await call(trucks.get, { params: { uid: truckUid } })).body.data
      return call(trucks.update, { body: { uid, version, number, kind, state, homeMarketUid: office.market } })
    }
    expect((await put('inShop')).status).toBe(200)
    const [stay] = (await call(outOfServices.list, { query: { truck: truckUid } })).body.data
    expect(stay).toMatchObject({ from: TODAY, to: null, endsAt: null })
    expect((await office.create({ truckUid, date: day(90) })).status).toBe(400)
    expect((await put('active')).status).toBe(200)
    expect((await office.create({ truckUid, date: day(1) })).status).toBe(200)
    const refused = await put('inShop')
    expect(refused.status).toBe(409)
    expect(refused.error.inTheWay).toMatchObject([{ kind: 'shifts', act: { shifts: [{ isPlanned: true }] } }])
  })

  test('over planned shifts only with a decision about each, in one step that can be undone', async () => {
    const truckUid = await addTruck()
    const other = await addTruck()
    const [first, second] = [
      await office.plan({ truckUid, date: day(20) }),
      await office.plan({ truckUid, date: day(21) }),
    ]
    const stretch = { truckUid, from: day(20), to: day(21), reason: 'Brakes' }
    const refused = await save(stretch)
    expect([refused.status, refused.error.code]).toEqual([409, 'shiftsInTheWay'])
    expect(refused.error.inTheWay).toMatchObject([
      {
        name: expect.stringMatching(/^2 shifts from /),
        screen: expect.stringContaining(first.uid),
        act: { shifts: [{ uid: first.uid, version: first.version, isPlanned: true }, { uid: second.uid }] },
      },
    ])
    const { reason: _, ...asked } = stretch
    const { shifts: listed } = await check(asked)
    expect(listed.map(({ uid }) => uid)).toEqual([first.uid, second.uid])
    expect(listed.every(({ choices }) => choices.every(({ uid }) => uid !== truckUid))).toBe(true)
    expect(listed[0]?.choices.map(({ uid }) => uid)).toContain(other)
    expect(new Set(listed.map(({ proposedUid }) => proposedUid)).size).toBe(1)

    const { status, body } = await save(stretch, [
      { uid: first.uid, version: first.version, toUid: other },
      { uid: second.uid, version: second.version, toUid: null },
    ])
    expect([status, body.data]).toMatchObject([200, { moved: 1, canceled: 1 }])
    expect((await get(first.uid)).truck.uid).toBe(other)
    expect(await get(second.uid)).toMatchObject({
      status: 'cancelled',
      reason: expect.stringMatching(/in the shop: Brakes$/),
    })
    expect((await undo(body.data.undoUid)).status).toBe(200)
    expect((await get(first.uid)).truck.uid).toBe(truckUid)
    expect((await get(second.uid)).status).toBe('planned')
    expect((await call(outOfServices.list, { query: { truck: truckUid } })).body.data).toEqual([])
  })

  test('and a shift goes to a truck that is free, with the reason where it is not', async () => {
    const truckUid = await addTruck()
    const shift = await office.plan({ truckUid, date: day(22) })
    const busy = await office.plan({ date: day(22) })
    const to = (toUid: string) =>
      save({ truckUid, from: day(22), to: day(22) }, [{ uid: shift.uid, version: shift.version, toUid }])
    const refused = await to(busy.truck.uid)
    expect([refused.status, refused.error.error]).toEqual([409, expect.stringContaining('another shift at that time')])
    expect((await to(truckUid)).status).toBe(409)
    expect((await get(shift.uid)).truck.uid).toBe(truckUid)
  })

  test('twice at the same time never, and an old version changes nothing', async () => {
    const truckUid = await addTruck()
    const stay = (await save({ truckUid, from: day(30), to: day(35) })).body.data
    expect((await save({ truckUid, from: day(34), to: null })).error.code).toBe('stretchTaken')
    const put = (version: number, to: string) =>
      call(outOfServices.update, { body: { uid: stay.uid, version, truckUid, from: day(30), to } })
    expect((await put(stay.version, day(31))).status).toBe(200)
    expect((await put(stay.version, day(32))).status).toBe(409)
    expect((await office.create({ truckUid, date: day(33) })).status).toBe(200)
    // It can't be made longer over the shift again.
    expect((await put(stay.version + 1, day(35))).error.code).toBe('shiftsInTheWay')
  })

  test('and can be deleted, which can be undone unless a shift took its place', async () => {
    const truckUid = await addTruck()
    const stay = (await save({ truckUid, from: day(36), to: day(37) })).body.data
    const { data } = (await call(outOfServices.remove, { params: { uid: stay.uid } })).body
    expect((await undo(data.undoUid)).status).toBe(200)
    expect((await office.create({ truckUid, date: day(36) })).status).toBe(400)
    const again = (await call(outOfServices.remove, { params: { uid: stay.uid } })).body.data
    expect((await office.create({ truckUid, date: day(36) })).status).toBe(200)
    expect((await undo(again.undoUid)).status).toBe(409)
  })

  test('is in the history of the truck and in the audit log', async () => {
    const truckUid = await addTruck()
    const stay = (await save({ truckUid, from: '2030-02-01', to: '2030-02-03', reason: 'Paint' })).body.data
    await call(outOfServices.remove, { params: { uid: stay.uid } })
    const { data } = (await call(trucks.history, { params: { uid: truckUid }, query: {} })).body
    const said = data.flatMap(({ fields }) => fields.filter(({ field }) => field === 'shopTime'))
    expect(said).toMatchObject([
      { old: 'Feb 1, 2030, 12:00 AM until the end of Feb 3, 2030: Paint', new: null },
      { old: null, new: 'Feb 1, 2030, 12:00 AM until the end of Feb 3, 2030: Paint' },
    ])
  })
})

describe('a driver has days off', () => {
  test('and is refused for shifts into them, with a sentence, also by the night before', async () => {
    const driverUid = await office.addDriver()
    expect((await save({ driverUid, from: day(10), to: day(12) })).status).toBe(200)
    const plan = (given: Partial<ShiftInput>) => office.create({ driverUid, ...given })
    const refused = await plan({ date: day(9), start: '20:00', end: '04:00' })
    expect([refused.status, refused.error.fields]).toEqual([400, { driverUid: expect.stringMatching(/is off .+\.$/) }])
    expect((await plan({ date: day(9), start: '16:00', end: '00:00' })).status).toBe(200)
    expect((await plan({ date: day(13), start: '00:00', end: '08:00' })).status).toBe(200)
  })

  test('copies, moves and undone cancellations into them are refused', async () => {
    const shift = await office.plan({ date: day(14) })
    const driverUid = shift.driver?.uid ?? ''
    await save({ driverUid, from: day(15), to: day(15) })
    const place = { truckUid: shift.truck.uid, date: day(15), start: shift.start, end: shift.end }
    const act = (kind: 'move' | 'copy') =>
      call(shiftPlanChanges.apply, {
        body: { act: { kind, shifts: [{ uid: shift.uid, version: shift.version, ...place }] } },
      })
    for (const kind of ['move', 'copy'] as const) {
      expect((await act(kind)).body.data).toMatchObject({
        saved: false,
        refused: [{ reason: expect.stringMatching(/ is off /) }],
      })
    }
    const copied = await call(shifts.copy, {
      body: { from: day(14), to: day(14), onto: day(15), truck: [shift.truck.uid], save: true },
    })
    expect(copied.body.data).toMatchObject({ copied: 0, refused: [{ reason: expect.stringMatching(/ is off /) }] })

    const canceled = await office.move(shift, 'cancelled', 'Rain')
    await save({ driverUid, from: day(14), to: day(14) })
    const again = await office.move(canceled.body.data, 'planned')
    expect([again.status, again.error.error]).toEqual([409, expect.stringMatching(/ is off /)])
  })

  test('for whole days only', async () => {
    const driverUid = await office.addDriver()
    const refused = await save({ driverUid, from: day(1), startTime: '08:00', to: day(2) })
    expect([refused.status, refused.error.fields]).toEqual([400, { startTime: 'Drivers are off for whole days.' }])
    expect((await save({ driverUid, from: day(2), to: day(1) })).error.fields).toEqual({
      to: 'Must not be before the first day.',
    })
    expect((await save({ driverUid: people.sales.uid, from: day(1) })).error.fields).toEqual({
      driverUid: 'Driver not found.',
    })
    expect((await save({ from: day(1) })).error.fields).toEqual({ truckUid: 'Choose a truck or a driver.' })
    expect((await save({ truckUid: driverUid, from: day(1) })).error.fields).toEqual({ truckUid: 'Truck not found.' })
  })

  test('while out: a shift that has begun is a fact', async () => {
    const driverUid = await office.addDriver()
    const shift = await office.plan({ driverUid, date: TODAY, start: '00:00', end: '23:59' })
    await db.updateTable('shift').set({ status: 'out', started_at: new Date() }).where('uid', '=', shift.uid).execute()
    expect((await save({ driverUid, from: day(0), to: day(1) })).status).toBe(200)
    expect((await get(shift.uid)).status).toBe('out')
  })

  test('is seen by planners and by the driver, not by others', async () => {
    const driver = await world.addUser('driver')
    await save({ driverUid: driver.uid, from: day(3), to: day(4), reason: 'Doctor' })
    await save({ driverUid: await office.addDriver(), from: day(3), to: day(4) })
    const truckUid = await addTruck()
    await save({ truckUid, from: day(3), to: day(4) })
    const list = async (token: string) => (await call(outOfServices.list, { query: {} }, { token })).body.data
    expect(await list(driver.token)).toMatchObject([{ driver: { uid: driver.uid }, from: day(3) }])
    const phone = await call(driverApp.day, {}, { token: driver.token })
    expect(phone.body.data.daysOff).toMatchObject([{ from: day(3), to: day(4) }])
    expect((await list(people.sales.token)).length).toBeGreaterThan(2)
    const client = await world.addUser('client', ['clients', 'pop'], (await world.addClient()).uid)
    expect(await list(client.token)).toEqual([])
    const forbidden = await save({ driverUid: driver.uid, from: day(50) }, [], driver.token)
    expect(forbidden.status).toBe(403)
    const [own] = await list(driver.token)
    const removed = await call(outOfServices.remove, { params: { uid: own?.uid ?? '' } }, { token: driver.token })
    expect(removed.status).toBe(403)
  })
})

describe('by the clocks of the home market', () => {
  test.each([
    ['2030-03-10', '2030-03-10T06:00:00Z', '2030-03-11T05:00:00Z'],
    ['2030-11-03', '2030-11-03T05:00:00Z', '2030-11-04T06:00:00Z'],
  ])('a day off on %s, when clocks change, is that day', async (date, startsAt, endsAt) => {
    const driverUid = await office.addDriver()
    await db.deleteFrom('out_of_service').where('driver_uid', '=', driverUid).execute()
    expect((await save({ driverUid, from: date, to: date })).body.data).toMatchObject({ startsAt, endsAt })
  })

  test('shop hours at a time that clocks skip are refused', async () => {
    const truckUid = await addTruck()
    const refused = await save({ truckUid, from: '2030-03-10', startTime: '02:30', to: null })
    expect(refused.error.fields).toEqual({ startTime: 'Clocks in America/Chicago skip 2:30 AM on that day.' })
    const saved = await save({ truckUid, from: '2030-11-03', startTime: '01:30', to: '2030-11-03', endTime: '03:00' })
    expect(saved.body.data).toMatchObject({
      startsAt: '2030-11-03T06:30:00Z',
      endsAt: '2030-11-03T09:00:00Z',
    })
  })
})

test('the database refuses what two writers save at the same moment', async () => {
  const shift = await office.plan({ date: day(25) })
  const stretch = { truckUid: shift.truck.uid, from: day(26), to: day(26) }
  const [one, other] = await Promise.all([save(stretch), office.update(shift, { date: day(26) })])
  expect([one.status, other.status]).not.toEqual([200, 200])
  expect(Math.max(one.status, other.status)).toBeLessThan(500)
})
