import type { TrackPoint } from '@roadshow/contract/platform/geo'
import { toSteps } from '@roadshow/contract/proof/replay-track'
import { describe, expect, test } from 'vitest'
import { hourLabels } from './drawTimeLine.ts'
import { indexAt, playAt, playsOfMinute, positionAt, unpackSide } from './moments.ts'
import { ReplayClock } from '../../ui/moment/replayClock.ts'

const NOON = Date.parse('2026-11-17T18:00:00Z')
const MINUTE = 60_000
const fix = (minute: number, north: number, speedKmh: number | null = 40): TrackPoint => ({
  at: NOON + minute * MINUTE,
  latitude: 41.88 + north * 0.001,
  longitude: -87.63,
  speedKmh,
})
const at = (fixes: readonly TrackPoint[], minute: number) =>
  positionAt(
    fixes,
    fixes.map((each) => each.at),
    NOON + minute * MINUTE,
  )

describe('the last index at a moment', () => {
  test.each([
    [4, -1],
    [5, 0],
    [6, 0],
    [7, 2],
    [99, 3],
  ])('of 5, 7, 7, 9 at %i is %i', (moment, index) => expect(indexAt([5, 7, 7, 9], moment)).toBe(index))
})

describe('the position at a moment', () => {
  const drive = [fix(0, 0), fix(2, 10), fix(3, 20)]

  test('between two positions is on the line between them, heading to the second', () => {
    expect(at(drive, 1)).toMatchObject({ kind: 'heard', heading: 0, speedKmh: 40 })
    expect(at(drive, 1)?.latitude).toBeCloseTo(41.885, 9)
    expect(at(drive, 2)).toMatchObject({ kind: 'heard', latitude: 41.89 })
    expect(at([fix(0, 10), fix(1, 0)], 0.5)?.heading).toBe(180)
  })

  test('is unknown before the first one, and without any', () => {
    expect(at(drive, -1)).toBeUndefined()
    expect(at([], 1)).toBeUndefined()
  })

  test('over a silence is the last one known, unless the truck stood', () => {
    expect(at([fix(0, 0), fix(30, 50)], 10)).toMatchObject({
      kind: 'lost',
      latitude: 41.88,
      speedKmh: null,
      heardAt: NOON,
    })
    expect(at([fix(0, 0, 0), fix(30, 1, 0)], 10)).toMatchObject({ kind: 'stood', speedKmh: 0, heading: null })
    expect(at(drive, 7)).toMatchObject({ kind: 'heard' })
    expect(at(drive, 9)).toMatchObject({ kind: 'lost' })
  })

  test('of a truck that wanders by a few feet has no heading', () => {
    expect(at([fix(0, 0, 1), fix(1, 0.01, 0)], 0.5)?.heading).toBeNull()
  })
})

describe('the play of a side at a moment', () => {
  const starts = [0, 10_000, 60_000]
  const side = unpackSide({
    side: 'rear',
    startedAt: toSteps(starts.map((start) => NOON + start)),
    durationMs: [9000, 9000, 8000],
    picture: [0, 1, 0],
    mark: [0, 1, 3],
  })

  test.each([
    [-1, undefined],
    [0, 0],
    // Between two plays the picture stays for a moment.
    [9500, 0],
    [10_000, 1],
    [20_900, 1],
    [30_000, undefined],
    [60_000, 2],
    [70_001, undefined],
  ])('after %i ms', (ms, play) => expect(playAt(side, NOON + ms)).toBe(play))

  test('has its picture and grade, and each minute its count', () => {
    expect([side.picture[1], side.mark[1], side.mark[2]]).toEqual([1, 'unverified', 'unassigned'])
    expect([playsOfMinute(side, NOON + 59_999), playsOfMinute(side, NOON + MINUTE)]).toEqual([2, 1])
  })
})

test('the clock steps by whole minutes within its hours', () => {
  const clock = new ReplayClock(NOON, NOON + 5 * MINUTE, NOON + 90_000)
  const moments: number[] = []
  clock.subscribe(() => moments.push((clock.at - NOON) / MINUTE))
  clock.step(1)
  clock.step(-1)
  clock.moveTo(NOON + 90_000)
  clock.step(-1)
  clock.step(-10)
  clock.step(10)
  // Nothing has changed: no one is told.
  clock.step(1)
  expect(moments).toEqual([2, 1, 1.5, 1, 0, 5])
})

test.each([
  ['2026-11-01T05:00:00Z', '2026-11-02T06:00:00Z', 25],
  ['2026-03-08T06:00:00Z', '2026-03-09T05:00:00Z', 23],
])('hours of a day that is longer or shorter than others are all labeled: %s', (from, to, hours) => {
  const labels = hourLabels({
    from: Date.parse(from),
    to: Date.parse(to),
    zone: 'America/Chicago',
    width: 4000,
  })
  expect(labels).toHaveLength(hours)
  expect(labels[0]?.share).toBe(0)
})

test('positions of a day of 10,000 are found in a moment', () => {
  const fixes = Array.from({ length: 10_000 }, (_, n) => fix(n / 7, n))
  const times = Float64Array.from(fixes, (each) => each.at)
  const began = performance.now()
  for (let n = 0; n < 100_000; n++) positionAt(fixes, times, NOON + n * 700)
  expect(performance.now() - began).toBeLessThan(1000)
})
