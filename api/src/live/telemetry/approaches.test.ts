import { expect, test } from 'vitest'
import { approachesOf } from './approaches.ts'

const METER = 1 / 111_195
const north = (meters: number) => ({ latitude: 32.78 + meters * METER, longitude: -96.8 })
const shop = { uid: 'shop', radiusM: 1040, ...north(0) }
const mall = { uid: 'mall', radiusM: 540, ...north(3000) }

/** A drive of 10 m/s along a line, a fix every ten seconds. */
const drive = (from: number, to: number, startS = 0) => {
  const count = Math.abs(to - from) / 100
  return Array.from({ length: count + 1 }, (_, index) => ({
    at: (startS + index * 10) * 1000,
    speedKmh: 36,
    ...north(from + Math.sign(to - from) * index * 100),
  }))
}

test('a drive past two addresses visits each once, with its nearest moment', () => {
  const visits = approachesOf(drive(-2000, 5000), [shop, mall])
  expect(visits.map(({ addressUid, enteredAt, leftAt }) => [addressUid, enteredAt / 1000, leftAt / 1000])).toEqual([
    ['shop', 100, 310],
    ['mall', 450, 560],
  ])
  expect(visits.map(({ nearestM }) => Math.round(nearestM))).toEqual([0, 0])
})

test('there and back again are two visits', () => {
  const visits = approachesOf([...drive(-2000, 2000), ...drive(2000, -2000, 400)], [shop])
  expect(visits).toHaveLength(2)
})

test('fixes in any order and twice give the same visits', () => {
  const fixes = drive(-2000, 5000)
  const shuffled = [...fixes, ...fixes].toSorted((one, other) => ((one.at * 7919) % 1013) - ((other.at * 7919) % 1013))
  expect(approachesOf(shuffled, [shop, mall])).toEqual(approachesOf(fixes, [shop, mall]))
})

test('a parked truck whose fixes jump over the border has one visit, or none', () => {
  const parked = Array.from({ length: 300 }, (_, index) => ({
    at: index * 1e4,
    speedKmh: 0,
    ...north(index % 7 === 3 ? -1250 : -950),
  }))
  expect(approachesOf(parked, [shop])).toHaveLength(1)
  const outside = parked.map((fix, index) => ({ ...fix, ...north(index % 7 === 3 ? -950 : -1250) }))
  expect(approachesOf(outside, [shop])).toEqual([])
})

test('is due where the rules would show the address, which of two in reach is the nearer one', () => {
  const dueOf = (fixes: Parameters<typeof approachesOf>[0], places: Parameters<typeof approachesOf>[1]) =>
    approachesOf(fixes, places).map(({ addressUid, isDue }) => [addressUid, isDue])
  // Beside the road: in reach for a while, yet the shop on the road is always nearer.
  const beside = { uid: 'beside', radiusM: 1500, latitude: shop.latitude, longitude: shop.longitude - 1400 * METER }
  expect(dueOf(drive(-2000, 2000), [shop, beside])).toEqual([
    ['shop', true],
    ['beside', false],
  ])
  expect(dueOf(drive(-2000, 2000), [beside])).toEqual([['beside', true]])
  // Side by side along the road, each is the nearer one in its turn.
  const next = { uid: 'next', radiusM: 1040, ...north(1200) }
  expect(dueOf(drive(-2000, 4000), [shop, next])).toEqual([
    ['shop', true],
    ['next', true],
  ])
})

test('is due also when a tracker tells of it in one fix only', () => {
  const sparse = drive(-2000, 5000).filter((_, n) => n % 15 === 5)
  expect(approachesOf(sparse, [shop]).map(({ isDue }) => isDue)).toEqual([true])
})
