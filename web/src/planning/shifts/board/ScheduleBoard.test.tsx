import { shifts } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { aBoardShift, answerSchedule, asShift } from '../test-shifts.ts'
import { FIRST_COLUMN } from './useDrag.ts'
import { testUid } from '../../../test-uid.ts'

type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = { on: (event: string, handler: Handler) => (handlers[event] = handler), disconnect: () => undefined }
vi.doMock('socket.io-client', () => ({ io: () => socket }))

const WEEK = '/schedule/program-schedule?date=2026-07-08'
const COLUMN = 100
const ROW = 44.5

let api: FakeApi
let known: BoardShift[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  known = [
    aBoardShift(1),
    aBoardShift(2, {
      truckUid: testUid(102),
      driverUid: testUid(202),
      programUid: testUid(302),
      shortRestHours: 6.5,
    }),
    aBoardShift(3, { date: '2026-07-09', status: 'cancelled' }),
  ]
  answerSchedule(api, known)
  // Nothing is laid out here: every part is a week wide and begins in the corner.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, FIRST_COLUMN + 7 * COLUMN, 600),
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const bar = (n: number) => document.querySelector<HTMLElement>(`[data-shift="${testUid(n)}"]`) as HTMLElement
const cellOf = (n: number) => bar(n).closest<HTMLElement>('[data-day]')?.dataset
const open = async (address = WEEK, role: Parameters<typeof someUser>[0] = 'admin') => {
  const opened = openConsole(address, { api, user: someUser(role) })
  await screen.findByRole('grid')
  return opened
}
/** A point in a day of the week, Monday being 0, and a row. */
const at = (day: number, row: number) => ({
  clientX: FIRST_COLUMN + day * COLUMN + 50,
  clientY: row * ROW + 20,
  pointerId: 1,
})
const pull = (n: number, from: [number, number], to: [number, number], keys: object = {}) => {
  fireEvent.pointerDown(bar(n), { ...at(...from), button: 0, ...keys })
  fireEvent.pointerMove(bar(n), { ...at(...to), ...keys })
}
const drop = (n: number) => fireEvent.pointerUp(bar(n))

describe('the board', () => {
  test('shows each shift in the row of its truck and the column of its day', async () => {
    await open()
    expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' })
    expect(bar(1).getAttribute('aria-label')).toBe(
      'T-1 · Dana Reyes · Jul 8, 2026, 8:00 AM–4:00 PM · Summer · Dallas. Planned.',
    )
    expect(bar(2).title).toContain('Only 6 h 30 min of rest before this shift.')
    expect(bar(3).textContent).toContain('Canceled')
    expect(screen.getByText('In shop')).toBeInTheDocument()
    expect(api.sentTo(shifts.board)[0]?.query.toString()).toBe('from=2026-07-05&to=2026-07-13')
  })

  test('says of each shift what its driver said and did, and of tomorrow who has answered', async () => {
    known = [
      aBoardShift(1, { driverAnswer: 'confirmed' }),
      aBoardShift(2, {
        date: '2026-07-07',
        driverMarks: ['declined'],
        driverAnswer: 'declined',
        declineReason: 'Sick',
      }),
      aBoardShift(3, { date: '2026-07-09', driverMarks: ['otherTruck', 'unanswered'], requestedTruck: 'T-9' }),
      aBoardShift(4, { date: '2026-07-10', status: 'out', driverMarks: ['startedLate', 'phoneOffline'] }),
      aBoardShift(5, { date: '2026-07-11', driverMarks: ['notStarted'] }),
    ]
    answerSchedule(api, known)
    const totals: Record<string, number> = { confirmed: 12, declined: 1, none: 3 }
    api.answer(shifts.list, ({ query }) => ({ ...paged([]), total: totals[query.get('driverAnswer') ?? ''] ?? 0 }))
    await open()
    const words = [
      'Confirmed by the driver.',
      'Declined by the driver: Sick.',
      'Driver asks for truck T-9. No answer from the driver yet.',
      'Started late. Driver’s phone offline for more than 2 hours.',
      'Not started on time.',
    ]
    for (const [index, text] of words.entries()) {
      expect(bar(index + 1).getAttribute('aria-label')).toContain(text)
      expect(bar(index + 1).title).toContain(text)
    }
    const line = await screen.findByText(/^Drivers of tomorrow/)
    const links = within(line).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['12 confirmed', '1 declined', '3 no answer'])
    const asked = new URL((links[2] as HTMLAnchorElement).href).searchParams
    expect([asked.get('view'), asked.get('driverAnswer'), asked.get('status')]).toEqual(['list', 'none', 'planned'])
    expect(asked.get('from')).toBe(asked.get('to'))
  })

  test('groups the trucks by their home market', async () => {
    await open(`${WEEK}&group=market`)
    const heads = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(heads).toEqual(['Dallas', 'T-1', 'No home market', 'T-2', 'T-3In shop'])
  })

  test('moves a shift that is dragged, keeps everything else of it, and takes it back on request', async () => {
    await open()
    pull(1, [2, 0], [4, 2])
    drop(1)
    await screen.findByText(/Moved to T-3 · Fri, Jul 10, 8:00 AM–4:00 PM/)
    expect(api.sentTo(shifts.update)[0]?.body).toMatchObject({
      uid: testUid(1),
      version: 1,
      truckUid: testUid(103),
      date: '2026-07-10',
      note: 'Bring the flags.',
      payOption: 'eightHours',
    })
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(103), day: '2026-07-10' }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' }))
    expect(api.sentTo(shifts.update)[1]?.body).toMatchObject({ version: 2, truckUid: testUid(101) })
  })

  test('opens a shift that is being moved only when it is saved', async () => {
    let save = () => {}
    const saving = new Promise<void>((resolve) => (save = resolve))
    api.respond(shifts.update, async () => {
      await saving
      known[0] = aBoardShift(1, { version: 2, truckUid: testUid(103), date: '2026-07-10' })
      return Response.json({ data: asShift(known[0]) })
    })
    await open()
    pull(1, [2, 0], [4, 2])
    drop(1)
    await waitFor(() => expect(cellOf(1)).toMatchObject({ day: '2026-07-10' }))
    await user.click(bar(1))
    expect(screen.queryByRole('dialog')).toBeNull()
    save()
    expect(await findDialog('T-3 · Fri, Jul 10, 8:00 AM–4:00 PM')).toBeInTheDocument()
  })

  test('hatches what the dragged shift would collide with, by name, before it is dropped', async () => {
    await open()
    pull(1, [2, 0], [2, 1])
    expect(screen.getByText('Clashes with T-2 · Lee Fox · Jul 8, 2026, 8:00 AM–4:00 PM · Winter')).toBeInTheDocument()
    expect(document.querySelector('[data-clash="true"]')).toBeInTheDocument()
    fireEvent.keyDown(window, { key: 'Escape' })
    drop(1)
    expect(document.querySelector('[data-clash]')).toBeNull()
    expect(api.sentTo(shifts.update)).toHaveLength(0)
  })

  test('puts a refused shift back and says the server’s sentence', async () => {
    api.respond(shifts.update, () => refusal('shiftClash', { error: 'The driver has another shift then: T-9.' }))
    await open()
    pull(1, [2, 0], [4, 2])
    drop(1)
    expect((await screen.findByText('The driver has another shift then: T-9.')).parentElement?.role).toBe('alert')
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' }))
  })

  test('copies with the Alt key held', async () => {
    api.answer(shifts.create, () => ({
      data: asShift(aBoardShift(9, { truckUid: testUid(103), date: '2026-07-09' })),
    }))
    await open()
    pull(1, [2, 0], [3, 2], { altKey: true })
    drop(1)
    await screen.findByText(/Copied to T-3/)
    expect(api.sentTo(shifts.create)[0]?.body).toMatchObject({ truckUid: testUid(103), date: '2026-07-09' })
  })

  test('is used by the keys alone', async () => {
    const { address } = await open()
    bar(1).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(bar(2))
    await user.keyboard('{ArrowRight}')
    expect((document.activeElement as HTMLElement).dataset.day).toBe('2026-07-09')
    expect(document.querySelectorAll('[role="grid"] [tabindex="0"]')).toHaveLength(1)
    await user.keyboard('{ArrowLeft}{ArrowUp}m{ArrowDown}')
    expect(screen.getByText(/Moving to T-2 · Wed, Jul 8.*Clashes with T-2 · Lee Fox/)).toBeInTheDocument()
    await user.keyboard('{ArrowRight}{Enter}')
    await screen.findByText(/Moved to T-2 · Thu, Jul 9/)
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(102), day: '2026-07-09' }))
    expect(document.activeElement).toBe(bar(1))
    await user.keyboard('{ArrowRight}{Enter}')
    await waitFor(() => expect(address()).toContain(`open=new&onTruck=${testUid(102)}&onDay=2026-07-10`))
  })

  test('fetches again what someone else changed on the shown days', async () => {
    await open()
    await waitFor(() => expect(handlers).toHaveProperty('shifts-changed'))
    handlers['shifts-changed']?.({ from: '2026-09-01', to: '2026-09-02' })
    known.push(aBoardShift(4, { date: '2026-07-06' }))
    handlers['shifts-changed']?.({ from: '2026-07-06', to: '2026-07-06' })
    await waitFor(() => expect(bar(4)).toBeInTheDocument())
    expect(api.sentTo(shifts.board)).toHaveLength(2)
  })

  test('lets a driver look and not plan', async () => {
    const { address } = await open(WEEK, 'driver')
    expect(screen.queryByRole('button', { name: 'New shift' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Copy week' })).toBeNull()
    pull(1, [2, 0], [4, 2])
    drop(1)
    bar(1).focus()
    await user.keyboard('m{ArrowDown}{Enter}')
    expect(api.sentTo(shifts.update)).toHaveLength(0)
    expect(address()).not.toContain('open=new')
  })
})

describe('the hours of a day', () => {
  // A day is as wide as the week was: an hour is 700 / 24 pixels.
  const hour = (7 * COLUMN) / 24

  test('move a shift by quarters of an hour', async () => {
    await open(`${WEEK}&range=day`)
    const x = 400
    fireEvent.pointerDown(bar(1), { clientX: x, clientY: 20, pointerId: 1, button: 0 })
    fireEvent.pointerMove(bar(1), { clientX: x + 2 * hour, clientY: 20, pointerId: 1 })
    drop(1)
    await screen.findByText(/Moved to T-1 · Wed, Jul 8, 10:00 AM–6:00 PM/)
  })

  test('stretch a shift by its end', async () => {
    await open(`${WEEK}&range=day`)
    const right = FIRST_COLUMN + 7 * COLUMN
    fireEvent.pointerDown(bar(1), { clientX: right - 2, clientY: 20, pointerId: 1, button: 0 })
    fireEvent.pointerMove(bar(1), { clientX: right - 2 + hour / 4 + 4 * hour, clientY: 20, pointerId: 1 })
    drop(1)
    await screen.findByText(/Moved to T-1 · Wed, Jul 8, 8:00 AM–8:15 PM/)
  })
})

describe('copying a week', () => {
  test('says first what would happen, then does it', async () => {
    api.answer(shifts.copy, () => ({
      data: { copied: 2, inactive: 0, skipped: [{ name: 'T-1, Dana', reason: 'In the way.' }] },
    }))
    await open(`${WEEK}&program=${testUid(301)}`)
    await user.click(screen.getByText('Copy week', { selector: 'button span' }))
    const dialog = await findDialog('Copy week')
    await within(dialog).findByText('2 shifts will be copied, 1 skipped.')
    expect(within(dialog).getByText('In the way.')).toBeInTheDocument()
    await user.click(within(dialog).getByText('Copy 2 shifts', { selector: 'button span' }))
    await screen.findByText('2 shifts copied to the week of Mon, Jul 13.')
    const [preview, saved] = api.sentTo(shifts.copy).map(({ body }) => body)
    const asked = { from: '2026-07-06', to: '2026-07-12', onto: '2026-07-13', program: [testUid(301)] }
    expect(preview).toMatchObject({ ...asked, save: false })
    expect(saved).toMatchObject({ ...asked, save: true })
  })
})
