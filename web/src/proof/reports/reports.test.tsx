import { adLog, sdReport } from '@roadshow/contract/proof/reports'
import type { AdLogSummary, LoggedPlay, SdApproach, SdResult } from '@roadshow/contract/proof/reports'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { playTimeText, distanceText, shareText } from './reportNumbers.ts'
import { chartColumns } from './playTime.ts'

vi.mock('./ApproachMap.tsx', () => import('./test-approach-map.tsx'))

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [SUMMER, DALLAS, AUSTIN, ELM, ZOO, FAR] = [1, 2, 3, 4, 5, 6].map(uidOf) as [string, ...string[]]
const DAYS = { firstDay: '2026-07-01', lastDay: '2026-07-31' }
const summer = { uid: SUMMER, name: 'Summer', client: { uid: uidOf(9), name: 'Acme' }, ...DAYS }
const dallas = { uid: String(DALLAS), name: 'Dallas', zone: 'America/Chicago', ...DAYS, firstDay: '2026-07-03' }
const austin = { uid: String(AUSTIN), name: 'Austin', zone: 'America/Chicago', ...DAYS }

let api: FakeApi
const user = userEvent.setup({ delay: null })
const lookups = (calls: typeof sdReport | typeof adLog, markets = [dallas, austin]) => {
  api.answer(calls.programs, () => paged([summer]))
  api.answer(calls.markets, ({ query }) =>
    paged(markets.filter(({ uid }) => !query.has('uid') || query.get('uid') === uid)),
  )
}
const pick = async (box: string, option: RegExp) => {
  await user.click(await screen.findByRole('combobox', { name: box }))
  await user.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}
const figureOf = (word: string) => screen.getByText(word, { selector: 'dt' }).parentElement?.textContent

beforeEach(() => {
  api = fakeApi()
})
afterEach(cleanup)

describe('the SD report', () => {
  const result = (uid: string | undefined, label: string, more: Partial<SdResult>): SdResult => ({
    uid: String(uid),
    label,
    address: '',
    latitude: 32.78,
    longitude: -96.8,
    radiusM: 800,
    approaches: 0,
    missed: 0,
    plays: 0,
    seconds: 0,
    nearestM: null,
    trucks: 0,
    firstAt: null,
    lastAt: null,
    ...more,
  })
  const results = [
    result(ELM, 'Elm Street', {
      approaches: 5,
      missed: 1,
      plays: 1600,
      seconds: 12800,
      nearestM: 30,
      trucks: 2,
      firstAt: '2026-07-03T14:00:00.000Z',
      lastAt: '2026-07-31T20:00:00.000Z',
    }),
    result(ZOO, 'Zoo', { approaches: 2, missed: 2, nearestM: 700, trucks: 1 }),
    result(FAR, 'Far away', {}),
  ]
  const approach = (n: number, more: Partial<SdApproach> = {}): SdApproach => ({
    uid: `approach ${n}`,
    truck: {
      uid: uidOf(50),
      name: 'T-7',
    },
    shiftUid: uidOf(60),
    enteredAt: `2026-07-0${n}T14:00:00.000Z`,
    leftAt: `2026-07-0${n}T14:02:05.000Z`,
    nearestM: 30,
    plays: 12,
    seconds: 96,
    isDue: true,
    isMissed: false,
    track: [
      [32.78, -96.8, `2026-07-0${n}T14:00:00.000Z`],
      [32.79, -96.8, `2026-07-0${n}T14:01:00.000Z`],
    ],
    ...more,
  })

  beforeEach(() => {
    lookups(sdReport)
    api.answer(sdReport.list, () => paged(results))
    api.answer(sdReport.summary, () => ({
      data: {
        zone: 'America/Chicago',
        totals: {
          approaches: 7,
          missed: 3,
          plays: 1600,
          seconds: 12800,
          trucks: 2,
          addresses: 3,
          reached: 2,
          firstAt: '2026-07-03T14:00:00.000Z',
          lastAt: '2026-07-31T20:00:00.000Z',
        },
        places: results.map(({ uid, label, latitude, longitude, radiusM, approaches, missed, plays }) => ({
          uid,
          label,
          latitude,
          longitude,
          radiusM,
          approaches,
          missed,
          plays,
        })),
      },
    }))
    api.answer(sdReport.approaches, () =>
      paged([
        approach(4),
        approach(3, { isMissed: true, plays: 0, seconds: 0, truck: { uid: uidOf(51), name: 'T-8' } }),
      ]),
    )
  })

  test('asks for program, then market, and proposes the days with data; all of it stands in the address', async () => {
    const { address } = openConsole('/smart-directional-report', { api })
    await screen.findByText('Choose a program to see the results of its SD addresses.')
    await pick('Program', /^Summer \(Acme\), 2026-07-01 – 2026-07-31$/)
    await screen.findByText('Choose a market.')
    expect(api.sentTo(sdReport.list)).toHaveLength(0)
    await pick('Market', /^Dallas, 2026-07-03/)
    const question = `program=${SUMMER}&market=${DALLAS}&from=2026-07-03&to=2026-07-31`
    await waitFor(() => expect(address()).toBe(`/smart-directional-report?${question}`))
    await screen.findByRole('link', { name: 'Elm Street' })
    expect(api.sentTo(sdReport.list).map(({ query }) => query.toString())).toEqual([question])
    expect(api.sentTo(sdReport.markets).every(({ query }) => query.get('program') === SUMMER)).toBe(true)
  })

  test('chooses the only market by itself, and for sales who hold the module', async () => {
    lookups(sdReport, [dallas])
    const { address } = openConsole(`/smart-directional-report?program=${SUMMER}`, { api, user: someUser('sales') })
    await screen.findByRole('link', { name: 'Elm Street' })
    expect(address()).toContain(`market=${DALLAS}&from=2026-07-03&to=2026-07-31`)
  })

  const REPORT = `/smart-directional-report?program=${SUMMER}&market=${DALLAS}&from=2026-07-03&to=2026-07-31`

  test('shows totals, circles as large as their plays, and each address with its own times', async () => {
    openConsole(REPORT, { api })
    const row = (await screen.findByRole('link', { name: 'Elm Street' })).closest('tr')
    expect(row?.textContent).toBe('Elm Street1,60012,8005198 ft2026-07-31 15:00:00')
    expect(screen.getByText('0.43 mi')).toBeInTheDocument()
    expect(figureOf('Missed')).toContain('3')
    expect(figureOf('Time shown')).toContain('3:33:20')
    expect(figureOf('Addresses reached')).toContain('2 of 3')
    const map = within(screen.getByRole('application', { name: 'Map of the addresses' }))
    expect(map.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Elm Street: 1,600 plays, 5 approaches, 1 missed, driving, 20 px',
      'Zoo: 0 plays, 2 approaches, 2 missed, warn, 4 px',
      'Far away: 0 plays, 0 approaches, 0 missed, silent, 4 px',
    ])
  })

  test('opens an address from the map: each approach with its way, one of them brought forward', async () => {
    const { address } = openConsole(REPORT, { api })
    await user.click(await screen.findByRole('button', { name: /^Elm Street: / }))
    const drawer = within(await findDialog('Elm Street'))
    expect(address()).toBe(`${REPORT}&open=${ELM}`)
    const [shown, missed] = await drawer.findAllByRole('button', { name: /Truck T-/ })
    expect(shown?.textContent).toBe('2026-07-04 09:00:00ShownTruck T-7nearby for 0:02:05closest 98 ft12 plays, 96 s')
    expect(missed?.textContent).toContain('MissedTruck T-8')
    expect(drawer.getAllByText('Way of 2 points')).toHaveLength(2)
    await user.click(missed as HTMLElement)
    expect(drawer.getByText('Way of 2 points, chosen')).toBeInTheDocument()
    expect(api.sentTo(sdReport.approaches)[0]?.query.toString()).toBe(`${REPORT.split('?')[1]}&address=${ELM}`)
  })

  test('says what is wrong with days in the wrong order and asks nothing', async () => {
    openConsole(REPORT.replace('from=2026-07-03', 'from=2026-08-03'), { api })
    expect((await screen.findByRole('alert')).textContent).toBe('The last day can’t be before the first.')
    await user.click(await screen.findByRole('button', { name: 'Show all' }))
    await screen.findByRole('link', { name: 'Elm Street' })
    expect(api.sentTo(sdReport.list).map(({ query }) => query.get('from'))).toEqual(['2026-07-03'])
  })

  test('a link to what is not theirs leads back to the choice; a failing server can be asked again', async () => {
    api.answer(sdReport.programs, () => paged([]))
    api.respond(sdReport.markets, () => refusal('notFound'))
    const { address } = openConsole(REPORT, { api, user: someUser('client', ['clients']) })
    await user.click(await screen.findByRole('button', { name: 'Choose another program' }))
    await screen.findByText(/^No data yet/)
    expect(address()).toBe('/smart-directional-report')
    expect(api.sentTo(sdReport.list)).toHaveLength(0)
    cleanup()
    lookups(sdReport)
    api.respond(sdReport.summary, () => refusal('forbidden'))
    openConsole(REPORT, { api })
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(api.sentTo(sdReport.summary)).toHaveLength(2))
  })
})

describe('the ad log', () => {
  const figures = (plays: number, unverified = 0, conflict = 0) => ({
    plays,
    seconds: plays * 8,
    verified: plays - unverified - conflict,
    unverified,
    conflict,
  })
  const accounted = (plays: number, unverified = 0, conflict = 0, missing = 0) => ({
    ...figures(plays, unverified, conflict),
    noTrack: 0,
    missing,
    rejected: 0,
    unassigned: 0,
    numbers: plays + missing,
  })
  const [ONE, TWO] = [70, 71].map(uidOf) as [string, string]
  const summary: AdLogSummary = {
    zones: ['America/Chicago'],
    total: accounted(1500, 200, 100, 40),
    days: [
      { day: '2026-07-03', ...accounted(1000, 200, 0) },
      { day: '2026-07-05', ...accounted(500, 0, 100, 40) },
    ],
    sides: [
      { side: 'driverSide', ...figures(900, 200, 100) },
      { side: 'rear', ...figures(600) },
    ],
    trucks: [
      { truck: { uid: ONE, name: 'T-1' }, ...accounted(1400, 200, 100, 40) },
      { truck: { uid: TWO, name: 'T-2' }, ...accounted(100) },
    ],
    keptSince: '2026-07-04T12:00:00.000Z',
  }
  const play: LoggedPlay = {
    uid: 'device play',
    startedAt: '2026-07-05T14:00:00.000Z',
    day: '2026-07-05',
    shiftUid: uidOf(90),
    zone: 'America/Chicago',
    market: {
      uid: String(DALLAS),
      name: 'Dallas',
    },
    truck: {
      uid: ONE,
      name: 'T-1',
    },
    side: 'rear',
    artwork: {
      uid: uidOf(80),
      name: 'Splash',
    },
    durationMs: 8500,
    address: null,
    latitude: null,
    longitude: null,
    grade: 'conflict',
    reason: 'overlap',
    sequence: 3,
    receivedAt: '2026-07-06T14:00:00.000Z',
    isLate: true,
  }
  const LOG = `/ad-log?program=${SUMMER}&from=2026-07-03&to=2026-07-06`

  beforeEach(() => {
    lookups(adLog)
    api.answer(adLog.summary, ({ query }) => ({
      data: query.has('truck')
        ? { ...summary, trucks: summary.trucks.slice(1), total: { ...accounted(100) } }
        : summary,
    }))
    api.answer(adLog.list, () => ({ data: [play], page: 1, pageSize: 10, total: 2_000_000 }))
  })

  test('needs no market: it proposes the days of the program', async () => {
    const { address } = openConsole('/ad-log', { api, user: someUser('client', ['overview']) })
    await pick('Program', /^Summer/)
    await waitFor(() => expect(address()).toBe(`/ad-log?program=${SUMMER}&from=2026-07-01&to=2026-07-31`))
    await screen.findByText('2026-07-05 09:00:00')
    await pick('Market', /^Dallas/)
    await waitFor(() => expect(address()).toContain(`&market=${DALLAS}&from=2026-07-03&to=2026-07-31`))
  })

  test('shows grades and missing plays as figures, as a chart with words, and by day, side and truck', async () => {
    const { address } = openConsole(LOG, { api })
    const byDay = within(await screen.findByRole('table', { name: 'Plays by day' }))
    expect(byDay.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'DayPlaysVerifiedUnverifiedConflictMissingTime shownShares',
      '2026-07-031,000800200002:13:20',
      '2026-07-055004000100401:06:40',
      'Total1,5001,200200100403:20:00',
    ])
    expect(figureOf('Missing')).toContain('2.6%')
    const chart = screen.getByRole('img', { name: /^Plays per day/ })
    expect(chart.getAttribute('aria-label')).toBe(
      'Plays per day from 2026-07-03 to 2026-07-06. Most: 1,000 plays, 2026-07-03. Some are missing in 1 of 4 days.',
    )
    expect(within(chart).getByText('2026-07-05: 500 plays, 400 verified, 100 conflict, 40 missing')).toBeInTheDocument()
    await user.click(screen.getByText('By side'))
    const bySide = await screen.findByRole('table', { name: 'Plays by side' })
    expect(within(bySide).getByRole('row', { name: /^Rear/ }).textContent).toBe('Rear60060000–1:20:00')
    await user.click(screen.getByText('By truck'))
    await screen.findByRole('row', { name: /^T-1 1,400/ })
    expect(address()).toBe(`${LOG}&by=truck`)
  })

  test('lists the plays in their own zone, opening nothing; truck and side narrow figures and plays alike', async () => {
    const { address } = openConsole(LOG, { api })
    const row = (await screen.findByText('2026-07-05 09:00:00')).closest('tr')
    expect(row?.textContent).toContain('DallasT-1RearSplash8.5Conflict')
    expect(within(row as HTMLElement).queryByRole('link')).toBeNull()
    expect(screen.getByText('2,000,000 plays')).toBeInTheDocument()
    expect(screen.getByText(/^Plays are listed one by one since 2026-07-04 07:00:00/)).toBeInTheDocument()
    await pick('Truck', /^T-2$/)
    await waitFor(() => expect(figureOf('Plays')).toContain('100'))
    await user.click(screen.getByRole('button', { name: 'Rear' }))
    await user.click(screen.getByRole('button', { name: 'Conflict' }))
    await waitFor(() => expect(address()).toBe(`${LOG}&truck=${TWO}&side=rear&grade=conflict`))
    await screen.findByText(/^Only truck T-2; rear\./)
    // Its other trucks can still be chosen, and a grade narrows the plays alone.
    expect(api.sentTo(adLog.summary).some(({ query }) => query.has('grade'))).toBe(false)
    expect(api.sentTo(adLog.list).at(-1)?.query.toString()).toContain('side=rear&grade=conflict')
    await user.click(screen.getByRole('combobox', { name: 'Truck' }))
    await screen.findByText('T-1', { selector: '.ant-select-item-option-content' })
  })

  test('what Excel cannot hold is refused with its sentence, and CSV is offered', async () => {
    api.respond(adLog.list, ({ query }) =>
      query.get('format') === 'xlsx'
        ? refusal('tooManyRows')
        : query.has('format')
          ? new Response('a,b')
          : Response.json(paged([play])),
    )
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }))
    openConsole(`${LOG}&side=rear`, { api })
    await screen.findByText('2026-07-05 09:00:00')
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByText('Excel (XLSX)'))
    const refused = within(await findDialog('Too many rows for Excel'))
    expect(refused.getByText(/^An Excel sheet holds at most 1,048,576 rows/)).toBeInTheDocument()
    await user.click(refused.getByRole('button', { name: 'Export as CSV' }))
    await waitFor(() =>
      expect(api.sentTo(adLog.list).at(-1)?.query.toString()).toBe(`${LOG.split('?')[1]}&side=rear&format=csv`),
    )
    await waitFor(() => expect(screen.queryByText('Too many rows for Excel')).toBeNull())
  })
})

describe('figures', () => {
  test('columns of days, weeks and months hold every play once, and empty days keep their place', () => {
    const day = (of: string, plays: number) => ({
      day: of,
      plays,
      seconds: plays,
      verified: plays,
      unverified: 0,
      conflict: 0,
      missing: 1,
    })
    const days = [day('2026-01-31', 1), day('2026-02-01', 10), day('2026-03-01', 100), day('2026-12-31', 1000)]
    const plays = (from: string, to: string) => {
      const { unit, columns } = chartColumns(days, from, to)
      return [unit, columns.length, columns.map((column) => column.plays).filter(Boolean)]
    }
    expect(plays('2026-01-30', '2026-02-02')).toEqual(['day', 4, [1, 10]])
    // 2026-01-31 is a Saturday, the last day of its week.
    expect(plays('2026-01-01', '2026-12-31')).toEqual(['week', 53, [1, 10, 100, 1000]])
    expect(plays('2025-01-01', '2026-12-31')).toEqual(['month', 24, [1, 10, 100, 1000]])
    const { columns } = chartColumns(days, '2026-02-01', '2026-02-01')
    expect(columns).toMatchObject([{ from: '2026-02-01', to: '2026-02-01', plays: 10, missing: 1 }])
  })

  test('read as people say them', () => {
    expect([distanceText(null), distanceText(0), distanceText(30), distanceText(1609.344)]).toEqual([
      '–',
      '0 ft',
      '98 ft',
      '1 mi',
    ])
    expect([playTimeText(59), playTimeText(3600 * 1234 + 61)]).toEqual(['0:00:59', '1,234:01:01'])
    expect([shareText(99_999, 100_000), shareText(1, 1e6), shareText(1, 1), shareText(0, 5), shareText(0, 0)]).toEqual([
      '99.9%',
      '0.1%',
      '100%',
      '0%',
      '–',
    ])
  })
})
