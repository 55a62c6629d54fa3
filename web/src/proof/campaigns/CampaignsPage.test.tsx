import { campaignLinks } from '@roadshow/contract/proof/campaign-links'
import type { CampaignLink } from '@roadshow/contract/proof/campaign-links'
import { campaignMails } from '@roadshow/contract/proof/campaign-mails'
import { campaigns } from '@roadshow/contract/proof/campaigns'
import type { Campaign, CampaignTruck } from '@roadshow/contract/proof/campaigns'
import type { LineDelivery } from '@roadshow/contract/proof/delivery'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { trucksSentence } from './CampaignMap.tsx'

const dallas = { uid: testUid(50), name: 'Dallas' }
const noGaps = { shiftsWithoutGps: 0, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 }
const figures = (plays: number) => ({
  metres: plays * 16.09344,
  plays,
  verifiedPlays: plays,
  seconds: 36_000,
  shifts: 2,
  gaps: noGaps,
})

const line: LineDelivery = {
  line: {
    uid: testUid(60),
    market: { ...dallas, zone: 'America/Chicago' },
    unit: 'truckDays',
    amount: 100,
    startsOn: '2026-11-01',
    endsOn: '2026-11-30',
    priceCents: null,
  },
  delivered: 42,
  expected: 50,
  through: '2026-11-15',
  deliveredSince: 1,
  shiftsWithoutData: 0,
  pace: 0.84,
  forecast: 84,
  state: 'behind',
}

const aCampaign = (more: Partial<Campaign> = {}): Campaign => ({
  uid: testUid(1),
  name: 'Summer',
  client: { uid: testUid(2), name: 'Acme' },
  status: 'active',
  phase: 'running',
  startsOn: '2026-11-01',
  endsOn: '2026-11-30',
  markets: [dallas],
  delivery: {
    program: { uid: testUid(1), name: 'Summer' },
    asOf: '2026-11-16T12:00:00.000Z',
    lines: [line],
    pace: 0.84,
    state: 'behind',
  },
  trucksOut: 2,
  week: {
    from: '2026-11-16',
    today: '2026-11-18',
    figures: figures(1120),
    before: figures(1000),
    days: [{ day: '2026-11-16', ...figures(1120) }],
  },
  photos: [],
  photosTotal: 0,
  upcoming: [
    { uid: testUid(70), date: '2026-11-20', start: '20:00', end: '04:00', zone: 'America/Chicago', market: 'Dallas' },
  ],
  upcomingTotal: 3,
  popUrl: 'summer',
  popVersion: 2,
  ...more,
})

const aTruck = (more: Partial<CampaignTruck> = {}): CampaignTruck => ({
  uid: testUid(80),
  programUid: testUid(1),
  market: 'Dallas',
  motion: 'moving',
  latitude: null,
  longitude: null,
  heading: null,
  positionAt: null,
  ...more,
})

const aLink = (more: Partial<CampaignLink> = {}): CampaignLink => ({
  uid: testUid(90),
  label: 'The agency',
  state: 'open',
  delayMinutes: 15,
  createdBy: { uid: testUid(91), name: 'Sam Sales' },
  createdAt: '2026-11-16T12:00:00.000Z',
  expiresAt: '2026-12-16T12:00:00.000Z',
  endedAt: null,
  endedBy: null,
  views: 7,
  lastViewedAt: null,
  ...more,
})

let api: FakeApi
let rows: Campaign[]
let links: CampaignLink[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  rows = [aCampaign()]
  links = []
  api.answer(campaigns.list, () => paged(rows))
  api.answer(campaigns.trucks, () => ({ data: [aTruck(), aTruck({ uid: testUid(81), motion: 'parked' })] }))
  api.answer(campaignLinks.list, () => ({ data: links }))
})
afterEach(cleanup)

describe('a campaign', () => {
  test('shows its client trucks, pace, week and next shifts', async () => {
    const { address } = openConsole('/', { api, user: someUser('client', ['pop']) })
    const card = within(await screen.findByRole('article', { name: 'Summer' }))
    expect(address()).toBe('/campaigns')
    expect(await card.findByText('2 trucks on the road: 1 driving, 1 parked. No position to show yet.')).toBeVisible()
    expect(card.getAllByText('Behind, 84%')).toHaveLength(2)
    const replays = card
      .getAllByRole('link', { name: /^Replay/ })
      .map((link) => [link.textContent, link.getAttribute('href')])
    expect(replays).toEqual([
      ['Replay Dallas, truck 1', `/replay?shift=${testUid(80)}`],
      ['Replay Dallas, truck 2', `/replay?shift=${testUid(81)}`],
      ['Replay a truck’s day', '/replay'],
    ])
    expect(card.getByText(/^42 of 100 truck-days through Nov 15, 2026/)).toBeVisible()
    expect(card.getByText('At this rate 84 of 100 truck-days by Nov 30, 2026.')).toBeVisible()
    expect(card.getByText('1,120')).toBeVisible()
    expect(card.getAllByText('12% more than last week')).toHaveLength(2)
    expect(card.getByText('Fri, Nov 20')).toBeVisible()
    expect(card.getByText('8:00 PM–4:00 AM CST')).toBeVisible()
    expect(card.getByText('2 more shifts planned.')).toBeVisible()
    expect(card.getByRole('link', { name: 'Open POP page' })).toHaveAttribute('href', '/programs/summer')
    expect(card.queryByRole('button', { name: 'Share' })).toBeNull()
  })

  test('is a row that opens where there are several on a phone', async () => {
    const nothing = () => undefined
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(
      (query) =>
        ({ matches: query.includes('639px'), addEventListener: nothing, removeEventListener: nothing }) as never,
    )
    rows = [aCampaign(), aCampaign({ uid: testUid(2), name: 'Winter' })]
    openConsole('/campaigns', { api })
    const row = await screen.findByText('Winter')
    expect(row.closest('summary')?.textContent).toContain('Behind, 84%')
    expect(screen.queryByRole('article')).toBeNull()
    const details = row.closest('details') as HTMLDetailsElement
    details.open = true
    details.dispatchEvent(new Event('toggle'))
    expect(await screen.findByRole('article', { name: 'Winter' })).toBeInTheDocument()
    vi.restoreAllMocks()
  })

  test('that has not begun shows what is planned, and one without anything says so', async () => {
    const none = { ...aCampaign().delivery, lines: [], state: 'none' as const, pace: null }
    rows = [
      aCampaign({ phase: 'upcoming', delivery: none, upcoming: [], upcomingTotal: 0, popUrl: null, popVersion: null }),
    ]
    openConsole('/campaigns', { api, user: someUser('client', ['pop']) })
    const card = within(await screen.findByRole('article', { name: 'Summer' }))
    expect(card.getByText('Nothing booked.')).toBeVisible()
    expect(card.getByText('No shifts planned yet.')).toBeVisible()
    expect(card.queryByText('Trucks now')).toBeNull()
    expect(card.queryByRole('button', { name: /Download/ })).toBeNull()
  })

  test('none at all says what will appear, without a next step for clients', async () => {
    rows = []
    openConsole('/campaigns', { api, user: someUser('client', ['pop']) })
    const sentence = 'No campaigns yet. Your trucks, photos and figures appear here as soon as one is planned.'
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.queryByText('Open client programs')).toBeNull()
  })
})

test('a client chooses who gets the reports of a campaign by mail', async () => {
  api.answer(campaignMails.get, () => ({ data: { recipients: [], sent: [] } }))
  openConsole('/campaigns', { api, user: someUser('client') })
  await user.click(await screen.findByRole('button', { name: 'Emailed reports' }))
  const drawer = await findDialog('Summer')
  expect(await within(drawer).findByRole('button', { name: 'Add recipient' })).toBeInTheDocument()
  expect(within(drawer).getByText('No report has been sent yet.')).toBeInTheDocument()
})

test('a sentence says what trucks do', () => {
  expect(trucksSentence([])).toBe('No truck is on the road right now.')
  expect(trucksSentence([aTruck({ latitude: 32, longitude: -96 })])).toBe('1 truck on the road: 1 driving.')
})

describe('links', () => {
  const openLinks = async () => {
    openConsole('/campaigns', { api, user: someUser('sales', ['pop']) })
    await user.click(await screen.findByRole('button', { name: 'Share' }))
    return within(await findDialog('Links to Summer'))
  }

  test('are made by staff, and the address is shown once', async () => {
    const url = 'http://localhost:3000/c/abc'
    api.answer(campaignLinks.create, () => ({ data: { url, link: aLink() } }))
    const drawer = await openLinks()
    expect(await drawer.findByText('No links yet.')).toBeVisible()
    await user.click(drawer.getByRole('button', { name: 'New link' }))
    await user.type(drawer.getByLabelText('For whom'), 'The agency')
    links = [aLink()]
    await user.click(drawer.getByRole('button', { name: 'Create link' }))
    expect(await drawer.findByLabelText('Campaign link')).toHaveValue(url)
    expect(api.sentTo(campaignLinks.create).map(({ body }) => body)).toEqual([
      { programUid: testUid(1), label: 'The agency', expiresInDays: 30, delayMinutes: 15 },
    ])
    await user.click(drawer.getByRole('button', { name: 'Done' }))
    expect(await drawer.findByText('The agency')).toBeVisible()
    expect(drawer.getByText('7 views')).toBeVisible()
  })

  test('are revoked after a question', async () => {
    links = [aLink()]
    api.answer(campaignLinks.end, () => {
      links = [aLink({ state: 'ended', endedAt: '2026-11-17T12:00:00.000Z', endedBy: aLink().createdBy })]
      return { data: links[0] as CampaignLink }
    })
    const drawer = await openLinks()
    await user.click(await drawer.findByRole('button', { name: 'Revoke' }))
    const question = within(await findDialog('Revoke The agency?'))
    await user.click(question.getByRole('button', { name: 'Revoke' }))
    expect(await drawer.findByText('Revoked')).toBeVisible()
    expect(drawer.queryByRole('button', { name: 'Revoke' })).toBeNull()
  })
})
