import { type MarketArea, metersOutside, type Point } from '@roadshow/contract'

/**
 * Whether an address belongs to a market: no other market of the program is nearer to it. An address outside all of
 * them belongs to the nearest one, so that none is lost; where two markets overlap, it belongs to both.
 */
export function isAddressOfMarket(place: Point, market: MarketArea, all: readonly MarketArea[]): boolean {
  const own = metersOutside(market, place)
  return all.every((other) => own <= metersOutside(other, place))
}
