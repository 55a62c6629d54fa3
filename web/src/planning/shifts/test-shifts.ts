import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import { programs } from '@roadshow/contract/catalog/programs'
import { shiftRange } from '@roadshow/contract/planning/shift-time'
import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import type { ShiftPlanChange, ShiftPlanChangeResult } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import { shiftSuggestions } from '@roadshow/contract/planning/suggestions'
import type { ShiftSuggestions } from '@roadshow/contract/planning/suggestions'
import type { ShiftBoard, BoardShift, Shift } from '@roadshow/contract/planning/shifts'
import { paged } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const zone = 'America/Chicago'
const iso = (at: number | undefined) => new Date(at ?? 0).toISOString()

/** A shift of truck, driver and program 1 from 08:00 to 16:00 on Wednesday, unless said otherwise. */
export function aBoardShift(n: number, more: Partial<BoardShift> = {}): BoardShift {
  const hours = { date: '2026-07-08', start: '08:00', end: '16:00', ...more }
  const { startsAt, endsAt } = shiftRange({ ...hours, zone })
  return {
    uid: testUid(n),
    version: 1,
    truckUid: testUid(101),
    driverUid: testUid(201),
    programUid: testUid(301),
    marketUid: testUid(401),
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    bookedUntil: iso(endsAt),
    status: 'planned',
    shortRestHours: null,
    isMatch: true,
    driverAnswer: null,
    declineReason: '',
    requestedTruck: null,
    driverMarks: [],
    ...hours,
  }
}

export const aBoard = (of: BoardShift[]): ShiftBoard => ({
  trucks: [1, 2, 3].map((n) => ({
    uid: testUid(100 + n),
    number: `T-${n}`,
    state: n === 3 ? 'inShop' : 'active',
    homeMarketUid: n === 1 ? testUid(401) : null,
    isDeleted: false,
    isMatch: true,
  })),
  drivers: [
    { uid: testUid(201), name: 'Dana Reyes' },
    { uid: testUid(202), name: 'Lee Fox' },
  ],
  programs: [
    {
      uid: testUid(301),
      name: 'Summer',
      client: 'Acme',
      status: 'active',
      startsOn: '2026-07-01',
      endsOn: '2026-07-10',
    },
    {
      uid: testUid(302),
      name: 'Winter',
      client: 'Acme',
      status: 'active',
      startsOn: '2026-07-01',
      endsOn: '2026-07-31',
    },
  ],
  markets: [{ uid: testUid(401), name: 'Dallas', zone, earlierZones: [] }],
  shifts: of,
  shopTimes: [
    {
      uid: testUid(800),
      truckUid: testUid(103),
      startsAt: '2026-07-01T05:00:00Z',
      endsAt: null,
      zone,
      reason: 'Brakes',
    },
  ],
  timesOff: [
    {
      uid: testUid(801),
      driver: { uid: testUid(299), name: 'Dana Reyes' },
      startsAt: '2026-07-03T05:00:00Z',
      endsAt: '2026-07-05T05:00:00Z',
      zone,
      reason: 'Vacation',
    },
  ],
  lockedPay: [],
})

const names = aBoard([])
const named = (list: { uid: string; name: string }[], uid: string) => ({
  uid,
  name: list.find((each) => each.uid === uid)?.name ?? '?',
})

export const asShift = ({
  truckUid,
  driverUid,
  programUid,
  marketUid,
  isMatch: _isMatch,
  ...rest
}: BoardShift): Shift => ({
  ...rest,
  truck: { uid: truckUid, name: names.trucks.find(({ uid }) => uid === truckUid)?.number ?? '?' },
  driver: driverUid === null ? null : named(names.drivers, driverUid),
  program: named(names.programs, programUid),
  market: named(names.markets, marketUid),
  client: { uid: testUid(501), name: 'Acme' },
  zone,
  artworkSet: null,
  addressSet: null,
  payOption: 'eightHours',
  note: 'Bring the flags.',
  stops: [],
  programStatus: 'active',
  reason: '',
  startedAt: null,
  stoppedAt: null,
  timesReason: '',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
})

/** Everyone is free, and nothing more is known about them. */
export const someSuggestions = (more: Partial<ShiftSuggestions> = {}): ShiftSuggestions => {
  const free = { refusal: null, bookedUntil: null, reasons: [{ kind: 'free' as const }] }
  return {
    market: { uid: testUid(401), name: 'Dallas' },
    zone,
    problems: {},
    artworkSet: null,
    trucks: names.trucks.map(({ uid, number, state }) => ({
      uid,
      name: number,
      state,
      homeMarket: null,
      isSuitable: true,
      ...free,
    })),
    drivers: names.drivers.map((driver) => ({ ...driver, ...free })),
    hasMore: { trucks: false, drivers: false },
    ...more,
  }
}

/** What the server says of a change that is saved. */
export const savedPlanChange = (changed: { uid: string; version: number }[]): ShiftPlanChangeResult => ({
  saved: true,
  accepted: changed.length,
  refused: [],
  inactive: 0,
  lateArrivals: [],
  changed,
  undoUid: testUid(900),
})

/** Moves, cancels and deletes among the known shifts, and brings all of them back. */
function answerPlanChanges(api: FakeApi, known: BoardShift[]): void {
  let before = [...known]
  const replaceAll = (by: BoardShift[]) => known.splice(0, known.length, ...by)
  api.answer(shiftPlanChanges.apply, ({ body }) => {
    const { act, save = true } = body as { act: ShiftPlanChange; save?: boolean }
    const changed = act.shifts.map(({ uid, version }) => ({ uid, version: version + 1 }))
    if (!save) return { data: { ...savedPlanChange(changed), saved: false, changed: [], undoUid: null } }
    before = [...known]
    const wanted = new Map(act.shifts.map((each) => [each.uid, each]))
    const isKept = ({ uid }: BoardShift) => act.kind !== 'delete' || !wanted.has(uid)
    const after = known.filter(isKept).map((each) => {
      const { startsAt: _from, endsAt: _to, ...shift } = each
      const to = wanted.get(each.uid)
      if (!to || act.kind === 'copy') return each
      const status = act.kind === 'cancel' ? ('cancelled' as const) : shift.status
      return aBoardShift(0, { ...shift, ...to, version: shift.version + 1, status })
    })
    replaceAll(after)
    return { data: savedPlanChange(changed) }
  })
  api.answer(shiftPlanChanges.undo, () => {
    replaceAll(before.map((each) => ({ ...each, version: each.version + 2 })))
    return { data: { changed: [] } }
  })
}

/** Answers everything that the schedule asks for, from shifts that changes and `update` change. */
export function answerSchedule(api: FakeApi, known: BoardShift[]): void {
  const find = (uid: string | undefined) => known.find((each) => each.uid === uid) ?? aBoardShift(1)
  api.answer(shifts.board, () => ({ data: aBoard(known) }))
  api.answer(shifts.get, ({ params }) => ({ data: asShift(find(params.uid)) }))
  api.answer(shifts.list, () => paged(known.map(asShift)))
  api.answer(shifts.clashes, () => ({
    data: { problems: {}, clashes: [], shortRestHours: null, lateArrivals: [], inactiveProgram: null },
  }))
  answerPlanChanges(api, known)
  api.answer(shifts.update, ({ body }) => {
    const { uid, version, truckUid, date, start, end } = body as BoardShift
    const { startsAt: _from, endsAt: _to, ...before } = find(uid)
    const moved = aBoardShift(0, { ...before, version: version + 1, truckUid, date, start, end })
    known.splice(
      known.findIndex((each) => each.uid === uid),
      1,
      moved,
    )
    return { data: asShift(moved) }
  })
  api.answer(shifts.trucks, () => paged([{ uid: testUid(101), name: 'T-1', state: 'active' as const }]))
  api.answer(shifts.drivers, () => paged([{ uid: testUid(201), name: 'Dana Reyes' }]))
  api.answer(shiftSuggestions.list, () => ({ data: someSuggestions() }))
  const program = { uid: testUid(301), name: 'Summer', client: { uid: testUid(501), name: 'Acme' } }
  api.respond(programs.list, () => Response.json(paged([program])))
  const market = { uid: testUid(401), name: 'Dallas' }
  api.answer(shifts.programs, () =>
    paged([{ uid: program.uid, name: program.name, client: 'Acme', status: 'active' as const, markets: [market] }]),
  )
  for (const list of [clients.list, markets.list, artworkSets.list, addresses.list])
    api.respond(list, () => Response.json(paged([])))
}
