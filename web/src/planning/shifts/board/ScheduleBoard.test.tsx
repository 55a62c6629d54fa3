import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import type { ShiftPlanChangeResult } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { aBoard, aBoardShift, answerSchedule, savedPlanChange } from '../test-shifts.ts'
import { FIRST_COLUMN } from './placement/useDrag.ts'
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
/** The answer to a change of which the first shift is refused. */
const refusedPlanChange = (reason: string, detail = '', accepted = 0): ShiftPlanChangeResult => ({
  saved: false,
  accepted,
  refused: [{ reason, shifts: [{ uid: testUid(1), name: 'T-1 · Dana Reyes', detail }] }],
  inactive: 0,
  lateArrivals: [],
  changed: [],
  undoUid: null,
})
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
    const line = await screen.findByText(/^Tomorrow’s drivers/)
    const links = within(line).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['12 confirmed', '1 declined', '3 no answer'])
    const asked = new URL((links[2] as HTMLAnchorElement).href).searchParams
    expect([asked.get('view'), asked.get('driverAnswer'), asked.get('status')]).toEqual(['list', 'none', 'planned'])
    expect(asked.get('from')).toBe(asked.get('to'))
  })

  test('names the drivers who are off, day by day', async () => {
    const off = { startsAt: '2026-07-07T05:00:00Z', endsAt: '2026-07-09T05:00:00Z', zone: 'America/Chicago' }
    const dana = { ...off, uid: testUid(811), driver: { uid: testUid(299), name: 'Dana Reyes' }, reason: 'Vacation' }
    const kit = {
      ...off,
      uid: testUid(812),
      driver: { uid: testUid(298), name: 'Kit Moreno' },
      reason: '',
      endsAt: null,
    }
    api.answer(shifts.board, () => ({ data: { ...aBoard(known), timesOff: [dana, kit] } }))
    await open()
    const row = (await screen.findByRole('rowheader', { name: 'Drivers off' })).parentElement as HTMLElement
    const names = within(row)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent)
    expect(names).toEqual([
      '',
      'Dana ReyesKit Moreno',
      'Dana ReyesKit Moreno',
      'Kit Moreno',
      'Kit Moreno',
      'Kit Moreno',
      'Kit Moreno',
    ])
    expect(within(row).getAllByTitle('Dana Reyes: Vacation')).toHaveLength(2)
    // Shifts stand below it, as they do without it.
    expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' })
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
    const place = { truckUid: testUid(103), date: '2026-07-10', start: '08:00', end: '16:00' }
    expect(api.sentTo(shiftPlanChanges.apply)[0]?.body).toMatchObject({
      act: { kind: 'move', shifts: [{ uid: testUid(1), version: 1, ...place }] },
    })
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(103), day: '2026-07-10' }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' }))
    expect(api.sentTo(shiftPlanChanges.undo)[0]?.body).toEqual({ uid: testUid(900) })
  })

  test('opens a shift that is being moved only when it is saved', async () => {
    let save = () => {}
    const saving = new Promise<void>((resolve) => (save = resolve))
    api.respond(shiftPlanChanges.apply, async () => {
      await saving
      known[0] = aBoardShift(1, { version: 2, truckUid: testUid(103), date: '2026-07-10' })
      return Response.json({ data: savedPlanChange([{ uid: testUid(1), version: 2 }]) })
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
    expect(api.sentTo(shiftPlanChanges.apply)).toHaveLength(0)
  })

  test('puts a refused shift back and says the server’s sentence', async () => {
    const reason = 'The driver has another shift at that time.'
    api.answer(shiftPlanChanges.apply, () => ({ data: refusedPlanChange(reason, 'Overlaps T-9.') }))
    await open()
    pull(1, [2, 0], [4, 2])
    drop(1)
    expect((await screen.findByText(`${reason} Overlaps T-9.`)).parentElement?.role).toBe('alert')
    await waitFor(() => expect(cellOf(1)).toMatchObject({ truck: testUid(101), day: '2026-07-08' }))
  })

  test('copies with the Alt key held', async () => {
    await open()
    pull(1, [2, 0], [3, 2], { altKey: true })
    drop(1)
    await screen.findByText(/Copied to T-3/)
    expect(api.sentTo(shiftPlanChanges.apply)[0]?.body).toMatchObject({
      act: { kind: 'copy', shifts: [{ uid: testUid(1), truckUid: testUid(103), date: '2026-07-09' }] },
    })
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
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull()
    pull(1, [2, 0], [4, 2])
    drop(1)
    bar(1).focus()
    await user.keyboard('m{ArrowDown}{Enter}')
    expect(api.sentTo(shiftPlanChanges.apply)).toHaveLength(0)
    expect(address()).not.toContain('open=new')
  })
})

describe('filters and search', () => {
  test('dim what they do not find, and leave every truck and shift on the board', async () => {
    const [one, two, ...others] = aBoard(known).trucks
    if (!one || !two) throw new Error('The board has trucks.')
    known[0] = aBoardShift(1, { isMatch: false })
    api.answer(shifts.board, () => ({
      data: { ...aBoard(known), trucks: [{ ...one, isMatch: false }, two, ...others] },
    }))
    await open(`${WEEK}&program=${testUid(302)}`)
    expect(bar(1).dataset.faded).toBe('true')
    expect(bar(2).dataset.faded).toBe('false')
    const heads = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(heads).toEqual(['T-2', 'T-3In shop', 'Other trucks', 'T-1'])
  })

  test('a cell looks free only if a shift can be planned there', async () => {
    known.push(aBoardShift(4, { date: '2026-07-06', start: '20:00', end: '04:00' }))
    api.answer(shifts.board, () => ({
      data: { ...aBoard(known), lockedPay: [{ from: '2026-07-10', to: '2026-07-10' }] },
    }))
    await open()
    const cell = (truck: number, day: string) =>
      document
        .querySelector<HTMLElement>(`[data-truck="${testUid(100 + truck)}"][data-day="${day}"]`)
        ?.getAttribute('aria-label')
    expect(cell(1, '2026-07-07')).toBe('T-1, Tue, Jul 7, booked until 4:00 AM')
    expect(cell(1, '2026-07-10')).toBe('T-1, Fri, Jul 10, pay locked')
    expect(cell(3, '2026-07-07')).toBe('T-3, Tue, Jul 7, truck in the shop')
    expect(cell(2, '2026-07-07')).toBe('T-2, Tue, Jul 7, no shift')
  })

  test('a truck is found by its number', async () => {
    await open()
    await user.type(screen.getByRole('searchbox', { name: 'Find truck' }), 't-2')
    expect(screen.getByText('T-2, 1 of 1')).toBeInTheDocument()
    expect([bar(1).dataset.faded, bar(2).dataset.faded]).toEqual(['true', 'false'])
    await user.type(screen.getByRole('searchbox', { name: 'Find truck' }), '9')
    expect(screen.getByText('No truck found.')).toBeInTheDocument()
  })
})

describe('several shifts', () => {
  const click = (n: number, keys: object) => fireEvent.click(bar(n), keys)

  test('are chosen, moved together, and taken back by Ctrl+Z', async () => {
    await open()
    click(1, { ctrlKey: true })
    click(2, { ctrlKey: true })
    expect(screen.getByText('2 shifts selected')).toBeInTheDocument()
    expect(bar(1).getAttribute('aria-label')).toMatch(/^Selected\. T-1/)
    await user.click(screen.getByRole('button', { name: 'Move' }))
    const dialog = await findDialog('Move 2 shifts?')
    // It starts where they are: nothing would be moved yet.
    expect(within(dialog).getByLabelText('Days later')).toHaveValue('0')
    expect(within(dialog).getByText('Move 2 shifts', { selector: 'button span' }).closest('button')).toBeDisabled()
    fireEvent.change(within(dialog).getByLabelText('Days later'), { target: { value: '1' } })
    await within(dialog).findByText('2 shifts will be moved.')
    await user.click(within(dialog).getByText('Move 2 shifts', { selector: 'button span' }))
    await screen.findByText('2 shifts moved.')
    const saved = api.sentTo(shiftPlanChanges.apply).at(-1)?.body
    expect(saved).toMatchObject({
      act: { kind: 'move', shifts: [{ date: '2026-07-09' }, { date: '2026-07-09', truckUid: testUid(102) }] },
      partly: false,
    })
    await waitFor(() => expect(cellOf(1)).toMatchObject({ day: '2026-07-09' }))
    expect(screen.queryByText('2 shifts selected')).toBeNull()
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await screen.findByText('Undone: 2 shifts moved.')
    await waitFor(() => expect(cellOf(1)).toMatchObject({ day: '2026-07-08' }))
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    expect(api.sentTo(shiftPlanChanges.undo)).toHaveLength(1)
  })

  test('that could not be taken back for a lost connection are taken back next, before any older act', async () => {
    let acts = 0
    api.answer(shiftPlanChanges.apply, () => ({ data: { ...savedPlanChange([]), undoUid: testUid(900 + ++acts) } }))
    await open()
    for (const day of [3, 4]) {
      pull(1, [2, 0], [day, 2])
      drop(1)
      await waitFor(() => expect(api.sentTo(shiftPlanChanges.apply)).toHaveLength(day - 2))
      await screen.findByText(/^Moved to/)
      await waitFor(() => expect(cellOf(1)).toMatchObject({ day: '2026-07-08' }))
    }
    api.respond(shiftPlanChanges.undo, () => {
      // Each further try is made at once instead of after a pause.
      setTimeout(() => window.dispatchEvent(new Event('online')), 10)
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await screen.findByText(/^We can’t reach the server\./)
    const tries = api.sentTo(shiftPlanChanges.undo).length
    api.answer(shiftPlanChanges.undo, () => ({ data: { changed: [] } }))
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await screen.findByText(/^Undone: Moved to/)
    const undone = api.sentTo(shiftPlanChanges.undo).map(({ body }) => body)
    expect(undone).toHaveLength(tries + 1)
    expect(undone.every((body) => JSON.stringify(body) === JSON.stringify({ uid: testUid(902) }))).toBe(true)
  })

  test('say which are refused and why, and go on with the rest only on request', async () => {
    api.answer(shiftPlanChanges.apply, ({ body }) => {
      const { save = true, partly } = body as { save?: boolean; partly?: boolean }
      const result = refusedPlanChange('The truck has another shift at that time.', 'Overlaps T-9.', 1)
      return { data: save && partly ? { ...result, saved: true, undoUid: testUid(900) } : result }
    })
    await open()
    click(1, { ctrlKey: true })
    click(2, { ctrlKey: true })
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    const dialog = await findDialog('Copy 2 shifts?')
    await within(dialog).findByText('1 shift will be copied, 1 refused.')
    expect(within(dialog).getByText('Overlaps T-9.')).toBeInTheDocument()
    expect(within(dialog).getByRole('button', { name: 'Copy 1 shift' })).toBeDisabled()
    await user.click(within(dialog).getByRole('checkbox'))
    await user.click(within(dialog).getByRole('button', { name: 'Copy 1 shift' }))
    await screen.findByText('1 shift copied.')
  })

  test('dragged by one of them move as far as it, and ask about refusals', async () => {
    await open()
    click(1, { ctrlKey: true })
    click(2, { ctrlKey: true })
    pull(1, [2, 0], [3, 0])
    expect(document.querySelectorAll('[data-clash]')).toHaveLength(2)
    drop(1)
    await screen.findByText('2 shifts moved.')
    expect(api.sentTo(shiftPlanChanges.apply)[0]?.body).toMatchObject({
      act: {
        shifts: [
          { uid: testUid(1), date: '2026-07-09', truckUid: testUid(101) },
          { uid: testUid(2), date: '2026-07-09', truckUid: testUid(102) },
        ],
      },
    })
    api.answer(shiftPlanChanges.apply, () => ({ data: refusedPlanChange('Summer runs from Jul 1 to Jul 10.', '', 1) }))
    pull(1, [3, 0], [5, 0])
    drop(1)
    const dialog = await findDialog("Some shifts can't be changed")
    expect(within(dialog).getByText('Summer runs from Jul 1 to Jul 10.')).toBeInTheDocument()
  })

  test('are chosen by Shift, by the space bar, all at once, and by tapping', async () => {
    const { address } = await open()
    click(1, { ctrlKey: true })
    click(2, { shiftKey: true })
    expect(screen.getByText('2 shifts selected')).toBeInTheDocument()
    bar(2).focus()
    await user.keyboard(' ')
    expect(screen.getByText('1 shift selected')).toBeInTheDocument()
    await user.keyboard('{Control>}a{/Control}')
    expect(screen.getByText('3 shifts selected')).toBeInTheDocument()
    await user.keyboard('{Escape}')
    expect(screen.queryByText(/selected/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Select' }))
    await user.click(bar(1))
    expect(screen.getByText('1 shift selected')).toBeInTheDocument()
    expect(address()).not.toContain('open=')
  })

  test('are canceled with a reason, from the menu of one of them', async () => {
    await open()
    fireEvent.contextMenu(bar(1))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual([
      'Open',
      'Edit',
      'Move… (M)',
      'Copy… (C)',
      'Select (Space)',
      'Change driver…',
      'Driver is off…',
      'Truck to the shop…',
      'Cancel shift…',
      'Delete…',
      'Message driver',
      'Open truck',
      'Open program',
    ])
    await user.click(screen.getByText('Cancel shift…'))
    const dialog = await findDialog('Cancel 1 shift?')
    await within(dialog).findByText('1 shift will be canceled.')
    expect(within(dialog).getByRole('button', { name: 'Cancel 1 shift' })).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Reason'), 'Snow')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel 1 shift' }))
    await screen.findByText('1 shift canceled.')
    expect(api.sentTo(shiftPlanChanges.apply).at(-1)?.body).toMatchObject({ act: { kind: 'cancel', reason: 'Snow' } })
  })

  test('a finger that rests on a bar opens its menu, and a driver finds nothing there to change', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await open(WEEK, 'driver')
    fireEvent.pointerDown(bar(1), { pointerType: 'touch', clientX: 10, clientY: 10, button: 0 })
    vi.advanceTimersByTime(600)
    vi.useRealTimers()
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['Open'])
    expect(screen.queryByRole('button', { name: 'Select' })).toBeNull()
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
      data: {
        copied: 2,
        inactive: 0,
        undoUid: testUid(901),
        lateArrivals: [{ uid: testUid(2), name: 'T-2, Ana', detail: 'Only 1 h to travel 1,240 miles from Dallas.' }],
        refused: [{ reason: 'In the way.', shifts: [{ uid: testUid(1), name: 'T-1, Dana', detail: 'Overlaps T-2.' }] }],
      },
    }))
    await open(`${WEEK}&program=${testUid(301)}`)
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Copy week' }))
    const dialog = await findDialog('Copy week')
    await within(dialog).findByText('2 shifts will be copied, 1 skipped.')
    const group = within(dialog).getByText('In the way.').closest('details') as HTMLElement
    expect(within(group).getByText('1 shift')).toBeInTheDocument()
    expect(within(group).getByText('Overlaps T-2.')).toBeInTheDocument()
    expect(within(dialog).getByText('Only 1 h to travel 1,240 miles from Dallas.')).toBeInTheDocument()
    await user.click(within(dialog).getByText('Copy 2 shifts', { selector: 'button span' }))
    await screen.findByText('2 shifts copied to the week of Mon, Jul 13.')
    const [preview, saved] = api.sentTo(shifts.copy).map(({ body }) => body)
    const asked = { from: '2026-07-06', to: '2026-07-12', onto: '2026-07-13', program: [testUid(301)] }
    expect(preview).toMatchObject({ ...asked, save: false })
    expect(saved).toMatchObject({ ...asked, save: true })
    await user.keyboard('{Control>}z{/Control}')
    await screen.findByText('Undone: 2 shifts copied to the week of Mon, Jul 13.')
    expect(api.sentTo(shiftPlanChanges.undo)[0]?.body).toEqual({ uid: testUid(901) })
  })
})
