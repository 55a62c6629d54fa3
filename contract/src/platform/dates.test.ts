import { afterEach, describe, expect, test } from 'vitest'
import {
  clockAt,
  formatClock,
  formatClocks,
  formatDateTime,
  formatDay,
  formatDays,
  formatFullDay,
  formatHour,
  formatShortClocks,
  formatMinutes,
  formatMoment,
  formatShortDay,
  formatTime,
  formatTimes,
  formatWeekday,
  setClockStyle,
  timestamp,
  zoneName,
} from './dates.ts'

const EVENING = '2026-11-19T02:00:00Z'
const CHICAGO = 'America/Chicago'

test('a day is written with the name of its month', () => {
  expect(formatDay('2026-01-01')).toBe('Jan 1, 2026')
  expect(formatDay('2026-12-31')).toBe('Dec 31, 2026')
  expect(formatWeekday('2026-11-18')).toBe('Wed, Nov 18')
  expect(formatFullDay('2026-11-18')).toBe('Wed, Nov 18, 2026')
  expect(formatShortDay('2026-11-18')).toBe('Nov 18')
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
  ['20:00', '04:00', '8p–4a'],
  ['08:30', '12:00', '8:30a–12p'],
  ['00:00', '10:05', '12a–10:05a'],
])('%s to %s is short where there is little room: %s', (start, end, words) =>
  expect(formatShortClocks({ start, end })).toBe(words),
)

test('an hour is short on a scale', () =>
  expect(['00:00', '8:05', '12:00', '20:30'].map((clock) => formatHour(clock))).toEqual([
    '12a',
    '8:05a',
    '12p',
    '8:30p',
  ]))

test.each([
  ['20:00', '04:00', '8:00 PM–4:00 AM'],
  ['08:00', '16:00', '8:00 AM–4:00 PM'],
  ['17:00', '19:00', '5:00–7:00 PM'],
  ['09:00', '11:30', '9:00–11:30 AM'],
])('hours from %s to %s are %s', (start, end, words) => expect(formatClocks({ start, end })).toBe(words))

test.each([
  [0, '0 h'],
  [45, '45 min'],
  [480, '8 h'],
  [450.2, '7 h 30 min'],
])('%d minutes are %s', (minutes, words) => expect(formatMinutes(minutes)).toBe(words))

test('times are those of a zone, which they name', () => {
  expect(formatTime(EVENING, CHICAGO)).toBe('8:00 PM CST')
  expect(formatMoment(EVENING, CHICAGO)).toBe('Wed, Nov 18, 8:00 PM CST')
  expect(formatDateTime(EVENING, CHICAGO)).toBe('Nov 18, 2026, 8:00 PM CST')
  expect(formatTimes(EVENING, '2026-11-19T03:30:00Z', CHICAGO)).toBe('8:00–9:30 PM')
  expect(timestamp(EVENING, CHICAGO)).toBe('2026-11-18 20:00:00')
  expect(timestamp('2026-11-18T06:00:00Z', CHICAGO)).toBe('2026-11-18 00:00:00')
  expect(clockAt(EVENING, CHICAGO)).toBe('20:00')
})

test('the name of a zone follows the season', () => {
  expect(zoneName(CHICAGO, '2026-07-01T12:00:00Z')).toBe('CDT')
  expect(zoneName(CHICAGO, '2026-12-01T12:00:00Z')).toBe('CST')
})

test('days and times are written as the language does', () => {
  expect(formatMoment(EVENING, CHICAGO, 'es')).toBe('mié, 18 nov, 8:00 p. m. CST')
  expect(formatFullDay('2026-11-18', 'es')).toBe('mié, 18 nov 2026')
  expect([formatClock('00:05', 'es'), formatClock('12:00', 'es')]).toEqual(['12:05 a. m.', '12:00 p. m.'])
  expect(formatClocks({ start: '13:00', end: '17:00' }, 'es')).toBe('1:00–5:00 p. m.')
})

describe('on a 24-hour clock', () => {
  afterEach(() => setClockStyle('12h'))

  test('every time of a page reads so', () => {
    setClockStyle('24h')
    expect(formatClock('08:00')).toBe('08:00')
    expect(formatHour('08:00')).toBe('08')
    expect(formatShortClocks({ start: '20:00', end: '04:30' })).toBe('20:00–04:30')
    expect(formatClocks({ start: '20:00', end: '04:00' })).toBe('20:00–04:00')
    expect(formatMoment(EVENING, CHICAGO)).toBe('Wed, Nov 18, 20:00 CST')
  })

  test('a server writes as each reader chose', () =>
    expect(formatDateTime(EVENING, CHICAGO, 'es', '24h')).toBe('18 nov 2026, 20:00 CST'))
})
