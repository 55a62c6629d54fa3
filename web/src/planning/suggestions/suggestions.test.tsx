import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { rotations } from '@roadshow/contract/planning/rotations'
import { shifts } from '@roadshow/contract/planning/shifts'
import { shiftSuggestions } from '@roadshow/contract/planning/suggestions'
import type { SuggestionReason } from '@roadshow/contract/planning/suggestions'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { aBoardShift, answerSchedule, someSuggestions } from '../shifts/test-shifts.ts'

const PLACE = `open=new&onTruck=${testUid(101)}&onDay=2026-07-08&at=08:00`
const SCREEN = `/schedule/program-schedule?date=2026-07-08&${PLACE}`
const [dallas, denver] = [
  { uid: testUid(401), name: 'Dallas' },
  { uid: testUid(402), name: 'Denver' },
]
const art = { uid: testUid(801), name: 'Summer spot' }

let api: FakeApi
let drawer: HTMLElement
const user = userEvent.setup({ delay: null })

const free = { refusal: null, bookedUntil: null }
const week: SuggestionReason = { kind: 'weekHours', minutes: 2280, limitMinutes: 2400 }
const booked = 'The driver has another shift at that time: T-2 · Dana Reyes.'
const known = { state: 'active' as const, homeMarket: denver, ...free }
const truck = { uid: testUid(101), name: 'T-1', isSuitable: true, reasons: [], ...known }
const printed: SuggestionReason = { kind: 'printed', need: 'artwork' }
const boards = { uid: testUid(102), name: 'T-2', isSuitable: false, reasons: [printed], ...known }
const drivers = [
  { uid: testUid(202), name: 'Lee Fox', ...free, reasons: [{ kind: 'free' as const }, week] },
  { uid: testUid(201), name: 'Dana Reyes', refusal: booked, bookedUntil: '2026-07-08T23:00:00.000Z', reasons: [] },
]

beforeEach(() => {
  api = fakeApi()
  answerSchedule(api, [aBoardShift(1)])
  const program = { uid: testUid(301), name: 'Summer', client: 'Acme', status: 'active' as const }
  api.answer(shifts.programs, () => paged([{ ...program, markets: [dallas, denver] }]))
  api.answer(rotations.get, ({ params }) => ({
    data: { uid: String(params.uid), lines: [], restMs: 15_000, version: 1 },
  }))
  api.respond(artworkSets.list, () => Response.json(paged([art])))
  // The artwork is known only with its program.
  api.answer(shiftSuggestions.list, ({ query }) => ({
    data: someSuggestions({ trucks: [truck, boards], drivers, artworkSet: query.get('program') ? art : null }),
  }))
})
afterEach(cleanup)

const open = async (address: string) => {
  openConsole(address, { api })
  drawer = await findDialog('New shift')
}
const field = (label: string) => within(drawer).getByLabelText<HTMLInputElement>(label, { selector: 'input' })

describe('an empty cell of the board', () => {
  test('suggests drivers before a program is chosen, and begins with home market and only artwork', async () => {
    await open(SCREEN)
    await waitFor(() => expect(api.sentTo(shiftSuggestions.list)).not.toHaveLength(0))
    const [first] = api.sentTo(shiftSuggestions.list)
    expect(Object.fromEntries(first?.query ?? [])).toEqual({
      date: '2026-07-08',
      start: '08:00',
      end: '16:00',
      truck: testUid(101),
    })
    await user.click(field('Program'))
    await user.click(await screen.findByText('Summer (Acme)', { selector: '.ant-select-item-option-content' }))
    // Of its two markets the one where the truck is at home.
    expect(await within(drawer).findByText('Denver')).toBeInTheDocument()
    expect(await within(drawer).findByText('Summer spot')).toBeInTheDocument()

    await user.click(field('Driver'))
    const best = (await screen.findByText('Lee Fox')).closest('.ant-select-item-option') as HTMLElement
    expect(best.textContent).toBe('Lee FoxFree38 h this week with this shift')
    const busy = screen.getByText('Dana Reyes').closest('.ant-select-item-option') as HTMLElement
    expect(busy.textContent).toBe(`Dana ReyesBooked until 6:00 PM CDT${booked}`)
    expect(best.compareDocumentPosition(busy)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await user.click(best)
    await waitFor(() => expect(field('Driver').closest('.ant-select')?.textContent).toBe('Lee Fox'))
  })

  test('says which trucks lack screens', async () => {
    await open(`${SCREEN}&program=${testUid(301)}`)
    await user.click(field('Truck'))
    const reason = await screen.findByText('Printed boards can’t show artwork files')
    expect(reason.closest('.ant-select-item-option')?.textContent).toMatch(/^T-2No screens/)
    expect(reason.closest('[data-refused]')).toHaveAttribute('data-refused', 'true')
  })

  test('finds by name, asks again for other hours, and leaves cleared artwork cleared', async () => {
    await open(`${SCREEN}&program=${testUid(301)}`)
    expect(await within(drawer).findByText('Summer spot')).toBeInTheDocument()
    await user.click(field('Driver'))
    await user.type(field('Driver'), 'reyes')
    expect(await screen.findByText(booked)).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByText('Lee Fox')).toBeNull())
    const artwork = within(drawer).getByText('Summer spot').closest('.ant-select') as HTMLElement
    await user.click(artwork.querySelector('.ant-select-clear') as HTMLElement)
    await user.clear(field('End'))
    await user.type(field('End'), '18{Tab}')
    const asked = () => api.sentTo(shiftSuggestions.list).at(-1)?.query.get('end')
    await waitFor(() => expect(asked()).toBe('18:00'))
    expect(within(drawer).queryByText('Summer spot')).toBeNull()
  })
})
