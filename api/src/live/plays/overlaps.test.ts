import { expect, test } from 'vitest'
import { findOverlaps, isTooLong, longestShowingMs, type TimedPlay } from './overlaps.ts'

interface NamedPlay extends TimedPlay {
  name: string
}

const play = (name: string, at: number, durationMs: number, more: Partial<TimedPlay> = {}): NamedPlay => ({
  name,
  at,
  durationMs,
  side: 'rear',
  longestMs: 600_000,
  ...more,
})

test.each<[string, string[], NamedPlay[]]>([
  ['plays one after another do not overlap', [], [play('a', 0, 8000), play('b', 8000, 8000)]],
  ['a second is tolerated', [], [play('a', 0, 9000), play('b', 8000, 8000)]],
  ['more than a second puts both in doubt', ['a', 'b'], [play('a', 0, 9001), play('b', 8000, 8000)]],
  ['sides do not disturb each other', [], [play('a', 0, 8000), play('b', 0, 8000, { side: 'driverSide' })]],
  ['two at the same moment are in doubt', ['a', 'b'], [play('a', 0, 8000), play('b', 0, 8000)]],
  ['a short one within a long one', ['a', 'b'], [play('a', 0, 60_000), play('b', 30_000, 2000)]],
  ['a very short one proves nothing against another', [], [play('a', 0, 60_000), play('b', 30_000, 900)]],
  [
    'a long one overlaps several',
    ['a', 'b', 'c'],
    [play('a', 0, 60_000), play('b', 10_000, 8000), play('c', 40_000, 8000), play('d', 60_000, 8000)],
  ],
  ['a long one after others', ['b', 'c'], [play('a', 0, 8000), play('b', 20_000, 60_000), play('c', 50_000, 8000)]],
  ['one that is longer than possible puts no other in doubt', [], [play('a', 0, 600_001), play('b', 8000, 8000)]],
])('%s', (_, names, plays) => {
  for (const order of [plays, plays.toReversed()]) {
    expect([...findOverlaps(order)].map(({ name }) => name).toSorted()).toEqual(names)
  }
})

test.each<[string, boolean, number | null, number]>([
  ['a picture for ten minutes', false, 600_000, 600_000],
  ['a picture for longer', true, 600_000, 600_001],
  ['a short video that is repeated while its spot lasts', false, 8800, 30_000],
  ['a short video for more than ten minutes', true, 8800, 600_001],
  ['a long video to its end', false, 990_000, 900_000],
  ['a long video for longer than it is', true, 990_000, 990_001],
  ['a file that its set never had', true, null, 600_001],
])('%s is too long: %s', (_, isLong, fileMs, durationMs) => {
  expect(isTooLong({ durationMs, longestMs: longestShowingMs(fileMs) })).toBe(isLong)
})
