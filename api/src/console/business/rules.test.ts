import type { BookedLine } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { type Course, centsBy, segmentsOf, stateAfter, valueBetween } from './rules.ts'

const line: BookedLine = {
  uid: '0198c5f0-0000-7000-8000-000000000001',
  market: { uid: '0198c5f0-0000-7000-8000-000000000002', name: 'Dallas', zone: 'America/Chicago' },
  unit: 'hours',
  amount: 100,
  startsOn: '2026-10-26',
  endsOn: '2026-11-14',
  priceCents: 2000_00,
}
const course = (amounts: [to: string, amount: number][], more: Partial<BookedLine> = {}): Course => ({
  line: { ...line, ...more },
  delivered: amounts.map(([to, amount]) => ({ to, amount, shiftsWithoutData: 0 })),
})

describe('the parts of a line', () => {
  test('end at the cuts and do not overlap', () => {
    const cuts = ['2026-10-18', '2026-10-31', '2026-11-01', '2026-11-22', '2026-11-30']
    expect(segmentsOf(line, cuts).map(({ from, to }) => [from, to])).toEqual([
      ['2026-10-26', '2026-10-31'],
      ['2026-11-01', '2026-11-01'],
      ['2026-11-02', '2026-11-14'],
    ])
    expect(segmentsOf(line, ['2026-10-18'])).toEqual([])
  })
})

describe('the value', () => {
  const delivered = course([
    ['2026-10-31', 40],
    ['2026-11-01', 10],
    ['2026-11-14', 70],
  ])

  test.each([
    ['2026-10-25', 0],
    ['2026-10-31', 800_00],
    ['2026-11-01', 1000_00],
    ['2026-11-30', 2000_00],
  ])('delivered by %s is at most the price', (day, cents) => {
    expect(centsBy(delivered, day)).toBe(cents)
  })

  test.each([
    ['2026-10-01', '2026-10-31', 600_00, 800_00],
    ['2026-11-01', '2026-11-30', 1400_00, 1200_00],
    ['2026-10-01', '2026-11-30', 2000_00, 2000_00],
  ])('of %s to %s adds up to the line', (from, to, bookedCents, deliveredCents) => {
    expect(valueBetween([delivered], from, to)).toEqual({ bookedCents, deliveredCents })
  })

  test('is unknown without a price and on other days', () => {
    const none = { bookedCents: null, deliveredCents: null }
    expect(valueBetween([course([], { priceCents: null })], '2026-11-01', '2026-11-30')).toEqual(none)
    expect(valueBetween([delivered], '2026-12-01', '2026-12-31')).toEqual(none)
  })
})

describe('the state after a Sunday', () => {
  test.each([
    [[], '2026-11-01', 'behind'],
    [[['2026-11-01', 35]], '2026-11-01', 'on'],
    [[['2026-11-01', 60]], '2026-11-01', 'ahead'],
    [
      [
        ['2026-11-01', 35],
        ['2026-11-08', 5],
      ],
      '2026-11-08',
      'behind',
    ],
    [[['2026-11-14', 100]], '2026-11-22', 'done'],
    [[], '2026-10-25', 'early'],
  ] as [[string, number][], string, string][])('%j after %s: %s', (amounts, sunday, state) => {
    expect(stateAfter([course(amounts)], sunday, 0.1)).toBe(state)
  })

  test('without data is unknown, and without lines there is none', () => {
    const unknown: Course = { line, delivered: [{ to: '2026-11-01', amount: 0, shiftsWithoutData: 2 }] }
    expect(stateAfter([unknown], '2026-11-01', 0.1)).toBe('early')
    expect(stateAfter([], '2026-11-01', 0.1)).toBe('none')
  })
})
