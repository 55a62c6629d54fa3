import { type PlannedStop, type Shift, shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { shiftRecords } from './queries.ts'
import { toShiftInput, openTestPlan } from './test-plan.ts'
import { loadShiftFacts } from './facts.ts'
import { checkShift } from './rules.ts'
import { toShiftValues } from './shift-row.ts'

const world = await openWorld()
const { call, db, people } = world
const { create, plan, update, move } = await openTestPlan(world)

const stadium: PlannedStop = {
  name: 'Stadium',
  latitude: 32.7473,
  longitude: -97.0945,
  radiusM: 402,
  from: '12:00',
  to: '14:00',
  minMinutes: 30,
  note: 'North gate.',
}
const square: PlannedStop = {
  ...stadium,
  name: 'Market square',
  from: '14:30',
  to: '15:30',
  minMinutes: null,
  note: '',
}
const get = async (uid: string, token = people.admin.token) => call(shifts.get, { params: { uid } }, { token })

describe('planned stops are saved with the shift', () => {
  test('in their order', async () => {
    const shift = await plan({ stops: [square, stadium] })
    expect(shift.stops).toEqual([square, stadium])
    expect((await get(shift.uid)).body.data.stops).toEqual([square, stadium])
  })

  test('with what may be left out', async () => {
    const { minMinutes: _least, note: _note, ...short } = stadium
    expect((await plan({ stops: [short] })).stops).toEqual([{ ...short, minMinutes: null, note: '' }])
  })

  test('and a shift without them has none', async () => expect((await plan()).stops).toEqual([]))

  test('a change without a list keeps them, another list replaces them', async () => {
    const shift = await plan({ stops: [stadium] })
    const kept = (await update(shift, { note: 'Call first.' })).body.data
    expect(kept).toMatchObject({ note: 'Call first.', stops: [stadium] })
    const replaced = (await update(kept, { stops: [square] })).body.data
    expect(replaced.stops).toEqual([square])
    expect((await update(replaced, { stops: [] })).body.data.stops).toEqual([])
  })

  test('the history tells what was planned before', async () => {
    const shift = await plan({ stops: [stadium] })
    await update(shift, { stops: [square] })
    const { body } = await call(shifts.history, { params: { uid: shift.uid }, query: {} })
    const changes = body.data.flatMap(({ fields }) => fields.filter(({ field }) => field === 'stops'))
    expect(changes).toEqual([
      { field: 'stops', old: [stadium], new: [square] },
      { field: 'stops', old: null, new: [stadium] },
    ])
  })

  test('they stay with a shift that is moved on, canceled and planned again', async () => {
    const shift = await plan({ stops: [stadium] })
    const canceled = (await move(shift, 'cancelled', 'Rain')).body.data
    expect(canceled.stops).toEqual([stadium])
    expect((await move(canceled, 'planned')).body.data.stops).toEqual([stadium])
  })

  test('they are there again when a deleted shift is restored', async () => {
    const shift = await plan({ stops: [stadium] })
    await call(shifts.remove, { params: { uid: shift.uid } })
    expect((await shiftRecords.restore(db, await world.adminScope(), shift.uid)).stops).toEqual([stadium])
  })

  test('exports name them', async () => {
    const shift = await plan({ stops: [stadium, square] })
    const { text } = await call(shifts.list, { query: { uid: shift.uid, format: 'csv' } })
    expect(text).toContain(
      'Stadium, 12:00–2:00 PM (32.7473 -97.0945, 1319 ft, at least 30 min: North gate.); ' +
        'Market square, 2:30–3:30 PM (32.7473 -97.0945, 1319 ft)',
    )
  })
})

describe('planned stops are refused', () => {
  test.each<[string, Partial<PlannedStop>, Record<string, string>]>([
    [
      'before the shift',
      { from: '07:00' },
      { 'stops.0.to': 'Must lie inside the hours of the shift, and end after it begins.' },
    ],
    [
      'after the shift',
      { to: '16:30' },
      { 'stops.0.to': 'Must lie inside the hours of the shift, and end after it begins.' },
    ],
    [
      'backwards',
      { from: '14:00', to: '12:00' },
      { 'stops.0.to': 'Must lie inside the hours of the shift, and end after it begins.' },
    ],
    ['without a name', { name: ' ' }, { 'stops.0.name': 'Required.' }],
    ['too small', { radiusM: 10 }, { 'stops.0.radiusM': 'Must be from 0.03 mi to 5 mi.' }],
    ['too large', { radiusM: 90_000 }, { 'stops.0.radiusM': 'Must be from 0.03 mi to 5 mi.' }],
    ['nowhere', { latitude: 99 }, { 'stops.0.latitude': 'Must be a number from -90 to 90.' }],
    ['for no time', { minMinutes: 0 }, { 'stops.0.minMinutes': 'Must be whole minutes from 1 to 720.' }],
    ['without times', { from: '' }, { 'stops.0.from': 'Must be a time such as 08:00.' }],
  ])('%s', async (_, wrong, fields) => {
    const { status, error } = await create({ stops: [{ ...stadium, ...wrong }] })
    expect([status, error.fields]).toEqual([400, expect.objectContaining(fields)])
  })

  test('beyond twelve', async () => {
    const { status, error } = await create({ stops: Array.from({ length: 13 }, () => stadium) })
    expect([status, error.fields]).toEqual([400, { stops: 'At most 12 planned stops.' }])
  })

  test('when other hours leave a kept stop outside', async () => {
    const shift = await plan({ stops: [stadium] })
    const { status, error } = await update(shift, { start: '13:00', end: '18:00' })
    expect([status, error.fields]).toEqual([
      400,
      { stops: 'The stop Stadium, 12:00–2:00 PM, is outside the hours of the shift, 1:00–6:00 PM.' },
    ])
  })

  test.each<[string, string]>([
    ['other hours', `update shift set start_time = '13:00', starts_at = starts_at + interval '5 hours'`],
    ['a missing name', `update shift set stops = jsonb_set(stops, '{0}', (stops -> 0) - 'name')`],
    ['a large radius', `update shift set stops = jsonb_set(stops, '{0,radiusM}', '9000')`],
    ['a place that is none', `update shift set stops = jsonb_set(stops, '{0,latitude}', '91')`],
    ['no list', `update shift set stops = '{}'`],
    [
      'thirteen',
      `update shift set stops = (select jsonb_agg(x.stop) from (select stops -> 0 as stop from generate_series(1, 13)) x)`,
    ],
  ])('by the database too: %s', async (_, statement) => {
    const { uid } = await plan({ stops: [stadium] })
    await expect(sql`${sql.raw(statement)} where uid = ${uid}`.execute(db)).rejects.toMatchObject({
      constraint: 'shift_stops_fit',
      message: 'A planned stop of this shift is outside its hours or its limits.',
    })
  })
})

describe('planned stops go along', () => {
  const evening = { start: '10:00', end: '20:00' }
  const dinner = { ...stadium, from: '17:00', to: '19:00' }
  const copy = (body: { from: string; to: string; onto: string; driver: string[] }) =>
    call(shifts.copy, { body: { save: true, ...body } })
  const shiftsOn = async (date: string, driver: string): Promise<Shift[]> =>
    (await call(shifts.list, { query: { from: date, to: date, driver } })).body.data

  test('with a copy over a change of clocks, in local time', async () => {
    const shift = await plan({ ...evening, date: '2026-10-31', stops: [dinner] })
    const driver = shift.driver?.uid ?? ''
    const { body } = await copy({ from: '2026-10-31', to: '2026-10-31', onto: '2026-11-01', driver: [driver] })
    expect(body.data).toMatchObject({ copied: 1, refused: [] })
    expect((await shiftsOn('2026-11-01', driver)).map(({ stops }) => stops)).toEqual([[dinner]])
  })

  test('with a move to another day', async () => {
    const shift = await plan({ ...evening, date: '2026-10-31', stops: [dinner] })
    expect((await update(shift, { date: '2026-11-02' })).body.data).toMatchObject({
      date: '2026-11-02',
      stops: [dinner],
    })
  })

  test('but not to a day that skips their times', async () => {
    const night = { start: '22:00', end: '06:00', stops: [{ ...stadium, from: '02:30', to: '04:00' }] }
    const shift = await plan({ ...night, date: '2026-07-03' })
    const values = { ...toShiftValues(shift), date: '2027-03-13' }
    const problems = checkShift(values, await loadShiftFacts(db, [values]))
    expect(problems.stops).toBe('Clocks in America/Chicago skip 2:30 AM, a time of the stop Stadium.')
  })
})

describe('planned stops are seen', () => {
  test('by the driver of the shift and by no other', async () => {
    const [own, other] = [await world.addUser('driver'), await world.addUser('driver')]
    const shift = await plan({ driverUid: own.uid, stops: [stadium] })
    expect((await get(shift.uid, own.token)).body.data.stops).toEqual([stadium])
    expect((await get(shift.uid, other.token)).status).toBe(404)
    const details = await call(shifts.details, { query: { uid: shift.uid } }, { token: other.token })
    expect(details.body.data).toEqual([])
  })

  test('not by clients, neither in records nor in details or the history', async () => {
    const { client } = (await call(shifts.get, { params: { uid: (await plan()).uid } })).body.data
    const outsider = await world.addUser('client', ['clients'], client.uid)
    const shift = await plan({ stops: [stadium] })
    await update(shift, { stops: [square] })
    const as = { token: outsider.token }
    expect((await get(shift.uid, outsider.token)).body.data.stops).toEqual([])
    const details = await call(shifts.details, { query: { uid: shift.uid } }, as)
    expect(details.body.data.map(({ stops }) => stops)).toEqual([[]])
    const history = await call(shifts.history, { params: { uid: shift.uid }, query: {} }, as)
    expect(JSON.stringify(history.body)).not.toContain('Stadium')
    const file = await call(shifts.details, { query: { uid: shift.uid, format: 'csv' } }, as)
    expect(file.text).not.toContain('Market square')
  })

  test('drivers cannot change them', async () => {
    const own = await world.addUser('driver')
    const shift = await plan({ driverUid: own.uid, stops: [stadium] })
    const body = { ...toShiftInput(shift), stops: [], uid: shift.uid, version: shift.version }
    expect((await call(shifts.update, { body }, { token: own.token })).status).toBe(403)
  })
})
