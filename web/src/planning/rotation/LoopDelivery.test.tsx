import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { plannedHours, plannedShares } from '@roadshow/contract/planning/loop-plan'
import { toLoopLine } from '@roadshow/contract/planning/rotation-lines'
import { rotations } from '@roadshow/contract/planning/rotations'
import type { Rotation, RotationLine } from '@roadshow/contract/planning/rotations'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { shiftPlays } from '@roadshow/contract/proof/shift-plays'
import type { PlaysOfShift } from '@roadshow/contract/proof/shift-plays'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, paged, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { EM_DASH } from '../../ui/text/dash.ts'
import { aBoardShift, answerSchedule, asShift } from '../shifts/test-shifts.ts'

let api: FakeApi
let saved: Rotation
const HOUR = 3_600_000
const MINUTE = 60_000
const ADDRESS = `/schedule/program-schedule?date=2026-07-08&open=${testUid(1)}&tab=details`
const zone = 'America/Chicago'

// Wednesday, 8:00 AM to noon.
const onBoard = aBoardShift(1, { status: 'completed', end: '12:00' })
const shift = { ...asShift(onBoard), artworkSet: null }
const EIGHT = Date.parse(shift.startsAt)

const aLine = (n: number, name: string, more: Partial<RotationLine> = {}): RotationLine => ({
  uid: testUid(20 + n),
  artworkSet: { uid: testUid(n), name, isApproved: true },
  share: 'weight',
  amount: 1,
  from: null,
  to: null,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  spotMs: 15_000,
  ...more,
})

/** Everything as planned, on all sides, until a moment. */
function asPlanned(until = EIGHT + 4 * HOUR): PlaysOfShift {
  const loop = { lines: saved.lines.map(toLoopLine), restMs: 15_000, zone, seed: shift.uid }
  const hours = plannedHours(loop, { from: EIGHT, to: until }).flatMap(({ from, turns }) => {
    const shares = plannedShares(turns)
    return saved.lines.flatMap(({ uid, artworkSet: { uid: setUid, name } }) =>
      (['driverSide', 'passengerSide', 'rear'] as const).map((side) => ({
        hour: from,
        artwork: { uid: setUid, name },
        side,
        isForAddress: false,
        plays: shares.get(uid)?.plays ?? 0,
      })),
    )
  })
  return {
    countedAt: new Date(until + HOUR).toISOString(),
    isRunning: false,
    playLog: 'kept',
    hours: hours.filter(({ plays }) => plays > 0),
    runs: [{ from: EIGHT, to: until }],
    rotationChangedAt: null,
  }
}

let played: PlaysOfShift
let shown: typeof shift | Shift

beforeEach(() => {
  api = fakeApi()
  saved = {
    uid: shift.program.uid,
    version: 4,
    restMs: 15_000,
    lines: [aLine(10, 'Breakfast'), aLine(11, 'Dinner', { amount: 3, from: '10:00', to: '22:00' })],
  }
  played = asPlanned()
  shown = shift
  answerSchedule(api, [onBoard])
  api.answer(shifts.get, () => ({ data: shown }))
  api.answer(shifts.details, () =>
    paged([
      {
        ...shown,
        plannedMinutes: 240,
        actualMinutes: null,
        startSetBy: null,
        stopSetBy: null,
        lateMinutes: null,
        photos: 0,
        timesReason: '',
        reports: [],
        plays: { count: 2880, verified: 2880, conflict: 0 },
        distance: null,
        isWithoutPlays: false,
        stops: [],
        issues: [],
      },
    ]),
  )
  api.answer(trucks.get, () => ({ data: { uid: shift.truck.uid, kind: 'led' } as Partial<Truck> as Truck }))
  api.answer(rotations.get, () => ({ data: saved }))
  api.answer(shiftPlays.byHour, () => ({ data: played }))
})
afterEach(cleanup)

async function openDetails(modules: Parameters<typeof someUser>[1] = ['schedule', 'clients', 'trucks', 'overview']) {
  openConsole(ADDRESS, { api, user: someUser('admin', modules) })
  return screen.findByRole('heading', { name: 'Expected and delivered plays' })
}

const cellsOf = (row: Element) => [...row.children].map(({ textContent }) => textContent)
const table = () => screen.findByRole('table', { name: 'Expected and delivered plays' })
const rows = async () =>
  within(await table())
    .getAllByRole('row')
    .map(cellsOf)

test('a shift that ran as planned has each line and hour, the sums, and links to its plays', async () => {
  await openDetails()
  expect(await rows()).toEqual([
    ['Hour', 'Breakfast', 'Dinner', 'All sides'],
    ['8:00–9:00 AM', '240 of 240', EM_DASH, '720'],
    ['9:00–10:00 AM', '240 of 240', EM_DASH, '720'],
    ['10:00–11:00 AM', '60 of 60', '180 of 180', '720'],
    ['11:00 AM–12:00 PM', '60 of 60', '180 of 180', '720'],
    ['Total', '600 of 600', '360 of 360', '2,880'],
  ])
  const links = within(await table()).getAllByRole('link')
  const of = `/ad-log?program=${shift.program.uid}&shift=${shift.uid}`
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    ...[8, 9, 10, 11].map((hour) => `${of}&fromHour=${hour}&toHour=${hour + 1}`),
    of,
  ])
  expect(screen.queryByText(/rotation was changed/)).toBeNull()
  // The plan of a shift that is over is drawn no more.
  expect(screen.queryByRole('table', { name: 'Expected plays' })).toBeNull()
})

test('it says what is missing: plays of a side, an hour without the screen, artwork that is not approved', async () => {
  const change = (hour: number, plays: number) => (each: PlaysOfShift['hours'][number]) =>
    each.hour === EIGHT + hour * HOUR && each.artwork.name === 'Breakfast' && each.side !== 'rear'
      ? { ...each, plays }
      : each
  const dark = EIGHT + HOUR
  played = {
    ...played,
    hours: [
      ...played.hours
        .filter(({ hour }) => hour !== EIGHT + 3 * HOUR)
        .map(change(0, 237))
        .map(change(1, 192)),
      {
        hour: EIGHT + 2 * HOUR,
        artwork: { uid: testUid(12), name: 'Old winter' },
        side: 'rear',
        isForAddress: false,
        plays: 4,
      },
    ],
    runs: [
      { from: EIGHT, to: dark },
      { from: dark + 12 * MINUTE, to: EIGHT + 3 * HOUR },
    ],
    rotationChangedAt: '2026-07-08T20:12:00.000Z',
  }
  saved = {
    ...saved,
    lines: saved.lines.map((line) =>
      line.artworkSet.name === 'Dinner' ? { ...line, artworkSet: { ...line.artworkSet, isApproved: false } } : line,
    ),
  }
  await openDetails()
  expect(await rows()).toEqual([
    ['Hour', 'Breakfast', 'Dinner', 'Other artwork', 'All sides'],
    ['8:00–9:00 AM', '237–240 of 2403 fewerDriver side 237Passenger side 237Rear 240', EM_DASH, '0', '714'],
    [
      '9:00–10:00 AMScreen ran 9:12–10:00 AM',
      '192–240 of 240Driver side 192Passenger side 192Rear 240',
      EM_DASH,
      '0',
      '624',
    ],
    ['10:00–11:00 AM', '60 of 60', '180 of 180not approved', '4', '724'],
    ['11:00 AM–12:00 PMNo plays', '0 of 60', '0 of 180not approved', '0', '0'],
    ['Total', '489–540 of 600Driver side 489Passenger side 489Rear 540', '180 of 360not approved', '4', '2,062'],
  ])
  expect(
    screen.getByText(
      'The rotation was changed after this shift began, last on Wed, Jul 8, 3:12 PM CDT. The plan beside the plays is the present one.',
    ),
  ).toBeInTheDocument()
  expect(
    screen.getByText('Dinner is not approved: the house artwork takes these turns, and no other line gains.'),
  ).toBeInTheDocument()
  expect(screen.getByText('Also played, and not in the rotation: Old winter.')).toBeInTheDocument()
})

test('of a shift that is out, hours to come have the plan alone', async () => {
  const countedAt = EIGHT + 90 * MINUTE
  shown = { ...shift, status: 'out' }
  played = { ...asPlanned(countedAt), countedAt: new Date(countedAt).toISOString(), isRunning: true }
  await openDetails()
  expect(await rows()).toEqual([
    ['Hour', 'Breakfast', 'Dinner', 'All sides'],
    ['8:00–9:00 AM', '240 of 240', EM_DASH, '720'],
    ['9:00–10:00 AMNot over yet', '120 of 240', EM_DASH, '360'],
    ['10:00–11:00 AMPlanned', '60 expected', '180 expected', ''],
    ['11:00 AM–12:00 PMPlanned', '60 expected', '180 expected', ''],
    ['Hours that are over', '240 of 240', EM_DASH, '720'],
  ])
  // The plays of the present hour are in the ad log of the shift too.
  expect(within(await table()).getAllByRole('link')).toHaveLength(2)
})

test('lines of one set differ by their hours, or are added where they share one', async () => {
  const breakfast = { uid: testUid(10), name: 'Breakfast', isApproved: true }
  saved = {
    ...saved,
    lines: [
      aLine(10, 'Breakfast', { from: '08:00', to: '10:00' }),
      aLine(13, 'Breakfast', { artworkSet: breakfast, from: '10:00', to: '12:00' }),
    ],
  }
  played = asPlanned()
  await openDetails()
  expect((await rows())[0]).toEqual(['Hour', 'Breakfast, 8:00–10:00 AM', 'Breakfast, 10:00 AM–12:00 PM', 'All sides'])
  cleanup()
  saved = { ...saved, lines: [aLine(10, 'Breakfast'), aLine(13, 'Breakfast', { artworkSet: breakfast })] }
  await openDetails()
  expect((await rows())[0]).toEqual(['Hour', 'Breakfast (2 lines)', 'All sides'])
  expect(await screen.findByText(/show the same artwork in the same hour/)).toBeInTheDocument()
})

test('a side that played nothing is named, and the others are compared', async () => {
  played = { ...played, hours: played.hours.filter(({ side }) => side !== 'rear') }
  await openDetails()
  expect(await screen.findByText('Sides without plays: Rear.')).toBeInTheDocument()
  expect((await rows()).at(-1)).toEqual(['Total', '600 of 600', '360 of 360', '1,920'])
})

test('old plays are no longer there, and readers without the ad log get no links', async () => {
  await openDetails(['schedule', 'clients'])
  expect(within(await table()).queryByRole('link')).toBeNull()
  cleanup()
  played = { ...played, playLog: 'old', hours: [], runs: [] }
  await openDetails()
  expect(await screen.findByText('Single plays of this day are no longer kept.')).toBeInTheDocument()
  expect(screen.queryByRole('table', { name: 'Expected and delivered plays' })).toBeNull()
})

test('a shift with a set of its own has no plan beside its plays', async () => {
  shown = { ...shift, artworkSet: { uid: testUid(10), name: 'Breakfast' } }
  openConsole(ADDRESS, { api, user: someUser('admin', ['schedule', 'clients']) })
  await screen.findByRole('row', { name: /^Plays/ })
  expect(api.sentTo(shiftPlays.byHour)).toEqual([])
})
