import { sdReport } from '@roadshow/contract/proof/sd-report'
import type { SdApproach, SdResult } from '@roadshow/contract/proof/sd-report'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [SUMMER, DALLAS, AUSTIN, ELM, ZOO, FAR] = [1, 2, 3, 4, 5, 6].map(uidOf) as [string, ...string[]]
const DAYS = { firstDay: '2026-07-01', lastDay: '2026-07-31' }
const summer = { uid: SUMMER, name: 'Summer', client: { uid: uidOf(9), name: 'Acme' }, ...DAYS }
const dallas = { uid: String(DALLAS), name: 'Dallas', zone: 'America/Chicago', ...DAYS, firstDay: '2026-07-03' }
const austin = { uid: String(AUSTIN), name: 'Austin', zone: 'America/Chicago', ...DAYS }

let api: FakeApi
const user = userEvent.setup({ delay: null })
const lookups = (markets = [dallas, austin]) => {
  api.answer(sdReport.programs, () => paged([summer]))
  api.answer(sdReport.markets, ({ query }) =>
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
    since: `2026-07-0${n}T13:59:00.000Z`,
    until: `2026-07-0${n}T14:03:05.000Z`,
    isDue: true,
    isMissed: false,
    track: [
      [32.78, -96.8, `2026-07-0${n}T14:00:00.000Z`],
      [32.79, -96.8, `2026-07-0${n}T14:01:00.000Z`],
    ],
    ...more,
  })

  beforeEach(() => {
    lookups()
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

  const ranked = { uid: SUMMER, name: 'Summer', client: { uid: uidOf(9), name: 'Acme' } }
  const figures = { plays: 1600, seconds: 12_800, approaches: 7, reached: 2, trucks: 2 }

  test('opens with all programs ranked on the last 30 days; one leads to its report of the same days', async () => {
    api.answer(sdReport.ranking, () => paged([{ ...ranked, ...figures }]))
    const { address } = openConsole('/smart-directional-report', { api })
    const program = await screen.findByRole('link', { name: 'Summer' })
    expect(program.closest('tr')?.textContent).toBe('SummerAcme1,6003:33:20722')
    expect(screen.getByRole('link', { name: '1,600' }).getAttribute('href')).toMatch(
      new RegExp(`^/ad-log\\?program=${SUMMER}&from=.*&to=.*&address=any$`),
    )
    const days = /^\/smart-directional-report\?from=(\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d)$/.exec(address())?.[1] ?? ''
    expect(days).not.toBe('')
    expect(await screen.findByText(/^The last 30 days\./)).toBeInTheDocument()
    expect(api.sentTo(sdReport.ranking).at(-1)?.query.toString()).toBe(`from=${days}`)
    await pick('Market', /^Dallas/)
    await waitFor(() => expect(api.sentTo(sdReport.ranking).at(-1)?.query.get('market')).toBe(DALLAS))
    await user.click(await screen.findByRole('link', { name: 'Summer' }))
    const question = `program=${SUMMER}&market=${DALLAS}&from=${days}`
    await waitFor(() => expect(address()).toBe(`/smart-directional-report?${question}`))
    await screen.findByRole('link', { name: 'Elm Street' })
    expect(api.sentTo(sdReport.list).map(({ query }) => query.toString())).toEqual([question])
  })

  test('of a program needs no market; its days with data are proposed, and all of it stands in the address', async () => {
    api.answer(sdReport.ranking, () => paged([{ ...ranked, ...figures }]))
    const { address } = openConsole('/smart-directional-report', { api, user: someUser('sales') })
    await pick('Program', /^Summer \(Acme\), Jul 1, 2026 – Jul 31, 2026$/)
    const question = `program=${SUMMER}&from=2026-07-01&to=2026-07-31`
    await waitFor(() => expect(address()).toBe(`/smart-directional-report?${question}`))
    await screen.findByRole('link', { name: 'Elm Street' })
    expect(api.sentTo(sdReport.list).map(({ query }) => query.toString())).toEqual([question])
    await user.click(screen.getByRole('link', { name: 'Elm Street' }))
    const drawer = within(await findDialog('Elm Street'))
    await drawer.findAllByRole('button', { name: /Truck T-/ })
    expect(api.sentTo(sdReport.approaches).at(-1)?.query.has('market')).toBe(false)
  })

  const REPORT = `/smart-directional-report?program=${SUMMER}&market=${DALLAS}&from=2026-07-03&to=2026-07-31`

  test('shows totals, circles as large as their plays, and each address with its own times', async () => {
    openConsole(REPORT, { api })
    const row = (await screen.findByRole('link', { name: 'Elm Street' })).closest('tr')
    expect(row?.textContent).toBe('Elm Street1,60012,8005198 ft2026-07-31 15:00:00')
    expect(screen.getByText('0.4 mi')).toBeInTheDocument()
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
    expect(shown?.textContent).toBe('2026-07-04 09:00:00ShownTruck T-7nearby for 0:02:05closest 98 ft')
    expect(missed?.textContent).toContain('MissedTruck T-8')
    const [plays] = drawer.getAllByRole('link', { name: '12 plays' })
    const visit = 'since=2026-07-04T13%3A59%3A00.000Z&until=2026-07-04T14%3A03%3A05.000Z'
    expect(plays?.getAttribute('href')).toMatch(new RegExp(`^/ad-log\\?program=.*address=${ELM}&shift=.*${visit}$`))
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
    api.answer(sdReport.ranking, () => paged([]))
    api.respond(sdReport.markets, () => refusal('notFound'))
    const { address } = openConsole(REPORT, { api, user: someUser('client', ['clients']) })
    await user.click(await screen.findByRole('button', { name: 'Choose another program' }))
    await screen.findByText(/^No truck came near an SD address/)
    expect(address()).toMatch(/^\/smart-directional-report\?from=[\d-]+&to=[\d-]+$/)
    expect(api.sentTo(sdReport.list)).toHaveLength(0)
    cleanup()
    lookups()
    api.respond(sdReport.summary, () => refusal('forbidden'))
    openConsole(REPORT, { api })
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(api.sentTo(sdReport.summary)).toHaveLength(2))
  })
})
