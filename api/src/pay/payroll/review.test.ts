import { payReview, payroll } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fillPayPeriod } from './calendar.ts'
import { payOffice } from './test-pay.ts'

const world = await openWorld()
const { call, db, people } = world
const office = await payOffice(world)
const { addDriver, drive, planned, list, statement, approve, move } = office

const set = async (key: string, value: unknown) =>
  db
    .insertInto('setting')
    .values({ key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
const calendar = async (date?: string, token?: string) =>
  (await call(payReview.calendar, { query: date ? { date } : {} }, token ? { token } : {})).body.data
const rate = ['2024-01-01', 10_000, 18_000, 26_000] as const
const ann = await addDriver('Ann Pay', [...rate])
const bob = await addDriver('Bob Pay', [...rate])

/** A completed shift without a recorded stop. */
async function withoutStop(driverUid: string, date: string) {
  const shift = await drive({ driverUid, date }, 480)
  await db.updateTable('shift').set({ stopped_at: null }).where('uid', '=', shift.uid).execute()
  return shift
}

describe('the pay calendar', () => {
  test('names the period of a day and those beside it, refuses what is out of step, and keeps what is settled', async () => {
    await drive({ driverUid: ann.uid, date: '2024-03-05' }, 480)
    expect(await calendar('2024-03-06')).toMatchObject({
      payCalendar: 'weekly',
      from: '2024-03-04',
      to: '2024-03-10',
      previous: { from: '2024-02-26', to: '2024-03-03' },
      next: { from: '2024-03-11', to: '2024-03-17' },
    })
    const refused = await approve('2024-03-05', '2024-03-11')
    expect([refused.status, refused.error.code, refused.error.error]).toEqual([
      409,
      'payPeriodMove',
      'Mar 5, 2024 – Mar 11, 2024 is out of step with the pay calendar (weekly): Mar 5, 2024 belongs to the pay period Mar 4, 2024 – Mar 10, 2024.',
    ])
    const week = (await approve('2024-03-04', '2024-03-10')).body.data
    await move(week, 'locked')
    await set('payCalendar', 'twiceAMonth')
    expect(await calendar('2024-03-06')).toMatchObject({ from: '2024-03-04', to: '2024-03-10' })
    expect(await calendar('2024-03-12')).toMatchObject({
      from: '2024-03-11',
      to: '2024-03-15',
      previous: { from: '2024-03-04', to: '2024-03-10' },
      next: { from: '2024-03-16', to: '2024-03-31' },
    })
    expect((await approve('2024-03-11', '2024-03-17')).status).toBe(409)
    expect((await approve('2024-03-11', '2024-03-15')).body.data).toMatchObject({ state: 'approved' })
    const given = (query: Record<string, string>) => fillPayPeriod({ query, params: {} }, db)
    expect(await given({ from: '2024-03-18' })).toEqual({ from: '2024-03-18', to: '2024-03-31' })
    expect(await given({ to: '2024-03-12' })).toEqual({ from: '2024-03-11', to: '2024-03-12' })
  })

  test('opens for the office on the oldest period that needs work, for drivers on the present one', async () => {
    const present = await calendar(undefined, ann.token)
    expect([present.oldest, present.from]).toEqual([null, present.current.from])
    // Approved, not locked.
    expect(await calendar()).toMatchObject({ oldest: { from: '2024-03-11', to: '2024-03-15' }, from: '2024-03-11' })
    const { period } = await list('2024-03-11', '2024-03-15')
    await move(period!, 'locked')
    expect((await calendar()).oldest).toBeNull()
    await drive({ driverUid: bob.uid, date: '2024-04-17' }, 480)
    expect((await calendar()).oldest).toEqual({ from: '2024-04-16', to: '2024-04-30' })
    await set('payCalendar', 'weekly')
  })

  test('counts the hours of a night in which clocks change as they passed', async () => {
    const night = await drive({ driverUid: bob.uid, date: '2024-11-02', start: '22:00', end: '06:00' }, 540)
    const { lines } = await statement('2024-10-28', '2024-11-03', bob.uid)
    expect(lines.find(({ uid }) => uid === night.uid)).toMatchObject({ plannedMinutes: 540, actualMinutes: 540 })
  })
})

describe('the shifts to decide', () => {
  const days = { from: '2024-05-06', to: '2024-05-12' }
  const undecided = async () => (await call(payReview.undecided, { query: days })).body.data
  const decide = (
    shifts: { uid: string; version: number | null }[],
    decision: 'pay' | 'doNotPay' | null,
    token?: string,
  ) => call(payReview.decide, { body: { ...days, shifts, decision } }, token ? { token } : {})

  test('are listed with what they lack and what paying as planned pays, and decided together', async () => {
    const [one, two] = [await withoutStop(ann.uid, '2024-05-06'), await withoutStop(bob.uid, '2024-05-07')]
    const brief = await drive({ driverUid: bob.uid, date: '2024-05-08' }, 20)
    const fine = await drive({ driverUid: bob.uid, date: '2024-05-09' }, 480)
    expect(
      (await undecided()).map(({ line, driver, gap, asPlanned }) => [line.uid, driver.name, gap, asPlanned]),
    ).toEqual([
      [one.uid, 'Ann Pay', 'noStop', { option: 'eightHours', cents: 18_000 }],
      [two.uid, 'Bob Pay', 'noStop', { option: 'eightHours', cents: 18_000 }],
      [brief.uid, 'Bob Pay', 'littleWork', { option: 'eightHours', cents: 18_000 }],
    ])
    const fresh = (uid: string) => ({ uid, version: null })
    const refused = await decide([fresh(one.uid), fresh(fine.uid)], 'pay')
    expect([refused.status, refused.error.code]).toEqual([409, 'staleVersion'])
    expect(await undecided()).toHaveLength(3)
    const paid = (await decide([fresh(one.uid), fresh(two.uid)], 'pay')).body.data.shifts
    expect((await decide([fresh(one.uid)], 'doNotPay')).error.code).toBe('staleVersion')
    await decide([fresh(brief.uid)], 'doNotPay')
    const { lines, figures } = await statement(days.from, days.to, bob.uid)
    expect(lines.map(({ cents, override }) => [cents, override?.note ?? ''])).toEqual([
      [18_000, 'Paid as planned.'],
      [0, 'Not paid.'],
      [18_000, ''],
    ])
    expect(figures).toMatchObject({ undecided: 0, cents: 36_000 })
    await decide(paid, null)
    expect((await undecided()).map(({ line }) => line.uid)).toEqual([one.uid, two.uid])
    await decide(
      (await undecided()).map(({ line }) => ({ uid: line.uid, version: line.override?.version ?? null })),
      'pay',
    )
    expect((await approve(days.from, days.to)).status).toBe(200)
    const [{ override } = { override: null }] = (await statement(days.from, days.to, ann.uid)).lines
    expect((await decide([{ uid: one.uid, version: override?.version ?? null }], null)).error.code).toBe(
      'payPeriodClosed',
    )
  })

  test('are decided by payroll alone', async () => {
    for (const { token } of [ann, people.sales]) {
      expect((await call(payReview.undecided, { query: days }, { token })).status).toBe(403)
      expect((await decide([{ uid: ann.uid, version: null }], 'pay', token)).status).toBe(403)
    }
    expect((await call(payReview.calendar, { query: {} }, { token: people.sales.token })).status).toBe(403)
    expect((await decide([], 'pay')).status).toBe(400)
  })
})

test('overtime owed is part of the total and of files if the setting says so, and is frozen with the period', async () => {
  const days = ['2024-06-03', '2024-06-09'] as const
  for (const date of ['2024-06-03', '2024-06-04', '2024-06-05', '2024-06-06']) {
    await drive({ driverUid: ann.uid, date, start: '08:00', end: '20:00' }, 720)
  }
  const owed = (await statement(...days, ann.uid)).figures
  // 48 hours: 8 over 40 at half of $1,040.00 / 48 h.
  expect(owed).toMatchObject({ overtimeMinutes: 480, overtimeCents: 8_667, paidOvertimeCents: 0, cents: 104_000 })
  await set('payOvertime', true)
  const total = (await statement(...days, ann.uid)).figures
  expect(total).toMatchObject({ paidOvertimeCents: 8_667, cents: 112_667 })
  const period = (await approve(...days)).body.data
  expect(period).toMatchObject({ cents: 112_667 })
  await set('payOvertime', false)
  await set('overtimeAfterHours', 20)
  expect((await statement(...days, ann.uid)).figures).toEqual(total)
  expect((await list(...days)).totals).toMatchObject({ paidOvertimeCents: 8_667, cents: 112_667 })
  await db.updateTable('user_account').set({ payroll_id: '000777' }).where('uid', '=', ann.uid).execute()
  const adp = { period: period.uid, system: 'adp' as const, companyCode: 'ABC' }
  expect((await call(payroll.checkFile, { query: adp })).body.data).toMatchObject({
    shiftCents: 104_000,
    overtimeCents: 8_667,
    cents: 112_667,
  })
  expect((await call(payroll.file, { query: adp })).text).toContain('000777,DAY,1040.00,,,OTP,86.67')
  const gusto = await call(payroll.file, { query: { period: period.uid, system: 'gusto' } })
  expect(gusto.text).toContain('1126.67')
  // Opened again, it follows the settings again.
  await move(period, 'open')
  expect((await statement(...days, ann.uid)).figures.cents).toBe(104_000)
  expect(await planned({ driverUid: ann.uid, date: '2024-06-10' })).toMatchObject({ status: 'planned' })
})
