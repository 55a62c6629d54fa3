import { delivery } from '@roadshow/contract/proof/delivery'
import type { CampaignBehind } from '@roadshow/contract/proof/delivery'
import { pops } from '@roadshow/contract/proof/pop'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const socket = {
  connected: false,
  active: true,
  on: () => undefined,
  disconnect: () => undefined,
  timeout: () => ({ emitWithAck: async () => ({ trucks: [] }) }),
}
vi.doMock('socket.io-client', () => ({ io: () => socket }))
// A browser that cannot tell what is in sight shows everything.
vi.stubGlobal('IntersectionObserver', undefined)

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  api.answer(pops.newest, () => paged([]))
  api.answer(delivery.behind, () => ({ data: [] }))
})
afterEach(cleanup)

const dallas = { uid: testUid(901), name: 'Dallas', zone: 'America/Chicago' }
const makeUpShift = (n: number) => ({
  key: String(n),
  truck: { uid: testUid(10 + n), name: `T-${n}` },
  driver: { uid: testUid(20 + n), name: `Driver ${n}` },
  market: { uid: dallas.uid, name: dallas.name },
  date: '2026-08-12',
  start: '10:00',
  end: '18:00',
  startsAt: '2026-08-12T15:00:00.000Z',
  endsAt: '2026-08-12T23:00:00.000Z',
})
const campaign: CampaignBehind = {
  client: { uid: testUid(902), name: 'Acme' },
  delivery: {
    program: { uid: testUid(903), name: 'Summer Tour' },
    asOf: '2026-08-11T12:00:00.000Z',
    pace: 0.8,
    state: 'behind',
    lines: [
      {
        line: {
          uid: testUid(904),
          market: dallas,
          unit: 'truckDays',
          amount: 20,
          startsOn: '2026-08-01',
          endsOn: '2026-08-20',
          priceCents: null,
        },
        delivered: 8,
        expected: 10,
        through: '2026-08-10',
        deliveredSince: 0,
        shiftsWithoutData: 0,
        pace: 0.8,
        forecast: 16,
        state: 'behind',
      },
    ],
  },
  issues: [
    {
      uid: testUid(905),
      lineUid: testUid(904),
      raisedAt: '2026-08-11T12:00:00.000Z',
      missing: 3,
      shifts: [makeUpShift(1), makeUpShift(2)],
      accepted: null,
    },
  ],
}

test('booked plays lead to the plays that count for them, and to those since then', async () => {
  const [line] = campaign.delivery.lines
  if (!line) throw new Error('The campaign has a line.')
  const ofPlays = { ...line, line: { ...line.line, unit: 'plays' as const }, deliveredSince: 3 }
  api.answer(delivery.behind, () => ({
    data: [{ ...campaign, delivery: { ...campaign.delivery, lines: [ofPlays] } }],
  }))
  openConsole('/overview', { api })
  const part = within(await screen.findByRole('region', { name: 'Campaigns behind' }))
  const rows = `/ad-log?program=${campaign.delivery.program.uid}&market=${dallas.uid}`
  const hrefOf = async (name: string) => (await part.findByRole('link', { name })).getAttribute('href')
  expect(await hrefOf('8 of 20 plays through Aug 10, 2026')).toBe(`${rows}&from=2026-08-01&to=2026-08-10`)
  expect(await hrefOf('3 plays')).toBe(`${rows}&from=2026-08-11&to=2026-08-20`)
})

test('a campaign that is behind names the shifts that would make it up, and plans them when asked', async () => {
  api.answer(delivery.behind, () => ({ data: [campaign] }))
  const reason = 'T-1 is already booked.'
  api.respond(delivery.planShifts, () => refusal('fillRefused', { fields: { 1: reason } }))
  openConsole('/overview', { api })
  const part = within(await screen.findByRole('region', { name: 'Campaigns behind' }))
  await part.findByText('1 campaign behind')
  expect(part.getByText('At this rate 16 of 20 truck-days by Aug 20, 2026.')).toBeInTheDocument()
  expect(
    part.getByText('3 more shifts within two weeks would bring it back on pace. Trucks and drivers are free for 2:'),
  ).toBeInTheDocument()
  const rows = part.getByRole('link', { name: '8 of 20 truck-days through Aug 10, 2026' }).getAttribute('href')
  expect(rows).toContain('/schedule/program-schedule')
  expect(rows).toContain('2026-08-10')
  await user.click(part.getByRole('button', { name: 'Plan 2 shifts' }))
  const dialog = within(await findDialog('Plan 2 shifts for Summer Tour?'))
  await user.click(dialog.getByRole('button', { name: 'Plan 2 shifts' }))
  expect(await part.findByText(reason)).toBeInTheDocument()
  expect(api.sentTo(delivery.planShifts)[0]?.body).toEqual({ uid: testUid(905), keys: ['1', '2'] })
})

test('no campaign behind is a calm line', async () => {
  openConsole('/overview', { api })
  expect(await screen.findByText('No campaign is behind.')).toBeInTheDocument()
})
