import {
  formatDateTime,
  formatDay,
  addDays,
  formatDays,
  payroll,
  type PayFileCheck,
  type Shift,
  shifts,
  workweekOf,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { storeDriverEvents } from '../../live/driver-events/driver-events.ts'
import { toShiftInput } from '../../planning/shifts/test-plan.ts'
import { scheduleCsv, csvRow, uploadCalls } from '../../planning/shifts/upload/test-schedule.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { payOffice } from './test-pay.ts'

const world = await openWorld()
const { call, db, people } = world
const office = await payOffice(world)
const { addDriver, planned, drive, list, statement, approve, move, adjust, program } = office
const { check } = uploadCalls(world)

// A device that kept an event for years is not believed, so this is a week of this month.
const monday = workweekOf(addDays(new Date().toISOString().slice(0, 10), -21))
const day = (after: number) => addDays(monday, after)
const [from, to] = [day(0), day(6)]
const sentence = `The pay period from ${formatDay(from)} to ${formatDay(to)} is locked. Its shifts stay as they are; add an adjustment to an open period instead.`
const early = `Pay for ${formatDays(from, to)} is locked, so shifts on these days can't be changed.`

const eve = await addDriver('Eve Lock', ['2020-01-01', 10_000, 18_000, 26_000])
const kit = await addDriver('Kit Lock', ['2020-01-01', 10_000, 18_000, 26_000])
const done = await drive({ driverUid: eve.uid, date: day(0) }, 480)
const waiting = await planned({ driverUid: eve.uid, date: day(1) })
const out = await planned({ driverUid: eve.uid, date: day(2) })
await db.updateTable('shift').set({ status: 'out', started_at: out.startsAt }).where('uid', '=', out.uid).execute()
const outside = await planned({ driverUid: eve.uid, date: day(9) })
const tip = (await adjust(eve.uid, day(3), 700, 'Tip')).body.data
await approve(from, to)
const approved = (await list(from, to)).period as { uid: string; version: number }

const currentOf = async ({ uid }: Shift): Promise<Shift> => (await call(shifts.get, { params: { uid } })).body.data
const update = async (shift: Shift, given: object) => {
  const { version } = await currentOf(shift)
  const body = { ...toShiftInput(shift), ...given, uid: shift.uid, version }
  return call(shifts.update, { body })
}
const stateOf = async () => ({
  shifts: await db.selectFrom('shift').selectAll().where('driver_uid', '=', eve.uid).orderBy('uid').execute(),
  lines: await db.selectFrom('pay_line').selectAll().orderBy('shift_uid').execute(),
  others: await db.selectFrom('pay_adjustment').selectAll().orderBy('uid').execute(),
})

describe('a locked period', () => {
  test('is locked by an admin, with the version that was seen', async () => {
    expect((await move({ ...approved, version: 9 }, 'locked')).error.code).toBe('staleVersion')
    const locked = (await move(approved, 'locked')).body.data
    expect(locked).toMatchObject({ state: 'locked', cents: 18_700, shifts: 1, drivers: 1 })
    const events = await db.selectFrom('outbound_event').selectAll().where('type', '=', 'period.locked').execute()
    expect(events).toMatchObject([
      { client_uid: null, data: { periodUid: locked.uid, from, to, lockedAt: locked.lockedAt } },
    ])
    expect((await move(locked, 'open')).error.error).toBe(
      "This change isn't possible for a pay period that is locked: it can become approved.",
    )
  })

  test('refuses every path that would change it', async () => {
    const before = await stateOf()
    const refused = async (...[answer, text = sentence]: [ReturnType<typeof call>, string?]) => {
      const { status, error } = await answer
      expect([status, error.code, error.error]).toEqual([409, 'payPeriodClosed', text])
    }
    // The board: within it, out of it, into it.
    await refused(update(waiting, { start: '09:00' }), early)
    await refused(update(waiting, { date: day(8) }), early)
    await refused(update(outside, { date: day(4) }), early)
    await refused(update(waiting, { driverUid: kit.uid }), early)
    await refused(update(waiting, { payOption: 'halfDay' }))
    await refused(call(shifts.create, { body: await office.input({ date: day(5), programUid: program }) }), early)
    await refused(call(shifts.remove, { params: { uid: waiting.uid } }), early)
    const copy = await call(shifts.copy, {
      body: { from: day(9), to: day(9), onto: day(5), driver: [eve.uid], save: true },
    })
    expect(copy.body.data).toEqual({
      copied: 0,
      inactive: 0,
      lateArrivals: [],
      undoUid: null,
      refused: [{ reason: early, shifts: [{ uid: outside.uid, name: expect.any(String) as string, detail: '' }] }],
    })
    const dry = await call(shifts.clashes, { body: { ...toShiftInput(outside), date: day(4), uid: outside.uid } })
    expect(dry.body.data.problems).toEqual({ date: early })
    // Its state, by an admin and by the driver.
    for (const [shift, status, token] of [
      [waiting, 'cancelled', people.admin.token],
      [done, 'out', people.admin.token],
      [waiting, 'out', eve.token],
      [out, 'completed', eve.token],
    ] as const) {
      const { uid, version } = await currentOf(shift)
      await refused(call(shifts.move, { body: { uid, version, status, reason: 'Because' } }, { token }))
    }
    // Payroll's own.
    const advice = `The pay period from ${formatDay(from)} to ${formatDay(to)} is locked. Add an adjustment to an open period instead.`
    const override = { shiftUid: done.uid, version: null, option: 'halfDay' as const, note: 'Short' }
    await refused(call(payroll.override, { body: override }), advice)
    await refused(adjust(eve.uid, day(6), 100, 'More'), advice)
    await refused(call(payroll.removeAdjustment, { params: { uid: tip.uid } }), advice)
    // SQL by hand.
    for (const statement of [
      sql`update shift set stopped_at = now() where uid = ${done.uid}`,
      sql`delete from shift where uid = ${waiting.uid}`,
      sql`update shift set local_date = local_date - 7, starts_at = starts_at - interval '7 days', ends_at = ends_at - interval '7 days' where uid = ${outside.uid}`,
      sql`update pay_adjustment set cents = 1`,
      sql`delete from pay_adjustment`,
      sql`update pay_line set cents = 1`,
      sql`delete from pay_line`,
    ]) {
      await expect(statement.execute(db)).rejects.toMatchObject({ constraint: 'pay_period_closed' })
    }
    expect(await stateOf()).toEqual(before)
    // A note is nothing that is paid.
    expect((await update(waiting, { note: 'Keys at the desk' })).status).toBe(200)
  })

  test('marks the rows of a file that would change it', async () => {
    await db.updateTable('truck').set({ number: 'T-77' }).where('uid', '=', waiting.truck.uid).execute()
    const [year, month, date] = day(1).split('-').map(Number)
    const row = {
      Date: `${month}/${date}/${year}`,
      Truck: 'T-77',
      Driver: 'Eve Lock',
      Program: 'Long',
      Market: 'Dallas',
    }
    const problems = async (given: object) =>
      (await check(scheduleCsv(csvRow({ ...row, ...given })))).body.data.rows[0]?.problems
    expect(await problems({})).toEqual({})
    expect(await problems({ End: '5pm' })).toEqual({ date: early })
    expect(await problems({ 'Pay option': 'Half day' })).toEqual({ payOption: 'Pay for this day is locked.' })
    expect(await problems({ Start: '5pm', End: '6pm', Driver: 'Kit Lock' })).toEqual({ date: early })
  })

  test('keeps what a truck reports late, shows it, and changes nothing', async () => {
    const before = await stateOf()
    const { uid } = await db
      .insertInto('device')
      .values({ truck_uid: out.truck.uid, kind: 'driver', mac_address: '02:00:00:00:00:07' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const reporter = { uid, truckUid: out.truck.uid, address: '127.0.0.1' }
    const late = {
      eventId: 'late',
      shiftUid: out.uid,
      kind: 'stop',
      at: new Date(Date.parse(out.endsAt)).toISOString(),
    }
    const reason = 'Kept as a report that does not count: its pay is locked.'
    expect(await storeDriverEvents(db, reporter, [late])).toEqual({
      rows: [{ id: 'late', result: 'accepted', reason }],
    })
    expect(await storeDriverEvents(db, reporter, [late])).toEqual({ rows: [{ id: 'late', result: 'duplicate' }] })
    expect(await stateOf()).toEqual(before)
    const { lines, figures } = await statement(from, to, eve.uid)
    expect(figures.cents).toBe(18_700)
    const found = lines.find((each) => each.uid === out.uid)
    expect(found?.anomalies.map(({ kind, text }) => [kind, text]).at(-1)).toEqual([
      'lateEvent',
      `Reported after the lock: stop at ${formatDateTime(out.endsAt, out.zone)}.`,
    ])
  })

  test('is corrected by an adjustment of an open period that names the shift', async () => {
    const fix = (await adjust(eve.uid, day(9), -8_000, 'Was a half day', done.uid)).body.data
    expect(fix.shift).toMatchObject({ uid: done.uid, date: day(0), start: '08:00' })
    expect((await adjust(kit.uid, day(9), 1, 'Not theirs', done.uid)).error.fields).toEqual({
      shiftUid: 'Shift not found for this driver.',
    })
    expect((await list(from, to)).totals.cents).toBe(18_700)
    expect((await list(day(7), day(13))).totals.cents).toBe(-8_000)
  })

  test('is unlocked with a reason that is kept, and never overlaps another period', async () => {
    const locked = (await list(from, to)).period as { uid: string; version: number }
    expect((await move(locked, 'approved')).error.fields).toEqual({ reason: 'Enter a reason.' })
    const unlocked = (await move(locked, 'approved', 'Kit’s hours were wrong')).body.data
    expect(unlocked).toMatchObject({ state: 'approved', reason: 'Kit’s hours were wrong', cents: 18_700 })
    const history = (await call(payroll.history, { params: { uid: locked.uid }, query: {} })).body.data
    expect(history[0]).toMatchObject({ by: 'The admin', action: 'changed' })
    expect(JSON.stringify(history[0]?.fields)).toContain('Kit’s hours were wrong')
    const row = {
      starts_on: day(6),
      ends_on: day(8),
      state: 'approved',
      approved_at: new Date(),
      overtime_after_hours: 40,
    }
    await expect(db.insertInto('pay_period').values(row).execute()).rejects.toMatchObject({
      constraint: 'pay_period_once',
    })
    // Now the shift can change again, which payroll marks.
    const { version } = await currentOf(done)
    const body = { uid: done.uid, version, status: 'out' as const, reason: '' }
    expect((await call(shifts.move, { body })).status).toBe(200)
    const { lines } = await statement(from, to, eve.uid)
    expect([lines[0]?.cents, lines[0]?.anomalies.at(-1)?.text]).toEqual([18_000, 'The status is out now.'])
    const { data } = (await call(payroll.periods, { query: {} })).body
    expect(data.map((each) => [each.from, each.state])[0]).toEqual([from, 'approved'])
  })
})

test('locking waits for shifts that are being written, and later writes are refused', async () => {
  const period = (await list(from, to)).period as { uid: string; version: number }
  let locking: ReturnType<typeof move> | undefined
  await db.transaction().execute(async (writing) => {
    await writing.updateTable('shift').set({ status: 'completed' }).where('uid', '=', done.uid).execute()
    locking = move(period, 'locked')
    for (let waits = 0; waits === 0;) {
      const { rows } = await sql<{ waits: number }>`
        select count(*)::int as waits from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      waits = rows[0]?.waits ?? 0
    }
  })
  expect((await locking)?.body.data.state).toBe('locked')
  expect((await currentOf(done)).status).toBe('completed')
  const later = db.updateTable('shift').set({ status: 'out' }).where('uid', '=', done.uid).execute()
  await expect(later).rejects.toMatchObject({ constraint: 'pay_period_closed' })
})

describe('files for payroll programs', async () => {
  const name = async (uid: string, given: object) =>
    db.updateTable('user_account').set(given).where('uid', '=', uid).execute()
  const rates = ['2020-01-01', 10_050, 18_000, 26_000] as const
  const [ann, twin, zoe] = [
    await addDriver('Ann Lee', [...rates]),
    await addDriver('Ann Lee', [...rates]),
    await addDriver('Zoe', [...rates]),
  ]
  await drive({ driverUid: ann.uid, date: '2024-09-02', start: '08:00', end: '12:00' }, 250)
  await drive({ driverUid: twin.uid, date: '2024-09-02' }, 480)
  await drive({ driverUid: zoe.uid, date: '2024-09-03' }, 480)
  await adjust(ann.uid, '2024-09-03', -1_525, 'Advance')
  const open = await call(payroll.approve, { body: { from: '2024-09-02', to: '2024-09-08', cents: 44_525 } })
  const period = open.body.data.uid
  const adp = { period, system: 'adp' as const, companyCode: 'r7' }
  const checked = async (
    query: typeof adp | { period: string; system: 'gusto' | 'quickbooks' },
  ): Promise<PayFileCheck> => (await call(payroll.checkFile, { query })).body.data

  test('are refused while a driver could be mistaken for another one or for a formula', async () => {
    expect((await call(payroll.file, { query: { period, system: 'adp' } })).error.fields).toEqual({
      companyCode: 'Enter the ADP company code.',
    })
    expect((await checked(adp)).problems).toHaveLength(3)
    const { problems } = await checked({ period, system: 'gusto' })
    expect(problems).toEqual([
      'Ann Lee has the same name as another driver and no payroll ID for Gusto to tell them apart.',
      'Ann Lee has the same name as another driver and no payroll ID for Gusto to tell them apart.',
      'Zoe has only one name, but Gusto needs a first and a last name.',
    ])
    await name(zoe.uid, { name: 'Zoe =SUM(A1)' })
    const refused = await call(payroll.file, { query: { period, system: 'quickbooks' } })
    expect([refused.status, refused.error.code]).toEqual([409, 'payFileRefused'])
    expect(refused.error.error).toContain('Zoe =SUM(A1) has a name that a spreadsheet would run as a formula')
  })

  test('hold what is paid, under the titles that the programs know, with control totals', async () => {
    await name(ann.uid, { payroll_id: '000123' })
    await name(twin.uid, { payroll_id: '000124' })
    await name(zoe.uid, { payroll_id: '000125', name: 'Zoe, Ann O’Hara' })
    const order = ann.uid < twin.uid ? ['000123', '000124'] : ['000124', '000123']
    const inOrder = (rows: Record<string, string>) => order.map((id) => rows[id])

    const file = await call(payroll.file, { query: adp })
    expect(file.headers['content-disposition']).toContain('PRR7_EPI.csv')
    expect(file.text.split('\r\n')).toEqual([
      'Co Code,Batch ID,File #,Earnings 3 Code,Earnings 3 Amount,Earnings 4 Code,Earnings 4 Amount',
      ...inOrder({
        '000123': 'R7,240908,000123,DAY,100.50,ADJ,-15.25',
        '000124': 'R7,240908,000124,DAY,180.00,,',
      }),
      'R7,240908,000125,DAY,180.00,,',
      '',
    ])
    expect(await checked(adp)).toMatchObject({
      rows: 3,
      drivers: 3,
      minutes: 250 + 480 + 480,
      shiftCents: 46050,
      adjustmentCents: -1525,
      cents: 44525,
      problems: [],
      filename: 'PRR7_EPI.csv',
    })

    expect((await call(payroll.file, { query: { period, system: 'gusto' } })).text.split('\r\n')).toEqual([
      'last_name,first_name,gusto_employee_id,bonus,correction_payment,personal_note',
      ...inOrder({
        '000123': 'Lee,Ann,000123,100.50,-15.25,2024-09-02 to 2024-09-08',
        '000124': 'Lee,Ann,000124,180.00,,2024-09-02 to 2024-09-08',
      }),
      'O’Hara,"Zoe, Ann",000125,180.00,,2024-09-02 to 2024-09-08',
      '',
    ])

    const iif = (await call(payroll.file, { query: { period, system: 'quickbooks' } })).text.split('\r\n')
    expect(iif.slice(0, 3)).toEqual([
      '!TIMERHDR\tVER\tREL\tCOMPANYNAME\tFROMTIMER\tCOMPANYCREATETIME',
      'TIMERHDR\t8\t0\t\tY\t0',
      '!TIMEACT\tDATE\tJOB\tEMP\tITEM\tPITEM\tDURATION\tPROJ\tNOTE\tBILLINGSTATUS',
    ])
    const cells = iif.slice(3, -1).map((row) => row.split('\t').filter((_, at) => [1, 3, 4, 6].includes(at)))
    expect(cells).toEqual([
      ...order.map((id) =>
        id === '000123'
          ? ['09/02/24', 'Ann Lee 000123', 'Half day', '04:10']
          : ['09/02/24', 'Ann Lee 000124', 'Eight hours', '08:00'],
      ),
      ['09/03/24', 'Zoe, Ann O’Hara', 'Eight hours', '08:00'],
    ])
    expect((await checked({ period, system: 'quickbooks' })).notes[1]).toBe('Enter adjustments of −$15.25 by hand.')
  })

  test('are of periods that no longer change, and for those who see everybody', async () => {
    const { version } = (await call(payroll.periods, { query: {} })).body.data.find(({ uid }) => uid === period) ?? {}
    await move({ uid: period, version: version ?? 0 }, 'open')
    expect((await call(payroll.file, { query: adp })).error.error).toBe(
      'Approve the pay period first. Until then its figures can change.',
    )
    expect((await call(payroll.checkFile, { query: adp }, { token: ann.token })).status).toBe(403)
  })
})
