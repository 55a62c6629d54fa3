import { expect, test } from 'vitest'
import { GpsNoise } from './noise.ts'
import { seededRandom } from './seeded.ts'
import { type GpsReading, TrackThinner } from './thinning.ts'

function thinned(seen: GpsReading[]): GpsReading[] {
  const thinning = new TrackThinner()
  const kept = seen.flatMap((each) => thinning.push(each) ?? [])
  const last = thinning.end()
  return last ? [...kept, last] : kept
}

const straight = Array.from({ length: 600 }, (_, s) => ({ at: s * 1000, x: s * 15, y: 0, speed: 15 }))

test('a straight road needs few points, but one at least every hundred seconds', () => {
  const kept = thinned(straight)
  expect(kept.length).toBeLessThan(10)
  kept.slice(1).forEach((each, index) => expect(each.at - (kept[index]?.at ?? 0)).toBeLessThanOrEqual(100_000))
})

test('corners are kept to within ten meters', () => {
  const corner = Array.from({ length: 60 }, (_, s) => ({
    at: s * 1000,
    x: Math.min(s, 30) * 10,
    y: Math.max(0, s - 30) * 10,
    speed: 10,
  }))
  const kept = thinned(corner)
  expect(kept.some(({ x, y }) => Math.hypot(x - 300, y) <= 20)).toBe(true)
  expect(kept.length).toBeLessThan(6)
})

test('a change of speed is kept, also on a straight road', () => {
  const braking = straight.map((each, s) => ({ ...each, speed: s < 50 ? 15 : 0, x: Math.min(s, 50) * 15 }))
  expect(
    thinned(braking)
      .slice(0, 4)
      .some(({ speed }) => speed === 15),
  ).toBe(true)
  expect(thinned(braking).some(({ speed, at }) => speed === 0 && at < 60_000)).toBe(true)
})

test('noise is a few meters, wanders, and rarely jumps', () => {
  const noise = new GpsNoise()
  const chance = seededRandom('noise')
  const errors = Array.from({ length: 100_000 }, () => noise.on({ x: 0, y: 0 }, chance))
  const sizes = errors.map(({ x, y }) => Math.hypot(x, y))
  const jumps = sizes.filter((size) => size > 100).length
  expect(jumps).toBeGreaterThan(0)
  expect(jumps).toBeLessThan(40)
  const usual = sizes.filter((size) => size <= 100)
  expect(usual.reduce((sum, size) => sum + size, 0) / usual.length).toBeLessThan(6)
  expect(Math.max(...usual)).toBeLessThan(25)
})
