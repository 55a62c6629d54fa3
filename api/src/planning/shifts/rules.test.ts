import type { ProgramStatus, ShiftStatus } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { BookingIndex } from './bookings.ts'
import {
  checkPayLock,
  checkShift,
  clashProblems,
  describeInactiveProgram,
  programMarketKey,
  type ShiftCandidate,
  type ShiftFacts,
  type ShiftProblems,
} from './rules.ts'

const hours = (from: string, to: string) => ({ startsAt: Date.parse(from), endsAt: Date.parse(to) })

const facts: ShiftFacts = {
  trucks: new Map([
    ['truck', { number: 'T-1', state: 'active' }],
    ['shop', { number: 'T-2', state: 'inShop' }],
    ['endless', { number: 'T-3', state: 'inShop' }],
    ['retired', { number: 'T-4', state: 'retired' }],
  ]),
  drivers: new Map([
    ['driver', { name: 'Dana', role: 'driver' }],
    ['off', { name: 'Lou', role: 'driver' }],
    ['sales', { name: 'Sam', role: 'sales' }],
  ]),
  programs: new Map([
    ['summer', { name: 'Summer', status: 'active', startsOn: '2026-01-01', endsOn: '2026-12-31' }],
    ['winter', { name: 'Winter', status: 'active', startsOn: '2026-01-01', endsOn: '2026-12-31' }],
  ]),
  markets: new Map([
    ['dallas', { name: 'Dallas', zone: 'America/Chicago', earlierZones: [] }],
    ['austin', { name: 'Austin', zone: 'America/Chicago', earlierZones: [] }],
  ]),
  programMarkets: new Map([
    [programMarketKey('summer', 'dallas'), { startsOn: null, endsOn: null }],
    [programMarketKey('summer', 'austin'), { startsOn: '2026-06-01', endsOn: '2026-06-30' }],
  ]),
  artworkSets: new Map([
    ['art', { programUid: 'summer' }],
    ['winter-art', { programUid: 'winter' }],
  ]),
  addressSets: new Map(),
  outOfService: new Map([
    ['shop', [{ ...hours('2026-07-01T17:00:00Z', '2026-07-03T05:00:00Z'), words: 'from Jul 1, 2026, 12:00 PM' }]],
    ['off', [{ ...hours('2026-07-01T05:00:00Z', '2026-07-03T05:00:00Z'), words: 'Jul 1, 2026 – Jul 2, 2026' }]],
    ['endless', [{ startsAt: Date.parse('2026-07-01T05:00:00Z'), endsAt: Infinity, words: 'from Jul 1, 2026' }]],
  ]),
  lockedPay: [{ from: '2026-02-01', to: '2026-02-14' }],
}

const shift: ShiftCandidate = {
  truckUid: 'truck',
  driverUid: 'driver',
  programUid: 'summer',
  marketUid: 'dallas',
  date: '2026-07-01',
  start: '08:00',
  end: '16:00',
  artworkSetUid: null,
  addressSetUid: null,
}

const LOCKED = "Pay for Feb 1, 2026 – Feb 14, 2026 is locked, so shifts on these days can't be changed."

describe('a shift is checked field by field', () => {
  test.each<[string, Partial<ShiftCandidate>, ShiftProblems]>([
    ['nothing is wrong', {}, {}],
    ['unknown truck', { truckUid: 'none' }, { truckUid: 'Truck not found.' }],
    ['truck in the shop', { truckUid: 'shop' }, { truckUid: 'T-2 is in the shop from Jul 1, 2026, 12:00 PM.' }],
    ['before it goes to the shop', { truckUid: 'shop', end: '12:00' }, {}],
    ['a minute too long', { truckUid: 'shop', end: '12:01' }, { truckUid: expect.stringMatching(/in the shop/) }],
    ['back from the shop, which it is in today', { truckUid: 'shop', date: '2026-07-03' }, {}],
    [
      'in the shop until further notice',
      { truckUid: 'endless', date: '2026-12-01' },
      { truckUid: 'T-3 is in the shop from Jul 1, 2026.' },
    ],
    ['retired truck', { truckUid: 'retired' }, { truckUid: 'T-4 is retired.' }],
    ['driver with a day off', { driverUid: 'off' }, { driverUid: 'Lou is off Jul 1, 2026 – Jul 2, 2026.' }],
    [
      'a night into a day off',
      { driverUid: 'off', date: '2026-06-30', start: '20:00', end: '00:30' },
      { driverUid: expect.stringMatching(/^Lou is off/) },
    ],
    [
      'a night that ends with the day before',
      { driverUid: 'off', date: '2026-06-30', start: '20:00', end: '00:00' },
      {},
    ],
    ['unknown driver', { driverUid: 'none' }, { driverUid: 'Driver not found.' }],
    ['not a driver', { driverUid: 'sales' }, { driverUid: 'Sam is not a driver.' }],
    ['unknown program', { programUid: 'none' }, { programUid: 'Program not found.' }],
    ['unknown market', { marketUid: 'none' }, { marketUid: 'Market not found.' }],
    ['another market', { programUid: 'winter' }, { marketUid: 'Winter does not run in Dallas.' }],
    ['the day before', { date: '2025-12-31' }, { date: 'Summer runs from Jan 1, 2026 to Dec 31, 2026.' }],
    ['the first day', { date: '2026-01-01' }, {}],
    ['the last day', { date: '2026-12-31' }, {}],
    [
      'the market’s dates',
      { marketUid: 'austin' },
      { date: 'Summer runs in Austin from Jun 1, 2026 to Jun 30, 2026.' },
    ],
    ['unknown artwork', { artworkSetUid: 'none' }, { artworkSetUid: 'Artwork set not found.' }],
    [
      'foreign artwork',
      { artworkSetUid: 'winter-art' },
      { artworkSetUid: 'This artwork set belongs to another program.' },
    ],
    ['own artwork', { artworkSetUid: 'art' }, {}],
    ['unknown addresses', { addressSetUid: 'none' }, { addressSetUid: 'SD address set not found.' }],
    [
      'a skipped hour',
      { date: '2026-03-08', start: '02:30' },
      { start: 'Clocks in America/Chicago skip 2:30 AM on that day.' },
    ],
    ['locked pay', { date: '2026-02-14' }, { date: LOCKED }],
  ])('%s', (_, changed, problems) => {
    expect(checkShift({ ...shift, ...changed }, facts)).toEqual(problems)
  })

  test('an unchanged field is not checked again', () => {
    const saved = { ...shift, truckUid: 'gone' }
    expect(checkShift({ ...saved, start: '09:00' }, facts, saved)).toEqual({})
    expect(checkShift({ ...saved, truckUid: 'none' }, facts, saved)).toEqual({ truckUid: 'Truck not found.' })
  })

  test('only a planned shift needs its truck in service', () => {
    const saved = { ...shift, truckUid: 'shop', end: '12:00' }
    const check = (status: ShiftStatus) => checkShift({ ...saved, end: '16:00' }, facts, { ...saved, status })
    expect(check('planned')).toEqual({ truckUid: expect.stringMatching(/in the shop/) })
    for (const status of ['out', 'completed', 'cancelled', 'noShow'] as const) expect(check(status)).toEqual({})
  })
})

describe('locked pay', () => {
  const locked = { ...shift, date: '2026-02-03' }
  test.each<[string, ShiftCandidate, ShiftCandidate | undefined, string | undefined]>([
    ['refuses a new shift', locked, undefined, LOCKED],
    ['refuses to move a shift in', locked, shift, LOCKED],
    ['refuses to move a shift out', shift, locked, LOCKED],
    ['refuses other hours', { ...locked, end: '17:00' }, locked, LOCKED],
    ['allows another artwork', { ...locked, artworkSetUid: 'art' }, locked, undefined],
    ['ignores other days', shift, undefined, undefined],
  ])('%s', (_, candidate, saved, problem) => expect(checkPayLock(candidate, facts, saved)).toBe(problem))
})

describe('the status of its program', () => {
  const of = (status: ProgramStatus) => ({
    ...facts,
    programs: new Map([['p', { name: 'Summer', status, startsOn: '2026-01-01', endsOn: '2026-12-31' }]]),
  })
  test.each<[ProgramStatus, string | undefined, string | undefined]>([
    ['active', undefined, undefined],
    ['draft', undefined, 'Summer is a draft.'],
    ['paused', undefined, 'Summer is paused.'],
    ['completed', 'Summer is completed. Make the program active to plan shifts for it.', undefined],
  ])('%s', (status, refusal, question) => {
    const planned = { ...shift, programUid: 'p' }
    expect(checkShift(planned, of(status)).programUid).toBe(refusal)
    expect(describeInactiveProgram(planned, of(status))).toBe(question)
  })

  test('does not matter where a shift keeps its program, market and day', () => {
    const planned = { ...shift, programUid: 'p' }
    expect(checkShift({ ...planned, start: '09:00' }, of('completed'), planned).programUid).toBeUndefined()
    expect(describeInactiveProgram({ ...planned, end: '17:00' }, of('paused'), planned)).toBeUndefined()
    expect(describeInactiveProgram({ ...planned, date: '2026-03-03' }, of('paused'), planned)).toBe('Summer is paused.')
  })
})

describe('bookings', () => {
  const booked = { uid: 'a', truckUid: 't1', driverUid: 'd1', startsAt: 10, endsAt: 20, name: 'Shift A' }
  const index = new BookingIndex([booked])
  test.each<[string, Partial<typeof booked>, string[]]>([
    ['overlap by truck and driver', {}, ['truck', 'driver']],
    ['overlap by truck', { driverUid: 'd2' }, ['truck']],
    ['overlap by driver', { truckUid: 't2' }, ['driver']],
    ['touch at the end', { startsAt: 20, endsAt: 30 }, []],
    ['touch at the start', { startsAt: 0, endsAt: 10 }, []],
    ['lie inside', { startsAt: 12, endsAt: 13 }, ['truck', 'driver']],
    ['are of the same shift', { uid: 'a' }, []],
  ])('that %s', (_, changed, over) => {
    expect(index.clashesWith({ ...booked, uid: 'b', ...changed }).map((clash) => clash.over)).toEqual(over)
  })

  test('in the way are named by the field to change', () => {
    expect(clashProblems(index.clashesWith({ ...booked, uid: 'b' }))).toEqual({
      truckUid: 'The truck has another shift at that time: Shift A.',
      driverUid: 'The driver has another shift at that time: Shift A.',
    })
    expect(clashProblems([])).toEqual({})
  })
})
