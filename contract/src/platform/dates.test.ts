import { expect, test } from 'vitest'
import { formatClock, formatDay, formatDays, formatMinutes, formatMoment, formatWeekday } from './dates.ts'

test('a day is written with the name of its month', () => {
  expect(formatDay('2026-01-01')).toBe('Jan 1, 2026')
  expect(formatDay('2026-12-31')).toBe('Dec 31, 2026')
})

test('several days are written as first and last, one day alone', () => {
  expect(formatDays('2026-11-16', '2026-11-22')).toBe('Nov 16, 2026 – Nov 22, 2026')
  expect(formatDays('2026-11-16', '2026-11-16')).toBe('Nov 16, 2026')
})

test.each([
  ['00:00', '12:00 AM'],
  ['00:05', '12:05 AM'],
  ['08:30', '8:30 AM'],
  ['12:00', '12:00 PM'],
  ['23:59', '11:59 PM'],
])('%s is %s', (clock, words) => expect(formatClock(clock)).toBe(words))

test.each([
  [0, '0 h'],
  [45, '45 min'],
  [480, '8 h'],
  [450.2, '7 h 30 min'],
])('%d minutes are %s', (minutes, words) => expect(formatMinutes(minutes)).toBe(words))

test('days and times are written as the language does', () => {
  const at = '2026-11-19T02:00:00Z'
  expect(formatMoment(at, 'America/Chicago')).toBe('Wed, Nov 18, 8:00 PM CST')
  expect(formatMoment(at, 'America/Chicago', 'es')).toBe('mié, 18 nov, 8:00 p. m. CST')
  expect(formatWeekday('2026-11-18')).toBe('Wed, Nov 18, 2026')
  expect(formatWeekday('2026-11-18', 'es')).toBe('mié, 18 nov 2026')
  expect([formatClock('00:05', 'es'), formatClock('12:00', 'es')]).toEqual(['12:05 a. m.', '12:00 p. m.'])
})
