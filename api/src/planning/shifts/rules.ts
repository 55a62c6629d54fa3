import {
  type BodyOf,
  blocksTruck,
  type DriverShift,
  driverMoves,
  formatClock,
  formatDay,
  formatDays,
  type RowAccess,
  type ShiftClash,
  type ShiftStatus,
  shiftMoves,
  shiftRange,
  shiftStatusLabel,
  type shifts,
  type TruckState,
  truckStateLabel,
} from '@roadshow/contract'

/** What a person fills in for a shift, after parsing. */
export type ShiftValues = BodyOf<typeof shifts.create>

/** The part of a shift that the rules look at. */
export type ShiftCandidate = Omit<ShiftValues, 'payOption' | 'note'>

/** The records that shifts refer to, by uid. Deleted records are absent. */
export interface ShiftFacts {
  trucks: Map<string, { number: string; state: TruckState }>
  drivers: Map<string, { name: string; role: string }>
  programs: Map<string, { name: string; startsOn: string; endsOn: string }>
  markets: Map<string, { name: string; zone: string }>
  /** By `programMarketKey`. */
  programMarkets: Map<string, { startsOn: string | null; endsOn: string | null }>
  artworkSets: Map<string, { programUid: string }>
  addressSets: Map<string, { programUid: string }>
  /** Days whose pay is locked, in order. */
  lockedPay: { from: string; to: string }[]
}

export const programMarketKey = (programUid: string, marketUid: string) => `${programUid} ${marketUid}`

/** A sentence for each field that is wrong. */
export type ShiftProblems = Partial<Record<keyof ShiftCandidate, string>>

/**
 * Checks a shift against the records it refers to. Fields that equal those of the saved shift are not checked again:
 * a truck or driver that was deleted since stays on its old shifts.
 */
export function checkShift(candidate: ShiftCandidate, facts: ShiftFacts, saved?: ShiftCandidate): ShiftProblems {
  const isNew = (...fields: (keyof ShiftCandidate)[]) => fields.some((field) => candidate[field] !== saved?.[field])
  const locked = checkPayLock(candidate, facts, saved)
  return {
    ...(isNew('truckUid') && checkTruck(facts.trucks.get(candidate.truckUid))),
    ...(isNew('driverUid') && checkDriver(facts.drivers.get(candidate.driverUid))),
    ...(isNew('programUid', 'marketUid', 'date') && checkProgramDates(candidate, facts)),
    ...(isNew('date', 'start', 'end', 'marketUid') && checkSkippedHours(candidate, facts)),
    ...(isNew('artworkSetUid', 'programUid') && checkSet(candidate, 'artworkSetUid', facts.artworkSets)),
    ...(isNew('addressSetUid', 'programUid') && checkSet(candidate, 'addressSetUid', facts.addressSets)),
    ...(locked !== undefined && { date: locked }),
  }
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

function checkTruck(truck: { number: string; state: TruckState } | undefined): ShiftProblems {
  if (!truck) return { truckUid: 'Truck not found.' }
  if (truck.state === 'active') return {}
  return { truckUid: `${truck.number} is not active: ${truckStateLabel[truck.state].toLowerCase()}.` }
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
  const zone = facts.markets.get(marketUid)?.zone
  if (!zone) return {}
  const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
  const skipped = (time: string) => `Clocks in ${zone} skip ${formatClock(time)} on that day.`
  return {
    ...(startsAt === undefined && { start: skipped(start) }),
    ...(endsAt === undefined && { end: skipped(end) }),
  }
}

const clashIntro: Record<ShiftClash['over'], string> = {
  truck: 'The truck has another shift at that time:',
  driver: 'The driver has another shift at that time:',
}

/** Names the shifts in the way, by the field to change. */
export function clashProblems(clashes: readonly ShiftClash[]): ShiftProblems {
  const problems: ShiftProblems = {}
  for (const over of ['truck', 'driver'] as const) {
    const names = clashes.filter((clash) => clash.over === over).map(({ name }) => name)
    if (names.length > 0) problems[`${over}Uid`] = `${clashIntro[over]} ${names.join('; ')}.`
  }
  return problems
}

const statusWord = (status: ShiftStatus) => shiftStatusLabel[status].toLowerCase()

/** Refuses a move that the table of moves does not hold. Drivers have a shorter table for their own shifts. */
export function checkMove(from: ShiftStatus, to: ShiftStatus, rows: RowAccess): string | undefined {
  const moves = (rows === 'own' ? driverMoves[from] : shiftMoves[from]) ?? []
  if (moves.includes(to)) return undefined
  const allowed = moves.length > 0 ? ` It can only become ${moves.map(statusWord).join(' or ')}.` : ''
  return `This change isn't possible for a shift that is ${statusWord(from)}.${allowed}`
}

/** Refuses to delete a shift that took place, because pay and proof rest on it. */
export const checkRemoval = (status: ShiftStatus): string | undefined =>
  status === 'out' || status === 'completed'
    ? `A shift that is ${statusWord(status)} is part of the record and can't be deleted.`
    : undefined

interface ActualTimes {
  startedAt: string | null
  stoppedAt: string | null
}

/** The actual start and end after a move. A shift completed without a start keeps its start unknown. */
export function timesAfterMove({ startedAt, stoppedAt }: ActualTimes, status: ShiftStatus, now: string): ActualTimes {
  if (status === 'out') return { startedAt: startedAt ?? now, stoppedAt: null }
  if (status === 'completed') return { startedAt, stoppedAt: startedAt ? (stoppedAt ?? now) : stoppedAt }
  return { startedAt: null, stoppedAt: null }
}

const DAY_MS = 86_400_000

/** Refuses a driver's report of a shift that does not block its truck, or that is more than a day away. */
export function checkDriverReport(
  shift: { status: ShiftStatus; startsAt: number; endsAt: number },
  at: number,
): string | undefined {
  if (!blocksTruck(shift.status)) return `The shift is marked ${statusWord(shift.status)}.`
  const isFarAway = at < shift.startsAt - DAY_MS || at > shift.endsAt + DAY_MS
  return isFarAway ? 'This time is more than a day away from the shift.' : undefined
}

/** A shift as driver reports change it; times in milliseconds since 1970. */
export interface ShiftProgress {
  status: ShiftStatus
  startedAt: number | null
  stoppedAt: number | null
}

/**
 * The shift after a start or stop that may arrive late and out of order: it begins with the first start and ends with
 * the last stop. A stop before a later start does not end it; a start after the end continues it.
 */
export function progressAfterReport(
  shift: ShiftProgress,
  { kind, at }: { kind: DriverShift['kind']; at: number },
  lastStart: number | null,
): ShiftProgress {
  const { status, startedAt, stoppedAt } = shift
  if (kind === 'start') {
    const continues = stoppedAt !== null && stoppedAt < at
    return {
      status: status === 'planned' || continues ? 'out' : status,
      startedAt: startedAt === null ? at : Math.min(startedAt, at),
      stoppedAt: continues ? null : stoppedAt,
    }
  }
  const latestStart = Math.max(lastStart ?? -Infinity, startedAt ?? -Infinity)
  if (at < latestStart) return shift
  return { status: 'completed', startedAt, stoppedAt: stoppedAt === null ? at : Math.max(stoppedAt, at) }
}
