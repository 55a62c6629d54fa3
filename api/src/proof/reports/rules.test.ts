import type { MarketArea } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { isAddressOfMarket } from './rules.ts'

const circle = (latitude: number, longitude: number, radiusM: number): MarketArea => ({
  latitude,
  longitude,
  radiusM,
  outline: null,
})
const dallas = circle(32.78, -96.8, 40_000)
const fortWorth = circle(32.76, -97.33, 30_000)
const houston = circle(29.76, -95.37, 50_000)
const anywhere: MarketArea = { latitude: null, longitude: null, radiusM: null, outline: null }
const all = [dallas, fortWorth, houston]

test.each([
  ['inside one market', { latitude: 32.8, longitude: -96.7 }, [true, false, false]],
  ['inside two markets that overlap', { latitude: 32.77, longitude: -97.1 }, [true, true, false]],
  ['outside all of them, nearest to Houston', { latitude: 30.6, longitude: -96.3 }, [false, false, true]],
])('an SD address %s', (_, place, expected) => {
  expect(all.map((market) => isAddressOfMarket(place, market, all))).toEqual(expected)
})

test('an SD address of a market without an area belongs to it', () => {
  expect(isAddressOfMarket({ latitude: 0, longitude: 0 }, anywhere, [anywhere, dallas])).toBe(true)
})
