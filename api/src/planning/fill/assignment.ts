import { type BookedTime, conflictsBySlot, type FillProblem, keepsLimits, type Resource, type Slot } from './problem.ts'

/** The indexes of the slots that each truck and each driver takes, in the order of the problem's lists. */
export interface Assignment {
  trucks: readonly (readonly number[])[]
  drivers: readonly (readonly number[])[]
}

/** One change between markets weighs as much as this many hours of difference between two drivers. */
export const MOVE_COST = 60

/** A market of the fill proposal, or one label for all others. */
export const OTHER_MARKET = ''

/** What a truck or a driver does in the order of time, as far as it says where they are. */
export interface Stay {
  at: number
  /** Undefined for slots that it may or may not take. */
  label: string | undefined
  slots: readonly number[]
}

const knownLabels = new WeakMap<readonly Slot[], ReadonlySet<string>>()

/** The markets of some slots. They are asked for thousands of times with the same slots. */
export function labelsOf(slots: readonly Slot[]): ReadonlySet<string> {
  const labels = knownLabels.get(slots) ?? new Set(slots.map(({ marketUid }) => marketUid))
  knownLabels.set(slots, labels)
  return labels
}

export const labelOf = (labels: ReadonlySet<string>, marketUid: string) =>
  labels.has(marketUid) ? marketUid : OTHER_MARKET

/** The bookings that lie among or after the slots; earlier ones only say where a resource starts. */
export const laterBookings = ({ bookings }: Resource, slots: readonly Slot[]): BookedTime[] => {
  const first = Math.min(...slots.map(({ startsAt }) => startsAt))
  return bookings.filter(({ startsAt }) => startsAt >= first)
}

/** How often a resource changes its market when it takes some slots beside its bookings. */
export function countMoves(resource: Resource, taken: readonly number[], slots: readonly Slot[]): number {
  const labels = labelsOf(slots)
  const times = [
    ...laterBookings(resource, slots),
    ...taken.flatMap((index) => (slots[index] ? [slots[index]] : [])),
  ].toSorted((one, other) => one.startsAt - other.startsAt)
  let at = resource.startMarketUid === undefined ? undefined : labelOf(labels, resource.startMarketUid)
  let moves = 0
  for (const { marketUid } of times) {
    const label = labelOf(labels, marketUid)
    if (at !== undefined && at !== label) moves++
    at = label
  }
  return moves
}

export const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const each of numbers) total += each
  return total
}

/** What the shifts of one truck or driver cost. */
export function resourceCost(resource: Resource, taken: readonly number[], slots: readonly Slot[]): number {
  const { costEach, costByCount } = resource
  return (
    MOVE_COST * countMoves(resource, taken, slots) + costEach * taken.length + sum(costByCount.slice(0, taken.length))
  )
}

/** What a fill proposal costs; of two that place the same number of shifts, the cheaper one is better. */
export const costOf = ({ slots, trucks, drivers }: FillProblem, assignment: Assignment): number =>
  sum(trucks.map((truck, index) => resourceCost(truck, assignment.trucks[index] ?? [], slots))) +
  sum(drivers.map((driver, index) => resourceCost(driver, assignment.drivers[index] ?? [], slots)))

/** How many shifts of each slot are placed: each needs a truck and a driver. */
export function countPlaced({ slots }: FillProblem, assignment: Assignment): number[] {
  const placed = slots.map(() => 0)
  for (const taken of assignment.trucks) for (const index of taken) placed[index] = (placed[index] ?? 0) + 1
  return placed
}

function breaksRule(
  resource: Resource,
  taken: readonly number[],
  slots: readonly Slot[],
  conflicts: readonly ReadonlySet<number>[],
) {
  if (taken.some((index) => !resource.slots.includes(index))) return true
  if (new Set(taken).size < taken.length) return true
  if (!keepsLimits(resource, taken, slots)) return true
  return taken.some((one) => taken.some((other) => conflicts[one]?.has(other)))
}

/** Whether an assignment keeps every rule of its problem. */
export function isFeasible(problem: FillProblem, assignment: Assignment): boolean {
  const { slots, trucks, drivers } = problem
  const ofTrucks = conflictsBySlot(problem.truckConflicts, slots.length)
  const ofDrivers = conflictsBySlot(problem.driverConflicts, slots.length)
  const withTruck = countPlaced(problem, assignment)
  const withDriver = countPlaced(problem, { trucks: assignment.drivers, drivers: [] })
  return (
    slots.every(({ demand }, index) => (withTruck[index] ?? 0) <= demand && withTruck[index] === withDriver[index]) &&
    trucks.every((truck, index) => !breaksRule(truck, assignment.trucks[index] ?? [], slots, ofTrucks)) &&
    drivers.every((driver, index) => !breaksRule(driver, assignment.drivers[index] ?? [], slots, ofDrivers))
  )
}
