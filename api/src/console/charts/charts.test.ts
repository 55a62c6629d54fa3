import {
  adLog,
  charts,
  countedMinutes,
  DAY_MS,
  LATE_MINUTES,
  MAX_CHART_WEEKS,
  shifts,
  shiftSuggestions,
  startOutcomes,
  truckSides,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeAll, describe, expect, test } from 'vitest'
import { chartFleet } from './test-charts.ts'

const world = await openWorld()
const { call, db, people } = world
const fleet = chartFleet(world)

const all = Object.values(charts)
/** The weeks of the two nights on which clocks change, and the week of a plain one. */
const [SPRING, AUTUMN, PLAIN] = [
  { from: '2026-03-02', to: '2026-03-08' },
  { from: '2026-10-26', to: '2026-11-01' },
  { from: '2026-05-04', to: '2026-05-10' },
]
const BLOCKING = ['planned', 'out', 'completed']

let dallas: string
let honolulu: string
let program: { uid: string; client: { uid: string } }
let other: { uid: string }
beforeAll(async () => {
  dallas = await fleet.addPlace('Dallas')
  honolulu = await fleet.addPlace('Honolulu', 'Pacific/Honolulu')
  const life = { startsOn: '2020-01-01', endsOn: '2099-12-31' }
  const markets = [{ marketUid: dallas }, { marketUid: honolulu }]
  program = await world.addProgram({ ...life, markets })
  other = await world.addProgram({ ...life, markets })
})

const listed = async (query: object) => (await call(shifts.list, { query: { pageSize: '1', ...query } })).body.total

describe('who may ask', () => {
  const statusesOf = (token: string) =>
    Promise.all(all.map(async (chart) => (await call(chart, { query: PLAIN }, { token })).status))

  test('staff who reach every row', async () => {
    expect(await statusesOf(people.admin.token)).toEqual([200, 200, 200, 200])
    expect(await statusesOf(people.sales.token)).toEqual([200, 200, 200, 200])
    const [overview, schedule] = [
      await world.addUser('sales', ['overview']),
      await world.addUser('sales', ['schedule']),
    ]
    expect(await statusesOf(overview.token)).toEqual([403, 403, 403, 200])
    expect(await statusesOf(schedule.token)).toEqual([200, 200, 200, 403])
  })

  test('no client and no driver, whatever modules they hold', async () => {
    const held = ['overview', 'clients', 'schedule', 'pop', 'userSchedule'] as const
    const client = await world.addUser('client', held, program.client.uid)
    const driver = await world.addUser('driver', held)
    expect(await statusesOf(client.token)).toEqual([403, 403, 403, 403])
    expect(await statusesOf(driver.token)).toEqual([403, 403, 403, 403])
    expect(await statusesOf('')).toEqual([401, 401, 401, 401])
  })
})

describe('the weeks of a query', () => {
  test('are the last eight by default', async () => {
    for (const chart of all) expect((await call(chart, { query: {} as never })).status).toBe(200)
  })

  test('are at most a year, in order', async () => {
    const refused = {
      fields: { to: `Must be at most ${MAX_CHART_WEEKS} weeks after the first day, and not before it.` },
    }
    expect((await call(charts.starts, { query: { from: '2026-01-05', to: '2027-01-10' } })).status).toBe(200)
    expect((await call(charts.starts, { query: { from: '2026-01-05', to: '2027-01-11' } })).error).toMatchObject(
      refused,
    )
    expect((await call(charts.plays, { query: { from: '2026-01-05', to: '2026-01-04' } })).error).toMatchObject(refused)
    expect((await call(charts.plays, { query: { from: 'x', to: '2026-01-04' } })).status).toBe(400)
  })
})

describe('utilization', () => {
  test('counts truck-days with shifts out of those that a market has', async () => {
    const market = await fleet.addPlace('Fresno')
    const away = await fleet.addPlace('Reno')
    const [driverUid, programUid] = [await fleet.addDriver('Ann'), program.uid]
    const busy = await fleet.addTruck(market, '2026-01-01T12:00:00Z')
    await fleet.addTruck(market, '2026-01-01T12:00:00Z')
    // Recorded on Friday at 10 PM in Chicago, which is Saturday in UTC.
    await fleet.addTruck(market, '2026-05-09T03:00:00Z')
    await fleet.addTruck(market, '2026-01-01T12:00:00Z', 'inShop')
    await fleet.addTruck(null, '2026-01-01T12:00:00Z')
    const shift = { truckUid: busy, driverUid, programUid, marketUid: market }
    await fleet.addShift({ ...shift, date: '2026-05-04', status: 'completed', late: 0, worked: 480, end: '12:00' })
    await fleet.addShift({ ...shift, date: '2026-05-04', start: '14:00', end: '18:00', programUid: other.uid })
    await fleet.addShift({ ...shift, date: '2026-05-05' })
    await fleet.addShift({ ...shift, date: '2026-05-06', status: 'cancelled' })
    await fleet.addShift({ ...shift, date: '2026-05-07', status: 'noShow' })
    await fleet.addShift({ ...shift, date: '2026-05-08', isDeleted: true })
    await fleet.addShift({ ...shift, date: '2026-05-09', marketUid: away })
    const rows = async (query: object = {}) =>
      (await call(charts.utilization, { query: { ...PLAIN, market: [market, away], ...query } })).body.data.map(
        ({ market: place, week, ...counts }) => [place.name, week, counts],
      )
    // 7 days of two trucks and 3 of the one that was added, less the day of the truck that was away.
    expect(await rows()).toEqual([
      ['Fresno', '2026-05-04', { shifts: 3, driven: 1, booked: 1, available: 16 }],
      ['Reno', '2026-05-04', { shifts: 1, driven: 0, booked: 1, available: 1 }],
    ])
    expect(await rows({ program: other.uid })).toEqual([
      ['Fresno', '2026-05-04', { shifts: 1, driven: 0, booked: 1, available: 16 }],
      ['Reno', '2026-05-04', { shifts: 0, driven: 0, booked: 0, available: 1 }],
    ])
    expect(await rows({ client: program.client.uid, market: away })).toEqual([
      ['Reno', '2026-05-04', { shifts: 1, driven: 0, booked: 1, available: 1 }],
    ])
  })

  test('trucks retired, moved and deleted since then count as they were', async () => {
    const [here, there] = [await fleet.addPlace('Tulsa'), await fleet.addPlace('Waco')]
    const trucks = [
      await fleet.addTruck(here, '2026-01-01T12:00:00Z'),
      await fleet.addTruck(here, '2026-01-01T12:00:00Z'),
      await fleet.addTruck(here, '2026-01-01T12:00:00Z'),
    ]
    const change = (index: number, values: object) =>
      db
        .updateTable('truck')
        .set(values)
        .where('uid', '=', trucks[index] ?? '')
        .execute()
    await change(0, { state: 'retired' })
    await change(1, { home_market_uid: there })
    await change(2, { deleted_at: new Date() })
    const available = async (query: { from: string; to: string }) =>
      (await call(charts.utilization, { query: { ...query, market: [here, there] } })).body.data.map(
        (row) => `${row.market.name} ${row.available}`,
      )
    expect(await available(PLAIN)).toEqual(['Tulsa 21'])
    expect(await available({ from: '2098-06-02', to: '2098-06-08' })).toEqual(['Waco 7'])
  })

  test('a truck is known since its first shift, also where it was recorded later', async () => {
    const market = await fleet.addPlace('Boise')
    const truckUid = await fleet.addTruck(market, '2026-06-01T12:00:00Z')
    const shift = { truckUid, driverUid: await fleet.addDriver('Bo'), programUid: program.uid, marketUid: market }
    await fleet.addShift({ ...shift, date: '2026-05-08', status: 'completed', late: 0, worked: 480 })
    const { body } = await call(charts.utilization, { query: { ...PLAIN, market } })
    expect(body.data).toMatchObject([{ driven: 1, booked: 0, available: 3 }])
  })
})

describe('hours by driver', () => {
  const hoursOf = async (query: { from: string; to: string }, more: object = {}) =>
    (await call(charts.driverHours, { query: { ...query, ...more } })).body.data

  test('are actual ones once they are known, on nights with 23 and 25 hours, too', async () => {
    const name = 'Night Owl'
    const [truckUid, driverUid] = [await fleet.addTruck(dallas, '2026-01-01T12:00:00Z'), await fleet.addDriver(name)]
    const shift = { truckUid, driverUid, programUid: program.uid, marketUid: dallas, start: '22:00', end: '06:00' }
    await fleet.addShift({ ...shift, date: '2026-03-07' })
    await fleet.addShift({ ...shift, date: '2026-10-31' })
    await fleet.addShift({ ...shift, date: '2026-10-30', status: 'completed', late: 5, worked: 500 })
    await fleet.addShift({ ...shift, date: '2026-10-29', status: 'out', late: 5 })
    await fleet.addShift({ ...shift, date: '2026-10-28', status: 'cancelled' })
    await fleet.addShift({ ...shift, date: '2026-10-27', status: 'noShow' })
    await fleet.addShift({ ...shift, date: '2026-10-26', isDeleted: true })
    const own = async (query: { from: string; to: string }) =>
      (await hoursOf(query)).filter(({ driver }) => driver.name === name)
    const driver = { uid: driverUid, name }
    expect(await own(SPRING)).toEqual([
      { driver, week: '2026-03-02', shifts: 1, workedMinutes: 0, plannedMinutes: 7 * 60 },
    ])
    expect(await own(AUTUMN)).toEqual([
      { driver, week: '2026-10-26', shifts: 3, workedMinutes: 500, plannedMinutes: (9 + 8) * 60 },
    ])
  })

  test('count in the week of the market, and are those that suggestions count', async () => {
    const zone = 'Pacific/Honolulu'
    const driverUid = await fleet.addDriver('Lani')
    const shift = {
      truckUid: await fleet.addTruck(honolulu, '2026-01-01T12:00:00Z'),
      driverUid,
      programUid: program.uid,
      marketUid: honolulu,
      zone,
    }
    // Sunday evening there is Monday in Dallas and in UTC.
    await fleet.addShift({ ...shift, date: '2026-05-10', start: '20:00', end: '23:00' })
    await fleet.addShift({ ...shift, date: '2026-05-05', status: 'completed', late: -10, worked: 433 })
    const rows = await hoursOf({ from: '2026-05-04', to: '2026-05-17' }, { market: honolulu })
    expect(rows).toEqual([
      {
        driver: { uid: driverUid, name: 'Lani' },
        week: '2026-05-04',
        shifts: 2,
        workedMinutes: 433,
        plannedMinutes: 180,
      },
    ])
    const query = { date: '2026-05-07', start: '08:00', end: '10:00', market: honolulu }
    const { drivers } = (await call(shiftSuggestions.list, { query })).body.data
    const reason = drivers.find(({ uid }) => uid === driverUid)?.reasons.find(({ kind }) => kind === 'weekHours')
    expect(reason).toMatchObject({ minutes: 433 + 180 + 120 })
  })
})

describe('on-time starts', () => {
  test('are within the tolerance; without a report there is no data', async () => {
    const market = await fleet.addPlace('Omaha')
    const [truckUid, driverUid] = [await fleet.addTruck(market, '2026-01-01T12:00:00Z'), await fleet.addDriver('Oz')]
    const shift = { truckUid, driverUid, programUid: program.uid, marketUid: market }
    const done = { status: 'completed', worked: 400 }
    await fleet.addShift({ ...shift, ...done, date: '2026-05-04', late: LATE_MINUTES })
    await fleet.addShift({ ...shift, ...done, date: '2026-05-05', late: -60 })
    await fleet.addShift({ ...shift, ...done, date: '2026-05-06', late: LATE_MINUTES + 1 })
    await fleet.addShift({ ...shift, date: '2026-05-07', status: 'noShow' })
    await fleet.addShift({ ...shift, date: '2026-05-08' })
    await fleet.addShift({ ...shift, date: '2026-05-09', status: 'completed' })
    await fleet.addShift({ ...shift, date: '2026-05-10', status: 'cancelled' })
    await fleet.addShift({ ...shift, ...done, date: '2026-05-11', late: 0, isDeleted: true })
    await fleet.addShift({ ...shift, date: '2099-05-11' })
    const starts = async (query: { from: string; to: string }) =>
      (await call(charts.starts, { query: { ...query, market } })).body.data
    const row = { market: { uid: market, name: 'Omaha' }, week: '2026-05-04' }
    expect(await starts({ from: '2026-05-04', to: '2026-05-17' })).toEqual([
      { ...row, onTime: 2, late: 1, noShow: 1, noData: 2 },
    ])
    // A shift that is not due yet has not started on time, and not late.
    expect(await starts({ from: '2099-05-11', to: '2099-05-17' })).toEqual([])
    expect(await listed({ market, startOutcome: ['late', 'noShow'] })).toBe(2)
    const client = await world.addUser('client', ['clients'], program.client.uid)
    const query = { market, startOutcome: 'late' as const }
    expect((await call(shifts.list, { query }, { token: client.token })).body.total).toBe(0)
  })
})

describe('plays by hour', () => {
  const shiftUid = '00000000-0000-4000-8000-000000000001'
  async function addPlays(marketUid: string, day: string, hours: [hour: string, plays: number][]) {
    const truckUid = await fleet.addTruck(marketUid, '2026-01-01T12:00:00Z')
    await db
      .insertInto('play_hour')
      .values(
        hours.map(([hour, plays], index) => ({
          hour,
          truck_uid: truckUid,
          shift_uid: shiftUid,
          program_uid: program.uid,
          market_uid: marketUid,
          day,
          side: truckSides[index % 3] ?? 'rear',
          plays,
          duration_ms: plays * 8000,
          verified: plays - 1,
          conflict: 1,
        })),
      )
      .execute()
  }
  const byHour = async (query: { from: string; to: string }, more: object = {}) =>
    (await call(charts.plays, { query: { ...query, ...more } })).body.data
  const played = async (query: { from: string; to: string }, more: object = {}) =>
    (await byHour(query, more)).filter(({ plays }) => plays > 0).map(({ hour, plays }) => `${hour}: ${plays}`)

  test('are those on the clocks of the market: an hour shown twice counts twice, a skipped one is empty', async () => {
    // 1 AM, 1 AM again and 2 AM in Dallas.
    const autumn: [string, number][] = [
      ['2026-11-01T06:00:00Z', 10],
      ['2026-11-01T07:00:00Z', 5],
      ['2026-11-01T08:00:00Z', 7],
    ]
    // 1 AM and, an hour later, 3 AM.
    const spring: [string, number][] = [
      ['2026-03-08T07:00:00Z', 4],
      ['2026-03-08T08:00:00Z', 6],
    ]
    await addPlays(dallas, '2026-10-31', autumn)
    await addPlays(dallas, '2026-03-07', spring)
    expect(await played(AUTUMN)).toEqual(['1: 15', '2: 7'])
    expect(await played(SPRING)).toEqual(['1: 4', '3: 6'])
    expect((await byHour(SPRING)).find(({ hour }) => hour === 3)).toEqual({
      hour: 3,
      plays: 6,
      verified: 5,
      unverified: 0,
      conflict: 1,
      seconds: 48,
    })
    expect(await byHour(SPRING)).toHaveLength(24)
    expect(await byHour({ from: '2025-03-03', to: '2025-03-09' })).toEqual([])
  })

  test('of each market on its own clocks, as many as the ad log counts', async () => {
    // 9 PM in Honolulu, the next day in UTC; the same instant is 2 AM in Dallas.
    await addPlays(honolulu, '2026-05-10', [['2026-05-11T07:00:00Z', 9]])
    await addPlays(dallas, '2026-05-10', [['2026-05-11T07:00:00Z', 3]])
    expect(await played(PLAIN)).toEqual(['2: 3', '21: 9'])
    expect(await played(PLAIN, { market: honolulu })).toEqual(['21: 9'])
    expect(await played(PLAIN, { program: other.uid })).toEqual([])
    expect(await played(PLAIN, { client: program.client.uid })).toEqual(['2: 3', '21: 9'])
    for (const query of [PLAIN, AUTUMN, SPRING]) {
      const { total } = (await call(adLog.summary, { query: { ...query, program: program.uid } })).body.data
      const rows = await byHour(query, { program: program.uid })
      const sum = (name: 'plays' | 'verified' | 'unverified' | 'conflict' | 'seconds') =>
        rows.reduce((together, row) => together + row[name], 0)
      for (const name of ['plays', 'verified', 'unverified', 'conflict', 'seconds'] as const) {
        expect(sum(name), name).toBe(total[name])
      }
    }
  })
})

describe('every figure', () => {
  const SPAN = { from: '2026-06-01', to: '2026-06-28' }
  let markets: string[]
  const statuses = ['planned', 'out', 'completed', 'cancelled', 'noShow']

  beforeAll(async () => {
    markets = [await fleet.addPlace('Akron'), await fleet.addPlace('Guam', 'Pacific/Guam')]
    const zones = ['America/Chicago', 'Pacific/Guam']
    let seed = 7
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let n = 0; n < 4; n++) {
      const [truckUid, driverUid] = [
        await fleet.addTruck(null, '2026-01-01T12:00:00Z'),
        await fleet.addDriver(`D ${n}`),
      ]
      for (let day = 1; day <= 28; day += 1 + next(3)) {
        const status = statuses[next(5)] ?? 'planned'
        const hasStarted = ['out', 'completed'].includes(status) && next(5) > 0
        const place = next(2)
        await fleet.addShift({
          truckUid,
          driverUid,
          programUid: next(2) === 0 ? program.uid : other.uid,
          marketUid: markets[place] ?? '',
          zone: zones[place] ?? '',
          date: `2026-06-${String(day).padStart(2, '0')}`,
          status,
          ...(hasStarted && { late: next(30) - 10 }),
          ...(hasStarted && status === 'completed' && { worked: 300 + next(300) }),
          isDeleted: next(6) === 0,
        })
      }
    }
  })

  const weekOf = (week: string) => {
    const sunday = new Date(Date.parse(`${week}T00:00:00Z`) + 6 * DAY_MS).toISOString().slice(0, 10)
    return { from: week, to: sunday }
  }

  test.each([{}, { program: true }])('is the total of the list that it leads to (%j)', async ({ program: isOne }) => {
    const of = isOne ? { program: program.uid } : {}
    const query = { ...SPAN, market: markets, ...of }
    const used = (await call(charts.utilization, { query })).body.data
    expect(used.length).toBeGreaterThan(6)
    for (const { market, week, ...counts } of used) {
      expect(await listed({ ...of, ...weekOf(week), market: market.uid, status: BLOCKING })).toBe(counts.shifts)
      expect(counts.driven + counts.booked).toBeLessThanOrEqual(counts.available)
    }
    const starts = (await call(charts.starts, { query })).body.data
    expect(starts.length).toBeGreaterThan(6)
    for (const { market, week, ...counts } of starts) {
      for (const startOutcome of startOutcomes) {
        const total = await listed({ ...of, ...weekOf(week), market: market.uid, startOutcome })
        expect(total, `${market.name} ${week} ${startOutcome}`).toBe(counts[startOutcome])
      }
    }
  })

  test('of hours is the sum of what each shift counts', async () => {
    const rows = (await call(charts.driverHours, { query: { ...SPAN, market: markets } })).body.data
    expect(rows.length).toBeGreaterThan(10)
    for (const { driver, week, ...hours } of rows) {
      const query = { ...weekOf(week), market: markets, driver: driver.uid, status: BLOCKING as never }
      const { data, total } = (await call(shifts.details, { query })).body
      expect(total).toBe(hours.shifts)
      expect(data.reduce((sum, shift) => sum + countedMinutes(shift), 0)).toBe(
        hours.workedMinutes + hours.plannedMinutes,
      )
    }
  })

  test('stands in the file as in the answer', async () => {
    const query = { ...SPAN, market: markets[0] ?? '', format: 'csv' as const }
    const { text, headers } = await call(charts.starts, { query })
    expect(headers['content-disposition']).toContain('on-time-starts_akron_2026-06-01_2026-06-28.csv')
    const { data } = (await call(charts.starts, { query: { ...SPAN, market: markets[0] ?? '' } })).body
    const lines = text.replace('\ufeff', '').split('\r\n')
    expect(lines[0]).toBe('Market,Week of,On time,Late,No-show,No data,On time (%)')
    expect(lines.slice(1, data.length + 1).map((line) => line.split(',').slice(0, 6))).toEqual(
      data.map((row) => ['Akron', row.week, ...[row.onTime, row.late, row.noShow, row.noData].map(String)]),
    )
    expect(lines[data.length + 1]).toContain(`${data.length} rows; from: 2026-06-01; to: 2026-06-28; market: Akron`)
  })
})
