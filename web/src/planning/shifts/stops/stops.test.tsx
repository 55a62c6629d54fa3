import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatListedTime } from '../shiftText.ts'
import { markets } from '@roadshow/contract/catalog/markets'
import { fleet } from '@roadshow/contract/live/fleet'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { StopVisit } from '@roadshow/contract/planning/shifts'
import { cleanup, fireEvent, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'
import { aBoardShift, answerSchedule, asShift } from '../test-shifts.ts'

const SCREEN = `/schedule/program-schedule?date=2026-07-08&open=${testUid(1)}`
const TITLE = `T-1 · ${formatListedTime({ date: '2026-07-08', start: '08:00', end: '16:00' }, localDay('America/Chicago'))}`
const user = userEvent.setup({ delay: null })
let api: FakeApi
let drawer: HTMLElement

const stop = {
  name: 'Stadium',
  latitude: 32.7473,
  longitude: -97.0945,
  radiusM: 402,
  from: '12:00',
  to: '14:00',
  minMinutes: 60,
  note: 'North gate.',
}

beforeEach(() => {
  api = fakeApi()
  answerSchedule(api, [aBoardShift(1)])
  api.respond(markets.get, () =>
    Response.json({ data: { uid: testUid(401), name: 'Dallas', latitude: 32.78, longitude: -96.8, depots: [] } }),
  )
})
afterEach(cleanup)

const open = async (role: Parameters<typeof someUser>[0] = 'admin') => {
  openConsole(SCREEN, { api, user: someUser(role) })
  drawer = await findDialog(TITLE)
}
const press = (name: string) => user.click(within(drawer).getByText(name, { selector: 'button, button span' }))
/** Fills in a field at once: every key would check the whole form. */
const fill = (label: string, text: string) => {
  const input = within(drawer).getByLabelText(label, { selector: 'input' })
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
}

test('a planned stop begins with the hours of the shift and is placed on the map', async () => {
  await open()
  expect(within(drawer).getByText(/^No planned stops\./)).toBeInTheDocument()
  expect(within(drawer).queryByRole('application')).toBeNull()
  await press('Add planned stop')
  const value = (label: string) => within(drawer).getByLabelText<HTMLInputElement>(label, { selector: 'input' }).value
  expect([value('From'), value('To'), value('Radius (miles)')]).toEqual(['8:00 AM', '4:00 PM', '0.25'])
  // Another map takes the place of the first one when the market is known.
  await within(drawer).findByText('Pin Dallas')
  await user.click(within(drawer).getByText('Click the map'))
  expect([value('Latitude'), value('Longitude')]).toEqual(['33', '-99'])
  fill('To', '2 pm')
  expect(value('To')).toBe('2:00 PM')
})

test('a window outside of the shift is refused at its field', async () => {
  api.answer(shifts.get, () => ({ data: { ...asShift(aBoardShift(1)), stops: [{ ...stop, to: '17:00' }] } }))
  await open()
  fill('To', '17:30')
  await press('Save')
  expect(
    await within(drawer).findByText('Must lie inside the hours of the shift, and end after it begins.'),
  ).toBeInTheDocument()
  expect(api.sentTo(shifts.update)).toHaveLength(0)
})

test('a driver reads the stops of the shift', async () => {
  api.answer(shifts.get, () => ({ data: { ...asShift(aBoardShift(1)), stops: [stop] } }))
  await open('driver')
  for (const text of ['Stadium', '12:00 PM', '2:00 PM', '0.25 mi', '1 h', 'North gate.'])
    expect(within(drawer).getByText(text)).toBeInTheDocument()
  expect(within(drawer).queryByText('Add planned stop')).toBeNull()
})

test('details say of each stop whether the truck was there, and draw the track', async () => {
  const visit: StopVisit = {
    ...stop,
    opensAt: '2026-07-08T17:00:00Z',
    closesAt: '2026-07-08T19:00:00Z',
    state: 'onTime',
    arrivedAt: '2026-07-08T17:02:10Z',
    leftAt: '2026-07-08T17:48:00Z',
    dwellMinutes: 46,
    isShort: true,
  }
  const none = { arrivedAt: null, leftAt: null, dwellMinutes: null, isShort: false }
  const stops: StopVisit[] = [
    visit,
    { ...visit, name: 'Mall', leftAt: null, isShort: false, state: 'late' },
    { ...visit, ...none, name: 'Square', state: 'missed' },
    { ...visit, ...none, name: 'Park', state: 'noData' },
  ]
  api.answer(shifts.details, () =>
    paged([
      {
        ...asShift(aBoardShift(1)),
        status: 'completed' as const,
        plannedMinutes: 480,
        actualMinutes: null,
        startSetBy: null,
        stopSetBy: null,
        lateMinutes: null,
        photos: 0,
        reports: [],
        plays: { count: 0, verified: 0, conflict: 0 },
        distance: null,
        isWithoutPlays: false,
        issues: [],
        stops,
      },
    ]),
  )
  api.respond(fleet.track, () => Response.json({ data: { points: [] } }))
  await open()
  await user.click(within(drawer).getByText('Details', { selector: '[role="tab"]' }))
  const table = await within(drawer).findByRole('region', { name: 'Planned stops' })
  const row = (name: string) => within(table).getByRole('row', { name: new RegExp(`^${name}`) }).textContent
  expect(row('Stadium')).toBe('StadiumNorth gate.12:00–2:00 PMOn time12:02 PM12:48 PM46 min, planned at least 1 h')
  expect(row('Mall')).toContain('Late12:02 PMStill there46 min')
  expect(row('Square')).toContain('Missed–––')
  expect(row('Park')).toContain('No GPS data–––')
})
