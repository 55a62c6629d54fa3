import { expect, test } from 'vitest'
import { estimatePlanned, type TypicalShifts } from './planned.ts'

/** Ten shifts of eight hours on eight days of trucks: 100, 200 and 400 impressions an hour. */
const typical: TypicalShifts = {
  shifts: 10,
  seconds: 80 * 3600,
  truckDays: 8,
  low: 8000,
  likely: 16_000,
  high: 32_000,
}
const hours = (amount: number) => ({ unit: 'hours' as const, amount })
const truckDays = (amount: number) => ({ unit: 'truckDays' as const, amount })

test('planned hours are multiplied by what an hour of the market gave', () => {
  expect(estimatePlanned([hours(20), hours(5)], typical)).toEqual({
    hours: 25,
    shifts: 10,
    range: { low: 2500, likely: 5000, high: 10_000 },
    reason: null,
  })
})

test('a day of a truck is as long as those of the market were', () => {
  expect(estimatePlanned([truckDays(3)], typical)).toMatchObject({ hours: 30, range: { likely: 6000 } })
})

test('hours and days of trucks that promise the same shifts are not added', () => {
  expect(estimatePlanned([hours(20), truckDays(3)], typical)).toMatchObject({ hours: 20, range: { likely: 4000 } })
})

test('there is no estimate, and no zero, without hours or with too few shifts', () => {
  const plays = { unit: 'plays' as const, amount: 1000 }
  expect(estimatePlanned([plays], typical)).toMatchObject({ range: null, reason: 'noHours', hours: null })
  expect(estimatePlanned([hours(20)], undefined)).toMatchObject({ range: null, reason: 'fewShifts', hours: 20 })
  expect(estimatePlanned([truckDays(3)], { ...typical, shifts: 4 })).toMatchObject({
    range: null,
    reason: 'fewShifts',
    hours: null,
  })
})
