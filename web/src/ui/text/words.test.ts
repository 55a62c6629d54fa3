import { expect, test, vi } from 'vitest'
import { fieldLabel, formatFieldValue } from './words.ts'

test.each([
  ['startsOn', 'First day'],
  ['homeMarket', 'Home market'],
  ['localDate', 'Date'],
  ['isShown', 'Shown'],
  ['coverPhoto', 'Cover photo'],
])('the recorded field %s reads %s', (name, label) => {
  expect(fieldLabel({ startsOn: 'First day', homeMarketUid: 'Home market' }, name)).toBe(label)
})

test('the parts of a record are read in one line, each but the first with its label', () => {
  const market = { market: 'Dallas', startsOn: '2026-11-16', endsOn: null, isShown: true }
  expect(formatFieldValue({ markets: 'Markets' }, 'market', market)).toBe('Dallas, starts on Nov 16, 2026, shown yes')
})

test.each([
  ['takenAt', '2026-11-16T20:15:00.123456+00:00', '2026-11-16 20:15:00'],
  ['localDate', '2026-11-16', 'Nov 16, 2026'],
  ['startTime', '20:00:00', '8:00 PM'],
  ['radiusM', 150, '492 ft'],
  ['radiusM', 40234, '25 mi'],
  ['halfDayCents', 12_500, '$125.00'],
  ['status', 'noShow', 'No-show'],
  ['payOption', 'halfDay', 'Half day'],
  ['timeSource', 'exif', 'Camera'],
])('the recorded value of %s is read in words', (name, value, text) => {
  vi.stubEnv('TZ', 'UTC')
  expect(formatFieldValue({}, name, value)).toBe(text)
})
