import { charts } from '@roadshow/contract/console/charts'
import type { DriverHoursRow, PlayHourRow, StartsRow, UtilizationRow } from '@roadshow/contract/console/charts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { pictureOf } from '../../ui/charts/savePicture.ts'
import { driverBars } from './DriverHours.tsx'
import { hourColumns } from './PlaysByHour.tsx'
import { startColumns } from './Starts.tsx'
import { niceTop, shareText, weeksBetween } from './chartWeeks.ts'
import { utilizationColumns } from './Utilization.tsx'

const [DALLAS, RENO] = [
  { uid: testUid(1), name: 'Dallas' },
  { uid: testUid(2), name: 'Reno' },
]
const WEEKS = { from: '2026-11-02', to: '2026-11-15' }
const ADDRESS = '/charts?from=2026-11-04&to=2026-11-12'

const used: UtilizationRow[] = [
  { market: DALLAS, week: '2026-11-02', shifts: 5, driven: 3, booked: 1, available: 8 },
  { market: RENO, week: '2026-11-02', shifts: 0, driven: 0, booked: 0, available: 2 },
]
const hours: DriverHoursRow[] = [
  { driver: { uid: testUid(3), name: 'Ann' }, week: '2026-11-02', shifts: 1, workedMinutes: 450, plannedMinutes: 0 },
  { driver: { uid: testUid(4), name: 'Bo' }, week: '2026-11-02', shifts: 1, workedMinutes: 480, plannedMinutes: 0 },
  { driver: { uid: testUid(3), name: 'Ann' }, week: '2026-11-09', shifts: 2, workedMinutes: 0, plannedMinutes: 960 },
]
const starts: StartsRow[] = [
  { market: DALLAS, week: '2026-11-02', onTime: 6, late: 1, noShow: 1, noData: 2 },
  { market: RENO, week: '2026-11-02', onTime: 0, late: 0, noShow: 0, noData: 4 },
]
const plays = Array.from({ length: 24 }, (_, hour): PlayHourRow => {
  const verified = hour === 20 ? 1500 : 0
  return { hour, plays: verified, verified, unverified: 0, conflict: 0, seconds: verified * 8 }
})

describe('the figures of charts', () => {
  test('weeks begin on Monday, and each has its place', () =>
    expect(weeksBetween('2026-11-04', '2026-11-15')).toEqual(['2026-11-02', '2026-11-09']))

  test('no data is not zero', () => {
    expect([shareText(0, 4, '–'), shareText(1, 3, '–'), shareText(0, 0, 'No trucks')]).toEqual([
      '0%',
      '33%',
      'No trucks',
    ])
    expect(utilizationColumns(used, WEEKS).map(({ name }) => name)).toEqual([
      'Week of Nov 2, 2026: 40%, 3 driven and 1 booked of 10 truck-days',
      'Week of Nov 9, 2026: No trucks',
    ])
    expect(startColumns(starts, WEEKS).map(({ name }) => name)).toEqual([
      'Week of Nov 2, 2026: 14 shifts due, 6 on time, 1 late, 1 no-show, 6 no data',
      'Week of Nov 9, 2026: No shifts were due',
    ])
  })

  test('lead to the rows behind them', () => {
    expect(utilizationColumns(used, WEEKS, DALLAS)[0]?.link).toEqual({
      to: '/schedule/program-schedule',
      search: {
        view: 'list',
        from: '2026-11-02',
        to: '2026-11-08',
        status: ['planned', 'out', 'completed'],
        market: [DALLAS.uid],
      },
    })
    expect(utilizationColumns(used, WEEKS)[1]?.link).toBeUndefined()
    // Of a week that the filters cut off, only the days that are left.
    expect(startColumns(starts, { ...WEEKS, from: '2026-11-04', program: [testUid(9)] })[0]?.link?.search).toEqual({
      view: 'list',
      program: [testUid(9)],
      from: '2026-11-04',
      to: '2026-11-08',
      startOutcome: ['onTime', 'late', 'noShow', 'noData'],
    })
  })

  test('drivers come by their hours', () =>
    expect(driverBars(hours, WEEKS).map(({ name }) => name)).toEqual([
      'Ann: 7 h 30 min worked and 16 h planned in 3 shifts',
      'Bo: 8 h worked and 0 h planned in 1 shift',
    ]))

  test('hours are named as people read them', () =>
    expect(hourColumns(plays, { from: '2026-11-02', to: '2026-11-15' })[20]).toMatchObject({
      label: '8 PM',
      name: '8:00 PM: 1,500 plays, 1,500 verified',
      link: { to: '/ad-log', search: { from: '2026-11-02', to: '2026-11-15', fromHour: '20', toHour: '21' } },
    }))

  test.each([
    [0, 2],
    [3, 4],
    [7, 8],
    [11, 20],
    [41, 50],
    [120, 150],
    [1501, 2000],
  ])('an axis for %i ends at %i', (highest, top) => expect(niceTop(highest)).toBe(top))
})

describe('the screen', () => {
  let api: FakeApi
  const user = userEvent.setup({ delay: null })
  beforeEach(() => {
    api = fakeApi()
    api.answer(charts.utilization, () => ({ data: used }))
    api.answer(charts.driverHours, () => ({ data: hours }))
    api.answer(charts.starts, () => ({ data: starts }))
    api.answer(charts.plays, () => ({ data: plays }))
  })
  afterEach(cleanup)
  const card = (name: string) => screen.findByRole('region', { name })

  test('asks every chart for the same whole weeks', async () => {
    openConsole(ADDRESS, { api })
    expect(await screen.findByRole('group', { name: /^All markets\. 40% of truck-days used/ })).toBeTruthy()
    for (const chart of Object.values(charts)) {
      const [sent] = api.sentTo(chart)
      expect([sent?.query.get('from'), sent?.query.get('to')]).toEqual(['2026-11-02', '2026-11-15'])
    }
    expect(
      screen.getByRole('group', { name: 'Starts by week. 75% of 8 known starts on time; 6 without data.' }),
    ).toBeTruthy()
  })

  test('shows the figures of a bar with the arrow keys, and its table', async () => {
    openConsole(ADDRESS, { api })
    const utilization = within(await card('Fleet utilization'))
    const bar = (await utilization.findAllByRole('link', { name: /^Week of Nov 2, 2026: 40%/ }))[0]
    bar?.focus()
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Week of Nov 9, 2026: No trucks')
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(bar)
    expect(utilization.getByText(/^Week of Nov 2, 2026: 40%/)).toBeTruthy()

    const startCard = within(await card('On-time starts'))
    await user.click(startCard.getByRole('button', { name: 'Show table' }))
    const row = within(startCard.getByRole('row', { name: /^Dallas/ }))
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      'Week of Nov 2, 2026',
      '6',
      '1',
      '1',
      '2',
      '75%',
    ])
    expect(within(startCard.getByRole('row', { name: /^Reno/ })).getByText('No starts')).toBeTruthy()
    const late = new URL((row.getAllByRole('link')[1] as HTMLAnchorElement).href).searchParams
    expect([late.get('startOutcome'), late.get('market'), late.get('from')]).toEqual(['late', DALLAS.uid, '2026-11-02'])
  })

  test('exports a chart with its filters', async () => {
    const file = vi.fn<(format: string | null) => void>()
    openConsole(`${ADDRESS}&market=${DALLAS.uid}`, { api })
    const hoursCard = within(await card('Hours by driver'))
    await user.click(await hoursCard.findByRole('button', { name: 'Export' }))
    api.respond(charts.driverHours, ({ query }) => {
      file(query.get('format'))
      return refusal('badRequest')
    })
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    await waitFor(() => expect(file).toHaveBeenCalledWith('csv'))
    expect(api.sentTo(charts.driverHours).at(-1)?.query.get('market')).toBe(DALLAS.uid)
  })

  test('leads to the same plays in the ad log', async () => {
    openConsole(`${ADDRESS}&program=${testUid(9)}`, { api })
    const hours = within(await card('Plays by hour of day'))
    const days = 'from=2026-11-02&to=2026-11-15'
    const link = await hours.findByRole('link', { name: /ad log/ })
    expect(link.getAttribute('href')).toBe(`/ad-log?program=${testUid(9)}&${days}`)
    const atEight = hours.getByRole('link', { name: /^8:00 PM: / })
    expect(atEight.getAttribute('href')).toBe(`/ad-log?program=${testUid(9)}&${days}&fromHour=20&toHour=21`)
  })

  test('says why it can’t draw weeks, and asks for none', async () => {
    openConsole('/charts?from=2024-01-01&to=2026-01-01', { api })
    expect((await screen.findByRole('alert')).textContent).toBe('Choose at most 53 weeks.')
    expect(api.sentTo(charts.utilization)).toHaveLength(0)
  })

  test('shows only the charts that the user may read, and says so where there is nothing', async () => {
    api.answer(charts.plays, () => ({ data: [] }))
    openConsole(ADDRESS, { api, user: someUser('sales', ['overview']) })
    expect(await screen.findByText('No plays in these weeks.')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Fleet utilization' })).toBeNull()
    expect(api.sentTo(charts.utilization)).toHaveLength(0)
  })

  test('is a picture that stands by itself', async () => {
    openConsole(ADDRESS, { api })
    const starting = await card('On-time starts')
    await within(starting).findByRole('button', { name: 'Save picture' })
    const picture = pictureOf(starting, 'On-time starts')
    for (const words of ['On-time starts', 'Starts by week', 'No-show', 'Nov 2']) expect(picture).toContain(words)
    expect(picture).not.toMatch(/class=|href=|var\(/)
  })
})
