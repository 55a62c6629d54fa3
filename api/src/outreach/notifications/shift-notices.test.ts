import { addDays, formatDay, localDay, shiftPlanChanges, shifts, type ShiftInput } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordEvents } from '../../platform/outbox/index.ts'
import { deliveriesOf, deliveryWatch } from '../../proof/delivery/index.ts'
import { tellDrivers } from './shift-notices.ts'
import { MINUTE, NOW, openDispatch } from './test-dispatch.ts'
import { openOutreach } from './test-outreach.ts'
import { startWatch } from './watches.ts'

const world = await openWorld()
const { call, db, people } = world
const { env, handle } = openOutreach(world)
const { addTruck, addShift, startAgo, clear } = await openDispatch(world)

beforeEach(clear)

describe('a driver', () => {
  const gatherOver = async () => {
    await handle()
    await db
      .updateTable('shift_notice')
      .set({ since: sql`now() - interval '2 minutes'` })
      .execute()
    await tellDrivers(db, { env }, Date.now())
  }
  const bell = (uid: string) =>
    db
      .selectFrom('notification')
      .select(['kind', 'subject', 'text'])
      .where('user_uid', '=', uid)
      .orderBy('at')
      .execute()

  test('gets one message for several new shifts', async () => {
    const { uid } = await world.addUser('driver')
    for (const day of [1, 2, 3]) await addShift(day * 1440, day * 1440 + 60, { driverUid: uid })
    await handle()
    await tellDrivers(db, { env }, Date.now())
    expect(await bell(uid)).toEqual([])
    await gatherOver()
    expect(await bell(uid)).toMatchObject([{ kind: 'shiftGiven', subject: '3 new shifts' }])
    await gatherOver()
    expect(await bell(uid)).toHaveLength(1)
  })

  test('gets no notice of an act on the board that is undone before the notice is sent', async () => {
    const shift = await addShift(1440, 1500)
    const uid = shift.driver?.uid ?? ''
    await gatherOver()
    const known = await bell(uid)
    for (const kind of ['cancel', 'delete'] as const) {
      const { version } = (await call(shifts.get, { params: { uid: shift.uid } })).body.data
      const some = [{ uid: shift.uid, version }]
      const act = kind === 'cancel' ? { kind, shifts: some, reason: 'Snow' } : { kind, shifts: some }
      const done = (await call(shiftPlanChanges.apply, { body: { act } })).body.data
      expect(done.saved).toBe(true)
      expect((await call(shiftPlanChanges.undo, { body: { uid: done.undoUid ?? '' } })).status).toBe(200)
    }
    await gatherOver()
    expect(await bell(uid)).toEqual(known)
  })

  test('gets one message for a series of changes, and none for a change that was taken back', async () => {
    const shift = await addShift(1440, 1500)
    const uid = shift.driver?.uid ?? ''
    await gatherOver()
    let current = shift
    const update = async (given: Partial<ShiftInput>) => {
      const { driver, truck, market, program, date, start, end, note } = current
      const body = {
        driverUid: driver?.uid ?? '',
        truckUid: truck.uid,
        marketUid: market.uid,
        programUid: program.uid,
        date,
        start,
        end,
        note,
        uid: current.uid,
        version: current.version,
        ...given,
      }
      const answer = await call(shifts.update, { body })
      expect(answer.status).toBe(200)
      current = answer.body.data
    }
    const moved = await addTruck()
    await update({ note: 'bring keys' })
    await update({ truckUid: moved })
    await update({ truckUid: shift.truck.uid })
    await gatherOver()
    expect(await bell(uid)).toMatchObject([{ kind: 'shiftGiven' }])
    await update({ truckUid: moved })
    await update({ truckUid: await addTruck() })
    await gatherOver()
    expect(await bell(uid)).toMatchObject([{ kind: 'shiftGiven' }, { kind: 'shiftMoved' }])
    const next = await world.addUser('driver')
    await update({ driverUid: next.uid })
    await gatherOver()
    expect((await bell(uid)).at(-1)).toMatchObject({
      kind: 'shiftCancelled',
      subject: expect.stringMatching(/^The driver drives your shift: /),
      text: expect.stringMatching(/\. The driver drives now\.$/),
    })
    expect(await bell(next.uid)).toMatchObject([{ kind: 'shiftGiven' }])
    await call(shifts.remove, { params: { uid: shift.uid } })
    await gatherOver()
    expect((await bell(next.uid)).at(-1)).toMatchObject({
      kind: 'shiftCancelled',
      subject: expect.stringMatching(/^Shift canceled: /),
    })
    expect(await bell(uid)).toHaveLength(3)
  })

  test('hears nothing of shifts that are over, nor of other drivers’', async () => {
    const shift = await addShift(-240, -120)
    const other = await world.addUser('driver')
    await gatherOver()
    expect(await bell(shift.driver?.uid ?? '')).toEqual([])
    expect(await bell(other.uid)).toEqual([])
  })
})

describe('dispatch', () => {
  test('hears once of a late shift, once of a no-show, and when it starts after all', async () => {
    const shift = await addShift(-12, 300)
    const kinds = async () => {
      await handle()
      const rows = await db
        .selectFrom('notification')
        .select(['kind', 'subject'])
        .where('user_uid', '=', people.sales.uid)
        .orderBy('at')
        .execute()
      return rows.map(({ kind, subject }) => `${kind} ${subject.split(':')[0]}`)
    }
    await startWatch.look({ db, env, now: NOW })
    await startWatch.look({ db, env, now: NOW })
    expect(await kinds()).toEqual(['shiftLate Late'])
    await startWatch.look({ db, env, now: NOW + 50 * MINUTE })
    expect(await kinds()).toEqual(['shiftLate Late', 'noShow No-show'])
    await startAgo(shift, 0)
    await startWatch.look({ db, env, now: NOW + 60 * MINUTE })
    expect(await kinds()).toEqual(['shiftLate Late', 'noShow No-show', 'shiftLate Started'])
  })

  test('hears of a shift that its driver declines', async () => {
    const shift = await addShift(1440, 1500)
    await recordEvents(db, [{ type: 'shift.declined', object: `shift ${shift.uid}`, data: { reason: 'Sick' } }])
    await handle()
    const told = await db.selectFrom('notification').select('text').where('kind', '=', 'shiftDeclined').execute()
    expect(told.every(({ text }) => text.includes('“Sick”'))).toBe(true)
    expect(told.length).toBeGreaterThan(0)
  })

  test('hears of messages and requests of a driver, and the driver of a message of dispatch', async () => {
    const shift = await addShift(1440, 1500)
    const object = `shift ${shift.uid}`
    const { driver_uid: driverUid } = await db
      .selectFrom('shift')
      .select('driver_uid')
      .where('uid', '=', shift.uid)
      .executeTakeFirstOrThrow()
    await recordEvents(db, [
      { type: 'shift.driverMessage', object, data: { text: 'Gate is locked', from: 'Dana' } },
      { type: 'shift.truckRequested', object, data: { truck: 'T-9', text: '', from: 'Dana' } },
      { type: 'shift.dispatchMessage', object, data: { driverUid, text: 'Code is 4711' } },
      // Written to a driver who lost the shift meanwhile.
      { type: 'shift.dispatchMessage', object, data: { driverUid: people.driver.uid, text: 'Not for you' } },
    ])
    await handle()
    const told = await db
      .selectFrom('notification')
      .select(['kind', 'path', 'user_uid', 'subject', 'text'])
      .where('object', '=', object)
      .where('kind', 'in', ['driverMessage', 'truckRequested', 'dispatchMessage'])
      .execute()
    const ofAdmin = told.filter(({ user_uid }) => user_uid === people.admin.uid)
    expect(ofAdmin.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
      `driverMessage /schedule/program-schedule?open=${shift.uid}`,
      `truckRequested /schedule/program-schedule?open=${shift.uid}`,
    ])
    expect(told.filter(({ kind }) => kind === 'dispatchMessage')).toMatchObject([
      { user_uid: driverUid, path: `/driver/shifts/${shift.uid}`, text: expect.stringContaining('4711') as string },
    ])
  })
})

test('a program is behind when less than 90% of its planned hours were driven, and says so once', async () => {
  const shift = await addShift(-1200, -120)
  await deliveryWatch.look({ db, env, now: NOW })
  await deliveryWatch.look({ db, env, now: NOW })
  await handle()
  const told = () =>
    db
      .selectFrom('notification')
      .select(['subject', 'text'])
      .where('kind', '=', 'campaignBehind')
      .where('user_uid', '=', people.sales.uid)
      .execute()
  expect(await told()).toEqual([
    { subject: 'Summer is behind', text: 'Of 18 shift hours planned until now, 0 were driven (0%).' },
  ])
  await db
    .updateTable('shift')
    .set({ status: 'completed', started_at: sql`starts_at`, stopped_at: sql`ends_at` })
    .where('uid', '=', shift.uid)
    .execute()
  await deliveryWatch.look({ db, env, now: NOW })
  await handle()
  expect(await told()).toHaveLength(1)
})

test('a program with booked lines is behind by the numbers of its delivery, to staff and to webhooks', async () => {
  const { uid: marketUid } = await world.addMarket('Denver')
  const zone = 'America/Chicago'
  const day = (days: number) => addDays(localDay(zone, NOW), days)
  const { uid } = await world.addProgram({
    name: 'Promised',
    startsOn: day(-20),
    endsOn: day(20),
    markets: [{ marketUid }],
    bookedLines: [{ marketUid, unit: 'truckDays', amount: 40, startsOn: day(-10), endsOn: day(9), priceCents: 100 }],
  })
  await deliveryWatch.look({ db, env, now: NOW })
  const { data } = await db
    .selectFrom('outbound_event')
    .select('data')
    .where('type', '=', 'delivery.behind')
    .where('object', '=', `program ${uid}`)
    .executeTakeFirstOrThrow()
  const shown = (await deliveriesOf(db, 'all', [uid], NOW)).get(uid)
  const [line] = shown?.lines ?? []
  expect(data).toMatchObject({ programUid: uid, program: 'Promised', pace: shown?.pace })
  expect(data).toMatchObject({
    lines: [{ delivered: line?.delivered, expected: line?.expected, forecast: line?.forecast, amount: 40 }],
  })
  expect(JSON.stringify(data)).not.toContain('price')
  await handle()
  const told = await db
    .selectFrom('notification')
    .select(['subject', 'text', 'path'])
    .where('kind', '=', 'campaignBehind')
    .where('object', '=', `program ${uid}`)
    .where('user_uid', '=', people.sales.uid)
    .execute()
  expect(told).toEqual([
    {
      subject: 'Promised is behind',
      text: `Denver: 0% of what is due by now, 0 of 40 truck-days through ${formatDay(line?.through ?? '')}. At this rate 0 of 40 truck-days by ${formatDay(day(9))}.`,
      path: `/client-programs?open=${uid}`,
    },
  ])
})
