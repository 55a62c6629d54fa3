import { DAY_MS, type PlannedStop, shifts, type StopVisit, type TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { loadStopVisits, storeStopVisits } from './shift-stops.ts'
import { at, openFleet, saidBy } from './test-fleet.ts'

const world = await openWorld()
const { db, call } = world
const fleet = await openFleet(world)

const stadium: PlannedStop = {
  name: 'Stadium',
  latitude: 32.78,
  longitude: -96.8,
  radiusM: 400,
  from: '17:00',
  to: '19:00',
  minMinutes: 60,
  note: '',
}
const METER = 1 / 111_195

/** A fix each minute between two times of the day, so many meters north of the stadium. */
const standing = (from: string, to: string, meters: number): TrackPoint[] =>
  Array.from({ length: (at(to) - at(from)) / 60_000 }, (_, minute) => ({
    at: at(from) + minute * 60_000,
    latitude: stadium.latitude + meters * METER,
    longitude: stadium.longitude,
    speedKmh: 0,
  }))

const AWAY_BEFORE = standing('15:00:00', '17:00:00', 6000)
const THERE = standing('17:10:00', '18:40:00', 0)
const AWAY_AFTER = standing('18:50:00', '20:00:00', 6000)

let truck = { uid: '', device: '' }
let shiftUid = ''
const hear = (fixes: readonly TrackPoint[]) => fleet.hear({ fixes: saidBy(truck.device, fixes) })
const planStops = (stops: PlannedStop[]) =>
  sql`update shift set stops = ${JSON.stringify(stops)}::jsonb where uid = ${shiftUid}`.execute(db)
const visit = async (): Promise<StopVisit | undefined> => (await loadStopVisits(db, [shiftUid])).get(shiftUid)?.[0]
const stored = () => db.selectFrom('shift_stop_track').selectAll().where('shift_uid', '=', shiftUid).executeTakeFirst()
const clock = (text: string | null | undefined) => text && new Date(text).toISOString().slice(11, 16)

beforeEach(async () => {
  truck = await fleet.addTruck()
  shiftUid = await fleet.addShift(truck.uid, '15:00', '20:00')
  await planStops([stadium])
})

test('a stop without positions in its window says so', async () => {
  expect(await visit()).toMatchObject({ state: 'noData', arrivedAt: null, leftAt: null, dwellMinutes: null })
  await hear(AWAY_BEFORE)
  expect(await visit()).toMatchObject({ state: 'noData' })
})

test('positions that come later change the answer, in whatever order they come', async () => {
  await hear([...AWAY_BEFORE, ...AWAY_AFTER, ...standing('17:00:00', '18:50:00', 6000).slice(0, 4)])
  await storeStopVisits(db, true)
  // As far as is known, the truck stood elsewhere.
  expect(await visit()).toMatchObject({ state: 'missed' })
  await hear(THERE.slice(40))
  await hear(THERE.slice(0, 40))
  const found = await visit()
  expect(found).toMatchObject({ state: 'onTime', dwellMinutes: 89, isShort: false })
  expect([clock(found?.arrivedAt), clock(found?.leftAt)]).toEqual(['17:10', '18:39'])
  // What is stored is the same.
  await storeStopVisits(db, true)
  expect(await visit()).toEqual(found)
  expect((await call(shifts.details, { query: { uid: shiftUid } })).body.data[0]?.stops).toEqual([found])
})

test('a whole window elsewhere is missed, and a stay can be too short', async () => {
  await hear(standing('15:00:00', '20:00:00', 6000))
  expect(await visit()).toMatchObject({ state: 'missed', isShort: false })
  await planStops([{ ...stadium, latitude: stadium.latitude + 6000 * METER, from: '19:50', to: '20:00' }])
  expect(await visit()).toMatchObject({ state: 'onTime', isShort: true })
})

test('a canceled shift has no state', async () => {
  await sql`update shift set status = 'cancelled', reason = 'Rain' where uid = ${shiftUid}`.execute(db)
  expect(await visit()).toMatchObject({ state: null, arrivedAt: null })
})

test('a window that is not over is not missed', async () => {
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const other = await fleet.addTruck()
  shiftUid = await fleet.addShift(other.uid, '15:00', '20:00', tomorrow)
  await planStops([stadium])
  expect(await visit()).toMatchObject({ state: 'upcoming' })
})

test('visits outlive their positions, also when the note of a stop changes', async () => {
  await hear([...AWAY_BEFORE, ...THERE, ...AWAY_AFTER])
  await storeStopVisits(db, true)
  const before = await visit()
  expect(before).toMatchObject({ state: 'onTime' })
  await sql`delete from position where truck_uid = ${truck.uid}`.execute(db)
  expect(await visit()).toEqual(before)
  await planStops([{ ...stadium, note: 'North gate.' }])
  expect(await visit()).toEqual({ ...before, note: 'North gate.' })
  await storeStopVisits(db, true)
  expect(await visit()).toEqual({ ...before, note: 'North gate.' })
  await planStops([{ ...stadium, radiusM: 500 }])
  expect(await visit()).toMatchObject({ state: 'noData' })
})

test('only what changed is found again', async () => {
  await hear([...AWAY_BEFORE, ...THERE])
  await storeStopVisits(db, true)
  const first = await stored()
  expect(first).toBeDefined()
  await storeStopVisits(db, true)
  expect(await stored()).toEqual(first)
  await hear(AWAY_AFTER)
  await storeStopVisits(db, true)
  expect((await stored())?.computed_at).not.toEqual(first?.computed_at)
})

test('shifts without stops are left alone', async () => {
  await planStops([])
  await hear(THERE)
  await storeStopVisits(db, true)
  expect([await visit(), await stored()]).toEqual([undefined, undefined])
})
