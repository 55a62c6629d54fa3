import { trucks } from '@roadshow/contract/catalog/trucks'
import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckDayMiles } from '@roadshow/contract/live/fleet'
import { screens } from '@roadshow/contract/live/screens'
import type { GivenCommand, ScreenState } from '@roadshow/contract/live/screens'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testTruck } from '../../test-truck.ts'
import { testUid } from '../../test-uid.ts'
import { anIssue, aTruck } from './test-overview.ts'

const truck = testTruck(1)
const shift = {
  uid: testUid(500),
  program: 'Summer Tour',
  start: '20:00',
  end: '02:00',
  metres: 16_093.44,
  source: 'odometer' as const,
}
const days: TruckDayMiles[] = [
  {
    uid: '2026-07-02',
    date: '2026-07-02',
    shifts: [],
    shiftMetres: null,
    unassignedMetres: 100,
    metres: 100,
    gpsMetres: 100,
  },
  {
    uid: '2026-07-01',
    date: '2026-07-01',
    shifts: [shift, { ...shift, uid: testUid(501), metres: null, source: null }],
    shiftMetres: 16_093.44,
    unassignedMetres: 1609.344,
    metres: 17_702.784,
    gpsMetres: 17_600,
  },
]

let api: FakeApi
const user = userEvent.setup({ delay: null })
const paged = <Row,>(data: Row[]) => ({ data, page: 1, pageSize: 10, total: data.length })

beforeEach(() => {
  api = fakeApi()
  api.answer(trucks.list, () => paged([truck]))
  api.answer(trucks.get, () => ({ data: truck }))
  api.answer(fleet.truckDays, () => paged(days))
  api.answer(fleet.issues, () => paged([anIssue]))
})
afterEach(cleanup)

async function openTab(name: string) {
  openConsole(`/trucks?open=${truck.uid}`, { api })
  const dialog = await findDialog('Truck T-1')
  await user.click(await within(dialog).findByRole('tab', { name }))
  return within(dialog)
}

test('miles by day: shifts with their links, unassigned and total, and no data is not zero', async () => {
  const tab = await openTab('Miles by day')
  const table = await tab.findByRole('table', { name: 'Miles by day' })
  const [, second, first] = within(table).getAllByRole('row')
  expect(second).toHaveTextContent('Thu, Jul 2No shift328 ft328 ft')
  expect(first).toHaveTextContent('Wed, Jul 1')
  expect(first).toHaveTextContent(
    'Summer Tour, 8:00 PM–2:00 AM10.0 miSummer Tour, 8:00 PM–2:00 AMno GPS data1.0 mi11.0 mi',
  )
  expect(within(first!).getAllByRole('link')[0]).toHaveAttribute('href', expect.stringContaining('/replay?truck='))
  expect(within(first!).getAllByRole('link')[1]).toHaveAttribute('href', `/schedule/program-schedule?open=${shift.uid}`)
  expect(api.sentTo(fleet.truckDays).at(-1)?.query.get('truck')).toBe(truck.uid)
  expect(tab.getByRole('button', { name: 'Export' })).toBeInTheDocument()
})

test('a link leads to the miles of one day', async () => {
  openConsole(`/trucks?open=${truck.uid}&tab=miles-by-day&day=2026-07-01`, { api })
  const tab = within(await findDialog('Truck T-1'))
  expect(await tab.findByRole('table', { name: 'Miles by day' })).toBeInTheDocument()
  const { query } = api.sentTo(fleet.truckDays).at(-1) ?? {}
  expect([query?.get('from'), query?.get('to')]).toEqual(['2026-07-01', '2026-07-01'])
})

test('open issues of the truck are listed in its detail', async () => {
  const tab = await openTab('Issues')
  expect(await tab.findByText('Left side flickers')).toBeInTheDocument()
  expect(api.sentTo(fleet.issues).at(-1)?.query.toString()).toBe(`truck=${truck.uid}`)
})

const aScreen: ScreenState = {
  deviceUid: testUid(700),
  macAddress: '02:BB:CC:01:02:03',
  isPaired: true,
  seenAt: null,
  health: {
    at: '2026-07-01T12:00:00.000Z',
    appVersion: '2.0',
    freeBytes: null,
    hasGpsFix: true,
    clockOffsetMs: 0,
    screen: {
      filesHeld: 3,
      filesNeeded: 5,
      droppedFrames: 12,
      shownFrames: 60_000,
      playsWaiting: 7,
      gpsSource: 'bridge',
    },
  },
  commands: [],
}
const aCommand: GivenCommand = {
  uid: testUid(701),
  kind: 'showScreen',
  state: 'waiting',
  answer: '',
  by: { uid: testUid(1), name: 'Avery Stone' },
  askedAt: '2026-07-01T12:00:00.000Z',
  answeredAt: null,
  hasPicture: false,
}

function screenOnTruck() {
  let now = aScreen
  api.answer(fleet.track, () => ({
    data: { truck: aTruck(1), day: '2026-07-01', isToday: true, metres: null, points: [] },
  }))
  api.answer(screens.list, () => ({ data: [now] }))
  return (next: Partial<ScreenState>) => (now = { ...now, ...next })
}

test('live: the screen says how it is, takes a command and shows the answer with its picture', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const change = screenOnTruck()
  api.answer(screens.command, () => {
    change({ commands: [{ ...aCommand, state: 'done', hasPicture: true }] })
    return { data: aCommand }
  })
  api.respond(screens.picture, () => new Response(new Blob(['x'], { type: 'image/jpeg' })))
  const tab = await openTab('Live')
  const panel = within(await tab.findByRole('region', { name: 'Screen 02:BB:CC:01:02:03' }))
  expect(panel.getByText('3 of 5 files')).toBeInTheDocument()
  expect(panel.getByRole('progressbar', { name: 'Files on the screen' })).toHaveAttribute('aria-valuenow', '60')
  expect(panel.getByText('0.02%')).toBeInTheDocument()
  expect(panel.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Show screen',
    'Restart',
    'Download files again',
    'Test pattern',
    'Volume off',
    'Volume on',
  ])
  await user.click(panel.getByRole('button', { name: 'Show screen' }))
  await expect.poll(() => api.sentTo(screens.command)).toHaveLength(1)
  // Screens are asked for again every ten seconds.
  vi.advanceTimersByTime(10_000)
  expect(await panel.findByText('Done')).toBeInTheDocument()
  expect(await panel.findByRole('img', { name: /^The screen on/ })).toBeInTheDocument()
  expect(api.sentTo(screens.command)[0]).toMatchObject({
    params: { uid: aScreen.deviceUid },
    body: { kind: 'showScreen' },
  })
})

test('live: a user who may only see trucks sees answers and gives no commands', async () => {
  const change = screenOnTruck()
  const answer = 'The screen is not connected. Nothing was sent.'
  change({ commands: [{ ...aCommand, state: 'expired', answer }] })
  openConsole(`/trucks?open=${truck.uid}&tab=live`, { api, user: someUser('sales', ['trucks', 'overview']) })
  const panel = within(await screen.findByRole('region', { name: 'Screen 02:BB:CC:01:02:03' }))
  expect(panel.getByText(answer)).toBeInTheDocument()
  expect(panel.queryByRole('button')).toBeNull()
})
