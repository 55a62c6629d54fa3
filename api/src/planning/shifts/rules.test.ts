import type { ShiftStatus } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { BookingIndex } from './bookings.ts'
import {
  checkDriverReport,
  checkMove,
  checkPayLock,
  checkRemoval,
  checkShift,
  clashProblems,
  programMarketKey,
  progressAfterReport,
  type ShiftCandidate,
  type ShiftFacts,
  type ShiftProblems,
  timesAfterMove,
} from './rules.ts'

const facts: ShiftFacts = {
  trucks: new Map([
    ['truck', { number: 'T-1', state: 'active' }],
    ['shop', { number: 'T-2', state: 'inShop' }],
  ]),
  drivers: new Map([
    ['driver', { name: 'Dana', role: 'driver' }],
    ['sales', { name: 'Sam', role: 'sales' }],
  ]),
  programs: new Map([
    ['summer', { name: 'Summer', startsOn: '2026-01-01', endsOn: '2026-12-31' }],
    ['winter', { name: 'Winter', startsOn: '2026-01-01', endsOn: '2026-12-31' }],
  ]),
  markets: new Map([
    ['dallas', { name: 'Dallas', zone: 'America/Chicago' }],
    ['austin', { name: 'Austin', zone: 'America/Chicago' }],
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
    ['truck in the shop', { truckUid: 'shop' }, { truckUid: 'T-2 is not active: in shop.' }],
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

describe('the status of a shift', () => {
  test.each<[ShiftStatus, ShiftStatus, 'all' | 'own', string | undefined]>([
    ['planned', 'out', 'all', undefined],
    ['planned', 'out', 'own', undefined],
    ['planned', 'noShow', 'all', undefined],
    ['out', 'planned', 'all', undefined],
    ['out', 'planned', 'own', "This change isn't possible for a shift that is out. It can only become completed."],
    [
      'completed',
      'planned',
      'all',
      "This change isn't possible for a shift that is completed. It can only become out.",
    ],
    ['completed', 'out', 'own', "This change isn't possible for a shift that is completed."],
  ])('from %s to %s, reaching %s rows', (from, to, rows, refusal) => {
    expect(checkMove(from, to, rows)).toBe(refusal)
  })

  test.each<[ShiftStatus, boolean]>([
    ['planned', true],
    ['cancelled', true],
    ['noShow', true],
    ['out', false],
    ['completed', false],
  ])('a shift that is %s can be deleted: %s', (status, can) => {
    expect(checkRemoval(status) === undefined).toBe(can)
  })

  test.each<[string, ShiftStatus, [string | null, string | null], [string | null, string | null]]>([
    ['starts now', 'out', [null, null], ['now', null]],
    ['keeps its start and loses its end when it goes out again', 'out', ['then', 'later'], ['then', null]],
    ['ends now', 'completed', ['then', null], ['then', 'now']],
    ['keeps its end', 'completed', ['then', 'later'], ['then', 'later']],
    ['has no times when it was never started', 'completed', [null, null], [null, null]],
    ['has no times when it is planned again', 'planned', ['then', 'later'], [null, null]],
  ])('a shift %s', (_, status, [startedAt, stoppedAt], [start, stop]) => {
    expect(timesAfterMove({ startedAt, stoppedAt }, status, 'now')).toEqual({ startedAt: start, stoppedAt: stop })
  })
})

describe('reports of a driver', () => {
  const at = 1_000_000
  const day = 86_400_000
  test.each<[string, ShiftStatus, number, string | undefined]>([
    ['during the shift', 'planned', at, undefined],
    ['a day early', 'planned', at - day, undefined],
    ['more than a day early', 'planned', at - day - 1, 'This time is more than a day away from the shift.'],
    ['more than a day late', 'out', at + day + 11, 'This time is more than a day away from the shift.'],
    ['of a no-show', 'noShow', at, 'The shift is marked no-show.'],
  ])('%s', (_, status, reportedAt, refusal) => {
    expect(checkDriverReport({ status, startsAt: at, endsAt: at + 10 }, reportedAt)).toBe(refusal)
  })

  type Progress = [ShiftStatus, number | null, number | null]
  test.each<[string, Progress, 'start' | 'stop', number, number | null, Progress]>([
    ['the first start', ['planned', null, null], 'start', 5, null, ['out', 5, null]],
    ['an earlier start', ['out', 5, null], 'start', 3, null, ['out', 3, null]],
    ['a later start', ['out', 5, null], 'start', 7, null, ['out', 5, null]],
    ['a start after the end continues', ['completed', 5, 9], 'start', 12, null, ['out', 5, null]],
    ['a late start before the end', ['completed', 5, 9], 'start', 7, null, ['completed', 5, 9]],
    ['the stop', ['out', 5, null], 'stop', 9, 5, ['completed', 5, 9]],
    ['a later stop', ['completed', 5, 9], 'stop', 11, 5, ['completed', 5, 11]],
    ['a stop before a later start', ['out', 5, null], 'stop', 9, 12, ['out', 5, null]],
    ['a stop without a start', ['planned', null, null], 'stop', 9, null, ['completed', null, 9]],
  ])('%s', (_, [status, startedAt, stoppedAt], kind, reportedAt, lastStart, [after, start, stop]) => {
    const progress = progressAfterReport({ status, startedAt, stoppedAt }, { kind, at: reportedAt }, lastStart)
    expect(progress).toEqual({ status: after, startedAt: start, stoppedAt: stop })
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
