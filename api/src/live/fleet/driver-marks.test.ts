import { type DriverMark, driverMarks, fleet, type InputOf, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPhones } from '../driver-app/test-phone.ts'

const world = await openWorld()
const { call, addUser, db, people } = world
const { act, addDriving, addTruck, change, current, dayOf, planIn, results } = await openPhones(world)

type Filters = InputOf<typeof shifts.list>['query']
const listed = async (query: Filters, token = people.admin.token) => {
  const { body } = await call(shifts.list, { query: { ...query, pageSize: '1' } }, { token })
  return body.total
}
const marked = (mark: DriverMark) => listed({ driverMark: mark })
const marksOf = async (uid: string) => (await current(uid)).driverMarks
const figures = async (token = people.admin.token) => (await call(fleet.figures, {}, { token })).body.data
const phoneSeen = (uid: string, ago: string) =>
  sql`update driver_phone set seen_at = now() - ${ago}::interval where user_uid = ${uid}`.execute(db)

test('until a driver has opened the app, no shift waits for an answer', async () => {
  const { shift } = await addDriving(-5)
  expect(await marksOf(shift.uid)).toEqual([])
  expect([await listed({ driverAnswer: 'none' }), (await figures()).drivers?.unanswered]).toEqual([0, 0])
  expect(await dayOf(await addUser('driver'))).toBeDefined()
  expect(await marksOf(shift.uid)).toEqual(['unanswered'])
  expect([await listed({ driverAnswer: 'none' }), (await figures()).drivers?.unanswered]).toEqual([1, 1])
})

test('a shift of the next two days waits for its answer, and every number is the total of its list', async () => {
  const { driver, shift } = await addDriving(-20)
  const later = await planIn(60, { driverUid: driver.uid })
  const before = { none: await listed({ driverAnswer: 'none' }), unanswered: await marked('unanswered') }
  expect([await marksOf(shift.uid), await marksOf(later.uid)]).toEqual([['unanswered'], []])

  expect(await results(driver, [act('answer', shift.uid, 0, { answer: 'confirmed' })])).toEqual(['accepted'])
  expect([await marksOf(shift.uid), await listed({ driverAnswer: 'confirmed' })]).toEqual([[], 1])
  // The shift itself did not change, and still the totals follow.
  expect({ none: await listed({ driverAnswer: 'none' }), unanswered: await marked('unanswered') }).toEqual({
    none: before.none - 1,
    unanswered: before.unanswered - 1,
  })

  const declined = act('answer', shift.uid, 0, { answer: 'declined', reason: 'Sick' })
  expect(await results(driver, [declined, act('otherTruck', later.uid, 0, { truckNumber: 'T-9' })])).toEqual([
    'accepted',
    'accepted',
  ])
  expect([await marksOf(shift.uid), await marksOf(later.uid)]).toEqual([['declined'], ['otherTruck']])
  expect(await listed({ driverAnswer: ['confirmed', 'declined'], driverMark: ['declined', 'otherTruck'] })).toBe(1)
  const { drivers } = await figures()
  expect(drivers).toEqual({
    declined: await marked('declined'),
    otherTruck: await marked('otherTruck'),
    unanswered: await marked('unanswered'),
    phoneOffline: await marked('phoneOffline'),
  })
  expect([drivers?.declined, drivers?.otherTruck]).toEqual([1, 1])

  // A new truck asks again, and no longer for another one.
  await change(shift.uid, { truckUid: await addTruck() })
  await change(later.uid, { truckUid: await addTruck() })
  expect([await marksOf(shift.uid), await marksOf(later.uid)]).toEqual([['unanswered'], []])
})

test('a late start and a silent phone are marked where the shift is seen', async () => {
  const { driver, shift } = await addDriving(1)
  const punctual = await addDriving(1)
  expect(await marksOf(shift.uid)).toEqual(['notStarted'])
  const late = (await figures()).shifts
  await results(driver, [act('start', shift.uid, 30)])
  await results(punctual.driver, [act('start', punctual.shift.uid, 55)])
  expect([await marksOf(shift.uid), await marksOf(punctual.shift.uid)]).toEqual([['startedLate'], []])
  expect((await figures()).shifts).toMatchObject({ late: late.late - 2, startedLate: late.startedLate + 1 })
  const { body } = await call(fleet.shifts, { query: { stage: 'startedLate' } })
  expect(body.data.map(({ uid, driverMarks: marks }) => [uid, marks])).toEqual([[shift.uid, ['startedLate']]])

  const phoneOnMap = async () =>
    (await call(fleet.track, { params: { uid: shift.truck.uid }, query: {} })).body.data.truck.shift?.phoneOfflineSince
  expect(await phoneOnMap()).toBeNull()
  await phoneSeen(driver.uid, '121 minutes')
  expect(await marksOf(shift.uid)).toEqual(['startedLate', 'phoneOffline'])
  expect([await phoneOnMap(), (await figures()).drivers?.phoneOffline]).toEqual([expect.any(String), 1])
  const { data: board } = (await call(shifts.board, { query: { from: shift.date, to: shift.date } })).body
  expect(board.shifts.find(({ uid }) => uid === shift.uid)?.driverMarks).toEqual(['startedLate', 'phoneOffline'])
  // A driver who has not opened the app for weeks works without it.
  await phoneSeen(driver.uid, '15 days')
  expect([await marksOf(shift.uid), await phoneOnMap()]).toEqual([['startedLate'], null])
  await phoneSeen(driver.uid, '121 minutes')
})

test('clients learn nothing of what drivers say and do, and drivers only of themselves', async () => {
  const { driver, shift } = await addDriving(-3)
  await results(driver, [act('answer', shift.uid, 0, { answer: 'declined', reason: 'Sick' })])
  const { clientUid } = await db
    .selectFrom('client_program')
    .select('client_uid as clientUid')
    .where('uid', '=', shift.program.uid)
    .executeTakeFirstOrThrow()
  const { token } = await addUser('client', ['clients', 'overview'], clientUid)
  const days = { from: '2020-01-01', to: '2099-01-01' }
  const all = (await call(shifts.list, { query: days }, { token })).body.data
  expect(all.length).toBeGreaterThan(5)
  const ofDay = (await call(fleet.shifts, { query: {} }, { token })).body.data
  const { data: board } = (await call(shifts.board, { query: { from: shift.date, to: shift.date } }, { token })).body
  for (const seen of [...all, ...ofDay, ...board.shifts])
    expect(seen).toMatchObject({ driverAnswer: null, declineReason: '', requestedTruck: null, driverMarks: [] })
  expect([ofDay.length > 0, board.shifts.length > 0, (await figures(token)).drivers]).toEqual([true, true, null])
  for (const mark of driverMarks) expect(await listed({ driverMark: mark }, token)).toBe(0)
  for (const answer of ['none', 'confirmed', 'declined'] as const) {
    expect(await listed({ driverAnswer: answer }, token)).toBe(0)
    const asked = { ...days, to: '2020-01-30', driverAnswer: answer }
    expect((await call(shifts.board, { query: asked }, { token })).body.data.shifts).toEqual([])
  }

  expect(await listed({ driverMark: 'declined' }, driver.token)).toBe(1)
  expect(await listed({ driverMark: 'declined' }, (await addUser('driver')).token)).toBe(0)
  expect(await listed({ driverAnswer: 'declined' }, people.sales.token)).toBe(1)
})
