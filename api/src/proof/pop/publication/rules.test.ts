import type { PopFigures } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { publicationBlocker, shownVersionAfter, visibleVersions } from './rules.ts'

const figures = { metres: 0, plays: 0 } as PopFigures

test.each([
  ['nothing', 0, 0, 'popEmpty'],
  ['a photo', 1, 0, undefined],
  ['a driven mile', 0, 1609, undefined],
])('a POP with %s is published unless it is empty', (_, photos, metres, blocker) => {
  expect(publicationBlocker({ photos, figures: { ...figures, metres } })).toBe(blocker)
})

test('plays of a shift are published without a track, and plays outside any shift are no proof of play', () => {
  const played = { ...figures, plays: 10, shifts: 1 }
  expect(publicationBlocker({ photos: 0, figures: played })).toBeUndefined()
  expect(publicationBlocker({ photos: 0, figures: { ...played, shifts: 0 } })).toBe('popEmpty')
  expect(publicationBlocker({ photos: 0, figures: { ...played, plays: 0 } })).toBe('popEmpty')
})

test.each([
  [true, 3, { shown: 3 }],
  [true, undefined, { error: 'popNeverPublished' }],
  [false, 3, { shown: null }],
  [false, undefined, { shown: null }],
])('shown: %s with the newest version %s', (isShown, newest, verdict) => {
  expect(shownVersionAfter(isShown, newest)).toEqual(verdict)
})

test.each([
  ['all', 'withdrawn', null, 'all'],
  ['own', 'published', 2, [2]],
  ['own', 'ended', 2, []],
  ['own', 'withdrawn', null, []],
  ['own', 'unpublished', null, []],
] as const)('who sees %s rows of a POP that is %s', (rows, state, shownVersion, versions) => {
  expect(visibleVersions(rows, { state, shownVersion })).toEqual(versions)
})
