import { METERS_PER_MILE } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TrackPoint } from '@roadshow/contract'
import { compareFixes, shiftDistance, isPlausibleFix, trackOf } from './miles.ts'

const HOME = { latitude: 32.78, longitude: -96.8 }
const METER = 1 / 111_195
const START = Date.parse('2026-07-01T13:00:00Z')

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
const gaussian = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const at = (seconds: number, north: number, east: number, speedKmh: number | null): TrackPoint => ({
  at: START + seconds * 1000,
  latitude: HOME.latitude + north * METER,
  longitude: HOME.longitude + (east * METER) / Math.cos((HOME.latitude * Math.PI) / 180),
  speedKmh,
})
const miles = (fixes: TrackPoint[]) => trackOf(fixes).meters / METERS_PER_MILE
const times = (count: number, every: number) => Array.from({ length: count }, (_, index) => index * every)

describe('a parked truck', () => {
  const eightHours = times(2880, 10)

  test.each([3, 5, 10])('makes no miles of %s m of noise in eight hours', (noise) => {
    const random = seeded(noise)
    expect(miles(eightHours.map((s) => at(s, gaussian(random) * noise, gaussian(random) * noise, 0)))).toBe(0)
  })

  test('makes no miles of noise that drifts', () => {
    const random = seeded(7)
    let [north, east] = [0, 0]
    const drifting = eightHours.map((s) => {
      north = north * 0.98 + gaussian(random) * 2
      east = east * 0.98 + gaussian(random) * 2
      return at(s, north, east, random() < 0.1 ? 1 : 0)
    })
    expect(miles(drifting)).toBe(0)
  })

  test('makes no miles of jumps of 200 m, however long they last', () => {
    const random = seeded(11)
    let away = 0
    const jumping = eightHours.map((s) => {
      if (random() < 0.02) away = away ? 0 : 200
      return at(s, away + gaussian(random) * 5, gaussian(random) * 5, 0)
    })
    expect(jumping.some((fix) => fix.latitude > HOME.latitude + 150 * METER)).toBe(true)
    expect(miles(jumping)).toBe(0)
  })

  test('makes no miles of jumps when it is heard every ten minutes only', () => {
    const random = seeded(13)
    expect(miles(times(48, 600).map((s) => at(s, random() < 0.5 ? 0 : 200, 0, 0)))).toBe(0)
  })
})

describe('a truck that drives', () => {
  test('at 2 mph is counted', () => {
    const random = seeded(17)
    const speed = 0.89408
    const crawl = times(360, 10).map((s) =>
      at(s, s * speed + gaussian(random) * 3, gaussian(random) * 3, Math.round(speed * 3.6)),
    )
    expect(miles(crawl)).toBeGreaterThan(1.99 * 0.95)
    expect(miles(crawl)).toBeLessThan(1.99 * 1.1)
  })

  test('straight ahead is counted to the meter, with few fixes too', () => {
    const drive = (every: number) => times(3600 / every + 1, every).map((s) => at(s, s * 15, 0, 54))
    expect(trackOf(drive(5)).meters).toBeCloseTo(54_000, -2)
    expect(trackOf(drive(120)).meters).toBeCloseTo(54_000, -2)
  })

  test('is counted without its speed, and a single impossible fix is left out', () => {
    const drive = times(361, 10).map((s) => at(s, s * 15, 0, null))
    expect(trackOf(drive).meters).toBeCloseTo(54_000, -2)
    const outlier = drive.map((fix, index) => (index === 100 ? { ...fix, latitude: fix.latitude + 1 } : fix))
    expect(trackOf(outlier).meters).toBeCloseTo(54_000, -2)
  })

  test('and is then carried elsewhere goes on from there; the way between is not its own', () => {
    const drive = times(100, 10).map((s) => at(s, s * 15, 0, 54))
    const towed = times(100, 10).map((s) => at(1000 + s, 60_000 + s * 15, 0, 54))
    const { meters } = trackOf([...drive, ...towed])
    expect(meters).toBeGreaterThan(29_000)
    expect(meters).toBeLessThan(30_500)
  })

  test('is elsewhere as soon as three fixes in a row say so', () => {
    const drive = times(10, 10).map((s) => at(s, s * 15, 0, 54))
    const carried = times(3, 10).map((s) => at(200 + s, 60_000 + s * 15, 0, 54))
    expect(trackOf([...drive, ...carried.slice(0, 2)]).anchor).toEqual(drive.at(-1))
    expect(trackOf([...drive, ...carried]).anchor).toEqual(carried.at(-1))
  })

  test('through a silence is counted as the crow flies, and that is said', () => {
    const before = times(60, 10).map((s) => at(s, s * 15, 0, 54))
    const after = times(60, 10).map((s) => at(1800 + s, 1800 * 15 + s * 15, 0, 54))
    const track = trackOf([...before, ...after])
    expect(track.meters).toBeCloseTo(2390 * 15, -2)
    expect(track.estimatedMeters).toBeCloseTo((1800 - 590) * 15, -2)
    expect(track.heardMs).toBe(2 * 590_000)
  })
})

const step = fc.record({
  seconds: fc.integer({ min: 0, max: 600 }),
  north: fc.integer({ min: -3000, max: 3000 }),
  east: fc.integer({ min: -3000, max: 3000 }),
  speed: fc.option(fc.integer({ min: 0, max: 120 })),
})
const noisy = fc.array(step, { maxLength: 60 }).map((steps) => {
  let seconds = 0
  return steps.map((each) => at((seconds += each.seconds), each.north, each.east, each.speed))
})

test('the same fixes late, shuffled or twice give the same track, and never less than nothing', () => {
  fc.assert(
    fc.property(noisy, fc.infiniteStream(fc.nat()), (fixes, order) => {
      const track = trackOf(fixes)
      const shuffled = [...fixes, ...fixes.slice(0, 20)]
        .map((fix) => ({ fix, key: order.next().value as number }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ fix }) => fix)
      expect(trackOf(shuffled)).toEqual(track)
      expect(track.meters).toBeGreaterThanOrEqual(track.estimatedMeters)
      expect(track.estimatedMeters).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 500 },
  )
})

test('what cannot be a fix is none', () => {
  const now = START + 60_000
  const fix = at(0, 0, 0, 0)
  expect(
    [fix, { ...fix, latitude: 0, longitude: 0 }, { ...fix, latitude: 91 }, { ...fix, at: now + 600_000 }].map((each) =>
      isPlausibleFix(each, now),
    ),
  ).toEqual([true, false, false, false])
})

describe('the distance of a shift', () => {
  const track = { ...trackOf([]), meters: 10_000 }

  test('is the odometer’s where it agrees with the track', () => {
    expect(shiftDistance(track, 10_800)).toMatchObject({ metres: 10_800, source: 'odometer', gpsMetres: 10_000 })
    expect(shiftDistance(track, 20_000)).toMatchObject({ metres: 10_000, source: 'gps', odometerMetres: 20_000 })
    expect(shiftDistance(track, null)).toMatchObject({ metres: 10_000, source: 'gps', odometerMetres: null })
  })

  test('is the odometer’s where the track was silent', () => {
    const silent = { ...track, estimatedMeters: 4000 }
    expect(shiftDistance(silent, 14_000)).toMatchObject({ metres: 14_000, source: 'odometer', estimatedMetres: 0 })
    expect(shiftDistance(silent, null)).toMatchObject({ metres: 10_000, source: 'gps', estimatedMetres: 4000 })
  })
})

test('after half a day of silence a track begins again, and the way between is not counted', () => {
  const before = times(60, 10).map((s) => at(s, s * 15, 0, 54))
  const after = (hours: number) => times(60, 10).map((s) => at(hours * 3600 + s, 50_000 + s * 15, 0, 54))
  const meters = (hours: number) => trackOf([...before, ...after(hours)]).meters
  expect(meters(13)).toBeCloseTo(2 * 590 * 15, -2)
  expect(meters(12)).toBeCloseTo(50_000 + 590 * 15, -2)
})

test('of two fixes of one millisecond the same one counts, whichever comes first', () => {
  const one = at(0, 0, 0, 40)
  for (const other of [at(0, 500, 0, 40), at(0, 0, 500, 40), at(0, 0, 0, 50), at(0, 0, 0, null)]) {
    expect([one, other].toSorted(compareFixes)).toEqual([one, other])
    expect([other, one].toSorted(compareFixes)).toEqual([one, other])
  }
  expect(compareFixes(at(0, 0, 0, null), at(0, 0, 0, null))).toBe(0)
})
