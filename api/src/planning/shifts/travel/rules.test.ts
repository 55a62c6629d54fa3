import { describe, expect, test } from 'vitest'
import {
  describeShortWay,
  findShortWays,
  type MarketPlace,
  milesBetweenMarkets,
  milesToMarket,
  neededMinutes,
  type Stay,
  travelMinutes,
} from './rules.ts'

const marketAt = (name: string, latitude: number, longitude: number): MarketPlace => ({
  uid: name.toLowerCase(),
  name,
  zone: 'America/Chicago',
  area: { latitude, longitude, radiusM: 40_000, outline: null },
  points: [{ latitude, longitude }],
})
const dallas = marketAt('Dallas', 32.78, -96.8)
const fortWorth = marketAt('Fort Worth', 32.75, -97.33)
const denver = marketAt('Denver', 39.74, -104.99)
const nowhere: MarketPlace = {
  ...marketAt('Nowhere', 0, 0),
  area: { latitude: null, longitude: null, radiusM: null, outline: null },
  points: [],
}

describe('the way between markets', () => {
  test('is counted between the nearest yards, in a straight line', () => {
    expect(milesBetweenMarkets(dallas, dallas)).toBe(0)
    expect(milesBetweenMarkets(dallas, fortWorth)).toBe(31)
    expect(milesBetweenMarkets(dallas, denver)).toBe(662)
    const withYard = { ...denver, points: [...denver.points, ...fortWorth.points] }
    expect(milesBetweenMarkets(dallas, withYard)).toBe(31)
  })
  test('is not known to a market without a place, even from a position', () => {
    expect(milesBetweenMarkets(dallas, nowhere)).toBeUndefined()
    expect(milesToMarket({ latitude: 32, longitude: -96 }, nowhere)).toBeUndefined()
  })
  test('is none for a position inside the market', () => {
    expect(milesToMarket({ latitude: 32.9, longitude: -96.9 }, dallas)).toBe(0)
    expect(milesToMarket({ latitude: 33.9, longitude: -96.9 }, dallas)).toBe(78)
  })
  test('takes an hour for 45 miles', () => expect([45, 90, 662].map(travelMinutes)).toEqual([60, 120, 883]))
  test('needs no time between near markets, nor over an unknown distance', () =>
    expect([0, 60, 61, undefined].map(neededMinutes)).toEqual([0, 0, 81, 0]))
})

const markets = new Map([dallas, fortWorth, denver, nowhere].map((market) => [market.uid, market]))
const HOUR = 3_600_000

/** A shift of some hours, of truck T and driver D unless others are given. */
const stay = (uid: string, market: MarketPlace, from: number, to: number, given: Partial<Stay> = {}): Stay => ({
  uid,
  truckUid: 'T',
  driverUid: 'D',
  marketUid: market.uid,
  startsAt: from * HOUR,
  endsAt: to * HOUR,
  ...given,
})
const said = (asked: readonly Stay[], others: readonly Stay[] = []) =>
  [...findShortWays(asked, others, markets)].flatMap(([uid, ways]) => ways.map((way) => [uid, describeShortWay(way)]))

describe('the way from one shift to the next', () => {
  test.each<[string, Stay[], Stay[], string[][]]>([
    [
      'is too long after an hour',
      [stay('b', denver, 17, 20)],
      [stay('a', dallas, 8, 16)],
      [['b', 'Only 1 h to travel 662 miles from Dallas, after the last shift of truck and driver.']],
    ],
    [
      'is too long before the next shift of the driver',
      [stay('a', dallas, 8, 16)],
      [stay('b', denver, 20, 23, { truckUid: 'U' })],
      [['a', 'Only 4 h to travel 662 miles to Denver, before the next shift of the driver.']],
    ],
    [
      'leaves no time where one shift ends as the other starts',
      [stay('b', denver, 16, 20)],
      [stay('a', dallas, 8, 16, { driverUid: 'E' })],
      [['b', 'No time to travel 662 miles from Dallas, after the last shift of the truck.']],
    ],
    ['is long enough after a night and a morning', [stay('b', denver, 31, 39)], [stay('a', dallas, 8, 16)], []],
    ['is nothing next door', [stay('b', fortWorth, 16, 20)], [stay('a', dallas, 8, 16)], []],
    ['is not known to a market without a place', [stay('b', nowhere, 16, 20)], [stay('a', dallas, 8, 16)], []],
    [
      'is nothing between shifts that overlap, which clash',
      [stay('b', denver, 12, 20)],
      [stay('a', dallas, 8, 16)],
      [],
    ],
    [
      'is nobody else’s',
      [stay('b', denver, 17, 20)],
      [stay('a', dallas, 8, 16, { truckUid: 'U', driverUid: 'E' })],
      [],
    ],
    [
      'is that of the neighbor, not of a shift further away',
      [stay('c', denver, 40, 48)],
      [stay('a', dallas, 8, 16), stay('b', denver, 32, 36)],
      [],
    ],
    ['is not asked about between two saved shifts', [], [stay('a', dallas, 8, 16), stay('b', denver, 17, 20)], []],
    [
      'is said once of two shifts in question, of the later one',
      [stay('b', denver, 17, 20), stay('a', dallas, 8, 16)],
      [],
      [['b', 'Only 1 h to travel 662 miles from Dallas, after the last shift of truck and driver.']],
    ],
    [
      'can be too long on both sides',
      [stay('b', denver, 17, 20)],
      [stay('a', dallas, 8, 16, { driverUid: 'E' }), stay('c', dallas, 21, 23, { truckUid: 'U' })],
      [
        ['b', 'Only 1 h to travel 662 miles from Dallas, after the last shift of the truck.'],
        ['b', 'Only 1 h to travel 662 miles to Dallas, before the next shift of the driver.'],
      ],
    ],
  ])('%s', (_, asked, others, ways) => expect(said(asked, others)).toEqual(ways))
})
