import { isInsideMarket, type MarketArea, metersBetween, type Point } from '@roadshow/contract'
import { AROUND_SHIFT_MS } from './grading.ts'

/** A market as far as photos are placed in it. */
export interface PlacedMarket extends MarketArea {
  uid: string
  zone: string
}

/** A shift that a photo may be of. Times in milliseconds since 1970. */
export interface CandidateShift {
  uid: string
  programUid: string
  marketUid: string
  truckUid: string
  zone: string
  from: number
  to: number
}

/** When a photo was taken, if its shift is in a zone: a camera may have told only what its clock showed. */
export type InstantInZone = (zone: string) => number | null

// Another truck of the fleet this near is no chance.
const SAME_TRUCK_M = 2000

/** Shifts that were driven when a photo was taken, or had just been or were about to be; the likeliest first. */
export function shiftsNearPhoto<S extends CandidateShift>(shifts: readonly S[], momentIn: InstantInZone): S[] {
  const outside = ({ from, to, zone }: S) => {
    const at = momentIn(zone)
    return at === null ? Infinity : Math.max(0, from - at, at - to)
  }
  return shifts
    .filter((shift) => outside(shift) <= AROUND_SHIFT_MS)
    .toSorted((one, other) => outside(one) - outside(other) || other.from - one.from)
}

/** A shift with where its truck was when the photo was taken, as far as its tracker says. */
export interface LocatedCandidate extends CandidateShift {
  truckAt: Point | null
}

/**
 * The shift that a photo sent by the office is of: of those around its time the one whose truck was nearest. Without a
 * place only where there is no other. When no program is given either, the truck must have been there.
 */
export function chooseShift(
  around: readonly LocatedCandidate[],
  place: Point | null,
  isProgramGiven: boolean,
): LocatedCandidate | undefined {
  if (!place) return around.length === 1 && isProgramGiven ? around[0] : undefined
  const far = ({ truckAt }: LocatedCandidate) => (truckAt ? metersBetween(truckAt, place) : Number.MAX_VALUE)
  const nearest = around.toSorted((one, other) => far(one) - far(other))[0]
  if (!nearest) return undefined
  if (!isProgramGiven) return far(nearest) <= SAME_TRUCK_M ? nearest : undefined
  return nearest.truckAt || around.length === 1 ? nearest : undefined
}

/** The market that a place lies in; of two that overlap, the one whose centre is nearer. */
export function marketOfPlace<M extends PlacedMarket>(markets: readonly M[], place: Point | null): M | undefined {
  if (!place) return undefined
  const toCentre = ({ latitude, longitude }: M) =>
    latitude === null || longitude === null ? Number.MAX_VALUE : metersBetween({ latitude, longitude }, place)
  return markets
    .filter((market) => isInsideMarket(market, place) === true)
    .toSorted((one, other) => toCentre(one) - toCentre(other))[0]
}
