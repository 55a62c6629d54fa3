import { metersBetween, metersOutside } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { SimulatedFleet } from './fleet.ts'
import type { PlannedTruck } from './plan.ts'
import { dallasCity, HOUR, plannedShift, START, plannedTruck } from './test-plan.ts'

type Row = { dateTime: string; latitude: number; longitude: number; speed: number }
type Reading = { dateTime: string; data: number; diagnostic: { id: string } }

async function driven(plan: PlannedTruck[], to = START + 8 * HOUR, seed = 'test'): Promise<SimulatedFleet> {
  const fleet = new SimulatedFleet(seed, START)
  fleet.update(plan)
  await fleet.catchUp(to)
  return fleet
}

const logsOf = ({ feeds }: SimulatedFleet) => feeds.after('LogRecord', '').map(({ record }) => record as unknown as Row)
const byTime = (rows: Row[]) => rows.toSorted((one, other) => (one.dateTime < other.dateTime ? -1 : 1))
const odometerOf = ({ feeds }: SimulatedFleet) =>
  feeds
    .after('StatusData', '')
    .map(({ record }) => record as unknown as Reading)
    .filter(({ diagnostic }) => diagnostic.id === 'DiagnosticOdometerId')
    .toSorted((one, other) => (one.dateTime < other.dateTime ? -1 : 1))
    .map(({ data }) => data)

const yard = dallasCity.depots[0] ?? { latitude: 0, longitude: 0 }

describe('a truck', () => {
  test('leaves its yard before the shift, stays in its market, and returns afterwards', async () => {
    const logs = byTime(logsOf(await driven([plannedTruck()])))
    const [first, last] = [logs[0], logs.at(-1)]
    expect(Date.parse(first?.dateTime ?? '')).toBeGreaterThan(START + HOUR - 31 * 60_000)
    expect(Date.parse(first?.dateTime ?? '')).toBeLessThan(START + HOUR - 11 * 60_000)
    expect(Date.parse(last?.dateTime ?? '')).toBeGreaterThan(START + 5 * HOUR)
    expect(first && metersBetween(first, yard)).toBeLessThan(80)
    expect(last && metersBetween(last, yard)).toBeLessThan(80)
    expect(logs.filter((log) => metersOutside(dallasCity, log) > 300)).toEqual([])
  })

  test('drives as fast as trucks in a city do, stands at lights, and turns', async () => {
    const fleet = await driven([plannedTruck()])
    const logs = byTime(logsOf(fleet))
    const speeds = logs.map(({ speed }) => speed)
    expect(Math.max(...speeds)).toBeGreaterThan(50)
    expect(Math.max(...speeds)).toBeLessThanOrEqual(70)
    expect(speeds.filter((speed) => speed === 0).length).toBeGreaterThan(50)
    const [first = 0, last = 0] = [
      odometerOf(await driven([plannedTruck()])).at(0),
      odometerOf(await driven([plannedTruck()])).at(-1),
    ]
    expect((last - first) / 1000 / 4.8).toBeGreaterThan(8)
    expect((last - first) / 1000 / 4.8).toBeLessThan(45)
  })

  test('has an odometer that goes with its track and never back', async () => {
    const fleet = await driven([plannedTruck()])
    const readings = odometerOf(fleet)
    expect(readings).toEqual(readings.toSorted((one, other) => one - other))
    const logs = byTime(logsOf(fleet))
    const meters = logs.reduce((sum, log, index) => sum + (index ? metersBetween(logs[index - 1] ?? log, log) : 0), 0)
    const counted = (readings.at(-1) ?? 0) - (readings[0] ?? 0)
    expect(meters / counted).toBeGreaterThan(0.9)
    expect(meters / counted).toBeLessThan(1.15)
  })

  test('goes on counting from the reading that is stored', async () => {
    const at = START + 2 * HOUR
    const readings = odometerOf(await driven([plannedTruck({ odometer: { at, metres: 999_000_000 } })]))
    expect(readings[0]).toBeGreaterThanOrEqual(999_000_000)
    expect(readings[0]).toBeLessThan(999_020_000)
  })

  test('drives the same way for a seed, and another one for another', async () => {
    const [one, again, other] = await Promise.all([
      driven([plannedTruck()]),
      driven([plannedTruck({ shifts: [plannedShift({ uid: 'another uid' })] })]),
      driven([plannedTruck()], START + 8 * HOUR, 'other'),
    ])
    expect(logsOf(again)).toEqual(logsOf(one))
    expect(logsOf(other)).not.toEqual(logsOf(one))
  })

  test('is where it would be when it is looked at in small steps', async () => {
    const whole = await driven([plannedTruck()], START + 3 * HOUR)
    const steps = new SimulatedFleet('test', START)
    steps.update([plannedTruck()])
    for (let at = START; at <= START + 3 * HOUR; at += 1700) steps.advance(at)
    steps.advance(START + 3 * HOUR)
    expect(logsOf(steps)).toEqual(logsOf(whole))
  })

  test('without a shift, stands and says so now and then', async () => {
    const { feeds } = await driven([plannedTruck({ shifts: [] })], START + HOUR)
    expect(feeds.after('LogRecord', '')).toEqual([])
    const [status] = feeds.statuses
    expect(status?.record).toMatchObject({ isDriving: false, speed: 0 })
    expect(status?.at).toBeGreaterThan(START + HOUR - 5 * 60_000)
  })

  test('goes home when its shift is called off', async () => {
    const fleet = await driven([plannedTruck()], START + 2 * HOUR)
    fleet.update([plannedTruck({ shifts: [] })])
    await fleet.catchUp(START + 4 * HOUR)
    expect(fleet.trucks[0]?.isOnTheRoad).toBe(false)
  })
})

test('after a start at another moment, today’s drives are the same', async () => {
  const plan = [plannedTruck()]
  const later = new SimulatedFleet('test', START + 7_341)
  later.update(plan)
  await later.catchUp(START + 3 * HOUR)
  expect(later.feeds.after('LogRecord', '')).toEqual(
    (await driven(plan, START + 3 * HOUR)).feeds.after('LogRecord', ''),
  )
})

test('what trackers could not send at once comes later, in the order of versions', async () => {
  const fleet = await driven(Array.from({ length: 8 }, (_, n) => plannedTruck({ number: `T-${n}`, geotabId: `b${n}` })))
  const rows = fleet.feeds.after('LogRecord', '')
  const versions = rows.map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].toSorted())
  expect(versions.every((version) => /^[0-9a-f]{16}$/.test(version))).toBe(true)
  const late = rows.filter(({ at, version }) => Number.parseInt(version.slice(0, 11), 16) - at > 4 * 60_000)
  expect(late.length).toBeGreaterThan(10)
})

test('a market with an outline keeps its trucks inside', async () => {
  const outline: [number, number][] = [
    [-96.9, 32.7],
    [-96.7, 32.7],
    [-96.7, 32.85],
    [-96.9, 32.85],
  ]
  const market = { ...dallasCity, latitude: null, longitude: null, radiusM: null, outline }
  const logs = logsOf(await driven([plannedTruck({ home: market, shifts: [plannedShift({ market })] })]))
  expect(logs.length).toBeGreaterThan(200)
  expect(logs.filter((log) => metersOutside(market, log) > 300)).toEqual([])
})
