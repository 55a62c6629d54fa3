import {
  FAR_MILES,
  formatMinutes,
  isInsideMarket,
  type MarketArea,
  metersBetween,
  type Point,
  toMiles,
  TRAVEL_MPH,
  formatCount,
} from '@roadshow/contract'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { type BookedResource, bookedResources, type BookedSpan } from '../bookings.ts'

/** A market as far as distances and times are concerned. */
export interface MarketPlace {
  uid: string
  name: string
  zone: string
  area: MarketArea
  /** The depots, or else the center; none for a market that was never drawn. */
  points: readonly Point[]
}

const shortestMiles = (from: readonly Point[], to: readonly Point[]): number | undefined => {
  const distances = from.flatMap((one) => to.map((other) => metersBetween(one, other)))
  return distances.length > 0 ? Math.round(toMiles(Math.min(...distances))) : undefined
}

/** Miles between the nearest yards of two markets, in a straight line; undefined where a place is not known. */
export const milesBetweenMarkets = (from: MarketPlace, to: MarketPlace): number | undefined =>
  from.uid === to.uid ? 0 : shortestMiles(from.points, to.points)

/** Miles from a position to the nearest yard of a market; 0 inside the market. */
export const milesToMarket = (from: Point, to: MarketPlace): number | undefined =>
  isInsideMarket(to.area, from) ? 0 : shortestMiles([from], to.points)

/** The minutes that a truck needs for a distance in a straight line. */
export const travelMinutes = (miles: number): number => Math.round((miles / TRAVEL_MPH) * 60)

/** The minutes that must lie between two shifts so far apart: none for near markets and for unknown distances. */
export const neededMinutes = (miles: number | undefined): number =>
  miles !== undefined && miles > FAR_MILES ? travelMinutes(miles) : 0

const MINUTE = 60_000

/** A shift of a truck and a driver in a market. */
export interface Stay extends BookedSpan {
  uid: string
  marketUid: string
}

/** A way to or from a shift that takes longer than the time between the two. */
export interface ShortWay {
  over: BookedResource[]
  /** The other shift comes after this one. */
  isAfter: boolean
  /** The market of the other shift. */
  market: string
  miles: number
  /** The time between the two shifts. */
  minutes: number
}

type Markets = ReadonlyMap<string, MarketPlace>

/** The way between two shifts of which the second starts later; undefined if there is time enough, or they overlap. */
function shortWayBetween(first: Stay, second: Stay, markets: Markets) {
  const [from, to] = [markets.get(first.marketUid), markets.get(second.marketUid)]
  const minutes = (second.startsAt - first.endsAt) / MINUTE
  if (!from || !to || minutes < 0) return undefined
  const miles = milesBetweenMarkets(from, to)
  return miles !== undefined && minutes < neededMinutes(miles) ? { miles, minutes } : undefined
}

/**
 * The ways for which trucks and drivers would have too little time, by the uid of the shift in question. Of two shifts in
 * question the later one has it.
 */
export function findShortWays(asked: readonly Stay[], others: readonly Stay[], markets: Markets) {
  const isAsked = new Set(asked.map(({ uid }) => uid))
  const ways = new Map<string, (ShortWay & { other: string })[]>()
  const note = (of: Stay, other: Stay, over: BookedResource, way: Pick<ShortWay, 'miles' | 'minutes'>) => {
    const known = ways.get(of.uid) ?? []
    const same = known.find((each) => each.other === other.uid)
    if (same) same.over.push(over)
    const market = markets.get(other.marketUid)?.name ?? ''
    const isAfter = other.startsAt > of.startsAt
    if (!same) ways.set(of.uid, [...known, { other: other.uid, over: [over], isAfter, market, ...way }])
  }
  for (const over of bookedResources) {
    for (const stays of groupBy([...asked, ...others], (stay) => stay[`${over}Uid`]).values()) {
      const inOrder = stays.toSorted((one, other) => one.startsAt - other.startsAt)
      for (const [at, second] of inOrder.entries()) {
        const first = inOrder[at - 1]
        if (!first || !(isAsked.has(first.uid) || isAsked.has(second.uid))) continue
        const way = shortWayBetween(first, second, markets)
        if (way) note(...(isAsked.has(second.uid) ? ([second, first] as const) : ([first, second] as const)), over, way)
      }
    }
  }
  return ways as ReadonlyMap<string, readonly ShortWay[]>
}

/** What is said of such a way: `Only 1 h to travel 1,240 miles from Dallas, after the last shift of the truck.` */
export function describeShortWay({ over, isAfter, market, miles, minutes }: ShortWay): string {
  const time = minutes === 0 ? 'No time' : `Only ${formatMinutes(minutes)}`
  const who = over.length > 1 ? 'truck and driver' : `the ${over[0]}`
  const way = `${time} to travel ${formatCount(miles)} miles`
  return isAfter
    ? `${way} to ${market}, before the next shift of ${who}.`
    : `${way} from ${market}, after the last shift of ${who}.`
}
