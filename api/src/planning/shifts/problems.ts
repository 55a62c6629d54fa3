import { shiftRange, type TruckState, truckStateLabel } from '@roadshow/contract'
import { type ShiftCandidate, type ShiftFacts, inMarket } from './facts.ts'

export type ShiftProblems = Partial<Record<keyof ShiftCandidate, string>>

const span = (from: string, to: string) => (from === to ? `on ${from}` : `from ${from} to ${to}`)

/**
 * Everything wrong with a shift, by field, apart from other shifts in its way. What it has in common with the shift as
 * it is saved now (`saved`) is not judged again: what was deleted since stays with the past.
 */
export function checkShift(candidate: ShiftCandidate, facts: ShiftFacts, saved?: ShiftCandidate): ShiftProblems {
  const isNew = (...fields: (keyof ShiftCandidate)[]) => fields.some((field) => candidate[field] !== saved?.[field])
  const locked = checkPayLock(candidate, facts, saved)
  return {
    ...(isNew('truckUid') && truckProblem(facts.trucks.get(candidate.truckUid))),
    ...(isNew('driverUid') && driverProblem(facts.drivers.get(candidate.driverUid))),
    ...(isNew('programUid', 'marketUid', 'date') && placeProblem(candidate, facts)),
    ...(isNew('date', 'start', 'end', 'marketUid') && clockProblem(candidate, facts)),
    ...(isNew('artworkSetUid', 'programUid') && setProblem(candidate, 'artworkSetUid', facts.artworkSets)),
    ...(isNew('addressSetUid', 'programUid') && setProblem(candidate, 'addressSetUid', facts.addressSets)),
    ...(locked !== undefined && { date: locked }),
  }
}

const PAID_FIELDS = ['truckUid', 'driverUid', 'programUid', 'marketUid', 'date', 'start', 'end'] as const

/** Why the shift stays as it is because its pay is locked, where it was or where it would go. The database refuses it too. */
export function checkPayLock(
  candidate: ShiftCandidate,
  { lockedPay }: ShiftFacts,
  saved?: ShiftCandidate,
): string | undefined {
  if (saved && PAID_FIELDS.every((field) => candidate[field] === saved[field])) return undefined
  const dates = [candidate.date, ...(saved ? [saved.date] : [])]
  const period = lockedPay.find(({ from, to }) => dates.some((date) => date >= from && date <= to))
  return period && `Pay ${span(period.from, period.to)} is locked, and so are its shifts.`
}

function truckProblem(truck: { number: string; state: TruckState } | undefined): ShiftProblems {
  if (!truck) return { truckUid: 'There is no such truck.' }
  if (truck.state === 'active') return {}
  return { truckUid: `${truck.number} is not active: ${truckStateLabel[truck.state].toLowerCase()}.` }
}

function driverProblem(driver: { name: string; role: string } | undefined): ShiftProblems {
  if (!driver) return { driverUid: 'There is no such driver.' }
  return driver.role === 'driver' ? {} : { driverUid: `${driver.name} is not a driver.` }
}

const nouns = { artworkSetUid: 'artwork set', addressSetUid: 'SD address set' }

/** Artwork and addresses are those of the shift's program. */
function setProblem(
  candidate: ShiftCandidate,
  field: keyof typeof nouns,
  sets: ShiftFacts['artworkSets'],
): ShiftProblems {
  const uid = candidate[field]
  if (uid === null) return {}
  const set = sets.get(uid)
  if (!set) return { [field]: `There is no such ${nouns[field]}.` }
  return set.programUid === candidate.programUid ? {} : { [field]: `This ${nouns[field]} belongs to another program.` }
}

/** A shift lies in a market of its program, and on a day on which the program runs there. */
function placeProblem({ programUid, marketUid, date }: ShiftCandidate, facts: ShiftFacts): ShiftProblems {
  const program = facts.programs.get(programUid)
  const market = facts.markets.get(marketUid)
  if (!program) return { programUid: 'There is no such program.' }
  if (!market) return { marketUid: 'There is no such market.' }
  const there = facts.programMarkets.get(inMarket(programUid, marketUid))
  if (!there) return { marketUid: `${program.name} does not run in ${market.name}.` }
  const from = there.startsOn ?? program.startsOn
  const to = there.endsOn ?? program.endsOn
  if (date >= from && date <= to) return {}
  const where = there.startsOn || there.endsOn ? ` in ${market.name}` : ''
  return { date: `${program.name} runs${where} ${span(from, to)}.` }
}

/** On the day when clocks go forward, an hour does not exist. */
function clockProblem({ marketUid, date, start, end }: ShiftCandidate, facts: ShiftFacts): ShiftProblems {
  const zone = facts.markets.get(marketUid)?.zone
  if (!zone) return {}
  const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
  const skipped = (time: string) => `Clocks in ${zone} skip ${time} on that day.`
  return {
    ...(startsAt === undefined && { start: skipped(start) }),
    ...(endsAt === undefined && { end: skipped(end) }),
  }
}
