import {
  type BodyOf,
  isInsideMarket,
  type Market,
  type MarketArea,
  metersBetween,
  type PhotoSource,
  type Point,
  type pops,
  zoneOn,
} from '@roadshow/contract'
import { dayOf } from '../../platform/db/partitions.ts'
import { instantOfClock } from '../../platform/spreadsheet/local-time.ts'
import { correctSenderTime } from '../../platform/runtime/sender-clock.ts'
import type { CameraData } from './camera.ts'
import { AROUND_SHIFT_MS } from './grading.ts'

/** A market in which photos can be placed. */
export interface PlacedMarket extends MarketArea, Pick<Market, 'zone' | 'earlierZones'> {
  uid: string
}

/** A shift that a photo may belong to. Times in milliseconds since 1970. */
export interface CandidateShift {
  uid: string
  programUid: string
  marketUid: string
  truckUid: string
  zone: string
  from: number
  to: number
  /** Whether the sender had it before: its hours are another driver's by now. */
  isOfAnother?: boolean
}

/** When a photo was taken, given the zone of its shift: some cameras record only a local time. */
type InstantInZone = (zone: string) => number | null

/** Time and place as the sender typed them, for photos without camera data. */
interface TypedData {
  takenAt?: string | undefined
  latitude?: number | undefined
  longitude?: number | undefined
}

// The request is under way for a while, and clocks are read to the second.
const CLOCK_TOLERANCE_MS = 2 * 60_000

type PhoneRecord = NonNullable<BodyOf<typeof pops.addPhotos>['phone']>

/** Time and place as the driver's phone recorded them, the time corrected. */
export interface PhoneData {
  at: number | null
  place: Point | null
  accuracyM: number | null
}

const NO_PHONE_DATA: PhoneData = { at: null, place: null, accuracyM: null }

/**
 * A phone cannot have taken a photo after it sent it; a clock that was changed in between says nothing. The phone notes
 * when it sends before the upload begins, so its clock is compared with the time before the upload was received.
 */
export function phoneData(record: PhoneRecord | undefined, now: number, receivingMs: number): PhoneData {
  if (!record) return NO_PHONE_DATA
  const { latitude, longitude, accuracyM } = record
  const at = correctSenderTime({
    at: Date.parse(record.takenAt),
    sentAt: Date.parse(record.sentAt),
    now: now - receivingMs,
  })
  const place = latitude === null || longitude === null ? null : { latitude, longitude }
  const isPlausible = at > 0 && at <= now + CLOCK_TOLERANCE_MS
  return { at: isPlausible ? at : null, place, accuracyM: place && accuracyM }
}

/** When and where a photo was taken, before its zone is known. */
export interface PhotoData {
  /** Without a zone a local time is no instant. */
  cameraInstantIn: (zone: string | undefined) => number | null
  phoneInstant: number | null
  typedInstant: number | null
  instantIn: InstantInZone
  /** The instant to search shifts around; up to a day off where only a local time is known. */
  approximateInstant: number | null
  place: Point | null
  placeSource: PhotoSource | null
  /** Of a place that a phone recorded. */
  accuracyM: number | null
}

/** Where a photo belongs, and when and where it was taken. */
export interface PlacedPhoto extends Pick<PhotoData, 'place' | 'placeSource' | 'accuracyM'> {
  programUid: string
  marketUid: string | null
  shift: CandidateShift | null
  at: number | null
  timeSource: PhotoSource | null
}

/** The camera wins over the phone, and the phone over what was typed. */
function bestSource<T>(known: Record<PhotoSource, T | null>): [PhotoSource, T] | [null, null] {
  for (const source of ['exif', 'phone', 'typed'] as const) {
    const value = known[source]
    if (value !== null) return [source, value]
  }
  return [null, null]
}

/** Combines what is known of a photo. */
export function photoData(
  camera: CameraData,
  { takenAt, latitude, longitude }: TypedData,
  phone: PhoneData = NO_PHONE_DATA,
): PhotoData {
  const typedInstant = takenAt === undefined ? null : Date.parse(takenAt)
  const typedPlace = latitude === undefined || longitude === undefined ? null : { latitude, longitude }
  const [placeSource, place] = bestSource({ exif: camera.place, phone: phone.place, typed: typedPlace })
  const otherInstant = phone.at ?? typedInstant
  const cameraInstantIn = (zone: string | undefined) =>
    camera.at ?? (camera.clock && zone ? instantOfClock(camera.clock, zone) : null)
  return {
    cameraInstantIn,
    phoneInstant: phone.at,
    typedInstant,
    instantIn: (zone) => cameraInstantIn(zone) ?? otherInstant,
    approximateInstant: camera.at ?? (camera.clock === null ? otherInstant : Date.parse(`${camera.clock}Z`)),
    place,
    placeSource,
    accuracyM: placeSource === 'phone' ? phone.accuracyM : null,
  }
}

// Another truck of the fleet is rarely this close by chance.
const SAME_TRUCK_M = 2000

/** Shifts around the time of a photo, the likeliest first: those under way, then those just over or about to start. */
export function shiftsNearPhoto<S extends CandidateShift>(shifts: readonly S[], instantIn: InstantInZone): S[] {
  const outside = ({ from, to, zone }: S) => {
    const at = instantIn(zone)
    return at === null ? Infinity : Math.max(0, from - at, at - to)
  }
  return shifts
    .filter((shift) => outside(shift) <= AROUND_SHIFT_MS)
    .toSorted((one, other) => outside(one) - outside(other) || other.from - one.from)
}

/** A shift with the position of its truck when the photo was taken, where it is known. */
export interface LocatedCandidate extends CandidateShift {
  truckAt: Point | null
}

/**
 * The shift of a photo that the office sent: the one whose truck was nearest. A photo without a place gets the only
 * candidate of its program. A photo without a program needs a truck close by.
 */
export function chooseShift(
  candidates: readonly LocatedCandidate[],
  place: Point | null,
  isProgramGiven: boolean,
): LocatedCandidate | undefined {
  if (!place) return candidates.length === 1 && isProgramGiven ? candidates[0] : undefined
  const distance = ({ truckAt }: LocatedCandidate) => (truckAt ? metersBetween(truckAt, place) : Number.MAX_VALUE)
  const nearest = candidates.toSorted((one, other) => distance(one) - distance(other))[0]
  if (!nearest) return undefined
  if (!isProgramGiven) return distance(nearest) <= SAME_TRUCK_M ? nearest : undefined
  return nearest.truckAt || candidates.length === 1 ? nearest : undefined
}

/** The market that a place lies in; of overlapping markets, the one with the nearer center. */
export function marketOfPlace<M extends PlacedMarket>(markets: readonly M[], place: Point | null): M | undefined {
  if (!place) return undefined
  const toCenter = ({ latitude, longitude }: M) =>
    latitude === null || longitude === null ? Number.MAX_VALUE : metersBetween({ latitude, longitude }, place)
  return markets
    .filter((market) => isInsideMarket(market, place) === true)
    .toSorted((one, other) => toCenter(one) - toCenter(other))[0]
}

interface PlacementFacts {
  programUid: string
  /** The market that the sender chose. */
  chosenMarketUid: string | undefined
  shift: CandidateShift | undefined
  /** The markets of the program. */
  markets: readonly PlacedMarket[]
}

/** Places a photo in a market of its program and fixes the time at which it was taken. */
export function placeInProgram(data: PhotoData, facts: PlacementFacts): PlacedPhoto {
  const { programUid, chosenMarketUid, shift, markets } = facts
  const market = markets.find(({ uid }) => uid === chosenMarketUid) ?? marketOfPlace(markets, data.place)
  const marketUid = shift?.marketUid ?? market?.uid ?? (markets.length === 1 ? markets[0]?.uid : undefined) ?? null
  const placed = markets.find(({ uid }) => uid === marketUid)
  const zone = shift?.zone ?? (placed && zoneOn(placed, dayOf(data.approximateInstant ?? 0)))
  const { phoneInstant: phone, typedInstant: typed } = data
  const [timeSource, at] = bestSource({ exif: data.cameraInstantIn(zone), phone, typed })
  return {
    programUid,
    marketUid,
    shift: shift ?? null,
    at,
    timeSource,
    place: data.place,
    placeSource: data.placeSource,
    accuracyM: data.accuracyM,
  }
}
