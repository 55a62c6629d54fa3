import { type DriverAct, payroll, type Shift, shiftDrivers, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { ms, openPhones } from './test-phone.ts'

const world = await openWorld()
const { call, db } = world
const { act, addDriving, current, results } = await openPhones(world)

const THREE_WEEKS = 21 * 24
const MINUTE = 60_000

/** A driver who is paid, with a shift that began three weeks ago. */
async function addPaidDriving() {
  const added = await addDriving(THREE_WEEKS)
  await db
    .insertInto('pay_rate')
    .values({
      user_uid: added.driver.uid,
      valid_from: '2020-01-01',
      half_day_cents: 9000,
      eight_hours_cents: 18_000,
      twelve_hours_cents: 26_000,
    })
    .execute()
  return added
}

/** What a driver did so many minutes after the planned start. */
const atMinute = <A extends DriverAct>(made: A, shift: Shift, minutes: number): A => ({
  ...made,
  at: new Date(Date.parse(shift.startsAt) + minutes * MINUTE).toISOString(),
})

const lineOf = async (driverUid: string, shift: Shift) => {
  const query = { driver: driverUid, from: shift.date, to: shift.date }
  const { lines } = (await call(payroll.statement, { query })).body.data
  expect(lines).toHaveLength(1)
  return lines[0]
}
const sentLaterOn = async ({ uid }: Shift) => (await call(shiftDrivers.get, { params: { uid } })).body.data.sentLater

const wholeShift = (shift: Shift) => [
  atMinute(act('start', shift.uid, 0), shift, 3),
  atMinute(act('message', shift.uid, 0, { text: 'On my way' }), shift, 10),
  atMinute(act('issue', shift.uid, 0, { issueKind: 'screen', text: 'Flickers' }), shift, 60),
  atMinute(act('stop', shift.uid, 0), shift, 235),
]

test('a shift that arrives three weeks late is paid by its true times, once, and marked as sent later', async () => {
  const { driver, shift } = await addPaidDriving()
  expect((await lineOf(driver.uid, shift))?.actualMinutes ?? null).toBeNull()
  const acts = wholeShift(shift)
  // The last first, and all of it twice.
  expect(await results(driver, acts.toReversed())).toEqual(['accepted notStarted', 'accepted', 'accepted', 'accepted'])
  expect(await results(driver, acts)).toEqual(acts.map(() => expect.stringMatching(/^duplicate/)))
  const { status, startedAt, stoppedAt } = await current(shift.uid)
  expect([status, ms(startedAt), ms(stoppedAt)]).toEqual(['completed', ms(acts[0]?.at), ms(acts[3]?.at)])
  expect(await lineOf(driver.uid, shift)).toMatchObject({ actualMinutes: 232, unpaid: '' })
  expect(await sentLaterOn(shift)).toBe(4)
  const [details] = (await call(shifts.details, { query: { uid: shift.uid } })).body.data
  expect(details?.reports.map(({ kind, note }) => [kind, note])).toEqual([
    ['start', ''],
    ['stop', ''],
  ])
})

test('what arrives after the pay of its day was locked is kept, not counted and told to driver and payroll', async () => {
  const { driver, shift } = await addPaidDriving()
  const days = { from: shift.date, to: shift.date }
  // A period that was approved before the pay calendar may be approved again.
  await db
    .insertInto('pay_period')
    .values({ starts_on: days.from, ends_on: days.to, state: 'open', overtime_after_hours: 40 })
    .execute()
  const { totals } = (await call(payroll.list, { query: days })).body
  const approved = (await call(payroll.approve, { body: { ...days, cents: totals.cents } })).body.data
  const lock = { uid: approved.uid, version: approved.version, state: 'locked' as const, reason: '' }
  expect((await call(payroll.move, { body: lock })).status).toBe(200)
  const before = await lineOf(driver.uid, shift)

  const acts = wholeShift(shift)
  const answers = ['accepted payLocked', 'accepted', 'accepted', 'accepted payLocked']
  expect(await results(driver, acts)).toEqual(answers)
  expect(await results(driver, acts)).toEqual(answers.map((answer) => answer.replace('accepted', 'duplicate')))
  expect(await current(shift.uid)).toMatchObject({ status: 'planned', startedAt: null, stoppedAt: null })
  const after = await lineOf(driver.uid, shift)
  expect(after).toMatchObject({ actualMinutes: before?.actualMinutes ?? null, cents: before?.cents ?? 0 })
  expect(after?.anomalies.find(({ kind }) => kind === 'lateEvent')?.text).toMatch(
    /^Reported after the lock: start at .+; stop at .+\.$/,
  )
  const kept = await db.selectFrom('driver_event').select('kind').where('shift_uid', '=', shift.uid).execute()
  expect(kept.map(({ kind }) => kind).toSorted()).toEqual(['start', 'stop'])
  // A day that is open counts what arrives for it.
  const next = await addDriving(THREE_WEEKS - 48)
  expect(await results(next.driver, wholeShift(next.shift))).toEqual(acts.map(() => 'accepted'))
})
