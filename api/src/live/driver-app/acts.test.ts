import { driverApp, type ModuleKey, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { ms, openPhones } from './test-phone.ts'

const world = await openWorld()
const { call, addUser } = world
const { act, addDriving, ago, change, current, dayOf, onPhone, planIn, results, send } = await openPhones(world)

describe('a shift that a driver starts and stops on the phone', () => {
  test('goes out and is completed in any order, twice, from two phones, and late', async () => {
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0, 1],
    ]
    for (const order of orders) {
      const { driver, shift } = await addDriving()
      // The same driver started on two phones.
      const acts = [act('start', shift.uid, 170), act('start', shift.uid, 160), act('stop', shift.uid, 5)]
      for (const index of order) await send(driver, [acts[index]])
      expect(await results(driver, acts)).toEqual(acts.map(() => expect.stringMatching(/^duplicate/)))
      const { status, startedAt, stoppedAt } = await current(shift.uid)
      expect([status, ms(startedAt), ms(stoppedAt)]).toEqual(['completed', ms(acts[0]?.at), ms(acts[2]?.at)])
      expect(await onPhone(driver, shift.uid)).toMatchObject({ status: 'completed' })
    }
  })

  test('a phone whose clock is an hour wrong reports the true time', async () => {
    for (const wrong of [-60, 60]) {
      const { driver, shift } = await addDriving()
      const start = act('start', shift.uid, 100 + wrong)
      expect(await results(driver, [start], ago(wrong))).toEqual(['accepted'])
      const { startedAt } = await current(shift.uid)
      expect(Math.abs((ms(startedAt) ?? 0) - Date.now() + 100 * 60_000)).toBeLessThan(20_000)
      expect((await onPhone(driver, shift.uid))?.startedAt).toBe(startedAt)
    }
  })

  test('a phone whose clock is wrong by centuries reports the true time too, or learns what is wrong', async () => {
    const early = { sentAt: '0001-01-01T05:00:00Z', start: '0001-01-01T03:20:00Z' }
    const late = { sentAt: '9999-01-01T05:00:00Z', start: '9999-01-01T03:20:00Z' }
    for (const { sentAt, start } of [early, late]) {
      const { driver, shift } = await addDriving()
      const made = { ...act('start', shift.uid, 0), at: start }
      expect(await results(driver, [made], sentAt)).toEqual(['accepted'])
      const { startedAt } = await current(shift.uid)
      expect(Math.abs((ms(startedAt) ?? 0) - Date.now() + 100 * 60_000)).toBeLessThan(20_000)
    }
    const { driver, shift } = await addDriving()
    const [old, future] = [early, late].map(({ start }) => ({ ...act('start', shift.uid, 0), at: start }))
    expect(await results(driver, [old], late.sentAt)).toEqual(['rejected tooOld'])
    expect(await results(driver, [future], early.sentAt)).toEqual(['later future'])
    const body = { sentAt: '0000-01-01T00:00:00Z', acts: [future] }
    const { status, error } = await call(driverApp.acts, { body }, { token: driver.token })
    expect([status, error.fields]).toEqual([400, { sentAt: 'Must be a UTC time such as 2026-07-01T15:04:05Z.' }])
  })

  test('that was moved, canceled or given away meanwhile keeps the event and says why it does not count', async () => {
    const moved = await addDriving()
    await change(moved.shift.uid, { date: '2027-03-01', start: '08:00', end: '12:00' })
    expect(await results(moved.driver, [act('start', moved.shift.uid, 150)])).toEqual(['accepted shiftMoved'])
    expect((await current(moved.shift.uid)).status).toBe('planned')

    const canceled = await addDriving()
    const { uid, version } = canceled.shift
    await call(shifts.move, { body: { uid, version, status: 'cancelled', reason: 'Rain' } })
    const late = act('start', uid, 150)
    expect(await results(canceled.driver, [late])).toEqual(['accepted shiftCancelled'])
    expect(await results(canceled.driver, [late])).toEqual(['duplicate shiftCancelled'])

    const given = await addDriving()
    const next = await addUser('driver')
    await change(given.shift.uid, { driverUid: next.uid })
    expect(await results(given.driver, [act('start', given.shift.uid, 150)])).toEqual(['accepted shiftOfAnother'])
    expect(await current(given.shift.uid)).toMatchObject({ status: 'planned', startedAt: null })
    expect(await onPhone(given.driver, given.shift.uid)).toBeUndefined()
    // Given back, the stored start counts.
    await change(given.shift.uid, { driverUid: given.driver.uid })
    expect((await current(given.shift.uid)).status).toBe('out')

    const gone = await addDriving(-1)
    await call(shifts.remove, { params: { uid: gone.shift.uid } })
    expect(await results(gone.driver, [act('start', gone.shift.uid, 0)])).toEqual(['accepted shiftGone'])
  })

  test('another driver’s shift, a wrong time, a used id and nonsense are refused one by one', async () => {
    const { driver, shift } = await addDriving()
    const other = await addDriving()
    const early = await planIn(8, { driverUid: driver.uid })
    const start = act('start', shift.uid, 30)
    expect(
      await results(driver, [
        act('start', other.shift.uid, 5),
        act('start', '01900000-0000-7000-8000-000000000000', 5),
        act('start', shift.uid, 60 * 24 * 3),
        act('start', shift.uid, 60 * 24 * 400),
        act('start', shift.uid, -30),
        act('start', early.uid, 0),
        act('stop', early.uid, 0),
        start,
        { ...start, kind: 'stop' },
        { kind: 'dance' },
        'nonsense',
      ]),
    ).toEqual([
      'rejected shiftOfAnother',
      'rejected shiftOfAnother',
      'rejected tooFarAway',
      'rejected tooOld',
      'later future',
      'accepted tooEarly',
      'accepted notStarted',
      'accepted',
      'rejected idUsed',
      'rejected invalid',
      'rejected invalid',
    ])
    expect((await current(other.shift.uid)).status).toBe('planned')
    // The ids of one driver are not another's.
    expect(await results(other.driver, [{ ...start, shiftUid: other.shift.uid }])).toEqual(['accepted'])
  })

  test('is for drivers with the schedule, and each reads only their own', async () => {
    const { driver, shift } = await addDriving()
    expect((await dayOf(await addUser('driver'))).shifts).toEqual([])
    expect((await dayOf(driver)).shifts.map(({ uid }) => uid)).toEqual([shift.uid])
    // The phone offers what each may send, and nothing else.
    const may = async (...modules: ModuleKey[]) => (await dayOf(await addUser('driver', modules))).may
    expect(await may('schedule', 'pop', 'payroll')).toEqual({
      act: true,
      photos: true,
      pictures: true,
      pay: true,
      calendar: true,
    })
    expect(await may('schedule')).toMatchObject({ act: true, photos: false, pictures: false, pay: false })
    expect(await may('userSchedule', 'pop')).toMatchObject({ act: false, photos: true, pictures: true })
    const without = await addUser('driver', ['pop'])
    for (const { token } of [without, world.people.admin, world.people.client]) {
      expect((await call(driverApp.day, {}, { token })).status).toBe(403)
      const body = { sentAt: ago(0), acts: [act('start', shift.uid, 5)] }
      expect((await call(driverApp.acts, { body }, { token })).status).toBe(403)
    }
    expect((await current(shift.uid)).status).toBe('planned')
  })
})
