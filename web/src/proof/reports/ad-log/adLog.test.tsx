import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { UnassignedPlay } from '@roadshow/contract/proof/ad-log'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aBoardShift, asShift } from '../../../planning/shifts/test-shifts.ts'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'
import {
  accounted,
  answerAdLog,
  answerJumps,
  aPlay,
  DALLAS,
  emptySummary,
  NIGHT_SHIFT,
  SUMMER,
  T1,
  T2,
} from './test-ad-log.ts'

let api: FakeApi
const user = userEvent.setup({ delay: null })
const pick = async (box: string, option: RegExp) => {
  await user.click(await screen.findByRole('combobox', { name: box }))
  await user.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}
const figureOf = (word: string) => screen.getByText(word, { selector: 'dt' }).parentElement?.textContent
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join('|'))
/** Files that are downloaded go nowhere. */
const withoutSaving = () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
}
const asOnPhones = () =>
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('max-width'),
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  )

beforeEach(() => {
  api = fakeApi()
  answerAdLog(api)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const LOG = `/ad-log?program=${SUMMER}&from=2026-07-03&to=2026-07-06`

describe('the figures of the ad log', () => {
  test('need no program: the last week is shown, and says so; a program proposes its own days', async () => {
    const { address } = openConsole('/ad-log', { api, user: someUser('client', ['overview']) })
    await waitFor(() => expect(address()).toMatch(/^\/ad-log\?from=\d{4}-\d\d-\d\d$/))
    expect(await screen.findByText(/^The last 7 days, since /)).toBeInTheDocument()
    expect(await screen.findByRole('columnheader', { name: /Program/ })).toBeInTheDocument()
    const { query } = api.sentTo(adLog.list).at(-1) ?? {}
    expect([query?.has('from'), query?.has('program')]).toEqual([true, false])
    await pick('Program', /^Summer/)
    await waitFor(() => expect(address()).toBe(`/ad-log?program=${SUMMER}&from=2026-07-01&to=2026-07-31`))
    await screen.findByText('2026-07-05 09:00:00')
    // The days that are shown stay.
    await pick('Market', /^Dallas/)
    await waitFor(() => expect(address()).toContain(`&from=2026-07-01&to=2026-07-31&market=${DALLAS}`))
  })

  test('show plays by grade, missing, rejected and unassigned, which add up to the numbers used', async () => {
    openConsole(LOG, { api })
    const byDay = await screen.findByRole('table', { name: 'Plays by day' })
    expect(cellsOf(byDay)).toEqual([
      'Day|Plays|Verified|Unverified|Conflict|Missing|Rejected|Unassigned|Plays reported|Time shown|Shares',
      'Fri, Jul 3|1,000|800|50 without independent GPS data 200|0|0|2|8|1,010|2:13:20|',
      'Sun, Jul 5|500|400|0|100|40|0|0|540|1:06:40|',
      'Total|1,500|1,200|50 without independent GPS data 200|100|40|2|8|1,550|3:20:00|',
    ])
    expect(
      screen.getByText('1,550 plays numbered by players = 1,500 plays + 40 missing + 2 rejected + 8 unassigned.'),
    ).toBeInTheDocument()
    expect(figureOf('Unverified')).toBe('Unverified200 13.3%, no independent GPS data: 50')
    expect(figureOf('Missing')).toBe('Missing40 2.6%')
    expect(figureOf('Rejected')).toBe('Rejected2 0.1%')
  })

  test('stand as a chart with words, and by side and truck', async () => {
    const { address } = openConsole(LOG, { api })
    const chart = await screen.findByRole('img', { name: /^Plays per day/ })
    expect(chart.getAttribute('aria-label')).toBe(
      'Plays per day from Fri, Jul 3 to Mon, Jul 6. Most: 1,000 plays, Fri, Jul 3. Some are missing in 1 of 4 days.',
    )
    expect(within(chart).getByText('Sun, Jul 5: 500 plays, 400 verified, 100 conflict, 40 missing')).toBeInTheDocument()
    expect(
      within(chart).getByText('Fri, Jul 3: 1,000 plays, 800 verified, 200 unverified, 2 rejected, 8 unassigned'),
    ).toBeInTheDocument()
    await user.click(screen.getByText('By side'))
    const bySide = await screen.findByRole('table', { name: 'Plays by side' })
    expect(cellsOf(bySide)[2]).toBe('Rear|600|600|0|0|–|–|–|–|1:20:00|')
    screen.getByText('Missing, rejected and unassigned plays are not counted by side.')
    await user.click(screen.getByText('By truck'))
    await screen.findByRole('row', { name: /^T-1 / })
    expect(address()).toBe(`${LOG}&by=truck`)
  })

  test('say what can’t be known instead of zero: unassigned plays have no market, missing ones no side', async () => {
    openConsole(`${LOG}&market=${DALLAS}&side=rear`, { api })
    await waitFor(() => expect(figureOf('Unassigned')).toBe('Unassigned– '))
    expect(figureOf('Missing')).toBe('Missing– ')
    expect(figureOf('Rejected')).toBe('Rejected– ')
    expect(screen.queryByText(/plays numbered by players/)).toBeNull()
    expect(
      screen.getByText(
        'Unassigned plays belong to no shift, so they can’t be counted for one market. Missing and rejected plays can’t be assigned to a side.',
      ),
    ).toBeInTheDocument()
    // Whether any are missing is unknown, so the chart does not speak of it.
    expect(screen.getByRole('img', { name: /^Plays per day/ }).getAttribute('aria-label')).not.toContain('missing')
  })

  test('lead to their rows: a grade, a day and a truck to the plays, unassigned to their own list', async () => {
    const { address } = openConsole(LOG, { api })
    await user.click(await screen.findByRole('link', { name: 'Unverified plays: 200' }))
    await waitFor(() => expect(address()).toBe(`${LOG}&grade=unverified#ad-log-plays`))
    await user.click(screen.getByRole('link', { name: 'Plays, Sun, Jul 5: 500' }))
    await waitFor(() => expect(address()).toContain('from=2026-07-05&to=2026-07-05'))
    expect(screen.getByRole('link', { name: 'Unassigned plays, Fri, Jul 3: 8' }).getAttribute('href')).toBe(
      `/ad-log?view=unassigned&program=${SUMMER}&from=2026-07-03&to=2026-07-03`,
    )
    await user.click(screen.getByRole('link', { name: 'Unassigned plays: 8' }))
    await screen.findByText('8 plays')
    expect(api.sentTo(adLog.unassigned).at(-1)?.query.get('program')).toBe(SUMMER)
  })

  test('lead to the gaps and rejected rows behind them, whose numbers add up to the figure', async () => {
    const { address } = openConsole(LOG, { api })
    await user.click(await screen.findByRole('link', { name: 'Missing plays: 40' }))
    await waitFor(() => expect(address()).toContain('view=missing-and-rejected&kind=missing'))
    expect(await screen.findByText(/40 plays in all\./)).toBeInTheDocument()
    const row = screen.getByText('7–46').closest('tr') as HTMLElement
    expect(row).toHaveTextContent('T-1Missing407–46Never arrived')
    const { query } = api.sentTo(adLog.unstored).at(-1) ?? {}
    expect([query?.get('kind'), query?.get('program')]).toEqual(['missing', SUMMER])
  })

  test('ask about jumps of counters, for an admin with the answers beside', async () => {
    answerJumps(api)
    const { address } = openConsole(LOG, { api })
    await user.click(await screen.findByRole('link', { name: 'Decide whether they are missing' }))
    await waitFor(() => expect(address()).toContain('view=missing-and-rejected&kind=jump'))
    const row = (await screen.findByText('T-1’s counter jumped from 812 to 100,012.')).closest('tr') as HTMLElement
    expect(row).toHaveTextContent('Counter jump–813–100,011')
    await user.click(within(row).getByRole('button', { name: 'The counter was set' }))
    await screen.findByText('99,199 numbers left out: the counter was set.')
    expect(api.sentTo(adLog.answerJump).map(({ body }) => body)).toEqual([{ from: 813, to: 100_011, answer: 'set' }])
    cleanup()
    openConsole(`${LOG}&view=missing-and-rejected`, { api, user: someUser('sales', ['overview']) })
    await screen.findByText('An admin has to decide.')
  })

  test('name duplicates where there are some', async () => {
    api.answer(adLog.summary, () => {
      const total = accounted({ plays: 10, duplicates: 2 })
      return { data: { ...emptySummary, total, days: [{ day: '2026-07-03', ...total }] } }
    })
    openConsole(LOG, { api })
    await waitFor(() => expect(figureOf('Duplicate')).toBe('Duplicate2 16.7%'))
    expect(
      screen.getByText(
        '12 plays numbered by players = 10 plays + 0 missing + 0 rejected + 2 duplicate + 0 unassigned.',
      ),
    ).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Duplicate plays: 2' }).getAttribute('href')).toContain('kind=duplicate')
  })
})

describe('the plays of the ad log', () => {
  test('are listed in their own zone, each leading to its minute; truck and side narrow figures and plays alike', async () => {
    const { address } = openConsole(LOG, { api })
    const row = (await screen.findByText('2026-07-05 09:00:00')).closest('tr')
    expect(row?.textContent).toContain('DallasT-1RearSplash8.5No positionConflict')
    expect(within(row as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      `/replay?shift=${testUid(91)}&at=2026-07-05T14%3A00%3A00.000Z`,
    )
    expect(screen.getByText('2,000,000 plays')).toBeInTheDocument()
    expect(screen.getByText(/^Plays are listed one by one since Sat, Jul 4, 7:00 AM CDT; earlier/)).toBeInTheDocument()
    await pick('Truck', /^T-2$/)
    await waitFor(() => expect(figureOf('Plays')).toContain('100'))
    await user.click(screen.getByRole('button', { name: 'Rear' }))
    await user.click(screen.getByRole('button', { name: 'Conflict' }))
    await waitFor(() => expect(address()).toBe(`${LOG}&truck=${T2}&side=rear&grade=conflict`))
    await screen.findByText(/^Only truck T-2; rear\./)
    // Its other trucks can still be chosen, and a grade narrows the plays alone.
    expect(api.sentTo(adLog.summary).some(({ query }) => query.has('grade'))).toBe(false)
    expect(api.sentTo(adLog.list).at(-1)?.query.toString()).toContain('side=rear&grade=conflict')
    await user.click(screen.getByRole('combobox', { name: 'Truck' }))
    await screen.findByText('T-1', { selector: '.ant-select-item-option-content' })
  })

  test('say why they are not verified and, after midnight, for which shift’s day they count', async () => {
    api.answer(adLog.list, () =>
      paged([
        { ...aPlay, startedAt: '2026-07-06T05:14:00.000Z', grade: 'unverified' as const, reason: 'noTrack' as const },
        { ...aPlay, uid: 'verified', grade: 'verified' as const, reason: null },
        {
          ...aPlay,
          uid: 'by phone',
          startedAt: '2026-07-05T15:00:00.000Z',
          grade: 'verified' as const,
          reason: null,
          verifiedBy: 'phone' as const,
        },
      ]),
    )
    openConsole(LOG, { api })
    const night = (await screen.findByText('2026-07-06 00:14:00')).closest('tr') as HTMLElement
    expect(within(night).getByText('shift of Sun, Jul 5')).toBeInTheDocument()
    expect(within(night).getByText('No independent GPS data at this time.')).toBeInTheDocument()
    expect(within(night).getByTitle('No independent GPS data at this time.')).toBeInTheDocument()
    const day = screen.getByText('2026-07-05 09:00:00').closest('tr') as HTMLElement
    expect(within(day).queryByText(/shift of/)).toBeNull()
    expect(within(day).getByText('Verified')).toBeInTheDocument()
    expect(within(day).queryByText(/GPS|by the driver/)).toBeNull()
    const byPhone = screen.getByText('2026-07-05 10:00:00').closest('tr') as HTMLElement
    expect(within(byPhone).getByText('by the driver’s phone')).toBeInTheDocument()
  })

  test('are cards on a phone, with the reason as text', async () => {
    asOnPhones()
    openConsole(LOG, { api })
    const card = (await screen.findByRole('heading', { name: /^2026-07-05 09:00:00/ })).closest('li') as HTMLElement
    expect(within(card).getByText('Another play on this side overlaps it.')).toBeInTheDocument()
  })

  test('what Excel cannot hold is refused with its sentence, and CSV is offered', async () => {
    api.respond(adLog.list, ({ query }) =>
      query.get('format') === 'xlsx'
        ? refusal('tooManyRows')
        : query.has('format')
          ? new Response('a,b')
          : Response.json(paged([aPlay])),
    )
    withoutSaving()
    openConsole(`${LOG}&side=rear`, { api })
    await screen.findByText('2026-07-05 09:00:00')
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByText('Excel (XLSX)'))
    const refused = within(await findDialog('Too many rows for Excel'))
    expect(refused.getByText(/^An Excel sheet holds at most 1,048,576 rows/)).toBeInTheDocument()
    await user.click(refused.getByRole('button', { name: 'Export as CSV' }))
    await waitFor(() =>
      expect(api.sentTo(adLog.list).at(-1)?.query.toString()).toContain(`${LOG.split('?')[1]}&side=rear&format=csv`),
    )
    await waitFor(() => expect(screen.queryByText('Too many rows for Excel')).toBeNull())
  })
})

describe('one shift in the ad log', () => {
  const OF_SHIFT = `/ad-log?program=${SUMMER}&shift=${NIGHT_SHIFT}`
  const night = { date: '2026-07-03', start: '20:00', end: '04:00' }
  beforeEach(() => {
    api.answer(shifts.get, () => ({ data: { ...asShift(aBoardShift(1, night)), uid: NIGHT_SHIFT } }))
    withoutSaving()
  })

  test('is named in words, and narrows figures, plays and file without proposing days', async () => {
    const { address } = openConsole(OF_SHIFT, { api })
    await screen.findByText('Shift of T-1, Fri, Jul 3, 8:00 PM–4:00 AM')
    await screen.findByText('2026-07-05 09:00:00')
    expect(figureOf('Plays')).toContain('300')
    expect(
      screen.getByText(
        '305 plays numbered by players = 300 plays + 4 missing + 1 rejected. Unassigned plays belong to no shift, so they can’t be counted for one shift.',
      ),
    ).toBeInTheDocument()
    expect(screen.queryByLabelText('First day')).toBeNull()
    expect(address()).toBe(OF_SHIFT)
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByText('CSV'))
    const question = OF_SHIFT.split('?')[1]
    await waitFor(() => expect(api.sentTo(adLog.list).at(-1)?.query.get('format')).toBe('csv'))
    for (const { query } of [...api.sentTo(adLog.list), ...api.sentTo(adLog.summary)])
      expect(query.toString().startsWith(String(question))).toBe(true)
  })

  test('removed, all shifts are shown on the days with data', async () => {
    const { address } = openConsole(OF_SHIFT, { api })
    await user.click(await screen.findByRole('button', { name: /^Remove filter: Shift of T-1/ }))
    await waitFor(() => expect(address()).toBe(`/ad-log?program=${SUMMER}&from=2026-07-01&to=2026-07-31`))
    await waitFor(() => expect(figureOf('Plays')).toContain('1,500'))
    expect(screen.queryByText(/^Shift of/)).toBeNull()
  })

  test('is one shift to a client who may not read the schedule', async () => {
    openConsole(OF_SHIFT, { api, user: someUser('client', ['overview']) })
    await screen.findByText('One shift')
    await waitFor(() => expect(figureOf('Plays')).toContain('300'))
    expect(api.sentTo(shifts.get)).toHaveLength(0)
  })
})

describe('unassigned plays', () => {
  const UNASSIGNED = '/ad-log?view=unassigned&from=2026-07-01'

  test('are a list of their own, with the reason and the way to the truck’s shifts of that day', async () => {
    openConsole(UNASSIGNED, { api })
    const row = (await screen.findByText('2026-07-03 15:15:00')).closest('tr') as HTMLElement
    expect([...row.children].map(({ textContent }) => textContent)).toEqual([
      '2026-07-03 15:15:00 ',
      'T-1',
      'Rear',
      'Splash',
      'Summer Acme',
      'The truck was not on a shift.',
      'See shifts',
    ])
    expect(screen.getByText('8 plays')).toBeInTheDocument()
    expect(
      within(row).getByRole('link', { name: 'See shifts of T-1, Thu, Jul 2 – Fri, Jul 3' }).getAttribute('href'),
    ).toBe(`/schedule/program-schedule?view=list&truck=${T1}&from=2026-07-02&to=2026-07-03`)
    // Only trucks with unassigned plays are offered.
    await user.click(screen.getByRole('combobox', { name: 'Truck' }))
    await screen.findByText('T-1', { selector: '.ant-select-item-option-content' })
    expect(screen.queryByText('T-2', { selector: '.ant-select-item-option-content' })).toBeNull()
  })

  test('begin with the last week of all programs, and keep the program when the view is switched', async () => {
    const { address } = openConsole(LOG, { api })
    await user.click(await screen.findByRole('link', { name: 'Unassigned' }))
    await screen.findByText('2026-07-03 15:15:00')
    expect(address()).toBe(`/ad-log?view=unassigned&program=${SUMMER}&from=2026-07-03&to=2026-07-06`)
    cleanup()
    const fresh = openConsole('/ad-log?view=unassigned', { api })
    await waitFor(() => expect(fresh.address()).toMatch(/^\/ad-log\?view=unassigned&from=\d{4}-\d\d-\d\d$/))
    await screen.findByText('2026-07-03 15:15:00')
    expect(api.sentTo(adLog.unassigned).every(({ query }) => query.has('from'))).toBe(true)
  })

  test('none is good news', async () => {
    api.answer(adLog.unassigned, () => paged<UnassignedPlay>([]))
    openConsole(UNASSIGNED, { api })
    await screen.findByText('Every play belongs to a shift.')
  })

  test('days in the wrong order are named, and nothing is asked', async () => {
    openConsole(`${UNASSIGNED}&to=2026-06-01`, { api })
    expect((await screen.findByRole('alert')).textContent).toBe('The last day can’t be before the first.')
    expect(api.sentTo(adLog.unassigned)).toHaveLength(0)
  })

  test('are not for clients: neither the view nor a link to it', async () => {
    openConsole(`${LOG}&view=unassigned`, { api, user: someUser('client', ['overview']) })
    await screen.findByText('2026-07-05 09:00:00')
    expect(screen.queryByRole('link', { name: /Unassigned/ })).toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Lists of the ad log' })).toBeNull()
    expect(api.sentTo(adLog.unassigned)).toHaveLength(0)
    expect(figureOf('Unassigned')).toContain('8')
  })
})
