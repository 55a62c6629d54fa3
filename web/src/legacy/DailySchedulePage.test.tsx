import { dailySchedule } from '@roadshow/contract/legacy'
import type { DailyShift } from '@roadshow/contract/legacy'
import { markets } from '@roadshow/contract/catalog/markets'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aBoardShift, answerSchedule, asShift } from '../planning/shifts/test-shifts.ts'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { testUid } from '../test-uid.ts'

const PATH = '/old-schedule/daily-schedule?date=2026-07-08'

const flat = ({
  truck,
  driver,
  program,
  client,
  market,
  artworkSet,
  addressSet,
  stops: _stops,
  ...rest
}: Shift): DailyShift => ({
  ...rest,
  truckUid: truck.uid,
  truckNumber: truck.name,
  driverUid: driver?.uid ?? null,
  driverName: driver?.name ?? null,
  programUid: program.uid,
  programName: program.name,
  clientUid: client.uid,
  clientName: client.name,
  marketUid: market.uid,
  marketName: market.name,
  artworkSetUid: artworkSet?.uid ?? null,
  artworkSetName: artworkSet?.name ?? null,
  addressSetUid: addressSet?.uid ?? null,
  addressSetName: addressSet?.name ?? null,
})

let api: FakeApi
let known: DailyShift[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  const board = [aBoardShift(1)]
  known = board.map((each) => flat(asShift(each)))
  answerSchedule(api, board)
  const states = ['active', 'active', 'inShop'] as const
  api.answer(shifts.trucks, () =>
    paged(states.map((state, n) => ({ uid: testUid(101 + n), name: `T-${n + 1}`, state }))),
  )
  api.respond(markets.list, () => Response.json(paged([{ uid: testUid(401), name: 'Dallas', state: 'TX' }])))
  api.answer(dailySchedule.list, () => paged(known))
  api.answer(dailySchedule.create, () => ({ data: known[0] as DailyShift }))
  api.answer(dailySchedule.update, ({ body }) => {
    known = known.map((row) => ({ ...row, ...(body as Partial<DailyShift>), version: row.version + 1 }))
    return { data: known[0] as DailyShift }
  })
})
afterEach(cleanup)

const cell = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const bodies = (call: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(call).map(({ body }) => body)

describe('the daily schedule', () => {
  test('shows every truck of the day, with its shift or without one', async () => {
    openConsole(PATH, { api })
    expect((await cell('Truck, T-1 at 8:00 AM')).value).toBe('T-1')
    expect((await cell('Truck, T-2')).value).toBe('T-2')
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.slice(2)).toEqual([expect.stringContaining('No shift'), expect.stringContaining('In shop')])
    expect(api.sentTo(dailySchedule.list)[0]?.query.get('date')).toBe('2026-07-08')
    expect(screen.getByText('1 shift')).toBeInTheDocument()
  })

  test('Enter saves the row that was typed into, with everything else as it was', async () => {
    openConsole(PATH, { api })
    const start = await cell('Start, T-1 at 8:00 AM')
    await cell('Truck, T-2')
    await user.clear(start)
    await user.type(start, '9am{Enter}')
    await waitFor(() => expect(api.sentTo(dailySchedule.update)).toHaveLength(1))
    const { uid, truckUid, driverUid, programUid, marketUid, end, payOption, note } = flat(asShift(aBoardShift(1)))
    expect(bodies(dailySchedule.update)[0]).toEqual({
      uid,
      truckUid,
      driverUid,
      programUid,
      marketUid,
      end,
      payOption,
      note,
      version: 1,
      date: '2026-07-08',
      start: '09:00',
      artworkSetUid: null,
      addressSetUid: null,
      allowInactiveProgram: false,
    })
    expect(await cell('Start, T-1 at 9:00 AM')).toBeInTheDocument()
    expect(screen.queryByText(/not saved/)).toBeNull()
  })

  test('arrows go up and down a column, and Escape takes back what was typed', async () => {
    openConsole(PATH, { api })
    const note = await cell('Start, T-1 at 8:00 AM')
    await cell('Truck, T-2')
    await user.type(note, '1')
    expect(await screen.findByText('1 row not saved.')).toBeInTheDocument()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(await cell('Start, T-2'))
    await user.keyboard('{ArrowUp}{Escape}')
    expect((await cell('Start, T-1 at 8:00 AM')).value).toBe('8:00 AM')
    expect(screen.queryByText('1 row not saved.')).toBeNull()
    expect(api.sentTo(dailySchedule.update)).toHaveLength(0)
  })

  test('pasted rows are filled in from the cell, named records are found or refused in their cell, one button saves all', async () => {
    openConsole(PATH, { api })
    await user.click(await cell('Truck, T-2'))
    await user.paste('T-2\tDana Reyes\tSummer\tDallas\t8:00\t4pm\nT-9\tNobody\tSummer (Acme)\tDallas, TX\t10\t6pm\n')
    expect((await cell('Driver, T-2')).value).toBe('Dana Reyes')
    // The second fell onto the line of the truck in the shop.
    expect((await cell('Driver, T-3')).value).toBe('Nobody')
    expect(await screen.findByText('Truck “T-9” not found.')).toBeInTheDocument()
    expect(screen.getByText('Driver “Nobody” not found.')).toBeInTheDocument()
    expect((await cell('Driver, T-3')).closest('tr')?.dataset.bad).toBe('true')
    await waitFor(() => expect(api.sentTo(shifts.clashes)).toHaveLength(1))

    await user.clear(await cell('Truck, T-3'))
    await user.type(await cell('Truck, T-3'), 'T-3')
    await user.clear(await cell('Driver, T-3'))
    await user.type(await cell('Driver, T-3'), 'dana reyes')
    await user.click(screen.getByRole('button', { name: 'Save 2 rows' }))
    await screen.findByText('2 rows saved.')
    const where = {
      driverUid: testUid(201),
      programUid: testUid(301),
      marketUid: testUid(401),
      date: '2026-07-08',
    }
    expect(bodies(dailySchedule.create)).toEqual([
      expect.objectContaining({ ...where, truckUid: testUid(102), start: '08:00', end: '16:00' }),
      expect.objectContaining({ ...where, truckUid: testUid(103), start: '10:00', end: '18:00' }),
    ])
    const keys = api.sentTo(dailySchedule.create).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(2)
  })

  test('rows beyond the last are added, and the server’s check of them stands in their cells', async () => {
    api.answer(shifts.clashes, () => ({
      data: {
        problems: { end: 'Too long.' },
        clashes: [{ uid: testUid(1), over: 'truck' as const, name: 'T-1, 08:00' }],
        shortRestHours: null,
        lateArrivals: [],
        inactiveProgram: null,
      },
    }))
    openConsole(PATH, { api })
    await user.click(await cell('Truck, T-3'))
    await user.paste('T-2\tDana Reyes\tSummer\tDallas\t8:00\t4pm\nT-1\tDana Reyes\tSummer\tDallas\t8:00\t4pm')
    expect((await cell('Truck, new row')).value).toBe('T-1')
    expect(await screen.findAllByText('Overlaps T-1, 08:00.')).toHaveLength(2)
    expect(screen.getAllByText('Too long.')).toHaveLength(2)
  })

  test('what clashes is told at the row, and stays typed', async () => {
    const error = 'T-1 has another shift at that time: 08:00 to 16:00.'
    api.respond(dailySchedule.update, () => refusal('shiftClash', { error }))
    openConsole(PATH, { api })
    const end = await cell('End, T-1 at 8:00 AM')
    await user.clear(end)
    await user.type(end, '18{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain(error)
    expect((await cell('End, T-1 at 8:00 AM')).value).toBe('18')
  })

  test('another day is not gone to before asking about what is not saved', async () => {
    const { address } = openConsole(PATH, { api })
    await user.type(await cell('Note, T-1 at 8:00 AM'), 'x')
    await user.click(screen.getByRole('button', { name: 'Later' }))
    const question = await findDialog('Discard your changes?')
    expect(address()).toContain('date=2026-07-08')
    await user.click(within(question).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(address()).toContain('date=2026-07-09'))
    await waitFor(() => expect(screen.queryByText(/not saved/)).toBeNull())
  })

  test('a driver reads their own shifts, and changes nothing', async () => {
    openConsole(PATH, { api, user: someUser('driver', ['dailySchedule']) })
    await screen.findByText('Dana Reyes')
    expect(screen.queryByLabelText(/^Start,/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
    expect(api.sentTo(shifts.trucks)).toHaveLength(0)
  })

  test('who may only plan days, by this screen alone, does all of it', async () => {
    openConsole(PATH, { api, user: someUser('sales', ['dailySchedule']) })
    expect(await cell('Truck, T-2')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Add row' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Upload' }))
    const file = new File(['Date,Start'], 'july.csv', { type: 'text/csv' })
    api.respond(dailySchedule.upload, () => refusal('unreadableTable'))
    await user.upload(within(await findDialog('Upload shifts')).getByLabelText(/Choose a file/), file)
    await waitFor(() => expect(bodies(dailySchedule.upload)).toEqual([{ save: false }]))
  })
})
