import { dailySchedule, fleet, markets, shifts, trucks, users } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseCsv } from '../src/platform/spreadsheet/csv.js'

const world = await openWorld()
const { call, db, people } = world

const addMarket = async (name: string, zone: string) =>
  (await call(markets.create, { body: { name, state: '', zone } })).body.data

const auckland = await addMarket('Auckland', 'Pacific/Auckland')
const honolulu = await addMarket('Honolulu', 'Pacific/Honolulu')
const dallas = await addMarket('Dallas, TX', 'America/Chicago')
const all = [auckland, honolulu, dallas]
const program = await world.addProgram({ name: 'Acme Summer', markets: all.map(({ uid }) => ({ marketUid: uid })) })
const truck = (await call(trucks.create, { body: { number: 'T-1', kind: 'led', state: 'active' } })).body.data

/** A shift in a market, with the times at which it really began and ended. */
async function drive(
  market: { uid: string },
  date: string,
  hours: [start: string, end: string],
  times: [string, string],
) {
  const [start, end] = hours
  const body = {
    truckUid: truck.uid,
    driverUid: people.driver.uid,
    programUid: program.uid,
    marketUid: market.uid,
    date,
    start,
    end,
    note: '',
    artworkSetUid: null,
    addressSetUid: null,
    payOption: null,
  }
  const { uid } = (await call(shifts.create, { body })).body.data
  const [startedAt, stoppedAt] = times
  await db
    .updateTable('shift')
    .set({ status: 'completed', started_at: startedAt, stopped_at: stoppedAt, changed_by: people.admin.uid })
    .where('uid', '=', uid)
    .execute()
  return uid
}

const nightInAuckland = await drive(
  auckland,
  '2026-07-02',
  ['20:00', '04:00'],
  ['2026-07-02T08:00:30Z', '2026-07-02T16:05:00Z'],
)
const dayInHonolulu = await drive(
  honolulu,
  '2026-07-01',
  ['08:00', '16:00'],
  ['2026-07-01T18:00:00Z', '2026-07-02T02:01:00Z'],
)
// Clocks in Dallas go back at 2 AM on November 1.
await drive(dallas, '2026-10-31', ['20:00', '04:00'], ['2026-11-01T01:00:00Z', '2026-11-01T07:30:00Z'])
// And forward at 2 AM on March 8.
await drive(dallas, '2026-03-07', ['20:00', '04:00'], ['2026-03-08T02:00:00Z', '2026-03-08T08:30:00Z'])

type Query = Record<string, string | string[]>

async function exported(path: string, query: Query) {
  const response = await world.app.inject({
    url: `/api/v1/${path}`,
    query: { ...query, format: 'csv' },
    headers: { authorization: `Bearer ${people.admin.token}` },
  })
  expect(response.statusCode).toBe(200)
  const [titles = [], ...rows] = parseCsv(response.body.replace(/^\ufeff/, ''), ',', 1000) ?? []
  return {
    name: /filename="([^"]+)"/.exec(String(response.headers['content-disposition']))?.[1],
    rows: rows.slice(0, -1).map((row) => Object.fromEntries(titles.map((title, index) => [title, row[index]]))),
    summary: rows.at(-1)?.[0] ?? '',
  }
}

const setClock = (at: string) => vi.useFakeTimers({ now: new Date(at), toFake: ['Date'] })
afterEach(() => void vi.useRealTimers())

describe('an export of shifts', () => {
  test('has each row in its own zone, and says so', async () => {
    setClock('2026-07-03T05:00:00Z')
    const { name, rows, summary } = await exported(shifts.details.path, {
      from: '2026-07-01',
      to: '2026-07-31',
      sort: 'startsAt',
    })
    expect(name).toBe('schedule-details_2026-07-01_2026-07-31.csv')
    expect(rows.map(({ Date: day, Zone, Started, Stopped }) => [day, Zone, Started, Stopped])).toEqual([
      ['2026-07-01', 'Pacific/Honolulu', '2026-07-01 08:00:00', '2026-07-01 16:01:00'],
      ['2026-07-02', 'Pacific/Auckland', '2026-07-02 20:00:30', '2026-07-03 04:05:00'],
    ])
    expect(summary).toContain('; times in the zone of each row; exported 2026-07-03 05:00:00 UTC')
  })

  test('of one market is in that market’s zone and named after it', async () => {
    setClock('2026-07-03T05:00:00Z')
    const { name, summary } = await exported(shifts.list.path, {
      market: auckland.uid,
      from: '2026-07-02',
      to: '2026-07-02',
    })
    expect(name).toBe('schedule_auckland_2026-07-02.csv')
    expect(summary).toContain('; times in Pacific/Auckland; exported 2026-07-03 17:00:00 Pacific/Auckland')
  })

  test.each([
    // The same moment is another day on either side of the date line.
    ['Auckland', auckland, 'schedule_auckland_2026-07-03.csv'],
    ['Honolulu', honolulu, 'schedule_honolulu_2026-07-02.csv'],
    ['Dallas', dallas, 'schedule_dallas-tx_2026-07-02.csv'],
  ])('without days is named by the day in %s', async (_, market, name) => {
    setClock('2026-07-03T04:59:00Z')
    expect((await exported(shifts.list.path, { market: market.uid })).name).toBe(name)
  })

  test.each([
    [{ from: '2026-07-01' }, 'schedule_acme-summer_from-2026-07-01.csv'],
    [{ to: '2026-07-01' }, 'schedule_acme-summer_until-2026-07-01.csv'],
    [{ from: '2026-07-01', to: '2026-07-02' }, 'schedule_acme-summer_2026-07-01_2026-07-02.csv'],
  ])('is named by the program and the days that were asked for: %o', async (days, name) => {
    expect((await exported(shifts.list.path, { program: program.uid, ...days })).name).toBe(name)
  })

  test('shows the clocks of both nights on which they change', async () => {
    const { rows } = await exported(shifts.details.path, { market: dallas.uid, sort: 'startsAt' })
    expect(
      rows.map(({ Date: day, Start, End, Started, Stopped, 'Actual minutes': minutes }) => [
        day,
        Start,
        End,
        Started,
        Stopped,
        minutes,
      ]),
    ).toEqual([
      // 8 PM to 3:30 AM on the clock, with an hour that never was.
      ['2026-03-07', '20:00', '04:00', '2026-03-07 20:00:00', '2026-03-08 03:30:00', '390'],
      // 8 PM to 1:30 AM on the clock, the second time it showed that.
      ['2026-10-31', '20:00', '04:00', '2026-10-31 20:00:00', '2026-11-01 01:30:00', '390'],
    ])
  })

  test('of the OLD daily schedule is the same file', async () => {
    const { name, rows } = await exported(dailySchedule.details.path, { date: '2026-07-02' })
    expect(name).toBe('schedule-details_2026-07-02.csv')
    expect(rows).toMatchObject([{ Zone: 'Pacific/Auckland', Started: '2026-07-02 20:00:30' }])
  })
})

describe('an export of truck issues', () => {
  test('has each issue on the clocks of its shift’s market', async () => {
    const issue = { truck_uid: truck.uid, kind: 'other', raised_by: 'driver', opened_at: '2026-07-02T10:00:00Z' }
    await db
      .insertInto('truck_issue')
      .values([
        { ...issue, shift_uid: nightInAuckland },
        { ...issue, kind: 'screen', shift_uid: dayInHonolulu },
        { ...issue, kind: 'mechanical' },
      ])
      .execute()
    const { rows, summary } = await exported(fleet.issues.path, { truck: truck.uid })
    expect(new Set(rows.map(({ Opened, Zone }) => `${Opened} ${Zone}`))).toEqual(
      new Set([
        '2026-07-02 22:00:00 Pacific/Auckland',
        '2026-07-02 00:00:00 Pacific/Honolulu',
        '2026-07-02 10:00:00 UTC',
      ]),
    )
    expect(summary).toContain('times in the zone of each row')
    expect((await exported(fleet.issues.path, { shift: nightInAuckland })).rows).toHaveLength(1)
  })
})

describe('an export of office records', () => {
  test('is in the zone of the screen that asks, and names it', async () => {
    setClock('2026-07-03T02:00:00Z')
    const seen = { seen_at: '2026-07-03T01:30:00Z' }
    await db.updateTable('user_account').set(seen).where('uid', '=', people.sales.uid).execute()
    const query = { role: 'sales' }
    const here = await exported(users.list.path, { ...query, timeZone: 'America/Chicago' })
    expect(here.name).toBe('users_2026-07-02.csv')
    expect(here.rows).toMatchObject([{ 'Last seen': '2026-07-02 20:30:00' }])
    expect(here.summary).toContain('; times in America/Chicago; exported 2026-07-02 21:00:00 America/Chicago')
    const anywhere = await exported(users.list.path, query)
    expect(anywhere.name).toBe('users_2026-07-03.csv')
    expect(anywhere.rows).toMatchObject([{ 'Last seen': '2026-07-03 01:30:00' }])
    expect(anywhere.summary).toContain('; times in UTC; exported 2026-07-03 02:00:00 UTC')
  })

  test('refuses a zone that no clock can be set to', async () => {
    const { status, error } = await call(users.list, { query: { format: 'csv', timeZone: 'Mars/Olympus' } })
    expect(status).toBe(400)
    expect(error.fields).toEqual({ timeZone: 'Must be a time zone such as America/Chicago.' })
  })
})
