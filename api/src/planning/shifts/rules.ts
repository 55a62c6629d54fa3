import {
  type BodyOf,
  formatClock,
  formatClocks,
  formatDay,
  formatDays,
  isInsideShift,
  type Market,
  type ProgramStatus,
  type ShiftClash,
  shiftRange,
  type shifts,
  stopRange,
  type ShiftStatus,
  type TruckState,
  windowText,
  zoneOn,
} from '@roadshow/contract'
import { bookedResources } from './bookings.ts'

/** What a person fills in for a shift, after parsing. */
export type ShiftValues = Omit<BodyOf<typeof shifts.create>, 'allowInactiveProgram'>

/** The part of a shift that the rules look at. Without stops, none are looked at. */
export type ShiftCandidate = Omit<ShiftValues, 'payOption' | 'note'>

/** A time in which a truck or a driver is out of service, in milliseconds since 1970; without end Infinity. */
interface OutOfServiceSpan {
  startsAt: number
  endsAt: number
  /** `Nov 20, 2026 – Nov 22, 2026` */
  words: string
}

/** The records that shifts refer to, by uid. Deleted records are absent. */
export interface ShiftFacts {
  trucks: Map<string, { number: string; state: TruckState }>
  drivers: Map<string, { name: string; role: string }>
  programs: Map<string, { name: string; status: ProgramStatus; startsOn: string; endsOn: string }>
  markets: Map<string, Pick<Market, 'name' | 'zone' | 'earlierZones'>>
  /** By `programMarketKey`. */
  programMarkets: Map<string, { startsOn: string | null; endsOn: string | null }>
  artworkSets: Map<string, { programUid: string }>
  addressSets: Map<string, { programUid: string }>
  /** When trucks and drivers are out of service, by their uid. */
  outOfService: ReadonlyMap<string, readonly OutOfServiceSpan[]>
  /** Days whose pay is locked, in order. */
  lockedPay: { from: string; to: string }[]
}

/** The time zone of a shift: that of its market on its day. */
export function zoneOfPlace(
  { marketUid, date }: Pick<ShiftCandidate, 'marketUid' | 'date'>,
  { markets }: Pick<ShiftFacts, 'markets'>,
): string | undefined {
  const market = markets.get(marketUid)
  return market && zoneOn(market, date)
}

export const programMarketKey = (programUid: string, marketUid: string) => `${programUid} ${marketUid}`

/** A sentence for each field that is wrong. */
export type ShiftProblems = Partial<Record<keyof ShiftCandidate, string>>

/** A saved shift. Without a status it is one that is planned. */
export type SavedCandidate = ShiftCandidate & { status?: ShiftStatus }

/**
 * Checks a shift against the records it refers to. Fields that equal those of the saved shift are not checked again:
 * a truck or driver that was deleted since stays on its old shifts.
 */
export function checkShift(candidate: ShiftCandidate, facts: ShiftFacts, saved?: SavedCandidate): ShiftProblems {
  const isNew = changedFrom(candidate, saved)
  // A shift that took place is a fact, and one that is canceled needs neither truck nor driver.
  const needsService = (saved?.status ?? 'planned') === 'planned'
  const locked = checkPayLock(candidate, facts, saved)
  const isElsewhen = isNew('date', 'start', 'end', 'marketUid')
  return {
    ...(needsService && (isNew('truckUid') || isElsewhen) && checkInService('truckUid', candidate, facts)),
    ...(needsService && (isNew('driverUid') || isElsewhen) && checkInService('driverUid', candidate, facts)),
    ...(isNew('truckUid') && checkTruck(facts.trucks.get(candidate.truckUid))),
    ...(isNew('driverUid') && checkDriver(facts.drivers.get(candidate.driverUid))),
    ...(isNew(...PROGRAM_FIELDS) && checkProgramDates(candidate, facts)),
    ...(isNew(...PROGRAM_FIELDS) && checkProgramCompleted(candidate, facts)),
    ...(isNew('date', 'start', 'end', 'marketUid') && checkSkippedHours(candidate, facts)),
    ...(isNew('artworkSetUid', 'programUid') && checkSet(candidate, 'artworkSetUid', facts.artworkSets)),
    ...(isNew('addressSetUid', 'programUid') && checkSet(candidate, 'addressSetUid', facts.addressSets)),
    ...(isNew('date', 'start', 'end', 'marketUid', 'stops') && checkStops(candidate, facts)),
    ...(locked !== undefined && { date: locked }),
  }
}

/** Asks whether any of some fields differs from the saved shift; every field of a new shift does. */
const changedFrom =
  (candidate: ShiftCandidate, saved: ShiftCandidate | undefined) =>
  (...fields: (keyof ShiftCandidate)[]) =>
    fields.some((field) => candidate[field] !== saved?.[field])

/** A change of these plans the shift for its program again. */
const PROGRAM_FIELDS = ['programUid', 'marketUid', 'date'] as const

/** A completed program takes no more shifts. */
function checkProgramCompleted({ programUid }: ShiftCandidate, { programs }: ShiftFacts): ShiftProblems {
  const program = programs.get(programUid)
  if (program?.status !== 'completed') return {}
  return { programUid: `${program.name} is completed. Make the program active to plan shifts for it.` }
}

/** `Summer is paused.` for a shift that is planned for a draft or paused program; undefined for an active one. */
export function describeInactiveProgram(
  candidate: ShiftCandidate,
  { programs }: Pick<ShiftFacts, 'programs'>,
  saved?: ShiftCandidate,
): string | undefined {
  if (!changedFrom(candidate, saved)(...PROGRAM_FIELDS)) return undefined
  const program = programs.get(candidate.programUid)
  if (program?.status === 'draft') return `${program.name} is a draft.`
  return program?.status === 'paused' ? `${program.name} is paused.` : undefined
}

const PAID_FIELDS = ['truckUid', 'driverUid', 'programUid', 'marketUid', 'date', 'start', 'end'] as const

/** Refuses a change of paid fields on a day with locked pay, old day or new. The database refuses it too. */
export function checkPayLock(
  candidate: ShiftCandidate,
  { lockedPay }: Pick<ShiftFacts, 'lockedPay'>,
  saved?: ShiftCandidate,
): string | undefined {
  if (saved && PAID_FIELDS.every((field) => candidate[field] === saved[field])) return undefined
  const dates = [candidate.date, ...(saved ? [saved.date] : [])]
  const period = lockedPay.find(({ from, to }) => dates.some((date) => date >= from && date <= to))
  return period && `Pay for ${formatDays(period.from, period.to)} is locked, so shifts on these days can't be changed.`
}

// Whether a truck is in the shop is asked of the day of the shift, not of today.
function checkTruck(truck: { number: string; state: TruckState } | undefined): ShiftProblems {
  if (!truck) return { truckUid: 'Truck not found.' }
  return truck.state === 'retired' ? { truckUid: `${truck.number} is retired.` } : {}
}

/** A shift needs its truck and its driver in service for all of its hours. */
export function checkInService(
  field: 'truckUid' | 'driverUid',
  candidate: ShiftCandidate,
  facts: ShiftFacts,
): ShiftProblems {
  const uid = candidate[field]
  const spans = facts.outOfService.get(uid)
  const zone = spans && zoneOfPlace(candidate, facts)
  if (!zone) return {}
  const { startsAt, endsAt } = shiftRange({ ...candidate, zone })
  if (startsAt === undefined || endsAt === undefined) return {}
  const span = spans.find((each) => each.startsAt < endsAt && startsAt < each.endsAt)
  if (!span) return {}
  if (field === 'truckUid') {
    return { truckUid: `${facts.trucks.get(uid)?.number ?? 'The truck'} is in the shop ${span.words}.` }
  }
  return { driverUid: `${facts.drivers.get(uid)?.name ?? 'The driver'} is off ${span.words}.` }
}

function checkDriver(driver: { name: string; role: string } | undefined): ShiftProblems {
  if (!driver) return { driverUid: 'Driver not found.' }
  return driver.role === 'driver' ? {} : { driverUid: `${driver.name} is not a driver.` }
}

const setNouns = { artworkSetUid: 'artwork set', addressSetUid: 'SD address set' }
const setNotFound = { artworkSetUid: 'Artwork set not found.', addressSetUid: 'SD address set not found.' }

/** Artwork and addresses belong to the program of the shift. */
function checkSet(
  candidate: ShiftCandidate,
  field: keyof typeof setNouns,
  sets: ShiftFacts['artworkSets'],
): ShiftProblems {
  const uid = candidate[field]
  if (uid === null) return {}
  const set = sets.get(uid)
  if (!set) return { [field]: setNotFound[field] }
  return set.programUid === candidate.programUid
    ? {}
    : { [field]: `This ${setNouns[field]} belongs to another program.` }
}

/** A shift is in a market of its program, on a day on which the program runs there. */
function checkProgramDates({ programUid, marketUid, date }: ShiftCandidate, facts: ShiftFacts): ShiftProblems {
  const program = facts.programs.get(programUid)
  const market = facts.markets.get(marketUid)
  if (!program) return { programUid: 'Program not found.' }
  if (!market) return { marketUid: 'Market not found.' }
  const programMarket = facts.programMarkets.get(programMarketKey(programUid, marketUid))
  if (!programMarket) return { marketUid: `${program.name} does not run in ${market.name}.` }
  const from = programMarket.startsOn ?? program.startsOn
  const to = programMarket.endsOn ?? program.endsOn
  if (date >= from && date <= to) return {}
  const where = programMarket.startsOn || programMarket.endsOn ? ` in ${market.name}` : ''
  const when = from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`
  return { date: `${program.name} runs${where} ${when}.` }
}

/** On the day when clocks go forward, one hour does not exist. */
function checkSkippedHours({ marketUid, date, start, end }: ShiftCandidate, facts: ShiftFacts): ShiftProblems {
  const zone = zoneOfPlace({ marketUid, date }, facts)
  if (!zone) return {}
  const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
  const skipped = (time: string) => `Clocks in ${zone} skip ${formatClock(time)} on that day.`
  return {
    ...(startsAt === undefined && { start: skipped(start) }),
    ...(endsAt === undefined && { end: skipped(end) }),
  }
}

/** The windows of planned stops lie inside the shift, at times that exist on its day. */
function checkStops({ marketUid, stops = [], ...hours }: ShiftCandidate, facts: ShiftFacts): ShiftProblems {
  const outside = stops.find((stop) => !isInsideShift(hours, stop))
  if (outside) {
    const times = formatClocks(hours)
    return { stops: `The stop ${outside.name}, ${windowText(outside)}, is outside the hours of the shift, ${times}.` }
  }
  const zone = zoneOfPlace({ marketUid, date: hours.date }, facts)
  if (!zone) return {}
  for (const stop of stops) {
    const { opensAt, closesAt } = stopRange({ ...hours, zone }, stop)
    const skipped = opensAt === undefined ? stop.from : closesAt === undefined ? stop.to : undefined
    if (skipped) return { stops: `Clocks in ${zone} skip ${formatClock(skipped)}, a time of the stop ${stop.name}.` }
  }
  return {}
}

const clashIntro: Record<ShiftClash['over'], string> = {
  truck: 'The truck has another shift at that time:',
  driver: 'The driver has another shift at that time:',
}

/** Names the shifts in the way, by the field to change. */
export function clashProblems(clashes: readonly ShiftClash[]): ShiftProblems {
  const problems: ShiftProblems = {}
  for (const over of bookedResources) {
    const names = clashes.filter((clash) => clash.over === over).map(({ name }) => name)
    if (names.length > 0) problems[`${over}Uid`] = `${clashIntro[over]} ${names.join('; ')}.`
  }
  return problems
}
