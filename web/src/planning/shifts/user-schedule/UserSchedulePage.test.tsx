import { calendar } from '@roadshow/contract/planning/calendar'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { BoardShift, DriverShifts, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { aBoardShift, answerSchedule, asShift } from '../test-shifts.ts'
import { testUid } from '../../../test-uid.ts'

type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = { on: (event: string, handler: Handler) => (handlers[event] = handler), disconnect: () => undefined }
vi.doMock('socket.io-client', () => ({ io: () => socket }))

const PATH = '/schedule/program-user-schedule'
const WEEK = `${PATH}?date=2026-07-08`
const dana = { uid: testUid(201), name: 'Dana Reyes' }
const lee = { uid: testUid(202), name: 'Lee Fox' }

let api: FakeApi
let known: BoardShift[]
const user = userEvent.setup({ delay: null })

const rowOf = (driver: DriverShifts['driver']) => ({
  driver,
  shifts: known.map(asShift).filter((shift) => shift.driver?.uid === driver?.uid),
  timeOff: [],
})

beforeEach(() => {
  api = fakeApi()
  known = [
    aBoardShift(1, { status: 'out' }),
    aBoardShift(2, { date: '2026-07-10', start: '20:00', end: '04:00', shortRestHours: 6.5 }),
    aBoardShift(3, { driverUid: lee.uid, truckUid: testUid(102), date: '2026-07-08', status: 'cancelled' }),
  ]
  answerSchedule(api, known)
  api.answer(shifts.byDriver, () => paged([rowOf(dana), rowOf(lee)]))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const nothing = () => undefined
const onPhone = () =>
  vi
    .spyOn(globalThis, 'matchMedia')
    .mockImplementation(
      (query) =>
        ({ matches: query.includes('max-width'), addEventListener: nothing, removeEventListener: nothing }) as never,
    )
const lastAsked = () => Object.fromEntries(api.sentTo(shifts.byDriver).at(-1)?.query ?? [])

describe('a dispatcher', () => {
  test('sees drivers down and days across, and opens a shift on the board', async () => {
    const { address } = openConsole(WEEK, { api })
    const row = await screen.findByRole('row', { name: /^Dana Reyes/ })
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Driver',
      'Mon, Jul 6',
      'Tue, Jul 7',
      'Wed, Jul 8',
      'Thu, Jul 9',
      'Fri, Jul 10',
      'Sat, Jul 11',
      'Sun, Jul 12',
    ])
    const cells = within(row).getAllByRole('cell')
    expect(cells[2]?.textContent).toBe('8:00 AM–4:00 PMT-1 SummerOut')
    expect(cells[4]?.textContent).toContain('8:00 PM–4:00 AM+1')
    expect(within(row).getByRole('img', { name: 'Only 6 h 30 min of rest before this shift.' })).toBeInTheDocument()
    expect(lastAsked()).toMatchObject({ from: '2026-07-06', to: '2026-07-12' })
    expect(screen.queryByRole('button', { name: 'Calendar link' })).toBeNull()
    await user.click(within(row).getByRole('link', { name: '8:00 AM–4:00 PM' }))
    await waitFor(() => expect(address()).toBe(`/schedule/program-schedule?open=${testUid(1)}`))
  })

  test('turns to other days and narrows drivers, all of it in the address', async () => {
    const { address } = openConsole(`${WEEK}&page=2&market=${testUid(401)}`, { api })
    await screen.findByRole('row', { name: /^Lee Fox/ })
    expect(lastAsked()).toMatchObject({ page: '2', market: testUid(401) })
    await user.click(screen.getByText('Two weeks'))
    await waitFor(() => expect(lastAsked()).toMatchObject({ from: '2026-07-06', to: '2026-07-19' }))
    await user.click(screen.getByRole('button', { name: 'Later' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ from: '2026-07-20', to: '2026-08-02' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search drivers' }), 'dana')
    await waitFor(() => expect(lastAsked()).toMatchObject({ search: 'dana', market: testUid(401) }))
    expect(lastAsked().page).toBeUndefined()
    expect(address()).toContain('range=twoWeeks')
    expect(address()).toContain('date=2026-07-20')
    api.answer(shifts.byDriver, () => paged([]))
    await user.click(screen.getByRole('button', { name: 'Today' }))
    await user.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
    await waitFor(() => expect(lastAsked().search).toBeUndefined())
    expect(await screen.findByText(/^No drivers yet/)).toBeInTheDocument()
  })

  test('is told what went wrong, and tries again', async () => {
    api.respond(shifts.byDriver, () => refusal('forbidden'))
    openConsole(WEEK, { api })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    api.answer(shifts.byDriver, () => paged([rowOf(dana)]))
    await user.click(retry)
    expect(await screen.findByRole('row', { name: /^Dana Reyes/ })).toBeInTheDocument()
  })

  test('sees what others change', async () => {
    openConsole(WEEK, { api })
    await screen.findByRole('row', { name: /^Dana Reyes/ })
    known.push(aBoardShift(4, { date: '2026-07-07', start: '05:00', end: '06:00' }))
    await waitFor(() => expect(handlers).toHaveProperty('shifts-changed'))
    act(() => handlers['shifts-changed']?.({ from: '2026-07-07', to: '2026-07-07' }))
    expect(await screen.findByRole('link', { name: '5:00–6:00 AM' })).toBeInTheDocument()
  })

  test('reads drivers one below the other on a phone', async () => {
    onPhone()
    openConsole(WEEK, { api })
    const section = await screen.findByRole('region', { name: 'Dana Reyes' })
    expect(within(section).getByRole('heading', { name: 'Fri, Jul 10' })).toBeInTheDocument()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Start shift' })).toBeNull()
  })
})

describe('a driver', () => {
  // The day does not end meanwhile.
  const now = new Date('2026-07-08T12:00:00Z')
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
  afterEach(() => void vi.useRealTimers())
  const today = localDay(localZone(), now.getTime())
  const driver = someUser('driver')
  const asDriver = (address = PATH) => openConsole(address, { api, user: driver })
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
  const around = (n: number, status: ShiftStatus, from: number, to: number, date = today) => ({
    ...asShift(aBoardShift(n, { date, status })),
    startsAt: inHours(from),
    endsAt: inHours(to),
    startedAt: status === 'planned' ? null : inHours(from),
    artworkSet: { uid: testUid(601), name: 'Summer art' },
  })
  const answerOwn = (own: DriverShifts['shifts']) =>
    api.answer(shifts.byDriver, () =>
      paged([{ driver: { uid: driver.userUid, name: driver.name }, shifts: own, timeOff: [] }]),
    )

  test('sees their own shifts as an agenda with all that they need to know', async () => {
    const night = { ...around(2, 'planned', 30, 38, addDays(today, 1)), start: '20:00', end: '04:00' }
    answerOwn([around(1, 'planned', 1, 9), night])
    asDriver()
    expect(await screen.findByRole('heading', { name: /today$/ })).toBeInTheDocument()
    const [first, second] = screen.getAllByRole('article')
    for (const text of ['CDT', 'T-1', 'Dallas', 'Summer', 'Acme', 'Summer art', 'Bring the flags.', 'Planned'])
      expect(first?.textContent).toContain(text)
    expect(first?.textContent).not.toContain('ends next day')
    expect(second?.textContent).toContain('ends next day')
    // One that is far off is not started by a slip.
    expect(screen.getAllByRole('button', { name: 'Start shift' })).toHaveLength(1)
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(screen.queryByRole('link', { name: /8:00 AM/ })).toBeNull()
  })

  test('starts and completes a shift after being asked', async () => {
    let own = around(1, 'planned', -0.1, 8)
    api.answer(shifts.byDriver, () => paged([{ driver: dana, shifts: [own], timeOff: [] }]))
    api.answer(shifts.move, ({ body }) => {
      const { status, version } = body as { status: ShiftStatus; version: number }
      own = { ...own, status, version: version + 1, startedAt: inHours(0) }
      return { data: own }
    })
    asDriver()
    for (const [word, status] of [
      ['Start shift', 'out'],
      ['Complete shift', 'completed'],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: word }))
      const dialog = await findDialog(`${word}?`)
      await user.click(within(dialog).getByRole('button', { name: word }))
      await waitFor(() => expect(api.sentTo(shifts.move).at(-1)?.body).toMatchObject({ uid: testUid(1), status }))
    }
    const card = () => screen.getByRole('article')
    await waitFor(() => expect(within(card()).queryByRole('button')).toBeNull())
    expect(api.sentTo(shifts.move).map(({ body }) => (body as { version: number }).version)).toEqual([1, 2])
    expect(card().textContent).toContain('Completed')
  })

  test('still sees last night’s shift while it goes on, and not when it is over', async () => {
    const yesterday = addDays(today, -1)
    answerOwn([around(1, 'out', -9, -1, yesterday), around(2, 'completed', -20, -12, yesterday)])
    asDriver()
    expect(await screen.findAllByRole('article')).toHaveLength(1)
    expect(lastAsked()).toMatchObject({ from: yesterday, to: addDays(today, 6) })
    expect(screen.getByRole('button', { name: 'Complete shift' })).toBeInTheDocument()
  })

  test('is told when there is nothing', async () => {
    answerOwn([])
    asDriver()
    const days = `from ${formatWeekday(today)} to ${formatWeekday(addDays(today, 6))}`
    expect(await screen.findByText(new RegExp(`You have no shifts ${days}`))).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Look further ahead' }))
    await waitFor(() => expect(lastAsked().from).toBe(addDays(today, 7)))
  })

  test('makes, replaces and removes a calendar link', async () => {
    let since: string | null = null
    let made = 0
    answerOwn([])
    api.answer(calendar.link, () => ({ data: { since } }))
    api.answer(calendar.createLink, () => {
      since = '2026-07-08T12:00:00Z'
      return { data: { url: `http://localhost:3000/calendar/${++made}`, since } }
    })
    api.answer(calendar.removeLink, () => {
      since = null
      return { data: { since } }
    })
    asDriver()
    await user.click(await screen.findByRole('button', { name: 'Calendar link' }))
    await user.click(await screen.findByRole('button', { name: 'Create link' }))
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Calendar link' })
    expect(field.value).toBe('http://localhost:3000/calendar/1')
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('http://localhost:3000/calendar/1')
    const agree = async (word: string) => {
      await user.click(await screen.findByRole('button', { name: word }))
      const question = `${word} the calendar link?`
      await user.click(within(await findDialog(question)).getByRole('button', { name: `${word} link` }))
      await waitFor(() => expect(screen.queryByText(question)).toBeNull())
    }
    await agree('Replace')
    expect(field.value).toBe('http://localhost:3000/calendar/2')
    await agree('Remove')
    expect(await screen.findByRole('button', { name: 'Create link' })).toBeInTheDocument()
    expect(screen.queryByRole('textbox', { name: 'Calendar link' })).toBeNull()
  })
})

describe('the shifts of a truck', () => {
  const truck = { uid: testUid(101), number: 'T-1', kind: 'led', state: 'active', version: 1 }

  test('stand in its drawer, those to come first', async () => {
    api.respond(trucks.list, () => Response.json(paged([truck])))
    api.respond(trucks.get, () => Response.json({ data: truck }))
    openConsole(`/trucks?open=${truck.uid}`, { api })
    await user.click(await screen.findByRole('tab', { name: 'Shifts' }))
    const upcoming = await screen.findByRole('region', { name: 'Upcoming shifts' })
    expect(await within(upcoming).findAllByRole('link', { name: 'Wed, Jul 8, 8:00 AM–4:00 PM CDT' })).toHaveLength(2)
    const asked = api.sentTo(shifts.list).map(({ query }) => Object.fromEntries(query))
    const today = localDay(localZone())
    expect(asked).toEqual([
      { truck: truck.uid, from: today, sort: 'localStart' },
      { truck: truck.uid, to: addDays(today, -1), sort: '-localStart' },
    ])
  })

  test('are not shown to anyone who may not see shifts', async () => {
    api.respond(trucks.list, () => Response.json(paged([truck])))
    api.respond(trucks.get, () => Response.json({ data: truck }))
    openConsole(`/trucks?open=${truck.uid}`, { api, user: someUser('sales', ['trucks']) })
    await screen.findByRole('tab', { name: 'Devices' })
    expect(screen.queryByRole('tab', { name: 'Shifts' })).toBeNull()
  })
})
