import { expect, test } from 'vitest'
import { formatWeekday, formatDayTime, formatTime, timestamp, zoneName } from './time.ts'

const EVENING = '2026-11-17T02:00:00.000Z'
const CHICAGO = 'America/Chicago'

test('days are read as people write them', () => {
  expect(formatWeekday('2026-11-16')).toBe('Mon, Nov 16')
})

test('times are those of a zone, which they name', () => {
  expect(formatTime(EVENING, CHICAGO)).toBe('8:00 PM CST')
  expect(formatDayTime(EVENING, CHICAGO)).toBe('Mon, Nov 16, 8:00 PM CST')
  expect(timestamp(EVENING, CHICAGO)).toBe('2026-11-16 20:00:00')
})

test('the name of a zone follows the season', () => {
  expect(zoneName(CHICAGO, '2026-07-01T12:00:00Z')).toBe('CDT')
  expect(zoneName(CHICAGO, '2026-12-01T12:00:00Z')).toBe('CST')
})
