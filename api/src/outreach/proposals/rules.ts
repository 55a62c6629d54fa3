import {
  addDays,
  type ErrorCode,
  formatDay,
  localDay,
  type MarketPlaces,
  metersBetween,
  PROPOSAL_DAYS,
  type ProgramStatus,
  type ProposalPlace,
} from '@roadshow/contract'

export type SdPlace = ProposalPlace

interface MarketCenter {
  name: string
  latitude: number | null
  longitude: number | null
}

// More pins on one map say no more.
const MOST_PLACES = 300

/** The addresses of a program by the market whose center is nearest; those of markets without a center go to the first. */
export function placesByMarket(markets: readonly MarketCenter[], places: readonly SdPlace[]): MarketPlaces[] {
  const found = new Map<string, MarketPlaces>()
  for (const place of places) {
    const market = nearestMarket(markets, place)
    const known = found.get(market) ?? { market, total: 0, places: [] }
    known.total++
    if (known.places.length < MOST_PLACES) known.places.push(place)
    found.set(market, known)
  }
  const order = markets.map(({ name }) => name)
  return [...found.values()].toSorted((one, other) => order.indexOf(one.market) - order.indexOf(other.market))
}

function nearestMarket(markets: readonly MarketCenter[], place: SdPlace): string {
  let [nearest, least] = [markets[0]?.name ?? '', Infinity]
  for (const { name, latitude, longitude } of markets) {
    if (latitude === null || longitude === null) continue
    const meters = metersBetween(place, { latitude, longitude })
    if (meters < least) [nearest, least] = [name, meters]
  }
  return nearest
}

/** Why a program cannot be proposed; undefined if it can. */
export function proposalBlocker(program: { status: ProgramStatus; lines: readonly unknown[] }): ErrorCode | undefined {
  if (program.status !== 'draft') return 'proposalNotDraft'
  return program.lines.length === 0 ? 'proposalNothingBooked' : undefined
}

/** What is wrong with the last day of a proposal, as a sentence; undefined if nothing is. */
export function wrongValidUntil(validUntil: string, zone: string, now: number): string | undefined {
  const today = localDay(zone, now)
  const last = addDays(today, PROPOSAL_DAYS.max)
  return validUntil < today || validUntil > last ? `Must be from ${formatDay(today)} to ${formatDay(last)}.` : undefined
}
