import { API_BASE, payroll, type PayLine, shifts, users } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { openWorld } from '@roadshow/test-kit/world'
import { textOfPdf } from '../../proof/pop/pdf/test-pdf-text.ts'
import { payOffice } from './test-pay.ts'

const world = await openWorld()
const { call, db, people } = world
const { addDriver, planned, drive, list, statement, approve, move, adjust } = await payOffice(world)

const short = ({ date, option, cents, rateFrom }: PayLine) => [date, option, cents, rateFrom]
const kinds = ({ anomalies }: PayLine) => anomalies.map(({ kind }) => kind).filter((kind) => kind !== 'noGps')

describe('a week worked by hand', async () => {
  // From 4 July on Ann earns more.
  const ann = await addDriver('Ann Day', ['2024-01-01', 10_000, 18_000, 26_000], ['2024-07-04', 11_000, 20_000, 28_000])
  const of = (date: string, start: string, end: string) => ({ driverUid: ann.uid, date, start, end })
  const monday = await drive(of('2024-07-01', '08:00', '16:00'), 510)
  await drive(of('2024-07-02', '08:00', '13:00'), 300)
  await drive(of('2024-07-03', '08:00', '13:00'), 301)
  await drive(of('2024-07-04', '08:00', '17:00'), 540)
  const friday = await planned(of('2024-07-05', '08:00', '16:00'))
  await call(shifts.move, { body: { uid: friday.uid, version: friday.version, status: 'cancelled', reason: 'Rain' } })
  const saturday = await planned(of('2024-07-06', '08:00', '16:00'))
  await call(shifts.move, { body: { uid: saturday.uid, version: saturday.version, status: 'noShow', reason: 'Ill' } })
  // Over the edge of the week: it belongs to the day on which it starts, whole.
  await drive(of('2024-07-07', '20:00', '08:00'), 720)
  const next = await drive(of('2024-07-08', '12:00', '20:00'), 480)
  await adjust(ann.uid, '2024-07-05', 2_500, 'Parking')
  await adjust(ann.uid, '2024-07-06', -1_050, 'Fuel card')
  await adjust(ann.uid, '2024-07-08', 9_999, 'The week after')

  test('lines', async () => {
    const { lines, figures, adjustments } = await statement('2024-07-01', '2024-07-07', ann.uid)
    expect(lines.map(short)).toEqual([
      ['2024-07-01', 'eightHours', 18_000, '2024-01-01'],
      ['2024-07-02', 'halfDay', 10_000, '2024-01-01'],
      ['2024-07-03', 'eightHours', 18_000, '2024-01-01'],
      ['2024-07-04', 'eightHours', 20_000, '2024-07-04'],
      ['2024-07-05', null, 0, null],
      ['2024-07-06', null, 0, null],
      ['2024-07-07', 'twelveHours', 28_000, '2024-07-04'],
    ])
    expect(lines.map(({ unpaid }) => unpaid).filter(Boolean)).toEqual(['Canceled: Rain.', 'No-show: Ill.'])
    expect(adjustments.map(({ cents, note, by }) => [cents, note, by])).toEqual([
      [2_500, 'Parking', 'The admin'],
      [-1_050, 'Fuel card', 'The admin'],
    ])
    expect(figures).toMatchObject({
      halfDay: 1,
      eightHours: 3,
      twelveHours: 1,
      unpaid: 2,
      plannedMinutes: 480 + 300 + 300 + 540 + 720,
      actualMinutes: 510 + 300 + 301 + 540 + 720,
      shiftCents: 94_000,
      adjustmentCents: 1_450,
      cents: 95_450,
      overtimeCents: 0,
    })
  })

  test('hours are those of the schedule’s details', async () => {
    const query = { from: '2024-07-01', to: '2024-07-07', driver: ann.uid, pageSize: '50' }
    const { data } = (await call(shifts.details, { query })).body
    const { lines } = await statement('2024-07-01', '2024-07-07', ann.uid)
    const hours = (rows: { uid: string; plannedMinutes: number; actualMinutes: number | null }[]) =>
      rows.map(({ uid, plannedMinutes, actualMinutes }) => [uid, plannedMinutes, actualMinutes])
    expect(hours(lines)).toEqual(hours(data))
  })

  test('the night shift is not paid again in the next week', async () => {
    const { lines, figures } = await statement('2024-07-08', '2024-07-14', ann.uid)
    expect(lines.map(({ uid, cents }) => [uid, cents])).toEqual([[next.uid, 20_000]])
    expect(figures.cents).toBe(29_999)
  })

  test('the list is searched, sorted and paged, its totals are of everybody, and it becomes a file', async () => {
    const ben = await addDriver('Ben Night', ['2024-01-01', 0, 15_000, 0])
    await drive({ driverUid: ben.uid, date: '2024-07-01' }, 480)
    const all = await list('2024-07-01', '2024-07-07', { sort: '-cents', pageSize: '1' })
    expect(all.data.map(({ driver, cents }) => [driver.name, cents])).toEqual([['Ann Day', 95_450]])
    expect([all.total, all.totals.drivers, all.totals.cents]).toEqual([2, 2, 110_450])
    const found = await list('2024-07-01', '2024-07-07', { search: 'night BEN' })
    expect(found.data.map(({ driver }) => driver.uid)).toEqual([ben.uid])
    expect(found.totals.cents).toBe(110_450)
    const query = { from: '2024-07-01', to: '2024-07-07', format: 'csv' as const }
    const file = await call(payroll.list, { query })
    expect(file.headers['content-disposition']).toContain('payroll_2024-07-01_2024-07-07.csv')
    expect(file.text).toContain('Ann Day,,1,3,1,2,0,39,39.52,0,940,14.5,954.5,5,0,0,0')
    expect(file.text).toContain('# 2 rows; from: 2024-07-01; to: 2024-07-07')
    const own = (await call(payroll.statement, { query: { ...query, driver: ann.uid } })).text
    expect(own).toContain('-10.5,Fuel card')
  })

  test('an override counts with its note, goes back, and an old version of it is refused', async () => {
    const set = (version: number | null, option: 'twelveHours' | null, note = 'Drove home late') =>
      call(payroll.override, { body: { shiftUid: monday.uid, version, option, note } })
    const line = (await set(null, 'twelveHours')).body.data
    expect([line.option, line.cents, line.proposed]).toEqual(['twelveHours', 26_000, 'eightHours'])
    expect(line.override).toMatchObject({ note: 'Drove home late', by: 'The admin', version: 1 })
    expect((await set(null, null)).error.code).toBe('staleVersion')
    expect(
      (await call(payroll.override, { body: { shiftUid: monday.uid, version: 1, option: null, note: ' ' } })).status,
    ).toBe(400)
    const back = (await set(1, null, 'It was traffic')).body.data
    expect([back.option, back.cents, back.override?.version]).toEqual(['eightHours', 18_000, 2])
  })

  test('a driver sees their own pay and no one else’s', async () => {
    const other = await addDriver('Cid Other')
    const query = { from: '2024-07-01', to: '2024-07-07' }
    const mine = await list(query.from, query.to, {}, ann.token)
    expect([mine.total, mine.totals.drivers, mine.totals.cents]).toEqual([1, 1, 95_450])
    expect((await list(query.from, query.to, { driver: ann.uid }, other.token)).data).toEqual([])
    const asked = await call(payroll.statement, { query: { ...query, driver: ann.uid } }, { token: other.token })
    expect(asked.status).toBe(404)
    const own = await call(payroll.statement, { query }, { token: ann.token })
    expect(own.body.data.figures.cents).toBe(95_450)
    const pdf = await call(payroll.statement, { query: { ...query, format: 'pdf' } }, { token: ann.token })
    expect([pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
    expect(pdf.headers['content-disposition']).toContain("filename*=UTF-8''pay_Ann%20Day_2024-07-01_2024-07-07.pdf")
    expect(pdf.text).toContain('/Count 1')
    const url = `${API_BASE}/${payroll.statement.path}?${new URLSearchParams({ ...query, format: 'pdf' })}`
    const printed = await world.app.inject({ url, headers: { authorization: `Bearer ${ann.token}` } })
    const pages = textOfPdf(printed.rawPayload)
    expect(pages.join('\n')).toContain('$954.50')
    expect(foreignFigures(pages.join('\n'))).toEqual([])
    expect(pdf.text).toContain('/Lang (en-US)')
    await db.updateTable('user_account').set({ language: 'es' }).where('uid', '=', ann.uid).execute()
    const spanish = await call(payroll.statement, { query: { ...query, format: 'pdf' } }, { token: ann.token })
    expect(spanish.text).toContain('/Lang (es-US)')
    // Payroll's own copy stays in the console's language.
    const staffs = await call(payroll.statement, { query: { ...query, format: 'pdf', driver: ann.uid } })
    expect(staffs.text).toContain('/Lang (en-US)')
    expect((await call(payroll.list, { query }, { token: people.sales.token })).status).toBe(403)
    expect((await call(payroll.statement, { query })).error.fields).toEqual({ driver: 'Choose a driver.' })
  })
})

test('a workweek of 52 hours belongs whole to the days on which it ends', async () => {
  const flo = await addDriver('Flo Long', ['2024-01-01', 10_000, 18_000, 26_000])
  // Monday 29 July to Thursday 1 August, 13 hours each: $1,040 for 52 hours, and $120 more owed for 12 of them.
  for (const date of ['2024-07-29', '2024-07-30', '2024-07-31', '2024-08-01']) {
    await drive({ driverUid: flo.uid, date, start: '06:00', end: '19:00' }, 780)
  }
  const of = async (from: string, to: string) => {
    const { data } = await list(from, to, { driver: flo.uid })
    return data.map(({ cents, overtimeMinutes, overtimeCents }) => [cents, overtimeMinutes, overtimeCents])
  }
  expect(await of('2024-07-01', '2024-07-31')).toEqual([[78_000, 0, 0]])
  expect(await of('2024-08-01', '2024-08-04')).toEqual([[26_000, 720, 12_000]])
  expect((await list('2024-08-01', '2024-08-04', { only: 'overtime' })).data.map(({ driver }) => driver.name)).toEqual([
    'Flo Long',
  ])
  const { weeks } = await statement('2024-08-01', '2024-08-04', flo.uid)
  expect(weeks).toMatchObject([{ from: '2024-07-29', to: '2024-08-04', minutes: 3120, cents: 104_000 }])
})

describe('what is approved', async () => {
  const dan = await addDriver('Dan Same', ['2024-01-01', 10_000, 18_000, 26_000])
  const twin = await addDriver('Dan Same', ['2024-01-01', 10_000, 19_000, 26_000])
  const days = ['2024-08-05', '2024-08-11'] as const
  const shift = await drive({ driverUid: dan.uid, date: '2024-08-05' }, 480)
  const moved = await drive({ driverUid: dan.uid, date: '2024-08-06' }, 480)
  await drive({ driverUid: twin.uid, date: '2024-08-05' }, 480)

  test('two drivers of the same name are kept apart', async () => {
    const { data } = await list(...days)
    expect(data.map(({ driver, cents }) => [driver.name, driver.uid, cents])).toEqual(
      [[dan.uid, 36_000] as const, [twin.uid, 19_000] as const]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([uid, cents]) => ['Dan Same', uid, cents]),
    )
  })

  test('is the total that was seen, once, and only for days that are over', async () => {
    const [from, to] = days
    expect((await call(payroll.approve, { body: { from, to, cents: 1 } })).error.code).toBe('payChanged')
    const today = new Date().toISOString().slice(0, 10)
    expect((await call(payroll.approve, { body: { from: today, to: today, cents: 0 } })).error.code).toBe(
      'payPeriodMove',
    )
    const { body } = await approve(from, to)
    expect(body.data).toMatchObject({ from, to, state: 'approved', drivers: 2, shifts: 3, cents: 55_000, version: 1 })
    const again = await approve('2024-08-11', '2024-08-12')
    expect([again.error.code, again.error.error]).toEqual([
      'payPeriodTaken',
      'Some of these days are already settled: Aug 5, 2024 – Aug 11, 2024 (approved).',
    ])
  })

  test('does not change with rates, settings or shifts; what changed is marked, and nothing is paid twice', async () => {
    await db.insertInto('setting').values({ key: 'halfDayUpToHours', value: '8' }).execute()
    await db.updateTable('pay_rate').set({ eight_hours_cents: 99_999 }).where('user_uid', '=', dan.uid).execute()
    await db
      .updateTable('shift')
      .set({
        local_date: '2024-08-14',
        starts_at: '2024-08-14T13:00:00Z',
        ends_at: '2024-08-14T21:00:00Z',
        started_at: '2024-08-14T13:00:00Z',
        stopped_at: '2024-08-14T21:00:00Z',
      })
      .where('uid', '=', moved.uid)
      .execute()
    const added = await drive({ driverUid: dan.uid, date: '2024-08-07' }, 480)
    const { lines, figures } = await statement(...days, dan.uid)
    expect(lines.map((line) => [line.uid, line.cents, ...kinds(line)])).toEqual([
      [shift.uid, 18_000, 'changedAfterApproval'],
      [moved.uid, 18_000, 'changedAfterApproval'],
      [added.uid, 0, 'changedAfterApproval'],
    ])
    expect(figures.cents).toBe(36_000)
    const later = await statement('2024-08-12', '2024-08-18', dan.uid)
    expect(later.lines.map(({ cents, unpaid }) => [cents, unpaid])).toEqual([
      [0, 'Already settled in the pay period Aug 5, 2024 – Aug 11, 2024.'],
    ])
    await db.deleteFrom('setting').execute()
    // A month shows the same for its days as the period itself.
    expect((await list('2024-08-01', '2024-08-31', { driver: dan.uid })).data[0]?.cents).toBe(36_000)
  })

  test('takes no adjustment and no override until it is opened again, and then everything is as it is now', async () => {
    const refused = await adjust(dan.uid, '2024-08-06', 100, 'Tip')
    expect([refused.status, refused.error.code, refused.error.error]).toEqual([
      409,
      'payPeriodClosed',
      'The pay period from Aug 5, 2024 to Aug 11, 2024 is approved. Open it again first.',
    ])
    const body = { shiftUid: shift.uid, version: null, option: 'halfDay' as const, note: 'Short' }
    expect((await call(payroll.override, { body })).error.code).toBe('payPeriodClosed')
    const { period } = await list(...days)
    expect((await move({ uid: period?.uid ?? '', version: 7 }, 'open')).error.code).toBe('staleVersion')
    expect((await move(period!, 'open')).body.data).toMatchObject({ state: 'open', cents: 0, approvedAt: null })
    // The shift of the 7th and the new rate now count; the one of the 6th is a shift of the 14th.
    expect((await list(...days, { driver: dan.uid })).data[0]?.cents).toBe(199_998)
    expect((await statement('2024-08-12', '2024-08-18', dan.uid)).figures.cents).toBe(99_999)
    expect((await approve(...days)).body.data).toMatchObject({ uid: period?.uid, state: 'approved', version: 3 })
  })
})

describe('a shift without evidence of work', async () => {
  const days = ['2024-10-07', '2024-10-13'] as const
  const una = await addDriver('Una Sure', ['2024-01-01', 10_000, 18_000, 26_000])
  const whole = await drive({ driverUid: una.uid, date: '2024-10-07' }, 480)
  const brief = await drive({ driverUid: una.uid, date: '2024-10-08' }, 60)
  const unseen = await planned({ driverUid: una.uid, date: '2024-10-09' })
  await call(shifts.move, {
    body: { uid: unseen.uid, version: unseen.version, status: 'completed', reason: 'The client confirmed' },
  })
  const decide = (shiftUid: string, version: number | null, given: object, token = people.admin.token) =>
    call(payroll.override, { body: { shiftUid, version, option: null, note: 'Seen on site', ...given } }, { token })

  test('is proposed as not paid, with the reason, and counted by kind', async () => {
    const { lines, figures } = await statement(...days, una.uid)
    expect(lines.map(({ cents, unpaid, needsDecision }) => [cents, unpaid, needsDecision])).toEqual([
      [18_000, '', false],
      [0, 'Needs a decision: Only 1 h of 8 h worked, and no GPS data.', true],
      [0, 'Needs a decision: Neither a start nor a stop was recorded.', true],
    ])
    expect(figures).toMatchObject({ unpaid: 2, undecided: 2, cents: 18_000 })
    const page = await list(...days)
    expect(page.totals.undecided).toBe(2)
    expect(page.anomalyKinds).toEqual([
      { kind: 'needsDecision', shifts: 2, drivers: 1 },
      // What the missing decision says already is not said again.
      { kind: 'noGps', shifts: 2, drivers: 1 },
    ])
    expect((await list(...days, { anomaly: 'needsDecision' })).total).toBe(1)
    expect((await list(...days, { anomaly: 'overlap' })).total).toBe(0)
    expect((await list(...days, { only: 'undecided' })).total).toBe(1)
    const query = { from: days[0], to: days[1], driver: una.uid, format: 'csv' as const }
    expect((await call(payroll.statement, { query })).text).toContain('Not paid: needs a decision')
    expect((await call(payroll.statement, { query: { ...query, format: 'pdf' } })).status).toBe(200)
  })

  test('keeps its period from being approved, with a sentence that counts them', async () => {
    const refused = await approve(...days)
    expect([refused.status, refused.error.code, refused.error.error]).toEqual([
      409,
      'payUndecided',
      '2 shifts need a decision: pay or do not pay. Decide on them before you approve this pay period.',
    ])
    await expect(
      db
        .insertInto('pay_line')
        .values({
          shift_uid: brief.uid,
          period_uid: (await db.selectFrom('pay_period').select('uid').executeTakeFirstOrThrow()).uid,
          driver_uid: una.uid,
          local_date: '2024-10-08',
          cents: 0,
          line: JSON.stringify({ needsDecision: true }),
        })
        .execute(),
    ).rejects.toThrow('pay_line_decided')
  })

  test('is decided by payroll alone, with a note, and stays decided when it is computed again', async () => {
    expect((await decide(brief.uid, null, { decision: 'pay' }, una.token)).status).toBe(403)
    expect((await decide(brief.uid, null, { decision: 'pay' }, people.sales.token)).status).toBe(403)
    expect((await decide(brief.uid, null, { decision: 'pay', note: ' ' })).status).toBe(400)
    expect((await decide(brief.uid, null, { decision: 'pay' })).body.data).toMatchObject({
      cents: 18_000,
      unpaid: '',
      needsDecision: false,
      override: { decision: 'pay', note: 'Seen on site', by: 'The admin', version: 1 },
    })
    expect(
      (await decide(unseen.uid, null, { decision: 'doNotPay', note: 'No one was there' })).body.data,
    ).toMatchObject({
      cents: 0,
      unpaid: 'Not paid, decided by The admin.',
    })
    const history = await db.selectFrom('history').selectAll().where('table_name', '=', 'pay_override').execute()
    expect(history.map(({ changes }) => JSON.stringify(changes)).join()).toContain('doNotPay')
    const open = await planned({ driverUid: una.uid, date: '2024-10-10' })
    expect((await decide(open.uid, null, { decision: 'pay' })).error.fields).toEqual({
      decision: 'Only a completed shift can be paid.',
    })
    await db.updateTable('shift').set({ note: 'edited' }).where('uid', '=', brief.uid).execute()
    const { lines } = await statement(...days, una.uid)
    expect(lines.map(({ cents }) => cents)).toEqual([18_000, 18_000, 0, 0])
    expect(whole.status).toBe('completed')
  })

  test('is settled with the decision, which a closed period keeps', async () => {
    const period = (await approve(...days)).body.data
    expect(period).toMatchObject({ state: 'approved', cents: 36_000 })
    expect((await decide(brief.uid, 1, { decision: 'doNotPay' })).error.code).toBe('payPeriodClosed')
    const locked = (await move(period, 'locked')).body.data
    expect((await decide(unseen.uid, 1, { decision: 'pay' })).error.code).toBe('payPeriodClosed')
    expect(locked.state).toBe('locked')
    const { lines } = await statement(...days, una.uid)
    expect(lines.map(({ override }) => override?.decision ?? null)).toEqual([null, 'pay', 'doNotPay', null])
  })
})

test('a payroll id is unique, and a form that does not know it leaves it', async () => {
  const [one, two] = [await addDriver('Ida One'), await addDriver('Ida Two')]
  const save = async (uid: string, payrollId?: string) => {
    const { name, email, role, modules, version } = (await call(users.get, { params: { uid } })).body.data
    const body = { userUid: uid, name, email, role, modules, version, ...(payrollId !== undefined && { payrollId }) }
    return call(users.update, { body })
  }
  expect((await save(one.uid, '004711')).body.data.payrollId).toBe('004711')
  expect((await save(one.uid)).body.data.payrollId).toBe('004711')
  const taken = await save(two.uid, '004711')
  expect([taken.status, taken.error.fields]).toEqual([409, { payrollId: 'Another user already has this payroll ID.' }])
})
