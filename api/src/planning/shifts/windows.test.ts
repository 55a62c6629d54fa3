import { addDays, localDay, type Shift, type ShiftInput, shifts, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openTestPlan } from './test-plan.ts'

const world = await openWorld()
const { call, db, people, addUser } = world
const { plan, move, update, addDriver } = await openTestPlan(world)
const markets = [{ marketUid: (await world.addMarket('Houston')).uid }]
const long = await world.addProgram({ name: 'Long', startsOn: '2024-01-01', endsOn: '2099-12-31', markets })

const zone = 'America/Chicago'
const HOUR = 3_600_000
const clockAt = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)

/** A shift that begins some hours from now and lasts four. */
const planIn = (hours: number, given: Partial<ShiftInput> = {}): Promise<Shift> => {
  const at = Date.now() + hours * HOUR
  return plan({
    programUid: long.uid,
    marketUid: markets[0]?.marketUid ?? '',
    date: localDay(zone, at),
    start: clockAt(at),
    end: clockAt(at + 4 * HOUR),
    ...given,
  })
}
/** An instant of a whole second, as the API writes it. */
const isoOf = (at: number) => new Date(at).toISOString().replace('.000', '')
const historyOf = async (uid: string) => (await call(shifts.history, { params: { uid }, query: {} })).body.data
const correct = (shift: Shift, body: object, token = people.admin.token) =>
  call(
    shifts.correctTimes,
    { body: { uid: shift.uid, version: shift.version, startedAt: shift.startsAt, reason: 'Forgot', ...body } },
    { token },
  )

const settersOf = async ({ uid }: Shift, token = people.admin.token) => {
  const { data } = (await call(shifts.details, { query: { uid } }, { token })).body
  return data.map(({ startSetBy, stopSetBy }) => [startSetBy, stopSetBy])[0]
}

describe('a shift that begins more than 2 hours from now', () => {
  test.each(['out', 'completed'] as const)('is not marked %s by anyone', async (status) => {
    const driver = await addUser('driver')
    const shift = await planIn(3, { driverUid: driver.uid })
    for (const token of [people.admin.token, people.sales.token]) {
      const refused = await move(shift, status, 'In advance', token)
      expect([refused.status, refused.error.code]).toEqual([409, 'shiftMove'])
      expect(refused.error.error).toContain('2 hours before its planned start')
    }
    expect((await move(shift, status, 'In advance', driver.token)).status).toBe(409)
    expect((await correct(shift, {})).error.code).toBe('shiftMove')
    expect((await call(shifts.get, { params: { uid: shift.uid } })).body.data).toEqual(shift)
  })

  test('is refused by the database, too', async () => {
    const shift = await planIn(5)
    const row = db.updateTable('shift').where('uid', '=', shift.uid)
    await expect(row.set({ status: 'out' }).execute()).rejects.toThrow('2 hours before')
    const begun = await planIn(1)
    const early = new Date(Date.parse(begun.startsAt) - 3 * HOUR)
    const out = db.updateTable('shift').where('uid', '=', begun.uid)
    await expect(out.set({ status: 'out', started_at: early }).execute()).rejects.toThrow('2 hours before')
    const device = { status: 'completed', changed_by: null, changed_from: '10.0.0.9' }
    await expect(out.set(device).execute()).rejects.toThrow('has started')
  })

  test('is not what a running shift becomes by other hours', async () => {
    const out = (await move(await planIn(1), 'out')).body.data
    const refused = await update(out, { date: addDays(out.date, 1) })
    expect([refused.status, refused.error.fields?.['start']]).toEqual([400, expect.stringContaining('already started')])
    expect((await update(out, { note: 'later' })).status).toBe(200)
  })
})

describe('a driver', () => {
  test('starts from 2 hours before, and completes only what has started', async () => {
    const driver = await addUser('driver')
    const shift = await planIn(1.9, { driverUid: driver.uid })
    expect((await move(shift, 'completed', 'Done', driver.token)).error.error).toBe(
      'Start the shift before you complete it.',
    )
    const out = (await move(shift, 'out', '', driver.token)).body.data
    expect(out).toMatchObject({ status: 'out', startedAt: expect.any(String) })
    expect((await move(out, 'completed', '', driver.token)).body.data.status).toBe('completed')
  })

  test('reports what they mark in the console: it counts as long as the shift is theirs', async () => {
    const driver = await addUser('driver')
    const shift = await planIn(-1, { driverUid: driver.uid })
    const out = (await move(shift, 'out', '', driver.token)).body.data
    const byDriver = { source: 'driver', name: 'The driver' }
    expect(await settersOf(out)).toEqual([byDriver, null])
    const others = (await update(out, { driverUid: await addDriver() })).body.data
    expect(others).toMatchObject({ status: 'planned', startedAt: null })
    const back = (await update(others, { driverUid: driver.uid })).body.data
    expect(back).toMatchObject({ status: 'out', startedAt: out.startedAt })
    const done = (await move(back, 'completed')).body.data
    expect(await settersOf(done)).toEqual([byDriver, { source: 'office', name: 'The admin' }])
    const times = { startedAt: done.startedAt, stoppedAt: isoOf(Date.parse(done.stoppedAt ?? '')) }
    expect(await settersOf((await correct(done, times)).body.data)).toEqual([
      { source: 'correction', name: 'The admin' },
      { source: 'correction', name: 'The admin' },
    ])
    // A client sees the times, and not what set them.
    const client = await addUser('client', ['clients', 'schedule'], shift.client.uid)
    expect(await settersOf(shift, client.token)).toEqual([null, null])
  })

  test('corrects no times, and neither does a client', async () => {
    const driver = await addUser('driver')
    const shift = await planIn(-6, { driverUid: driver.uid })
    expect((await correct(shift, {}, driver.token)).status).toBe(403)
    expect((await correct(shift, {}, people.client.token)).status).toBe(403)
  })
})

describe('staff', () => {
  test('complete a shift that never started only with a reason', async () => {
    const shift = await planIn(-6)
    expect((await move(shift, 'completed')).error.fields).toEqual({
      reason: 'Enter a reason: this shift was never started.',
    })
    expect((await move(shift, 'completed', 'Phone was broken')).body.data).toMatchObject({
      status: 'completed',
      startedAt: null,
      stoppedAt: null,
      reason: 'Phone was broken',
    })
  })

  test('correct times with a reason that the history keeps', async () => {
    const shift = await planIn(-6)
    expect((await correct(shift, { reason: ' ' })).error.fields).toEqual({ reason: 'Required.' })
    const started = isoOf(Date.parse(shift.startsAt) + 5 * 60_000)
    const out = (await correct(shift, { startedAt: started })).body.data
    expect(out).toMatchObject({ status: 'out', startedAt: started, timesReason: 'Forgot' })
    expect((await correct(shift, {})).error.code).toBe('staleVersion')
    const stopped = isoOf(Date.parse(shift.startsAt) + 3 * HOUR)
    const done = (await correct(out, { startedAt: started, stoppedAt: stopped, reason: 'Asked the driver' })).body.data
    expect(done).toMatchObject({ status: 'completed', startedAt: started, stoppedAt: stopped })
    const [last] = await historyOf(shift.uid)
    expect(last?.by).toBe('The admin')
    expect(last?.fields.map(({ field }) => field).toSorted()).toEqual(['status', 'stoppedAt', 'timesReason'])
    const future = await correct(done, { startedAt: started, stoppedAt: new Date(Date.now() + HOUR).toISOString() })
    expect(future.error.fields).toEqual({ stoppedAt: 'Must not be in the future.' })
    const reopened = (await move(done, 'out')).body.data
    expect(reopened).toMatchObject({ status: 'out', startedAt: started, stoppedAt: null })
    expect((await move(reopened, 'planned')).body.data).toMatchObject({ startedAt: null, timesReason: '' })
  })

  test('see what the driver reported', async () => {
    const shift = await planIn(-6)
    const { uid: device } = await db
      .insertInto('device')
      .values({ truck_uid: shift.truck.uid, kind: 'driver', mac_address: '02:00:00:00:00:77' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await sql`insert into driver_event (device_uid, event_id, shift_uid, kind, at)
              values (${device}, 'e1', ${shift.uid}, 'stop', ${shift.endsAt})`.execute(db)
    const [details] = (await call(shifts.details, { query: { uid: shift.uid } })).body.data
    expect(details?.reports).toEqual([{ kind: 'stop', at: new Date(shift.endsAt).toISOString(), note: 'no start' }])
  })
})

describe('a program that does not run', () => {
  const programOf = async (status: 'draft' | 'paused' | 'completed') => {
    const name = `A ${status} program`
    const { uid } = await world.addProgram({ name, startsOn: '2026-01-01', endsOn: '2099-12-31', markets })
    await db.updateTable('client_program').set({ status }).where('uid', '=', uid).execute()
    return { programUid: uid, marketUid: markets[0]?.marketUid ?? '', name }
  }
  const inputOf = async (given: Partial<ShiftInput>): Promise<ShiftInput> => {
    const truck = { number: `P-${Math.random()}`.slice(0, 12), plate: '', vin: '', kind: 'led' as const }
    const { uid } = (await call(trucks.create, { body: { ...truck, state: 'active' } })).body.data
    const base = { truckUid: uid, driverUid: await addDriver(), date: '2026-12-01', start: '08:00', end: '16:00' }
    return { ...base, programUid: '', marketUid: '', ...given }
  }

  test.each(['draft', 'paused'] as const)('as a %s asks, and plans what is confirmed', async (status) => {
    const { name, ...of } = await programOf(status)
    const body = await inputOf(of)
    const asked = await call(shifts.create, { body })
    expect([asked.status, asked.error.code]).toEqual([409, 'programInactive'])
    expect(asked.error.error).toBe(
      `${name} is ${status === 'draft' ? 'a draft' : 'paused'}. Confirm to plan the shift anyway.`,
    )
    expect((await call(shifts.clashes, { body })).body.data.inactiveProgram).toContain(name)
    const saved = (await call(shifts.create, { body: { ...body, allowInactiveProgram: true } })).body.data
    expect(saved.programStatus).toBe(status)
    // Another truck or hour is not planned for the program again; another day is.
    const moved = await update(saved, { start: '09:00' })
    expect(moved.status).toBe(200)
    expect((await update(moved.body.data, { date: '2026-12-02' })).error.code).toBe('programInactive')
    const board = await call(shifts.board, { query: { from: '2026-12-01', to: '2026-12-01', program: of.programUid } })
    expect(board.body.data.programs.find(({ uid }) => uid === of.programUid)).toMatchObject({ status })

    const canceled = (await move(moved.body.data, 'cancelled', 'Rain')).body.data
    expect((await move(canceled, 'planned')).error.code).toBe('programInactive')
    const copy = { from: '2026-12-01', to: '2026-12-01', onto: '2026-12-08', program: [of.programUid], save: true }
    const again = (await call(shifts.create, { body: { ...body, allowInactiveProgram: true } })).body.data
    expect((await call(shifts.copy, { body: copy })).body.data).toMatchObject({ copied: 0, inactive: 1 })
    const confirmed = await call(shifts.copy, { body: { ...copy, allowInactiveProgram: true } })
    expect(confirmed.body.data).toMatchObject({ copied: 1, inactive: 1, refused: [] })
    expect(again.programStatus).toBe(status)
  })

  test('because it is completed takes no shift, however it is planned', async () => {
    const { name, ...of } = await programOf('completed')
    const body = await inputOf(of)
    const refusal = { programUid: `${name} is completed. Make the program active to plan shifts for it.` }
    for (const allowInactiveProgram of [false, true]) {
      const refused = await call(shifts.create, { body: { ...body, allowInactiveProgram } })
      expect([refused.status, refused.error.fields]).toEqual([400, refusal])
    }
    expect((await call(shifts.clashes, { body })).body.data.problems).toEqual(refusal)
    const running = await planIn(30)
    const moved = await update(running, of)
    expect([moved.status, moved.error.fields]).toEqual([400, refusal])
    const before = (await move(running, 'cancelled', 'Rain')).body.data
    await db.updateTable('shift').set({ program_uid: of.programUid }).where('uid', '=', before.uid).execute()
    const { version } = (await call(shifts.get, { params: { uid: before.uid } })).body.data
    expect((await move({ ...before, version }, 'planned')).error.error).toBe(refusal.programUid)
  })
})
