import type { PopDay } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { daysOfWeek, weekOf } from './week.ts'

const noGaps = { shiftsWithoutGps: 0, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 }
const day = (date: string, plays: number): Required<PopDay> => ({
  day: date,
  metres: plays * 10,
  plays,
  verifiedPlays: plays,
  seconds: 3600,
  shifts: 1,
  gaps: noGaps,
})

// 2026-11-18 is a Wednesday.
const TODAY = '2026-11-18'

test('a week begins on Monday and is compared with the last one up to the same weekday', () => {
  const days = [
    day('2026-11-09', 5),
    day('2026-11-11', 7),
    // Thursday of last week: this week has no Thursday yet.
    day('2026-11-12', 100),
    day('2026-11-16', 20),
    day('2026-11-18', 4),
  ]
  const week = weekOf(days, TODAY)
  expect(week).toMatchObject({ from: '2026-11-16', today: TODAY })
  expect(week.figures).toMatchObject({ plays: 24, metres: 240, shifts: 2, seconds: 7200 })
  expect(week.before).toMatchObject({ plays: 12, metres: 120, shifts: 2 })
  expect(week.days.map((each) => each.day)).toEqual(['2026-11-16', '2026-11-18'])
})

test('a market that is a day ahead counts, a week without shifts is all zero, and there is nothing to compare with', () => {
  expect(weekOf([day('2026-11-19', 3)], TODAY).figures.plays).toBe(3)
  expect(weekOf([], TODAY)).toMatchObject({ figures: { plays: 0, shifts: 0 }, before: null, days: [] })
})

test('what was not recorded is added up, not forgotten', () => {
  const without = { ...day('2026-11-17', 0), gaps: { ...noGaps, shiftsWithoutGps: 1 } }
  expect(weekOf([day('2026-11-16', 1), without], TODAY).figures.gaps).toMatchObject({ shiftsWithoutGps: 1 })
})

test('the days of a week are those that it is made of', () => {
  expect(daysOfWeek(TODAY)).toEqual({ from: '2026-11-09', to: '2026-11-22' })
  expect(daysOfWeek('2026-11-22')).toEqual({ from: '2026-11-09', to: '2026-11-22' })
})
