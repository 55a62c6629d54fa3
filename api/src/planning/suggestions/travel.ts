import { isInsideMarket, type MarketArea, metersBetween, type Point, toMiles, TRAVEL_MPH } from '@roadshow/contract'

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
