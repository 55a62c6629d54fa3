import type { TrackPoint } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type StopTrack, stopTracks, type StopZone } from './stop-visits.ts'

const MINUTE = 60_000
const OPENS = Date.parse('2026-07-01T22:00:00Z')
const CLOSES = OPENS + 120 * MINUTE
const CENTER = { latitude: 41.8623, longitude: -87.6167 }
const STADIUM: StopZone = { ...CENTER, radiusM: 400, from: OPENS, to: CLOSES }
const HOURS = [{ from: OPENS - 240 * MINUTE, to: CLOSES + 180 * MINUTE }]
// A degree of latitude is 111,195 m.
const north = (meters: number) => CENTER.latitude + meters / 111_195

/** A fix so many minutes after the window opens, so many meters north of the stadium. */
const fix = (minute: number, meters: number, speedKmh = 0): TrackPoint => ({
  at: OPENS + minute * MINUTE,
  latitude: north(meters),
  longitude: CENTER.longitude,
  speedKmh,
})

/** A fix a minute, from one minute to another. */
const standing = (from: number, to: number, meters: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => fix(from + index, meters))

/** 600 m a minute, towards the stadium or away from it. */
const drive = (from: number, start: number, end: number) => {
  const steps = Math.round(Math.abs(end - start) / 600)
  return Array.from({ length: steps }, (_, index) => fix(from + index, start + ((end - start) * index) / steps, 36))
}

/** From 6 km away to the stadium by minute `at`, and from minute `until` away again. */
const visitTrack = (at: number, until: number) => [
  ...standing(at - 40, at - 11, 6000),
  ...drive(at - 10, 6000, 0),
  ...standing(at, until, 0),
  ...drive(until + 1, 0, 6000),
  ...standing(until + 11, until + 60, 6000),
]

const find = (fixes: readonly TrackPoint[], zone = STADIUM, hours = HOURS): StopTrack => {
  const [found] = stopTracks(fixes, [zone], hours)
  if (!found) throw new Error('No answer.')
  return found
}
const minuteOf = (at: number | null) => at !== null && Math.round((at - OPENS) / MINUTE)

describe('a visit', () => {
  test('lasts from crossing the border to crossing it again', () => {
    const found = find(visitTrack(2, 100))
    // The border is 40 seconds away at 600 m a minute.
    expect(found).toMatchObject({ arrivedAt: OPENS + 80_000, leftAt: OPENS + 101.667 * MINUTE - 20, isLate: false })
    expect(Math.round(found.dwellMs / MINUTE)).toBe(100)
    expect(found.windowMs).toBe(found.dwellMs)
  })

  test('counts from the way between two fixes outside', () => {
    // 4 km in two minutes, straight through the zone of 800 m.
    const found = find([fix(9, 2000, 120), fix(11, -2000, 120)])
    expect(found.dwellMs).toBeCloseTo(0.2 * 120_000, -2)
    expect(found.arrivedAt).toBe(OPENS + 9 * MINUTE + 48_000)
  })

  test('before the window has its own times, and only its part in the window counts for the window', () => {
    const found = find(visitTrack(-30, 30))
    expect([minuteOf(found.arrivedAt), minuteOf(found.leftAt)]).toEqual([-31, 32])
    expect(Math.round(found.windowMs / MINUTE)).toBe(32)
  })

  test('that ended before the window is none', () =>
    expect(find([...visitTrack(-60, -30), ...standing(31, 140, 6000)])).toMatchObject({
      arrivedAt: null,
      isKnown: true,
    }))

  test('only after the window is late', () => {
    const found = find([...standing(-10, 125, 6000), ...visitTrack(140, 150).slice(30)])
    expect(found).toMatchObject({ isLate: true, windowMs: 0 })
    expect(minuteOf(found.arrivedAt)).toBe(139)
  })

  test('twice in the window lasts from first to last, and its stays are added up', () => {
    const found = find([...visitTrack(5, 20), ...visitTrack(95, 105).slice(30)])
    expect([minuteOf(found.arrivedAt), minuteOf(found.leftAt)]).toEqual([4, 107])
    expect(Math.round(found.dwellMs / MINUTE)).toBe(30)
  })

  test('goes on while the newest fix is of it', () => {
    expect(find([...drive(0, 6000, 0), ...standing(10, 30, 0)])).toMatchObject({ isThere: true })
    expect(find(visitTrack(10, 30))).toMatchObject({ isThere: false })
  })

  test('outside of the hours of the shift is none', () => {
    const ended = [{ from: OPENS - 240 * MINUTE, to: OPENS - MINUTE }]
    expect(find(visitTrack(10, 30), STADIUM, ended)).toMatchObject({ arrivedAt: null, isKnown: true })
  })

  test('of a single impossible fix is none', () => {
    const track = [...standing(-20, 60, 6000), { ...fix(61, 0), at: OPENS + 60.1 * MINUTE }, ...standing(62, 140, 6000)]
    expect(find(track)).toMatchObject({ arrivedAt: null, isKnown: true })
  })
})

describe('a silence', () => {
  test('of a truck that stands in the zone is a stay', () => {
    const found = find([fix(5, 10), fix(90, 20)])
    expect([minuteOf(found.arrivedAt), minuteOf(found.leftAt)]).toEqual([5, 90])
  })

  test('of a truck that was on its way is not', () => {
    const found = find([...drive(0, 6000, 0), fix(10, 100, 30), fix(40, 100, 30)])
    expect(found.dwellMs).toBeLessThan(2 * MINUTE)
  })

  test('has no border to cross: the truck came at the first fix inside', () => {
    const found = find([fix(-20, 6000, 30), fix(20, 0)])
    expect(minuteOf(found.arrivedAt)).toBe(20)
  })

  test.each<[string, TrackPoint[], boolean]>([
    ['no fix at all', [], false],
    ['fixes before and after the window only', [fix(-20, 6000), fix(150, 6000, 30)], false],
    ['a whole window elsewhere', standing(-10, 140, 6000), true],
    [
      'a silence in which the truck could have come and gone',
      [...standing(-10, 30, 6000), ...standing(80, 140, 6100).map((each) => ({ ...each, speedKmh: 30 }))],
      false,
    ],
    ['a silence of a truck that stood', [...standing(-10, 30, 6000), ...standing(80, 140, 6000)], true],
    [
      'a silence too short for the way',
      [...standing(-10, 30, 30_000), fix(31, 30_100, 30), fix(41, 30_200, 30), ...standing(42, 140, 30_200)],
      true,
    ],
    ['a silence until the end of the window', standing(-10, 30, 6000), false],
    ['a silence until the end, too short for the way', standing(-10, 118, 6000), true],
  ])('%s', (_, track, isKnown) => expect(find(track)).toMatchObject({ arrivedAt: null, isKnown }))

  test('after the shift ended is no silence', () => {
    const ended = [{ from: OPENS - 60 * MINUTE, to: OPENS + 30 * MINUTE }]
    expect(find(standing(-10, 29, 6000), STADIUM, ended).isKnown).toBe(true)
  })
})

test('the answer does not depend on the order of fixes, on repetitions, or on how late some come', () => {
  const somewhere = fc.record({
    minute: fc.integer({ min: -60, max: 200 }),
    metres: fc.integer({ min: -3000, max: 3000 }),
    speedKmh: fc.option(fc.integer({ min: 0, max: 90 })),
  })
  const toFix = ({ minute, metres, speedKmh }: { minute: number; metres: number; speedKmh: number | null }) => ({
    ...fix(minute, metres),
    speedKmh,
  })
  fc.assert(
    fc.property(fc.array(somewhere, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 60 }), (given, order) => {
      const fixes = given.map(toFix)
      const shuffled = fixes
        .map((each, index) => ({ each, key: order[index] ?? index }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ each }) => each)
      const repeated = [...shuffled, ...shuffled.filter((_, index) => index % 3 === 0)]
      expect(stopTracks(repeated, [STADIUM], HOURS)).toEqual(stopTracks(fixes, [STADIUM], HOURS))
    }),
  )
})

test('a stay is never longer than from arriving to leaving, nor its part in the window', () => {
  const path = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -700, max: 700 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(path, (steps) => {
      let minute = -60
      const fixes = steps.map(([more, meters]) => fix((minute += more), meters))
      const { arrivedAt, leftAt, dwellMs, windowMs, isLate } = find(fixes)
      expect(dwellMs).toBeLessThanOrEqual((leftAt ?? 0) - (arrivedAt ?? 0))
      expect(windowMs).toBeLessThanOrEqual(dwellMs)
      expect(isLate).toBe(arrivedAt !== null && arrivedAt > CLOSES)
    }),
  )
})
