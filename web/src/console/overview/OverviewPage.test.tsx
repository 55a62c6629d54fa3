import { fleet } from '@roadshow/contract/live/fleet'
import { markets } from '@roadshow/contract/catalog/markets'
import { delivery } from '@roadshow/contract/proof/delivery'
import { pops } from '@roadshow/contract/proof/pop'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { aPopPhoto } from '../../proof/pop/test-pop.ts'
import { aShift, aTruck, anIssue } from '../../live/fleet/test-overview.ts'
import { testUid } from '../../test-uid.ts'

// The server's end of the channel.
type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
let trucks: LiveTruck[] = []
const asked = vi.fn<(event: string) => Promise<{ trucks: LiveTruck[] }>>(async () => ({ trucks }))
const socket = {
  connected: false,
  active: true,
  on: (event: string, handler: Handler) => (handlers[event] = handler),
  disconnect: () => undefined,
  timeout: () => ({ emitWithAck: asked }),
}
vi.doMock('socket.io-client', () => ({ io: () => socket }))
const connect = async () => {
  await waitFor(() => expect(handlers).toHaveProperty('connect'))
  socket.connected = true
  act(() => handlers.connect?.())
}
const tell = (event: string, given?: unknown) => act(() => handlers[event]?.(given))

// Nothing is laid out here: what is in sight comes when the test says so.
class Sight {
  readonly seen: (entries: { isIntersecting: boolean }[]) => void
  constructor(seen: Sight['seen']) {
    this.seen = seen
  }
  observe() {
    sights.add(this)
    if (isInSight) this.seen([{ isIntersecting: true }])
  }
  disconnect() {
    sights.delete(this)
  }
}
const sights = new Set<Sight>()
let isInSight = true
vi.stubGlobal('IntersectionObserver', Sight)

let api: FakeApi
const user = userEvent.setup({ delay: null })
const figures = {
  trucks: {
    moving: 7,
    parked: 8,
    silent: 9,
  },
  shifts: {
    planned: 4,
    out: 3,
    late: 2,
    startedLate: 0,
    done: 1,
    withoutPlays: 0,
  },
  drivers: null,
  today: { day: '2026-07-01', markets: 2, isOverSomewhere: false },
  plays: 12345,
  openIssues: 1,
  snoozedIssues: 0,
  simulated: true,
}

beforeEach(() => {
  api = fakeApi()
  isInSight = true
  asked.mockClear()
  for (const event of Object.keys(handlers)) delete handlers[event]
  socket.connected = false
  const shift = {
    uid: testUid(500),
    program: 'Summer Tour',
    market: 'Dallas',
    driver: 'Kit Moreno',
    phoneOfflineSince: null,
  }
  const now = new Date().toISOString()
  const later = new Date(Date.now() + 8 * 3_600_000).toISOString()
  trucks = [
    aTruck(1, { positionAt: now, shift: { ...shift, startsAt: now, endsAt: later, startedAt: now } }),
    aTruck(2, { state: 'darkScreen', shift: { ...shift, startsAt: now, endsAt: later, startedAt: null } }),
    aTruck(10, { state: 'silent', latitude: null, longitude: null, positionAt: null }),
  ]
  api.answer(fleet.figures, () => ({ data: figures }))
  api.answer(fleet.shifts, () => paged([aShift]))
  api.answer(fleet.issues, () => paged([anIssue]))
  api.answer(fleet.issue, () => ({ data: anIssue }))
  api.answer(pops.newest, () => paged([aPopPhoto(2), aPopPhoto(1, { grade: 'conflict', truck: null })]))
  api.answer(delivery.behind, () => ({ data: [] }))
  api.answer(fleet.issueHistory, () => ({ ...paged([]), pageSize: 50 }))
  api.answer(fleet.track, () => ({
    data: {
      truck: aTruck(1),
      day: '2026-07-01',
      isToday: true,
      metres: 16_093.44,
      points: [[32.7, -96.8, '2026-07-01T11:00:00.000Z'] as [number, number, string]],
    },
  }))
})
afterEach(cleanup)

const figure = (name: string) => screen.findByRole('button', { name })

test('the plays of today lead to their rows in the ad log, in all and by program and market', async () => {
  const [program, market] = [testUid(901), testUid(902)]
  const plays = { program: { uid: program, name: 'Summer Tour' }, market: { uid: market, name: 'Dallas' } }
  api.answer(fleet.playsToday, () => ({ data: [{ ...plays, day: '2026-07-01', plays: 12_345 }] }))
  openConsole('/overview', { api })
  const all = await screen.findByRole('link', { name: /12,345\s*Plays Wed, Jul 1\s*today in each market/ })
  expect(all.getAttribute('href')).toBe('/ad-log?from=2026-07-01&to=2026-07-01')
  await user.click(await figure('By program'))
  const table = await screen.findByRole('table', { name: 'Plays of Wed, Jul 1' })
  expect(table.textContent).toContain('Summer TourDallas12,345')
  expect(within(table).getByRole('link', { name: '12,345' }).getAttribute('href')).toBe(
    `/ad-log?program=${program}&market=${market}&from=2026-07-01&to=2026-07-01`,
  )
})

test('issues of one shift say so, and lead back to all', async () => {
  const { address } = openConsole(`/overview?shift=${testUid(500)}`, { api })
  expect(await screen.findByText(/^Only issues of one shift\./)).toBeInTheDocument()
  expect(api.sentTo(fleet.issues).at(-1)?.query.get('shift')).toBe(testUid(500))
  await user.click(screen.getByRole('button', { name: 'Show all open issues' }))
  await waitFor(() => expect(address()).toBe('/overview'))
})

test('figures are shown, and follow the trucks as soon as they are known; each narrows what it counts', async () => {
  const { address } = openConsole('/overview', { api })
  expect(await figure('7 Moving')).toBeInTheDocument()
  expect(screen.getByText('12,345')).toBeInTheDocument()
  expect(screen.getByText('simulated fleet')).toBeInTheDocument()
  await connect()
  await user.click(await figure('2 Moving'))
  await screen.findByRole('application', { name: '2 spots, none chosen' })
  await user.click(screen.getByRole('button', { name: 'Driving 1' }))
  await screen.findByRole('application', { name: '1 spots, none chosen' })
  await user.click(await figure('2 Late'))
  await waitFor(() => expect(api.sentTo(fleet.shifts).at(-1)?.query.get('stage')).toBe('late'))
  expect(address()).toBe('/overview?stage=late')
})

test('a truck is chosen on the map or in the list, its card tells its clocks, and it can be followed', async () => {
  const { address } = openConsole('/overview', { api })
  await connect()
  await user.click(await screen.findByRole('button', { name: 'Spot T-1 driving arrow' }))
  const card = within(await screen.findByRole('region', { name: 'Truck T-1' }))
  expect(address()).toBe(`/overview?live=${testUid(1)}`)
  expect(card.getByText(/^out for \d+ s$/)).toBeInTheDocument()
  expect(card.getByText('30 mph')).toBeInTheDocument()
  expect(await card.findByText('10.0 mi')).toBeInTheDocument()
  expect(card.getByText('Kit Moreno')).toBeInTheDocument()
  expect(card.getByRole('link', { name: 'Replay' }).getAttribute('href')).toMatch(/^\/replay\?shift=/)
  expect(screen.getByText('2 points')).toBeInTheDocument()
  await user.click(card.getByRole('button', { name: 'Follow' }))
  await user.click(screen.getByRole('button', { name: 'Drag the map' }))
  expect(card.getByRole('button', { name: 'Follow' })).toBeInTheDocument()
  await user.click(screen.getByRole('tab', { name: 'All trucks' }))
  await user.type(await screen.findByRole('searchbox', { name: 'Find a truck' }), 'silent')
  await user.click(screen.getByRole('option', { name: /T-10/ }))
  const silent = within(await screen.findByRole('region', { name: 'Truck T-10' }))
  expect(silent.getAllByText('no data yet')).toHaveLength(2)
})

test('updates are applied, an interruption is told with its time, and the fleet is asked for again', async () => {
  openConsole('/overview', { api })
  await connect()
  await figure('2 Moving')
  tell('geotab-feed', [aTruck(1, { state: 'parked', positionAt: new Date().toISOString() })])
  await figure('1 Moving')
  socket.connected = false
  tell('disconnect', 'transport close')
  expect(await screen.findByText(/^Live updates stopped at \d{1,2}:\d\d [AP]M .+\. Reconnecting…$/)).toBeInTheDocument()
  trucks = [aTruck(3)]
  await connect()
  await waitFor(() => expect(screen.queryByText(/interrupted/)).toBeNull())
  await screen.findByRole('application', { name: '1 spots, none chosen' })
})

test('the list is walked by keys, however long', async () => {
  trucks = Array.from({ length: 500 }, (_, n) => aTruck(n + 1))
  const { address } = openConsole('/overview', { api })
  await connect()
  await user.click(await screen.findByRole('tab', { name: 'All trucks' }))
  await screen.findByText('500 trucks')
  expect(screen.getAllByRole('option').length).toBeLessThan(60)
  screen.getByRole('listbox', { name: 'Trucks' }).focus()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe(`/overview?live=${testUid(2)}`))
})

test('lists below the fold are fetched when someone gets there, or when the address asks for them', async () => {
  isInSight = false
  openConsole('/overview', { api })
  await screen.findByRole('list', { name: 'Needs attention' })
  expect(api.sentTo(fleet.shifts)).toHaveLength(0)
  act(() => sights.forEach((sight) => sight.seen([{ isIntersecting: true }])))
  expect(await screen.findByRole('link', { name: '8:00 AM–4:00 PM CDT' })).toBeInTheDocument()
  cleanup()
  openConsole('/overview?status=open', { api })
  expect(await screen.findByRole('link', { name: 'Screen' })).toBeInTheDocument()
  expect(screen.queryByRole('table', { name: 'Shifts of the day' })).toBeNull()
})

test('shifts of the day tell whether they are late and what their trucks lack', async () => {
  openConsole('/overview', { api })
  const row = within((await screen.findByRole('link', { name: '8:00 AM–4:00 PM CDT' })).closest('tr') as HTMLElement)
  expect(row.getByText('Late')).toBeInTheDocument()
  expect(row.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '✓ Artwork: ready',
    '? Clock: unknown',
    '✗ GPS: not ready',
    '✓ Player: ready',
  ])
})

test('shifts of the day are narrowed to a market and read page by page', async () => {
  const dallas = {
    uid: testUid(604),
    name: 'Dallas',
    state: 'TX',
    zone: 'America/Chicago',
    earlierZones: [],
    latitude: null,
    longitude: null,
    radiusM: null,
    outline: null,
    depots: [],
    updatedAt: '2026-07-01T11:00:00.000Z',
    version: 1,
  }
  api.answer(fleet.shifts, () => ({ ...paged([aShift]), total: 25 }))
  api.answer(markets.list, () => paged([dallas]))
  openConsole('/overview', { api })
  const last = () => api.sentTo(fleet.shifts).at(-1)?.query
  const part = await screen.findByRole('region', { name: 'Shifts of the day' })
  expect(await within(part).findByText('1 / 3')).toBeInTheDocument()
  await user.click(within(part).getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(last()?.get('page')).toBe('2'))
  // The choice opens by itself: anyone who asked for it is about to choose.
  await user.click(within(part).getByRole('button', { name: 'Market' }))
  await user.click(await screen.findByText('Dallas, TX', { selector: '.ant-select-item-option-content' }))
  await waitFor(() => expect([last()?.get('market'), last()?.get('page')]).toEqual([dallas.uid, null]))
})

test('what needs attention is an issue or a costly truck; an issue is resolved with a note', async () => {
  openConsole('/overview', { api })
  await connect()
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' }))
  await needs.findByRole('button', { name: /T-2 Driving with a dark screen/ })
  await user.click(needs.getByRole('button', { name: /T-1 Screen/ }))
  const drawer = within(await findDialog('Screen: T-1'))
  await user.type(drawer.getByLabelText('Note'), 'Cable')
  api.respond(fleet.resolve, () => refusal('staleVersion'))
  await user.click(drawer.getByRole('button', { name: 'Resolve' }))
  expect(await drawer.findByRole('alert')).toBeInTheDocument()
  api.answer(fleet.resolve, () => ({ data: { ...anIssue, status: 'resolved' as const } }))
  await user.click(drawer.getByRole('button', { name: 'Resolve' }))
  expect(await screen.findByText('Issue resolved.')).toBeInTheDocument()
  expect(api.sentTo(fleet.resolve).at(-1)?.body).toEqual({
    uid: anIssue.uid,
    version: 2,
    status: 'resolved',
    note: 'Cable',
  })
})

test('shifts that need attention because of their drivers lead to their list, and a card says that a phone is offline', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const drivers = { declined: 2, otherTruck: 0, unanswered: 5, phoneOffline: 1 }
  api.answer(fleet.figures, () => ({ data: { ...figures, shifts: { ...figures.shifts, startedLate: 1 }, drivers } }))
  const shift = { uid: testUid(500), program: 'Summer Tour', market: 'Dallas', driver: 'Kit Moreno', endsAt: later }
  trucks = [aTruck(1, { shift: { ...shift, startsAt: ago(160), startedAt: ago(130), phoneOfflineSince: ago(125) } })]
  const { address } = openConsole(`/overview?live=${testUid(1)}`, { api })
  await connect()
  const card = await screen.findByRole('region', { name: 'Truck T-1' })
  expect(await within(card).findByText('out for 2 h 10 min, started 30 min late')).toBeInTheDocument()
  expect(within(card).getByText('offline for 2 h 5 min')).toBeInTheDocument()
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' }))
  expect(await needs.findByRole('button', { name: /1 shift started late/ })).toBeInTheDocument()
  expect(needs.getByRole('button', { name: /1 shift whose driver’s phone has been offline/ })).toBeInTheDocument()
  expect(needs.queryByRole('button', { name: /another truck/ })).toBeNull()
  expect(needs.getByRole('button', { name: /5 shifts without an answer from the driver/ })).toBeInTheDocument()
  await user.click(needs.getByRole('button', { name: /2 shifts declined by the driver/ }))
  await waitFor(() => expect(address()).toBe('/schedule/program-schedule?view=list&driverMark=declined'))
})

test('a truck off shift tells since when, where it is and who drove it last; one that runs over since its planned end', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  api.answer(fleet.issues, () => paged([]))
  const shift = {
    uid: testUid(500),
    program: 'Summer Tour',
    market: 'Dallas',
    driver: 'Kit Moreno',
    phoneOfflineSince: null,
  }
  const offShift = { since: ago(21), place: '12 mi from Dallas, TX', driver: 'Dana Brooks' }
  trucks = [
    aTruck(1, { state: 'offShift', offShift }),
    aTruck(2, { state: 'runningOver', shift: { ...shift, startsAt: ago(600), endsAt: ago(33), startedAt: ago(600) } }),
  ]
  openConsole('/overview', { api })
  await connect()
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' }))
  expect(await needs.findByRole('button', { name: /T-1 Moving off shift/ })).toHaveTextContent(
    'T-1 Moving off shift12 mi from Dallas, TX · last driver Dana Brooks21 min',
  )
  expect(needs.getByRole('button', { name: /T-2 Running over/ })).toHaveTextContent('33 min')
})

test('nothing is called right beside a list of what is wrong, nor before everything is known', async () => {
  const CALM = 'Nothing needs attention right now.'
  api.answer(fleet.issues, () => paged([]))
  trucks = [aTruck(1)]
  api.answer(fleet.figures, () => ({ data: { ...figures, shifts: { ...figures.shifts, late: 0, withoutPlays: 1 } } }))
  openConsole('/overview', { api })
  expect(await figure('7 Moving')).toBeInTheDocument()
  expect(screen.queryByText(CALM)).toBeNull()
  await connect()
  const needs = within(await screen.findByRole('list', { name: 'Needs attention' }))
  expect(screen.queryByText(CALM)).toBeNull()
  await user.click(needs.getByRole('button', { name: '1 shift completed with miles and no plays' }))
  await waitFor(() => expect(api.sentTo(fleet.shifts).at(-1)?.query.get('stage')).toBe('withoutPlays'))
  cleanup()
  api.answer(fleet.figures, () => ({ data: { ...figures, shifts: { ...figures.shifts, late: 0 } } }))
  openConsole('/overview', { api })
  await connect()
  expect(await screen.findByText(CALM)).toBeInTheDocument()
})

test('a completed shift with miles and no plays is flagged', async () => {
  const flagged = {
    ...aShift,
    status: 'completed' as const,
    isLate: false,
    metres: 67_592,
    isWithoutPlays: true,
    ready: null,
  }
  api.answer(fleet.shifts, () => paged([flagged]))
  openConsole('/overview', { api })
  expect(await screen.findByText('Completed with 42.0 miles and no plays')).toBeInTheDocument()
})

test('issues are fetched again when the server says that they changed', async () => {
  openConsole('/overview', { api })
  await connect()
  await screen.findAllByText('Left side flickers')
  api.answer(fleet.issues, () => paged([{ ...anIssue, text: 'All dark' }]))
  tell('issues-changed')
  await waitFor(() => expect(screen.getAllByText('All dark').length).toBeGreaterThan(1))
})

test('sales look at an issue and change nothing', async () => {
  openConsole(`/overview?open=${anIssue.uid}`, { api, user: someUser('sales') })
  const drawer = within(await findDialog('Screen: T-1'))
  expect(drawer.getByText('Left side flickers')).toBeInTheDocument()
  expect(drawer.queryByRole('button', { name: 'Resolve' })).toBeNull()
})

test('the newest photos stand in a row, open large by mouse and keys, and follow what the server says', async () => {
  openConsole('/overview', { api })
  await connect()
  const strip = within(await screen.findByRole('list', { name: 'Newest photos' }))
  expect(strip.getAllByText('Sat, Jul 4, 12:00 PM CDT')).toHaveLength(2)
  expect([strip.getByText('Verified'), strip.getByText('Conflict')]).toHaveLength(2)
  await user.click(strip.getByRole('button', { name: 'Photo of Summer, T-1, Dallas' }))
  const large = within(await findDialog('Summer, T-1, Dallas'))
  expect(large.getByRole('img', { name: 'Elm Street 2' }).getAttribute('src')).toBe('/large-2')
  expect(large.getByText(/69 ft from the truck/)).toBeInTheDocument()
  await user.keyboard('{ArrowRight}')
  expect(await screen.findByRole('img', { name: 'Elm Street 1' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Older' }).hasAttribute('disabled')).toBe(true)
  await user.keyboard('{Escape}')
  api.answer(pops.newest, () => paged([]))
  tell('photos-changed')
  expect(await screen.findByText(/^No photos yet\./)).toBeInTheDocument()
})
