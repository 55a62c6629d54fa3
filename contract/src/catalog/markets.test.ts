import { describe, expect, test } from 'vitest'
import { isInsideOutline, metersBetween, formatDistance, formatMiles, sumOfShownMiles } from '../platform/geo.ts'
import { isInsideMarket, marketInput, metersOutside } from './markets.ts'

const dallas = { latitude: 32.7767, longitude: -96.797 }
const fortWorth = { latitude: 32.7555, longitude: -97.3308 }
const circle = { ...dallas, radiusM: 40_000, outline: null }
// An L, so that a corner of its bounding box lies outside.
const ell: [number, number][] = [
  [-98, 32],
  [-96, 32],
  [-96, 33],
  [-97, 33],
  [-97, 34],
  [-98, 34],
]

describe('distance', () => {
  test('is that of the map, and nothing from a place to itself', () => {
    expect(metersBetween(dallas, fortWorth) / 1000).toBeCloseTo(50, 0)
    expect(metersBetween(dallas, dallas)).toBe(0)
    expect(metersBetween({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }) / 1000).toBeCloseTo(
      22,
      0,
    )
  })

  test('is told in miles', () => {
    expect(formatMiles(1609)).toBe('1.0 mi')
    expect(formatMiles(800)).toBe('0.5 mi')
    expect([0, 30, 160.9, 161, 1609].map(formatDistance)).toEqual(['0 ft', '98 ft', '528 ft', '0.1 mi', '1.0 mi'])
  })

  test('add up as they are shown, and nothing known is not zero', () => {
    // 68.957 and 0.425 miles are shown as 69.0 and 0.4, in files as 68.96 and 0.43.
    expect(sumOfShownMiles([110_975, 684, null])).toBe(69.4)
    expect(sumOfShownMiles([110_975, 684, null], 100)).toBe(69.39)
    expect(sumOfShownMiles([0, null])).toBe(0)
    expect(sumOfShownMiles([null])).toBeNull()
  })
})

describe('inside its market', () => {
  test('is judged by the circle', () => {
    expect(isInsideMarket(circle, dallas)).toBe(true)
    expect(isInsideMarket(circle, fortWorth)).toBe(false)
    expect(isInsideMarket({ ...circle, radiusM: 60_000 }, fortWorth)).toBe(true)
  })

  test('is judged by the outline where one is drawn, whatever the circle says', () => {
    const drawn = { ...circle, outline: ell }
    expect(isInsideMarket(drawn, fortWorth)).toBe(true)
    expect(isInsideMarket(drawn, { latitude: 33.5, longitude: -96.5 })).toBe(false)
    expect(isInsideMarket({ ...drawn, radiusM: 500_000 }, { latitude: 33.5, longitude: -96.5 })).toBe(false)
  })

  test('cannot be judged of a market without a place', () => {
    expect(isInsideMarket({ latitude: null, longitude: null, radiusM: null, outline: null }, dallas)).toBeUndefined()
  })

  test('does not depend on where the outline begins or which way it runs', () => {
    const inside = { latitude: 33.5, longitude: -97.5 }
    for (let turn = 0; turn < ell.length; turn++) {
      const turned = [...ell.slice(turn), ...ell.slice(0, turn)]
      expect(isInsideOutline(turned, inside)).toBe(true)
      expect(isInsideOutline(turned.toReversed(), inside)).toBe(true)
    }
    expect(isInsideOutline([], inside)).toBe(false)
  })
})

describe('a market as it is saved', () => {
  const least = { name: 'Dallas', zone: 'America/Chicago' }
  const refused = (more: object) =>
    marketInput.safeParse({ ...least, ...more }).error?.issues.map(({ path }) => path.join('.'))

  test('needs a name and a zone that clocks know', () => {
    expect(marketInput.parse(least)).toMatchObject({ state: '', latitude: null, outline: null, depots: [] })
    expect(refused({ zone: 'Mars/Olympus' })).toEqual(['zone'])
    expect(refused({ zone: '' })).toEqual(['zone'])
    expect(refused({ name: ' ' })).toEqual(['name'])
    expect(marketInput.parse({ ...least, state: 'tx' }).state).toBe('TX')
    expect(refused({ state: 'T' })).toEqual(['state'])
  })

  test('has a whole center or none, and an outline of at least three corners', () => {
    expect(refused({ latitude: 32 })).toEqual(['radiusM'])
    expect(refused({ latitude: 32, longitude: -97, radiusM: 10_000 })).toBeUndefined()
    expect(refused({ latitude: 132, longitude: -97, radiusM: 10_000 })).toEqual(['latitude'])
    expect(refused({ outline: ell.slice(0, 2) })).toEqual(['outline'])
    expect(refused({ outline: [...ell, [0, 91]] })).toEqual(['outline.6.1'])
    expect(refused({ depots: [{ name: '', latitude: 1, longitude: 1, radiusM: 1 }] })).toEqual([
      'depots.0.name',
      'depots.0.radiusM',
    ])
  })
})

describe('how far outside of a market a place lies', () => {
  const circle = { latitude: 32.78, longitude: -96.8, radiusM: 10_000, outline: null }
  const square = {
    ...circle,
    outline: [
      [-97, 32.6],
      [-96.6, 32.6],
      [-96.6, 33],
      [-97, 33],
    ] as [number, number][],
  }
  const north = (km: number) => ({ latitude: 32.78 + km / 111.195, longitude: -96.8 })

  test('is nothing inside, and nothing where the market has no place', () => {
    expect(metersOutside(circle, north(9))).toBe(0)
    expect(metersOutside(square, north(20))).toBe(0)
    expect(metersOutside({ latitude: null, longitude: null, radiusM: null, outline: null }, north(9))).toBe(0)
  })

  test('is the way to the border otherwise', () => {
    expect(metersOutside(circle, north(12)) / 1000).toBeCloseTo(2, 2)
    expect(metersOutside(square, { latitude: 33.1, longitude: -96.8 }) / 1000).toBeCloseTo(11.12, 1)
    expect(metersOutside(square, { latitude: 33.1, longitude: -96.5 }) / 1000).toBeCloseTo(Math.hypot(11.12, 9.32), 1)
  })
})
