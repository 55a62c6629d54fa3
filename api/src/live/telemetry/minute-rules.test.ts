import { expect, test } from 'vitest'
import { accuracyClass, type Claim, GEOTAB_SOURCE, minuteOf, precedesInMinute, rankOf } from './minute-rules.ts'

test.each([
  [undefined, 0],
  [null, 0],
  [4, 0],
  [10, 0],
  [10.1, 1],
  [25, 1],
  [100, 2],
  [2000, 3],
])('an accuracy of %s m is of class %s', (meters, found) => expect(accuracyClass(meters)).toBe(found))

const OLDER = '01890000-0000-7000-8000-000000000001'
const NEWER = '01890000-0000-7000-8000-000000000002'
const claim = (source: string, kind: Parameters<typeof rankOf>[0], accuracy: number): Claim => ({
  source,
  rank: rankOf(kind),
  accuracy,
})

test.each([
  ['a tracker before a phone, however accurate', claim(NEWER, 'osmand', 3), claim(OLDER, 'phone', 0)],
  ['a phone before a player', claim(NEWER, 'phone', 3), claim(OLDER, 'player', 0)],
  ['a tracker before a file, which fills gaps', claim(NEWER, 'traccar', 3), claim(OLDER, 'file', 0)],
  ['a file before a phone', claim(NEWER, 'file', 3), claim(OLDER, 'phone', 0)],
  ['the more accurate of two trackers', claim(NEWER, 'traccar', 0), claim(GEOTAB_SOURCE, 'geotab', 1)],
  ['MyGeotab of two that are equal', claim(GEOTAB_SOURCE, 'geotab', 0), claim(OLDER, 'json', 0)],
  ['the older of two that are equal', claim(OLDER, 'samsara', 0), claim(NEWER, 'json', 0)],
])('%s', (_, first, second) => {
  expect(precedesInMinute(first, second)).toBe(true)
  expect(precedesInMinute(second, first)).toBe(false)
})

test('a minute begins at its first millisecond', () => {
  const noon = Date.parse('2026-07-01T17:00:00Z')
  expect([noon, noon + 59_999, noon + 60_000].map(minuteOf)).toEqual([noon, noon, noon + 60_000])
})
