import { expect, test } from 'vitest'
import { odometerDistance, type ReadingsAround } from './odometer.ts'

const hours = { from: 1000, to: 2000 }
const reading = (at: number, metres: number) => ({ at, metres })
const around = (more: Partial<ReadingsAround>): ReadingsAround => ({
  start: { before: reading(900, 10_000), after: reading(1100, 12_000) },
  end: { before: reading(1900, 60_000), after: reading(2100, 64_000) },
  isSteady: true,
  ...more,
})

test.each<[string, Partial<ReadingsAround>, number | null]>([
  ['on the line between the readings around each edge', {}, 62_000 - 11_000],
  [
    'exactly, where a reading is at the edge',
    { start: { before: reading(1000, 10_500), after: reading(1000, 10_500) } },
    51_500,
  ],
  [
    'of one pair of readings around the whole shift',
    {
      start: { before: reading(500, 0), after: reading(2500, 20_000) },
      end: { before: reading(500, 0), after: reading(2500, 20_000) },
    },
    10_000,
  ],
  ['unknown without a reading before the start', { start: { before: null, after: reading(1100, 12_000) } }, null],
  [
    'unknown without a reading after the end: the shift still runs',
    { end: { before: reading(1900, 60_000), after: null } },
    null,
  ],
  ['unknown without any', { start: { before: null, after: null }, end: { before: null, after: null } }, null],
  ['unknown when the odometer was replaced', { isSteady: false }, null],
  ['unknown when it went backwards', { end: { before: reading(1900, 100), after: reading(2100, 200) } }, null],
])('the distance by odometer is %s', (_, facts, expected) => {
  expect(odometerDistance(around(facts), hours)).toBe(expected)
})
