import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellRefusal, daysAround, freeCells } from './board-cells.ts'
import type { BoardShift, ShiftBoard } from './shift-schemas.ts'
import { addDays, shiftRange } from './shift-time.ts'

const CHICAGO = 'America/Chicago'
const LOS_ANGELES = 'America/Los_Angeles'
const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18']
const iso = (at: number | undefined) => new Date(at ?? 0).toISOString()

const shiftOf = (hours: { date: string; start: string; end: string }, zone: string, more: Partial<BoardShift> = {}) => {
  const { startsAt, endsAt } = shiftRange({ ...hours, zone })
  return { ...hours, startsAt: iso(startsAt), endsAt: iso(endsAt), ...more } as BoardShift
}

const boardOf = (shifts: BoardShift[], more: Partial<ShiftBoard> = {}): ShiftBoard => ({
  trucks: [{ uid: 'truck', number: 'T-1', state: 'active', homeMarketUid: 'west', isDeleted: false, isMatch: true }],
  drivers: [],
  programs: [],
  markets: [
    { uid: 'middle', name: 'Dallas', zone: CHICAGO, earlierZones: [] },
    { uid: 'west', name: 'Los Angeles', zone: LOS_ANGELES, earlierZones: [] },
  ],
  shifts: shifts.map((shift) => ({ ...shift, truckUid: 'truck' })),
  shopTimes: [],
  timesOff: [],
  lockedPay: [],
  ...more,
})

describe('days around a shift', () => {
  test('are those of a night, and those of another zone', () => {
    const around = (start: string, end: string, home: string | undefined) =>
      daysAround(shiftOf({ date: '2026-11-17', start, end }, CHICAGO), { own: CHICAGO, home })
    expect(around('08:00', '16:00', CHICAGO)).toEqual([])
    expect(around('20:00', '04:00', CHICAGO)).toEqual(['2026-11-18'])
    expect(around('16:00', '00:00', CHICAGO)).toEqual([])
    // At 1 AM in Dallas it is 11 PM of the day before in Los Angeles.
    expect(around('01:00', '06:00', LOS_ANGELES)).toEqual(['2026-11-16'])
    expect(around('08:00', '16:00', undefined)).toEqual([])
  })
})

describe('a cell', () => {
  test('refuses shifts of trucks that are away and on days with locked pay', () => {
    const truck = { state: 'active' as const, isDeleted: false }
    const locked = [{ from: '2026-11-16', to: '2026-11-17' }]
    const refused = { lockedPay: locked, shopTimes: [] }
    expect(cellRefusal(truck, '2026-11-18', refused)).toBeUndefined()
    expect(cellRefusal(truck, '2026-11-17', refused)).toBe('payLocked')
    expect(cellRefusal({ ...truck, state: 'retired' }, '2026-11-18', refused)).toBe('retired')
    expect(cellRefusal({ ...truck, isDeleted: true }, '2026-11-18', refused)).toBe('deleted')
  })

  test('of a truck in the shop refuses whole days, and looks free only on days without any of it', () => {
    const shopTime = (startsAt: string, endsAt: string | null) =>
      ({ uid: 'stay', truckUid: 'truck', zone: CHICAGO, reason: '', startsAt, endsAt }) as const
    // From Monday at noon to the end of Tuesday.
    const stay = shopTime('2026-11-16T18:00:00Z', '2026-11-18T06:00:00Z')
    const refusals = (shopTimes: (typeof stay)[]) =>
      DAYS.map((day) => cellRefusal({ state: 'inShop', isDeleted: false }, day, { lockedPay: [], shopTimes }))
    expect(refusals([stay])).toEqual([undefined, 'inShop', undefined])
    expect(refusals([shopTime('2026-11-17T06:00:00Z', null)])).toEqual([undefined, 'inShop', 'inShop'])
    expect(freeCells(boardOf([], { shopTimes: [stay] }), DAYS)).toEqual([{ truckUid: 'truck', day: '2026-11-18' }])
  })

  test('that looks free overlaps no shift, in the zone of the shift and of the home of the truck', () => {
    const clock = (quarter: number) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
    const shifts = fc.array(
      fc.record({
        day: fc.integer({ min: -1, max: 3 }),
        start: fc.nat(95),
        length: fc.integer({ min: 1, max: 95 }),
        isWest: fc.boolean(),
        isMatch: fc.boolean(),
      }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(shifts, (some) => {
        const made = some.map(({ day, start, length, isWest, isMatch }) => {
          const hours = { date: addDays('2026-11-16', day), start: clock(start), end: clock((start + length) % 96) }
          const zone = isWest ? LOS_ANGELES : CHICAGO
          return shiftOf(hours, zone, { status: 'planned', isMatch, marketUid: isWest ? 'west' : 'middle' })
        })
        for (const { day } of freeCells(boardOf(made), DAYS)) {
          const whole = shiftRange({ date: day, start: '00:00', end: '00:00', zone: LOS_ANGELES })
          const [from = 0, to = 0] = [whole.startsAt, whole.endsAt]
          const inTheWay = made.filter(({ startsAt, endsAt }) => Date.parse(startsAt) < to && Date.parse(endsAt) > from)
          expect(inTheWay).toEqual([])
        }
      }),
    )
  })
})
