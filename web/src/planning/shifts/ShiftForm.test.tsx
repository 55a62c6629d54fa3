import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatListedTime } from './shiftText.ts'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { ShiftDriver } from '@roadshow/contract/live/shift-driver'
import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { shiftTimes } from '@roadshow/contract/live/shift-times'
import { shifts } from '@roadshow/contract/planning/shifts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { aBoardShift, answerSchedule, asShift } from './test-shifts.ts'
import { testUid } from '../../test-uid.ts'

// The server's end of the channel.
type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = { on: (event: string, handler: Handler) => (handlers[event] = handler), disconnect: () => undefined }
vi.doMock('socket.io-client', () => ({ io: () => socket }))

const SCREEN = '/schedule/program-schedule?date=2026-07-08'
const titleOf = (truck: string) =>
  `${truck} · ${formatListedTime({ date: '2026-07-08', start: '08:00', end: '16:00' }, localDay('America/Chicago'))}`
const TITLE = titleOf('T-1')

let api: FakeApi
const user = userEvent.setup({ delay: null })
let drawer: HTMLElement

beforeEach(() => {
  api = fakeApi()
  answerSchedule(api, [aBoardShift(1)])
})
afterEach(cleanup)

const open = async (title: string, address: string, role: Parameters<typeof someUser>[0] = 'admin') => {
  openConsole(address, { api, user: someUser(role) })
  drawer = await findDialog(title)
}
const field = (label: string) => within(drawer).getByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' })
// By their text: roles are slow to find among so many fields.
const findButton = (name: string, inside = drawer) =>
  within(inside).queryByText(name, { selector: 'button span' })?.closest('button')
const button = (name: string, inside = drawer) => findButton(name, inside) as HTMLButtonElement

describe('the form of a shift', () => {
  test('begins where the board was clicked, and saves a whole shift', async () => {
    api.answer(shifts.create, () => ({ data: asShift(aBoardShift(7)) }))
    const place = `open=new&onTruck=${testUid(101)}&onDay=2026-07-08&at=20:00`
    await open('New shift', `${SCREEN}&${place}&program=${testUid(301)}&driver=${testUid(201)}`)
    expect(field('Start').value).toBe('8:00 PM')
    expect(await within(drawer).findByText('Ends on the next day.')).toBeInTheDocument()
    // The only market of the program is chosen by itself.
    expect(await within(drawer).findByText('Dallas')).toBeInTheDocument()
    await user.click(button('Save'))
    await waitFor(() => expect(api.sentTo(shifts.create)).toHaveLength(1))
    expect(api.sentTo(shifts.create)[0]?.body).toEqual({
      truckUid: testUid(101),
      driverUid: testUid(201),
      programUid: testUid(301),
      marketUid: testUid(401),
      date: '2026-07-08',
      start: '20:00',
      end: '04:00',
      note: '',
      artworkSetUid: null,
      addressSetUid: null,
      payOption: null,
      stops: [],
    })
  })

  test('warns of clashes, short rest and problems before saving', async () => {
    api.answer(shifts.clashes, () => ({
      data: {
        problems: { date: 'Summer runs from 2026-07-01 to 2026-07-10.' },
        clashes: [{ uid: testUid(2), over: 'driver' as const, name: 'T-2, Dana Reyes' }],
        shortRestHours: 6.5,
        lateArrivals: ['Only 1 h to travel 1,240 miles from Dallas, after the last shift of the driver.'],
        inactiveProgram: null,
      },
    }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    expect(await within(drawer).findByText('Driver already booked: T-2, Dana Reyes')).toBeInTheDocument()
    expect(within(drawer).getByText('The driver has only 6 h 30 min of rest before this shift.')).toBeInTheDocument()
    expect(within(drawer).getByText(/^Only 1 h to travel 1,240 miles from Dallas/)).toBeInTheDocument()
    expect(await within(drawer).findByText('Summer runs from 2026-07-01 to 2026-07-10.')).toBeInTheDocument()
    expect(api.sentTo(shifts.clashes)[0]?.body).toMatchObject({ uid: testUid(1), date: '2026-07-08' })
    expect(api.sentTo(shifts.update)).toHaveLength(0)
  })

  test('offers to undo a save, unless it changed nothing', async () => {
    const shift = asShift(aBoardShift(1))
    let version = shift.version
    api.answer(shifts.update, () => ({ data: { ...shift, version } }))
    api.answer(shiftPlanChanges.undo, () => ({ data: { changed: [] } }))
    await open(TITLE, `${SCREEN}&open=${shift.uid}`)
    await user.click(button('Save'))
    expect(await screen.findByText(`${TITLE} saved.`)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()

    cleanup()
    version += 1
    await open(TITLE, `${SCREEN}&open=${shift.uid}`)
    await user.type(field('Note'), ' Again.')
    await user.click(button('Save'))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(`Undone: ${TITLE} saved.`)).toBeInTheDocument()
    expect(api.sentTo(shiftPlanChanges.undo).map(({ body }) => body)).toEqual([{ shiftUid: shift.uid }])
  })

  test('shows at the field what the server refuses', async () => {
    const text = 'The truck has another shift then: T-1.'
    api.respond(shifts.update, () => refusal('shiftClash', { error: text, fields: { truckUid: text } }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.type(field('Note'), ' Again.')
    await user.click(button('Save'))
    expect(await within(drawer).findByText(text)).toBeInTheDocument()
  })

  test('cancels a shift with a reason', async () => {
    api.answer(shifts.move, () => ({ data: asShift(aBoardShift(1, { status: 'cancelled' })) }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.click(button('Cancel shift'))
    const dialog = await findDialog('Cancel shift?')
    const act = button('Cancel shift', dialog)
    expect(act.disabled).toBe(true)
    await user.type(within(dialog).getByLabelText('Reason'), 'Rain')
    await user.click(act)
    await waitFor(() => expect(api.sentTo(shifts.move)).toHaveLength(1))
    expect(api.sentTo(shifts.move)[0]?.body).toEqual({
      uid: testUid(1),
      version: 1,
      status: 'cancelled',
      reason: 'Rain',
      allowInactiveProgram: false,
    })
  })

  test('lets a driver start their own shift and change nothing', async () => {
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`, 'driver')
    expect(screen.getByText('Bring the flags.')).toBeInTheDocument()
    expect(screen.queryByLabelText('Note')).toBeNull()
    expect(findButton('Save')).toBeUndefined()
    expect(findButton('Cancel shift')).toBeUndefined()
    expect(button('Start shift').disabled).toBe(false)
    expect(api.sentTo(shifts.clashes)).toHaveLength(0)
  })

  test('shows what was planned beside what happened', async () => {
    const question = {
      kind: 'start' as const,
      about: '2026-07-08T13:10:00.000Z',
      at: '2026-07-08T12:40:00.000Z',
      seenBy: 'wheels' as const,
    }
    api.answer(shiftTimes.questions, () => ({ data: [question] }))
    api.answer(shifts.details, () =>
      paged([
        {
          ...asShift(aBoardShift(1)),
          startedAt: '2026-07-08T13:10:00.000Z',
          plannedMinutes: 480,
          actualMinutes: null,
          startSetBy: { source: 'driver', name: 'Ann Lee' },
          stopSetBy: null,
          lateMinutes: 10,
          photos: 3,
          timesReason: 'Phone was off',
          reports: [{ kind: 'stop' as const, at: '2026-07-08T23:02:00.000Z', note: 'no start' }],
          plays: {
            count: 1200,
            verified: 900,
            conflict: 12,
          },
          distance: {
            metres: 80467,
            source: 'gps' as const,
            estimatedMetres: 1609,
            coverage: 0.92,
          },
          isWithoutPlays: false,
          stops: [],
          issues: [
            {
              uid: testUid(601),
              kind: 'screen' as const,
              status: 'resolved' as const,
              openedAt: '2026-07-08T15:00:00.000Z',
            },
          ],
        },
      ]),
    )
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.click(within(drawer).getByText('Details', { selector: '[role="tab"]' }))
    expect(await within(drawer).findByText('Wed, Jul 8, 8:10 AM CDT')).toBeInTheDocument()
    expect(within(drawer).getByText('10 min late')).toBeInTheDocument()
    expect(within(drawer).getByText('Times corrected: Phone was off')).toBeInTheDocument()
    const reports = within(drawer).getByRole('list', { name: 'Reports of the driver' })
    expect(reports.textContent).toBe('Stop reported Wed, Jul 8, 6:02 PM CDT, no start')
    expect(within(drawer).getByText('8 h')).toBeInTheDocument()
    expect(within(drawer).getByText('1,200')).toBeInTheDocument()
    const plays = within(drawer).getByRole('row', { name: /^Plays/ })
    expect(plays.textContent).toBe('Plays1,20075% verified, 12 in conflict')
    expect(within(plays).getByRole('link', { name: '1,200' }).getAttribute('href')).toMatch(/^\/ad-log\?.*shift=/)
    expect(within(plays).getByRole('link', { name: '12' }).getAttribute('href')).toContain('grade=conflict')
    expect(within(drawer).getByText('50.0 mi')).toBeInTheDocument()
    expect(within(drawer).getByText('from GPS, 92% coverage, 1.0 mi estimated')).toBeInTheDocument()
    expect(within(drawer).getByText(/Screen, Wed, Jul 8, 10:00 AM CDT/).textContent).toContain('Resolved')

    // The truck drove earlier, and the office corrects the start with one tap.
    expect(await within(drawer).findByText('T-1 drove from 7:40 AM. Correct the start?')).toBeInTheDocument()
    api.answer(shiftTimes.questions, () => ({ data: [] }))
    api.answer(shiftTimes.answer, () => ({ data: [] }))
    const read = api.sentTo(shifts.get).length
    await user.click(within(drawer).getByText('Correct the start'))
    await waitFor(() => expect(within(drawer).queryByText(/Correct the start/)).toBeNull())
    expect(api.sentTo(shiftTimes.answer)[0]?.body).toEqual({
      time: 'start',
      about: question.about,
      seenAt: question.at,
      isCorrected: true,
    })
    // The form beside follows the new version.
    await waitFor(() => expect(api.sentTo(shifts.get).length).toBeGreaterThan(read))
  })
})

describe('a shift and its time', () => {
  const isoIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

  test('that begins in three hours offers no start, and says from when', async () => {
    answerSchedule(api, [{ ...aBoardShift(1), startsAt: isoIn(3), endsAt: isoIn(11) }])
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    expect(findButton('Start shift')).toBeUndefined()
    expect(findButton('Complete without a start')).toBeUndefined()
    expect(findButton('Correct times')).toBeUndefined()
    expect(button('Cancel shift').disabled).toBe(false)
    expect(
      within(drawer).getByText(/^This shift can start from .*, 2 hours before its planned start\.$/),
    ).toBeInTheDocument()
  })

  test('is corrected with a reason', async () => {
    const corrected = { ...asShift(aBoardShift(1)), version: 2, status: 'completed' as const }
    api.answer(shifts.correctTimes, () => ({ data: corrected }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.click(button('Correct times'))
    const dialog = await findDialog('Correct times')
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save times' })
    expect(save.disabled).toBe(true)
    await user.clear(within(dialog).getByLabelText('Started at'))
    await user.type(within(dialog).getByLabelText('Started at'), '8:10')
    await user.type(within(dialog).getByLabelText('Reason'), 'Phone was off')
    await user.click(save)
    await waitFor(() => expect(api.sentTo(shifts.correctTimes)).toHaveLength(1))
    expect(api.sentTo(shifts.correctTimes)[0]?.body).toEqual({
      uid: testUid(1),
      version: 1,
      startedAt: '2026-07-08T13:10:00.000Z',
      stoppedAt: '2026-07-08T21:00:00.000Z',
      reason: 'Phone was off',
    })
  })

  test('of a paused program asks before it is saved', async () => {
    const question = {
      problems: {},
      clashes: [],
      shortRestHours: null,
      lateArrivals: [],
      inactiveProgram: 'Summer is paused.',
    }
    api.answer(shifts.clashes, () => ({ data: question }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    expect(await within(drawer).findByText('Summer is paused.')).toBeInTheDocument()
    await user.click(within(drawer).getByRole('checkbox', { name: 'Plan the shift anyway' }))
    await user.click(button('Save'))
    await waitFor(() => expect(api.sentTo(shifts.update)).toHaveLength(1))
    expect(api.sentTo(shifts.update)[0]?.body).toMatchObject({ allowInactiveProgram: true })
  })
})

describe('the driver of a shift', () => {
  test('is answered in one field, and a truck asked for is planned with one click and no loss of edits', async () => {
    const at = '2026-07-08T12:00:00.000Z'
    const driver: ShiftDriver = {
      answer: { answer: 'declined', reason: 'Sick', at, isSentLater: true, isOutdated: false },
      messages: [
        { uid: testUid(71), text: 'The gate is locked', at, by: 'Dana Reyes', isOfDriver: true, isSentLater: false },
      ],
      truckRequest: {
        uid: testUid(72),
        number: 'T-2',
        truck: { uid: testUid(102), name: 'T-2' },
        text: 'Flat tire',
        at,
      },
      phoneSeenAt: null,
      sentLater: 1,
    }
    api.answer(shiftDrivers.get, () => ({ data: driver }))
    api.answer(shiftDrivers.write, () => ({
      data: { uid: testUid(73), text: 'Code 4711', at, by: 'Ada', isOfDriver: false, isSentLater: false },
    }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.type(field('Note'), ' Two of them.')
    await user.click(await within(drawer).findByRole('tab', { name: 'Driver' }))
    expect(await within(drawer).findByText(/^Declined .*, sent later: “Sick”$/)).toBeInTheDocument()
    expect(within(drawer).getByText('The gate is locked')).toBeInTheDocument()
    await user.type(within(drawer).getByLabelText('Message to the driver'), 'Code 4711')
    await user.click(button('Send message'))
    await waitFor(() => expect(api.sentTo(shiftDrivers.write)[0]?.body).toEqual({ text: 'Code 4711' }))
    await user.click(button('Plan onto T-2'))
    await waitFor(() =>
      expect(api.sentTo(shifts.update)[0]?.body).toMatchObject({
        truckUid: testUid(102),
        version: 1,
        note: 'Bring the flags.',
      }),
    )
    drawer = await findDialog(titleOf('T-2'))
    await user.click(within(drawer).getByRole('tab', { name: 'Shift' }))
    expect(field('Note').value).toBe('Bring the flags. Two of them.')
    await user.click(button('Save'))
    await waitFor(() =>
      expect(api.sentTo(shifts.update)[1]?.body).toMatchObject({
        truckUid: testUid(102),
        version: 2,
        note: 'Bring the flags. Two of them.',
      }),
    )
  })
})

describe('a message to the driver', () => {
  const at = '2026-07-08T12:00:00.000Z'
  const driver: ShiftDriver = { answer: null, messages: [], truckRequest: null, phoneSeenAt: null, sentLater: 0 }
  const stored = { uid: testUid(73), text: 'Code', at, by: 'Ada', isOfDriver: false, isSentLater: false }

  const openDriver = async () => {
    api.answer(shiftDrivers.get, () => ({ data: driver }))
    await open(TITLE, `${SCREEN}&open=${testUid(1)}`)
    await user.click(await within(drawer).findByRole('tab', { name: 'Driver' }))
    return within(drawer).findByLabelText<HTMLTextAreaElement>('Message to the driver')
  }
  const send = async () => {
    const before = api.sentTo(shiftDrivers.write).length
    await user.click(button('Send message'))
    await waitFor(() => expect(api.sentTo(shiftDrivers.write)).toHaveLength(before + 1))
  }
  const isSent = () => waitFor(() => expect(button('Send message')).not.toHaveClass('ant-btn-loading'))

  test('stays in its field while the driver’s part cannot be fetched', async () => {
    const text = await openDriver()
    await user.type(text, 'Half a thought')
    api.respond(shiftDrivers.get, () => refusal('tooMany'))
    const before = api.sentTo(shiftDrivers.get).length
    await waitFor(() => expect(handlers).toHaveProperty('shifts-changed'))
    handlers['shifts-changed']?.({ from: '2026-07-08', to: '2026-07-08' })
    await waitFor(() => expect(api.sentTo(shiftDrivers.get).length).toBeGreaterThan(before))
    // The failed answer is drawn a moment after it was sent.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(within(drawer).getByLabelText('Message to the driver')).toHaveValue('Half a thought')
  })

  test('has the same key until it is stored', async () => {
    const text = await openDriver()
    api.respond(shiftDrivers.write, () => refusal('internal'))
    await user.type(text, 'Code')
    await send()
    await isSent()
    api.answer(shiftDrivers.write, () => ({ data: stored }))
    await send()
    await waitFor(() => expect(text).toHaveValue(''))
    await user.type(text, 'Code')
    await send()
    const [first, second, third] = api.sentTo(shiftDrivers.write).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(second).toBe(first)
    expect(third).not.toBe(second)
  })

  test('that is begun while another is sent is kept', async () => {
    const text = await openDriver()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    api.respond(shiftDrivers.write, async () => {
      await answered
      return Response.json({ data: stored })
    })
    await user.type(text, 'Code')
    await send()
    await user.type(text, ' 4711')
    answer()
    await isSent()
    expect(text).toHaveValue('Code 4711')
  })
})

describe('the list of shifts', () => {
  test('shows the same days and filters as the board it was switched from', async () => {
    openConsole(`${SCREEN}&program=${testUid(301)}`, { api })
    await user.click(await screen.findByText('List', { selector: '.ant-segmented-item-label' }))
    await screen.findByRole('link', { name: `${TITLE.slice('T-1 · '.length)} CDT` })
    const { query } = api.sentTo(shifts.list).find((sent) => !sent.query.has('driverAnswer')) ?? {}
    expect(query?.get('program')).toBe(testUid(301))
    expect([query?.get('from'), query?.get('to')]).toEqual(['2026-07-06', '2026-07-12'])
  })

  test('shows below each driver what they said, narrows to it, and keeps it from drivers', async () => {
    const late = { status: 'out', driverMarks: ['startedLate', 'phoneOffline'] } as const
    const shown = [
      asShift(aBoardShift(1, { driverMarks: ['declined'], driverAnswer: 'declined', declineReason: 'Sick' })),
      {
        ...asShift(aBoardShift(2, { ...late, driverMarks: [...late.driverMarks] })),
        startedAt: '2026-07-08T13:25:30.000Z',
      },
    ]
    api.answer(shifts.list, ({ query }) => (query.has('driverAnswer') ? paged([]) : paged(shown)))
    const { address } = openConsole(`${SCREEN}&view=list`, { api })
    const declined = await screen.findByText('Declined: Sick')
    expect(declined.closest('[title]')).toHaveAttribute('title', 'Declined by the driver: Sick.')
    expect(screen.getByText('Started 25 min late')).toBeInTheDocument()
    expect(screen.getByText('Phone offline')).toBeInTheDocument()
    await user.click(screen.getByLabelText('Driver alerts'))
    await user.click(await screen.findByText('Asks for another truck', { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(decodeURIComponent(address())).toContain('otherTruck'))
    await waitFor(() =>
      expect(api.sentTo(shifts.list).some(({ query }) => query.get('driverMark') === 'otherTruck')).toBe(true),
    )
    cleanup()
    openConsole(`${SCREEN}&view=list`, { api, user: someUser('driver') })
    await screen.findByText('Declined: Sick')
    expect(screen.queryByLabelText('Driver alerts')).toBeNull()
    expect(screen.queryByText(/^Tomorrow’s drivers/)).toBeNull()
  })
})
