import type { FillRule } from '@roadshow/contract'
import { type MarketPlace, milesBetweenMarkets, neededMinutes } from '../shifts/index.ts'

/** The shifts to place in one market on one day. Times are in milliseconds since 1970. */
export interface Slot extends BookedTime {
  date: string
  /** The Monday of its workweek. */
  week: string
  /** How many shifts to place. */
  demand: number
  /** Artwork files are shown or plays are booked: printed boards will not do. */
  needsScreens: boolean
}

export interface Span {
  startsAt: number
  endsAt: number
}

/** The time of a saved shift, and where it is. */
export interface BookedTime extends Span {
  marketUid: string
}

interface Candidate {
  uid: string
  name: string
  /** In the order of their starts; they do not overlap. */
  bookings: readonly BookedTime[]
  /** When the truck is in the shop, or the driver off. */
  away: readonly Span[]
  /** Where it is before the first slot, if that is known. */
  startMarketUid: string | undefined
}

export interface FillTruck extends Candidate {
  hasScreens: boolean
  /** 0 for artwork that fits the screens, 1 where that is not known, more where it does not. */
  misfit: number
}

export interface FillDriver extends Candidate {
  canSeeShifts: boolean
  /** Hours at which the driver declined a shift. */
  declined: readonly Span[]
  /** Minutes of the saved shifts by workweek. */
  weekMinutes: ReadonlyMap<string, number>
}

/** Everything that a fill proposal is made of. */
export interface FillFacts {
  slots: readonly Slot[]
  trucks: readonly FillTruck[]
  drivers: readonly FillDriver[]
  markets: ReadonlyMap<string, MarketPlace>
  restMinutes: number
  /** The minutes of a workweek after which overtime begins. */
  weekLimit: number
}

const MINUTE = 60_000
/** Artwork that fits worse is not proposed, unless the rule is relaxed. */
const WORST_MISFIT = 1

export const minutesOf = ({ startsAt, endsAt }: Span): number => Math.round((endsAt - startsAt) / MINUTE)

const overlaps = (one: Span, other: Span) => one.startsAt < other.endsAt && other.startsAt < one.endsAt
const gapMinutes = (one: Span, other: Span): number =>
  one.startsAt <= other.startsAt ? (other.startsAt - one.endsAt) / MINUTE : gapMinutes(other, one)

export type TruckObstacle = 'inShop' | 'printed' | 'booked' | 'travel' | 'artwork'
export type DriverObstacle = 'off' | 'booked' | 'declined' | 'phone' | 'rest' | 'travel' | 'weekHours'

/** The rules of a fill proposal, without those that are relaxed. */
export class FillRules {
  readonly #facts: FillFacts
  readonly #relaxed: ReadonlySet<FillRule>
  readonly #ways = new Map<string, number>()

  constructor(facts: FillFacts, relaxed: Iterable<FillRule>) {
    this.#facts = facts
    this.#relaxed = new Set(relaxed)
  }

  keeps(rule: FillRule): boolean {
    return !this.#relaxed.has(rule)
  }

  /** The minutes between two markets; 0 for near ones, and where a distance is not known. */
  #wayBetween(from: string, to: string): number {
    const key = `${from} ${to}`
    const known = this.#ways.get(key)
    if (known !== undefined) return known
    const { markets } = this.#facts
    const [one, other] = [markets.get(from), markets.get(to)]
    const minutes = one && other ? neededMinutes(milesBetweenMarkets(one, other)) : 0
    this.#ways.set(key, minutes)
    return minutes
  }

  #lacksTravelTime(one: BookedTime, other: BookedTime): boolean {
    return this.keeps('travel') && gapMinutes(one, other) < this.#wayBetween(one.marketUid, other.marketUid)
  }

  #lacksRest(one: Span, other: Span): boolean {
    return this.keeps('rest') && gapMinutes(one, other) < this.#facts.restMinutes
  }

  /** Whether one truck can do both shifts. */
  canTruckDoBoth = (one: BookedTime, other: BookedTime): boolean =>
    !overlaps(one, other) && !this.#lacksTravelTime(one, other)

  /** Whether one driver can do both shifts. */
  canDriverDoBoth = (one: BookedTime, other: BookedTime): boolean =>
    !overlaps(one, other) && !this.#lacksRest(one, other) && !this.#lacksTravelTime(one, other)

  /** What keeps a truck from a slot, apart from other slots. */
  truckObstacle(truck: FillTruck, slot: Slot): TruckObstacle | undefined {
    if (truck.away.some((span) => overlaps(span, slot))) return 'inShop'
    if (slot.needsScreens && !truck.hasScreens) return 'printed'
    const near = neighborsOf(truck.bookings, slot)
    if (near.some((booking) => overlaps(booking, slot))) return 'booked'
    if (near.some((booking) => this.#lacksTravelTime(booking, slot))) return 'travel'
    return this.keeps('artwork') && truck.misfit > WORST_MISFIT ? 'artwork' : undefined
  }

  /** What keeps a driver from a slot, apart from other slots. */
  driverObstacle(driver: FillDriver, slot: Slot): DriverObstacle | undefined {
    if (driver.away.some((span) => overlaps(span, slot))) return 'off'
    const near = neighborsOf(driver.bookings, slot)
    if (near.some((booking) => overlaps(booking, slot))) return 'booked'
    if (this.keeps('declined') && driver.declined.some((span) => overlaps(span, slot))) return 'declined'
    if (this.keeps('phone') && !driver.canSeeShifts) return 'phone'
    if (near.some((booking) => this.#lacksRest(booking, slot))) return 'rest'
    if (near.some((booking) => this.#lacksTravelTime(booking, slot))) return 'travel'
    return minutesOf(slot) > this.minutesLeft(driver, slot.week) ? 'weekHours' : undefined
  }

  /** The minutes that a driver can still be given in a workweek. */
  minutesLeft({ weekMinutes }: FillDriver, week: string): number {
    return this.keeps('weekHours') ? this.#facts.weekLimit - (weekMinutes.get(week) ?? 0) : Number.POSITIVE_INFINITY
  }
}

/** The last booking that starts before a slot ends and does not start after it, those that overlap it, and the next one. */
function neighborsOf(bookings: readonly BookedTime[], slot: Slot): BookedTime[] {
  const after = bookings.findIndex(({ startsAt }) => startsAt >= slot.endsAt)
  const end = after < 0 ? bookings.length : after
  let first = end
  while (first > 0 && (bookings[first - 1]?.endsAt ?? 0) > slot.startsAt) first--
  return bookings.slice(Math.max(0, first - 1), end + 1)
}

/** Two slots that one truck, or one driver, cannot both take. */
export type Conflict = readonly [slot: number, other: number]

/** A truck or a driver with the slots that it can take, by their indexes. */
export interface Resource extends Candidate {
  slots: readonly number[]
  /** What each of its shifts costs, whichever it is. */
  costEach: number
  /** What its first shift, its second one and so on cost in addition; never less than the one before. */
  costByCount: readonly number[]
  /** At most this many minutes of some slots, such as those of a workweek. */
  limits: readonly { slots: readonly number[]; minutes: number }[]
}

/** A fill proposal as a problem of numbers. Trucks and drivers meet only in how many shifts of a slot are placed. */
export interface FillProblem {
  slots: readonly Slot[]
  trucks: readonly Resource[]
  drivers: readonly Resource[]
  truckConflicts: readonly Conflict[]
  driverConflicts: readonly Conflict[]
}

/** A truck whose artwork is not known to fit weighs as much as two hours of difference between drivers, a bad fit more. */
const MISFIT_COST = 20

/** Writes down who can take what while some rules are relaxed. */
export function problemOf(facts: FillFacts, relaxed: Iterable<FillRule>): FillProblem {
  const rules = new FillRules(facts, relaxed)
  const { slots } = facts
  const trucks = facts.trucks.map((truck): Resource => ({
    ...truck,
    slots: freeSlots(slots, (slot) => rules.truckObstacle(truck, slot)),
    costEach: truck.misfit * MISFIT_COST,
    costByCount: [],
    limits: [],
  }))
  const drivers = facts.drivers.map((driver) => driverResource(driver, facts, rules))
  return {
    slots,
    trucks: trucks.filter((truck) => truck.slots.length > 0),
    drivers: drivers.filter((driver) => driver.slots.length > 0),
    truckConflicts: conflictsAmong(slots, rules.canTruckDoBoth),
    driverConflicts: conflictsAmong(slots, rules.canDriverDoBoth),
  }
}

const freeSlots = (slots: readonly Slot[], obstacleOf: (slot: Slot) => string | undefined): number[] =>
  slots.flatMap((slot, index) => (obstacleOf(slot) === undefined ? [index] : []))

function driverResource(driver: FillDriver, { slots }: FillFacts, rules: FillRules): Resource {
  const free = freeSlots(slots, (slot) => rules.driverObstacle(driver, slot))
  const weeks = [...new Set(slots.map(({ week }) => week))]
  const worked = weeks.reduce((sum, week) => sum + (driver.weekMinutes.get(week) ?? 0), 0)
  const usual = slots[0] ? minutesOf(slots[0]) : 0
  const limits = weeks
    .map((week) => ({
      slots: free.filter((index) => slots[index]?.week === week),
      minutes: rules.minutesLeft(driver, week),
    }))
    .filter((limit) => limit.slots.length > 0 && totalMinutes(slots, limit.slots) > limit.minutes)
  return {
    ...driver,
    slots: free,
    costEach: 0,
    // Each further hour of a driver costs more than the one before, so hours are shared evenly.
    costByCount: free.map((_, at) => Math.max(0, Math.round((worked + (at + 1) * usual) / 60))),
    limits,
  }
}

const totalMinutes = (slots: readonly Slot[], indexes: readonly number[]): number =>
  indexes.reduce((sum, index) => sum + (slots[index] ? minutesOf(slots[index]) : 0), 0)

/** Whether a truck or a driver that takes some slots keeps its limits. */
export const keepsLimits = ({ limits }: Resource, taken: readonly number[], slots: readonly Slot[]): boolean =>
  limits.every((limit) => {
    const within = taken.filter((slot) => limit.slots.includes(slot))
    return totalMinutes(slots, within) <= limit.minutes
  })

function conflictsAmong(slots: readonly Slot[], canDoBoth: (one: Slot, other: Slot) => boolean): Conflict[] {
  const conflicts: Conflict[] = []
  for (const [index, slot] of slots.entries()) {
    for (let next = index + 1; next < slots.length; next++) {
      const other = slots[next]
      if (other && !canDoBoth(slot, other)) conflicts.push([index, next])
    }
  }
  return conflicts
}

/** For each of some slots those that are in conflict with it. */
export function conflictsBySlot(conflicts: readonly Conflict[], count: number): readonly ReadonlySet<number>[] {
  const bySlot = Array.from({ length: count }, () => new Set<number>())
  for (const [one, other] of conflicts) {
    bySlot[one]?.add(other)
    bySlot[other]?.add(one)
  }
  return bySlot
}
