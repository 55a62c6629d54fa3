import { fleet, METERS_PER_MILE } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { storeTelemetry } from '../telemetry/index.ts'

const world = await openWorld()
const { call, db } = world
const market = await world.addMarket('Dallas')
await db.updateTable('market').set({ zone: 'America/Chicago' }).execute()
const program = await world.addProgram({
  startsOn: '2020-01-01',
  endsOn: '2099-12-31',
  markets: [{ marketUid: market.uid }],
})
const at = (instant: string) => Date.parse(instant)

let count = 0
async function addTruck(): Promise<{ uid: string; device: string }> {
  const device = `day${++count}`
  const truck = {
    number: `D ${count}`,
    kind: 'led',
    state: 'active',
    geotab_device_id: device,
    home_market_uid: market.uid,
  }
  const { uid } = await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
  return { uid, device }
}

/** A shift of a truck in Chicago. */
async function addShift(truckUid: string, date: string, [start, end]: [string, string], [from, to]: [string, string]) {
  const driver = await world.addUser('driver')
  const shift = {
    truck_uid: truckUid,
    driver_uid: driver.uid,
    program_uid: program.uid,
    market_uid: market.uid,
    local_date: date,
    start_time: start,
    end_time: end,
    zone: 'America/Chicago',
    starts_at: from,
    ends_at: to,
    status: 'completed',
    started_at: from,
    stopped_at: to,
  }
  return (await db.insertInto('shift').values(shift).returning('uid').executeTakeFirstOrThrow()).uid
}

/** A drive to the north at 15 m/s. */
async function drive(device: string, from: string, to: string): Promise<void> {
  const [start, end] = [at(from), at(to)]
  const fixes = Array.from({ length: (end - start) / 30_000 + 1 }, (_, n) => ({
    truck: device,
    at: start + n * 30_000,
    latitude: 30 + (n * 450) / 111_195,
    longitude: -96.8,
    speedKmh: 54,
  }))
  const cursor = { entity: `days ${++count}`, from: undefined, to: '1' }
  await storeTelemetry(db, { fixes, statuses: [], readings: [], cursor, now: Date.now() })
}

const daysOf = async (truck: string, query = {}) => (await call(fleet.truckDays, { query: { truck, ...query } })).body

describe('the miles of a truck by day', () => {
  test('are the shifts’ and the unassigned ones, on the days of the market, and add up to the whole way', async () => {
    const truck = await addTruck()
    // 8 PM to 2 AM; the truck leaves an hour earlier and comes back an hour later.
    const shift = await addShift(
      truck.uid,
      '2026-07-01',
      ['20:00', '02:00'],
      ['2026-07-02T01:00:00Z', '2026-07-02T07:00:00Z'],
    )
    await drive(truck.device, '2026-07-02T00:00:00Z', '2026-07-02T08:00:00Z')
    const { data, total } = await daysOf(truck.uid, { from: '2026-06-25', to: '2026-07-05' })
    expect(total).toBe(2)
    const [second, first] = data
    expect(first).toMatchObject({
      date: '2026-07-01',
      shifts: [{ uid: shift, start: '20:00', end: '02:00', source: 'gps' }],
    })
    expect(first?.shiftMetres).toBeCloseTo(6 * 54_000, -1)
    expect(first?.unassignedMetres).toBeCloseTo(54_000, -1)
    expect(second).toMatchObject({ date: '2026-07-02', shifts: [], shiftMetres: null })
    expect(second?.unassignedMetres).toBeCloseTo(54_000, -1)
    expect((first?.metres ?? 0) + (second?.metres ?? 0)).toBeCloseTo(8 * 54_000, -1)
    const oldestFirst = await daysOf(truck.uid, { from: '2026-06-25', to: '2026-07-05', sort: 'date' })
    expect(oldestFirst.data).toEqual([first, second])
  })

  test.each([
    ['back', '2025-11-02', '2025-11-02T04:00:00Z', '2025-11-02T09:00:00Z', '2025-11-02T05:00:00Z'],
    ['forward', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-08T10:00:00Z', '2026-03-08T06:00:00Z'],
  ])('keep their day in the night in which clocks go %s', async (_, date, from, to, midnight) => {
    const truck = await addTruck()
    await drive(truck.device, from, to)
    const { data } = await daysOf(truck.uid, { from: date, to: date })
    expect(data).toHaveLength(1)
    expect(data[0]?.unassignedMetres).toBeCloseTo(((at(to) - at(midnight)) / 1000) * 15, -1)
  })

  test('are exported as they are shown', async () => {
    const truck = await addTruck()
    await drive(truck.device, '2026-07-02T12:00:00Z', '2026-07-02T13:00:00Z')
    const query = { truck: truck.uid, from: '2026-07-01', to: '2026-07-03', format: 'csv' as const }
    const { text } = await call(fleet.truckDays, { query })
    const miles = Math.round((54_000 / METERS_PER_MILE) * 100) / 100
    expect(text).toContain('Date,Shifts,Programs,Shift miles,Unassigned miles,Total miles')
    expect(text).toMatch(new RegExp(`2026-07-02,0,,,${miles},${miles}`))
  })

  test('are refused for days in the wrong order, too many days and unknown trucks', async () => {
    const truck = (await addTruck()).uid
    const fields = async (query: object) => (await call(fleet.truckDays, { query: { truck, ...query } })).error.fields
    expect(await fields({ from: '2026-07-02', to: '2026-07-01' })).toEqual({ to: 'Must not be before the first day.' })
    expect(await fields({ from: '2020-07-02', to: '2026-07-01' })).toEqual({ to: 'Choose at most 366 days.' })
    expect((await call(fleet.truckDays, { query: { truck: crypto.randomUUID() } })).status).toBe(404)
    expect((await daysOf(truck)).data).toEqual([])
  })

  test('are never shown to clients, whatever modules they hold', async () => {
    const truck = (await addTruck()).uid
    const { token } = await world.addUser('client', ['overview', 'trucks'], program.client.uid)
    expect((await call(fleet.truckDays, { query: { truck } }, { token })).status).toBe(403)
  })
})

describe('the track of a day', () => {
  test('is that of the market’s day, with a night shift whole', async () => {
    const truck = await addTruck()
    await addShift(truck.uid, '2026-07-01', ['20:00', '02:00'], ['2026-07-02T01:00:00Z', '2026-07-02T07:00:00Z'])
    await drive(truck.device, '2026-07-02T00:00:00Z', '2026-07-02T08:00:00Z')
    const trackOf = async (day: string) =>
      (await call(fleet.track, { params: { uid: truck.uid }, query: { day } })).body.data
    const [first, second] = [await trackOf('2026-07-01'), await trackOf('2026-07-02')]
    expect([first.points[0]?.[2], first.points.at(-1)?.[2]]).toEqual(['2026-07-02T00:00:00Z', '2026-07-02T06:59:30Z'])
    expect(second.points[0]?.[2]).toBe('2026-07-02T07:00:00Z')
    expect([first.day, first.isToday]).toEqual(['2026-07-01', false])
    const { data } = await daysOf(truck.uid, { from: '2026-07-01', to: '2026-07-02', sort: 'date' })
    expect([first.metres, second.metres]).toEqual(data.map(({ metres }) => metres))
    expect((await trackOf('2026-07-05')).metres).toBeNull()
  })
})
