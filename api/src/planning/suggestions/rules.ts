import {
  DAY_MS,
  type DriverSuggestion,
  FAR_MILES,
  type Fit,
  fitOfSet,
  type Point,
  type ScreenNeed,
  type SuggestionReason,
  type TruckKind,
  type TruckState,
  type TruckSuggestion,
} from '@roadshow/contract'
import type { Refusal } from './refusals.ts'
import { type MarketPlace, milesBetweenMarkets, milesToMarket, neededMinutes } from '../shifts/index.ts'

type Sides = Parameters<typeof fitOfSet>[0]
type Panels = Parameters<typeof fitOfSet>[1]

/** The shift that truck and driver are looked for. Times are in milliseconds since 1970. */
export interface AskedShift {
  market: MarketPlace
  programUid: string | undefined
  startsAt: number
  endsAt: number
  /** The files of its artwork; null without artwork. */
  artwork: Sides | null
  /** What it needs screens for. */
  screenNeed: ScreenNeed | undefined
  restGapHours: number
  overtimeAfterHours: number
  now: number
}

/** The shift of a truck or driver before or after the one in question. */
export interface NeighborShift {
  market: MarketPlace
  programUid: string
  startsAt: number
  endsAt: number
}

interface Candidate {
  uid: string
  name: string
  before: NeighborShift | undefined
  after: NeighborShift | undefined
  refusal: Refusal | undefined
}

export interface TruckCandidate extends Candidate {
  state: TruckState
  kind: TruckKind
  homeMarket: MarketPlace | undefined
  panels: Panels
  fix: (Point & { at: number }) | undefined
}

export interface DriverCandidate extends Candidate {
  /** Hours of the workweek without this shift, as payroll counts them. */
  weekMinutes: number
  canSeeShifts: boolean
  hasDeclined: boolean
}

const MINUTE = 60_000
/** An older position says little about where a truck is. */
const FIX_COUNTS_FOR = 7 * DAY_MS
/** Longer rest is no news. */
const REST_WORTH_SAYING = DAY_MS

/** Lower goes first; the first number that differs decides. */
type Rank = readonly number[]

function compareRanks(a: Rank, b: Rank): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

const natural = new Intl.Collator('en-US', { numeric: true })

function byRank<T extends { uid: string; name: string }>(ranked: readonly { rank: Rank; row: T }[]): T[] {
  const order = (a: (typeof ranked)[number], b: (typeof ranked)[number]) =>
    compareRanks(a.rank, b.rank) || natural.compare(a.row.name, b.row.name) || (a.row.uid < b.row.uid ? -1 : 1)
  return ranked.toSorted(order).map(({ row }) => row)
}

const iso = (at: number) => new Date(at).toISOString()
const flag = (isBad: boolean) => (isBad ? 1 : 0)

/** A place from which a truck or driver comes to the shift, and since when they are free to leave it. */
interface Origin {
  /** Empty for a position. */
  market: string
  miles: number | undefined
  freeFrom: number
}

function travelBefore(origin: Origin | undefined, { startsAt }: AskedShift): SuggestionReason[] {
  const minutes = neededMinutes(origin?.miles)
  if (!origin?.miles || minutes === 0) return []
  const isEnough = startsAt - origin.freeFrom >= minutes * MINUTE
  return [{ kind: 'travel', market: origin.market, miles: origin.miles, minutes, isEnough }]
}

function travelAfter({ after }: Candidate, { market, endsAt }: AskedShift): SuggestionReason[] {
  const miles = after && milesBetweenMarkets(market, after.market)
  const minutes = neededMinutes(miles)
  if (!after || !miles || minutes === 0) return []
  // A shift of another week is no reason to hurry.
  const isEnough = after.startsAt - endsAt >= minutes * MINUTE
  return isEnough ? [] : [{ kind: 'travelAfter', market: after.market.name, miles, minutes, isEnough }]
}

const lacksTime = (reasons: readonly SuggestionReason[]) =>
  reasons.some((reason) => (reason.kind === 'travel' || reason.kind === 'travelAfter') && !reason.isEnough)

function endsIn(before: NeighborShift, { market }: AskedShift): SuggestionReason {
  const { name, zone, uid } = before.market
  return { kind: 'endsIn', market: name, at: iso(before.endsAt), zone, isHere: uid === market.uid }
}

/** Where a truck comes from: its position if it has no shift before, else that shift's market, else its home. */
function originOfTruck(truck: TruckCandidate, asked: AskedShift): [origin: Origin | undefined, SuggestionReason[]] {
  const { before, fix, homeMarket } = truck
  const isIdle = asked.startsAt > asked.now && (before === undefined || before.endsAt <= asked.now)
  if (fix && isIdle && fix.at >= Math.max(before?.endsAt ?? 0, asked.now - FIX_COUNTS_FOR)) {
    const miles = milesToMarket(fix, asked.market)
    const said: SuggestionReason[] = miles === undefined ? [] : [{ kind: 'position', market: asked.market.name, miles }]
    return [{ market: '', miles, freeFrom: asked.now }, before ? [endsIn(before, asked), ...said] : said]
  }
  if (before) {
    const miles = milesBetweenMarkets(before.market, asked.market)
    return [{ market: before.market.name, miles, freeFrom: before.endsAt }, [endsIn(before, asked)]]
  }
  if (!homeMarket) return [undefined, []]
  const miles = milesBetweenMarkets(homeMarket, asked.market)
  return [{ market: homeMarket.name, miles, freeFrom: Number.NEGATIVE_INFINITY }, []]
}

const fitRank: Record<Fit, number> = { exact: 0, scales: 0, unknown: 1, tooLarge: 2, wrongRatio: 3 }

/** How badly artwork meets screens: 0 where it fits, 1 where that is not known, more where it does not. */
export const misfitOf = (panels: Panels, artwork: Sides | null): number => artworkReason(panels, artwork)[0]

function artworkReason(panels: Panels, artwork: Sides | null): [number, SuggestionReason[]] {
  if (!artwork) return [0, []]
  const { fit } = fitOfSet(artwork, panels)
  return [fitRank[fit], [{ kind: 'artwork', fit }]]
}

/** What a program needs screens for. */
export interface ScreenNeeds {
  /** It has artwork that players may show. */
  hasArtwork: boolean
  /** The markets and days of its booked plays. */
  bookedPlays: readonly { marketUid: string; startsOn: string; endsOn: string }[]
}

/** What a shift of the program needs screens for: a printed truck shows no files and counts no plays. */
export function screenNeedOf(
  { hasArtwork, bookedPlays }: ScreenNeeds,
  { marketUid, date }: { marketUid: string; date: string },
): ScreenNeed | undefined {
  if (hasArtwork) return 'artwork'
  const isBooked = bookedPlays.some(
    (line) => line.marketUid === marketUid && line.startsOn <= date && date <= line.endsOn,
  )
  return isBooked ? 'plays' : undefined
}

function homeReason({ homeMarket }: TruckCandidate, { market }: AskedShift): SuggestionReason[] {
  return homeMarket ? [{ kind: 'homeMarket', market: homeMarket.name, isHere: homeMarket.uid === market.uid }] : []
}

/** Clocks may skip the start or the end of a shift; then there is nothing to compare. */
const hasHours = ({ startsAt, endsAt }: AskedShift) => !Number.isNaN(startsAt + endsAt)

const refusalOf = ({ refusal }: Candidate) => ({
  refusal: refusal?.text ?? null,
  bookedUntil: refusal?.bookedUntil ? iso(refusal.bookedUntil) : null,
})

// A distance that is not known ranks behind the near ones and before the far ones.
const rankOfMiles = (origin: Origin | undefined) => origin?.miles ?? FAR_MILES

// Behind those that can be planned, and behind those that cannot show what is booked.
const UNSUITABLE = 1
const REFUSED = 2

function rankTruck(truck: TruckCandidate, asked: AskedShift): { rank: Rank; row: TruckSuggestion } {
  const { uid, name, state, homeMarket, before } = truck
  const home = homeReason(truck, asked)
  const need = truck.kind === 'printed' ? asked.screenNeed : undefined
  const row = {
    isSuitable: need === undefined,
    uid,
    name,
    state,
    homeMarket: homeMarket ? { uid: homeMarket.uid, name: homeMarket.name } : null,
    ...refusalOf(truck),
  }
  const isAway = flag(homeMarket?.uid !== asked.market.uid)
  const printed: SuggestionReason[] = need ? [{ kind: 'printed', need }] : []
  if (truck.refusal || !hasHours(asked)) {
    return { rank: [REFUSED, isAway], row: { ...row, reasons: [...printed, ...home] } }
  }
  if (need) return { rank: [UNSUITABLE, isAway], row: { ...row, reasons: [...printed, ...home] } }
  const [fit, artwork] = truck.kind === 'printed' ? [0, []] : artworkReason(truck.panels, asked.artwork)
  const [origin, place] = originOfTruck(truck, asked)
  const travel = [...travelBefore(origin, asked), ...travelAfter(truck, asked)]
  const isSameProgram = before !== undefined && before.programUid === asked.programUid
  const reasons: SuggestionReason[] = [{ kind: 'free' }, ...artwork, ...place, ...home, ...travel]
  if (isSameProgram) reasons.push({ kind: 'sameProgram' })
  const rank = [0, flag(lacksTime(travel)), fit, rankOfMiles(origin), isAway, flag(!isSameProgram)]
  return { rank, row: { ...row, reasons } }
}

/** Trucks for a shift, best first: with screens if it needs them, free, with time for the way, fitting artwork, near, at home, of the same program. */
export const suggestTrucks = (trucks: readonly TruckCandidate[], asked: AskedShift): TruckSuggestion[] =>
  byRank(trucks.map((truck) => rankTruck(truck, asked)))

const minutesOf = (ms: number) => Math.round(ms / MINUTE)

/** The rest of a driver before and after a shift, and whether one of the two is too short. */
function restReasons({ before, after }: Candidate, asked: AskedShift): [isShort: boolean, SuggestionReason[]] {
  const gap = asked.restGapHours * 60 * MINUTE
  const reasons: SuggestionReason[] = []
  const rest = before ? asked.startsAt - before.endsAt : Number.POSITIVE_INFINITY
  const isShort = rest < gap
  if (isShort || rest < REST_WORTH_SAYING) reasons.push({ kind: 'rest', minutes: minutesOf(rest), isShort })
  const restAfter = after ? after.startsAt - asked.endsAt : Number.POSITIVE_INFINITY
  if (restAfter < gap) reasons.push({ kind: 'restAfter', minutes: minutesOf(restAfter) })
  return [isShort || restAfter < gap, reasons]
}

function rankDriver(driver: DriverCandidate, asked: AskedShift): { rank: Rank; row: DriverSuggestion } {
  const { uid, name, before } = driver
  const row = { uid, name, ...refusalOf(driver) }
  const limitMinutes = asked.overtimeAfterHours * 60
  const minutes = driver.weekMinutes + minutesOf(asked.endsAt - asked.startsAt)
  const week: SuggestionReason = { kind: 'weekHours', minutes, limitMinutes }
  const blocked: SuggestionReason[] = [
    ...(driver.canSeeShifts ? [] : [{ kind: 'noSchedule' } as const]),
    ...(driver.hasDeclined ? [{ kind: 'declined' } as const] : []),
  ]
  if (driver.refusal || !hasHours(asked))
    return { rank: [REFUSED, driver.weekMinutes], row: { ...row, reasons: blocked } }
  const origin = before && {
    market: before.market.name,
    miles: milesBetweenMarkets(before.market, asked.market),
    freeFrom: before.endsAt,
  }
  const travel = [...travelBefore(origin, asked), ...travelAfter(driver, asked)]
  const [isShort, rest] = restReasons(driver, asked)
  const place = before ? [endsIn(before, asked)] : []
  const unusable = flag(!driver.canSeeShifts) + flag(driver.hasDeclined)
  const isOver = flag(minutes > limitMinutes)
  const isFar = flag((origin?.miles ?? 0) > FAR_MILES)
  const rank = [0, unusable, flag(lacksTime(travel)), flag(isShort), isFar, isOver, rankOfMiles(origin), minutes]
  return { rank, row: { ...row, reasons: [{ kind: 'free' }, ...blocked, ...rest, week, ...place, ...travel] } }
}

/** Drivers for a shift, best first: free, reachable, rested, around, below the overtime limit, near, with the fewest hours. */
export const suggestDrivers = (drivers: readonly DriverCandidate[], asked: AskedShift): DriverSuggestion[] =>
  byRank(drivers.map((driver) => rankDriver(driver, asked)))
