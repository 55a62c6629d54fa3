import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BookedLine } from '../catalog/booked-lines.ts'
import { addDays, instantAt } from '../planning/shift-time.ts'
import { centsInMonth, deliveryOf, lastDayOver, paceOfLines, valueOfLines } from './delivery-rule.ts'
import { amountWords, deliveredWords, forecastWords, missingDataWords, paceWords } from './delivery-words.ts'

const zone = 'America/Chicago'
const line: BookedLine = {
  uid: '0198c5f0-0000-7000-8000-000000000001',
  market: { uid: '0198c5f0-0000-7000-8000-000000000002', name: 'Dallas', zone },
  unit: 'truckDays',
  amount: 100,
  startsOn: '2026-08-01',
  endsOn: '2026-08-20',
  priceCents: null,
}

const at = (date: string, clock: string, timeZone = zone) => instantAt(date, clock, timeZone) ?? Number.NaN
const facts = (delivered: number, more = {}) => ({ delivered, deliveredSince: 0, shiftsWithoutData: 0, ...more })
const on = (date: string, delivered: number, share?: number) =>
  deliveryOf(line, facts(delivered), at(date, '12:00'), share)

describe('the days that count', () => {
  test.each([
    ['2026-08-05', '05:59', '2026-08-03'],
    ['2026-08-05', '06:00', '2026-08-04'],
    ['2026-08-05', '23:59', '2026-08-04'],
  ])('at %s %s the last day that is over is %s', (date, clock, last) => {
    expect(lastDayOver(zone, at(date, clock))).toBe(last)
  })

  test('each market has its own days', () => {
    const now = at('2026-08-05', '07:00')
    expect(lastDayOver('America/New_York', now)).toBe('2026-08-04')
    expect(lastDayOver('America/Los_Angeles', now)).toBe('2026-08-03')
  })

  test('days on which clocks change are one day each', () => {
    const around = { ...line, startsOn: '2026-10-30', endsOn: '2026-11-03', amount: 50 }
    const expected = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'].map(
      (date) => deliveryOf(around, facts(0), at(date, '12:00')).expected,
    )
    expect(expected).toEqual([10, 20, 30, 40])
  })
})

describe('pace', () => {
  test.each([
    ['before the first day', '2026-07-20', 0, { state: 'early', pace: null, forecast: null, through: null }],
    ['on the first day', '2026-08-01', 0, { state: 'early', pace: null, expected: 0, through: null }],
    ['at the rate of the plan', '2026-08-11', 50, { state: 'on', pace: 1, expected: 50, forecast: 100 }],
    ['a tenth behind', '2026-08-11', 45, { state: 'on', pace: 0.9, forecast: 90 }],
    ['more than a tenth behind', '2026-08-11', 44, { state: 'behind', pace: 0.88, forecast: 88 }],
    ['a tenth ahead', '2026-08-11', 55, { state: 'on', pace: 1.1 }],
    ['more than a tenth ahead', '2026-08-11', 56, { state: 'ahead', pace: 1.12, forecast: 112 }],
    ['nothing delivered', '2026-08-11', 0, { state: 'behind', pace: 0, forecast: 0 }],
    ['on the last day', '2026-08-20', 95, { state: 'on', expected: 95, through: '2026-08-19' }],
    ['delivered in full', '2026-08-21', 100, { state: 'done', pace: 1, forecast: 100, through: '2026-08-20' }],
    ['ended short', '2027-01-01', 99.9, { state: 'missed', expected: 100, forecast: 99.9 }],
  ])('%s', (_, date, delivered, found) => {
    expect(on(date, delivered)).toMatchObject(found)
  })

  test('the share decides', () => {
    expect(on('2026-08-11', 44, 0.2).state).toBe('on')
    expect(on('2026-08-11', 49, 0).state).toBe('behind')
    expect(on('2026-08-11', 50, 0).state).toBe('on')
  })

  test('nothing is said while less than one is expected', () => {
    const small = { ...line, amount: 3 }
    expect(deliveryOf(small, facts(0), at('2026-08-06', '12:00'))).toMatchObject({ state: 'early', pace: null })
    expect(deliveryOf(small, facts(0), at('2026-08-08', '12:00'))).toMatchObject({ state: 'behind', pace: 0 })
  })

  test('no data is not zero', () => {
    const miles = { ...line, unit: 'miles' as const }
    const unknown = deliveryOf(miles, facts(0, { shiftsWithoutData: 2 }), at('2026-08-11', '12:00'))
    expect(unknown).toMatchObject({ state: 'early', pace: null, forecast: null })
    expect(forecastWords(unknown)).toBe('No data of its shifts yet.')
    expect(missingDataWords(unknown)).toBe('2 shifts without GPS data')
  })

  test('what the running day adds changes neither pace nor forecast', () => {
    const now = at('2026-08-11', '12:00')
    const { deliveredSince, ...morning } = deliveryOf(line, facts(44), now)
    expect(deliveredSince).toBe(0)
    expect(deliveryOf(line, facts(44, { deliveredSince: 5 }), now)).toEqual({ ...morning, deliveredSince: 5 })
  })

  test('for any line and time: pace is delivered by expected, and what is expected never shrinks', () => {
    fc.assert(
      fc.property(
        fc.record({
          amount: fc.integer({ min: 1, max: 1_000_000 }),
          start: fc.integer({ min: 0, max: 800 }),
          length: fc.integer({ min: 0, max: 400 }),
          delivered: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
          hour: fc.integer({ min: 0, max: 1200 * 24 }),
          zone: fc.constantFrom('America/New_York', 'America/Phoenix', 'Pacific/Honolulu', 'Australia/Lord_Howe'),
        }),
        ({ amount, start, length, delivered, hour, zone }) => {
          const startsOn = addDays('2026-01-01', start)
          const any = { ...line, amount, startsOn, endsOn: addDays(startsOn, length), market: { ...line.market, zone } }
          const now = Date.parse('2025-12-20T00:00:00Z') + hour * 3_600_000
          const found = deliveryOf(any, facts(delivered), now)
          const later = deliveryOf(any, facts(delivered), now + 3_600_000)
          expect(later.expected).toBeGreaterThanOrEqual(found.expected)
          expect(found.expected).toBeLessThanOrEqual(amount)
          expect([null, delivered / found.expected]).toContain(found.pace)
          expect(found.state === 'done' || found.state === 'missed').toBe(found.expected === amount)
          expect(found.forecast === null).toBe(found.state === 'early')
        },
      ),
    )
  })
})

describe('a program', () => {
  const [behind, further, ahead, early, done, missed] = [
    on('2026-08-11', 44),
    on('2026-08-11', 20),
    on('2026-08-11', 90),
    on('2026-08-01', 0),
    on('2026-08-21', 100),
    on('2026-08-21', 10),
  ]

  test.each([
    ['without lines', [], { pace: null, state: 'none' }],
    ['the line furthest behind', [ahead, behind, further, early, missed], { pace: 0.4, state: 'behind' }],
    ['a running line before one that is over', [missed, ahead], { pace: 1.8, state: 'ahead' }],
    ['a line to come before one that is over', [done, early], { pace: null, state: 'early' }],
    ['a missed line before a delivered one', [done, missed], { pace: 0.1, state: 'missed' }],
    ['all delivered', [done], { pace: 1, state: 'done' }],
  ])('%s', (_, lines, found) => {
    expect(paceOfLines(lines)).toEqual(found)
  })
})

describe('the value of lines', () => {
  const priced = (priceCents: number | null, delivered: number, deliveredSince = 0) => ({
    line: { ...line, amount: 100, priceCents },
    delivered,
    deliveredSince,
  })
  test.each([
    ['nothing without prices', [priced(null, 50)], null, null],
    ['in proportion to the amount', [priced(100_00, 33), priced(null, 50)], 100_00, 33_00],
    ['with what is delivered since', [priced(100_00, 33, 2)], 100_00, 35_00],
    ['never more than the price', [priced(100_00, 250), priced(50_00, 0)], 150_00, 100_00],
  ])('%s', (_, lines, bookedCents, deliveredCents) => {
    expect(valueOfLines(lines)).toEqual({ bookedCents, deliveredCents })
  })

  test.each([
    ['2026-07', null],
    ['2026-08', 100_00],
    ['2026-09', 100_00],
    ['2026-10', null],
  ])('by the days in %s', (month, cents) => {
    expect(centsInMonth({ startsOn: '2026-08-22', endsOn: '2026-09-10', priceCents: 200_00 }, month)).toBe(cents)
  })
})

describe('words', () => {
  test.each([
    [on('2026-08-11', 44), 'At this rate 88 of 100 truck-days by Aug 20, 2026.'],
    [on('2026-08-21', 99), 'Ended with 99 of 100 truck-days.'],
    [on('2026-07-01', 0), 'Counts from Aug 1, 2026, once that day is over.'],
    [deliveryOf({ ...line, amount: 2 }, facts(0), at('2026-08-05', '12:00')), 'Too little is expected so far to tell.'],
  ])('%#', (found, words) => {
    expect(forecastWords(found)).toBe(words)
  })

  test('amounts and paces', () => {
    expect(amountWords(1, 'truckDays')).toBe('1 truck-day')
    expect(amountWords(1234.56, 'miles')).toBe('1,235 miles')
    expect(deliveredWords(on('2026-08-11', 44))).toBe('44 of 100 truck-days through Aug 10, 2026')
    expect([null, 0, 0.88, 0.999, 1, 1.1].map(paceWords)).toEqual(['–', '0%', '88%', '99%', '100%', '110%'])
  })
})
