import { setImmediate } from 'node:timers/promises'
import { type Assignment, resourceCost } from './assignment.ts'
import type { Side } from './fill-model.ts'
import { type Conflict, conflictsBySlot, type FillProblem, keepsLimits, type Resource, type Slot } from './problem.ts'

/** A search that still finds something better after this is left to the solver. */
const MOST_MS = 1200
/** Other work of the node goes on after this long at the latest. */
const AT_ONCE_MS = 15

/**
 * Makes an assignment cheaper by giving single shifts to other trucks and drivers, as long as that helps. The solver
 * starts from it: on its own, it may need long to find a first good one among many that are alike.
 */
export const exchangeShifts = async (problem: FillProblem, first: Assignment): Promise<Assignment> => ({
  trucks: await exchangeSide(problem, 'trucks', first.trucks),
  drivers: await exchangeSide(problem, 'drivers', first.drivers),
})

const NOTHING_TAKEN: Assignment[Side] = []

/** Places shifts one slot after the other with the cheapest truck and driver. What it leaves open, the solver may still place. */
export async function placeGreedily(problem: FillProblem): Promise<Assignment> {
  const { slots } = problem
  const trucks = new Roster(slots, problem.trucks, problem.truckConflicts, NOTHING_TAKEN)
  const drivers = new Roster(slots, problem.drivers, problem.driverConflicts, NOTHING_TAKEN)
  const order = slots.map((_, slot) => slot).toSorted((a, b) => (slots[a]?.startsAt ?? 0) - (slots[b]?.startsAt ?? 0))
  for (const slot of order) {
    for (let left = slots[slot]?.demand ?? 0; left > 0; left--) {
      const [truck] = trucks.takersOf(slot)
      const [driver] = drivers.takersOf(slot)
      if (truck === undefined || driver === undefined) break
      trucks.give(truck, slot)
      drivers.give(driver, slot)
    }
    await setImmediate()
  }
  return { trucks: trucks.taken, drivers: drivers.taken }
}

async function exchangeSide(problem: FillProblem, side: Side, first: Assignment[Side]): Promise<number[][]> {
  const conflicts = side === 'trucks' ? problem.truckConflicts : problem.driverConflicts
  const roster = new Roster(problem.slots, problem[side], conflicts, first)
  const until = performance.now() + MOST_MS
  let pausedAt = performance.now()
  for (let isBetter = true; isBetter;) {
    isBetter = false
    for (const [from, taken] of roster.taken.entries()) {
      for (const slot of taken.slice()) {
        isBetter = roster.improve(from, slot) || isBetter
        if (performance.now() - pausedAt < AT_ONCE_MS) continue
        await setImmediate()
        pausedAt = performance.now()
        if (pausedAt > until) return roster.taken
      }
    }
  }
  return roster.taken
}

/** Who takes which slots, with what that costs. */
class Roster {
  readonly taken: number[][]
  readonly #costs: number[]
  readonly #slots: readonly Slot[]
  readonly #resources: readonly Resource[]
  readonly #free: readonly ReadonlySet<number>[]
  readonly #conflicts: readonly ReadonlySet<number>[]

  constructor(
    slots: readonly Slot[],
    resources: readonly Resource[],
    conflicts: readonly Conflict[],
    first: Assignment[Side],
  ) {
    this.#slots = slots
    this.#resources = resources
    this.taken = resources.map((_, at) => [...(first[at] ?? [])])
    this.#costs = resources.map((_, at) => this.#costOf(at, this.taken[at] ?? []))
    this.#free = resources.map((resource) => new Set(resource.slots))
    this.#conflicts = conflictsBySlot(conflicts, slots.length)
  }

  #costOf(at: number, taken: readonly number[]): number {
    const resource = this.#resources[at]
    return resource ? resourceCost(resource, taken, this.#slots) : 0
  }

  /** Whether a resource can take exactly these slots, the newest of which is the last. */
  #canTake(at: number, taken: readonly number[], newest: number): boolean {
    const resource = this.#resources[at]
    if (!resource || !this.#free[at]?.has(newest)) return false
    const near = this.#conflicts[newest]
    if (taken.some((slot) => slot !== newest && near?.has(slot))) return false
    return keepsLimits(resource, taken, this.#slots)
  }

  /** The resources that can take a slot in addition, the cheapest first. */
  takersOf(slot: number): number[] {
    const able = [...this.#resources.keys()].filter((at) => {
      const taken = this.taken[at] ?? []
      return !taken.includes(slot) && this.#canTake(at, [...taken, slot], slot)
    })
    const added = new Map(
      able.map((at) => [at, this.#costOf(at, [...(this.taken[at] ?? []), slot]) - (this.#costs[at] ?? 0)]),
    )
    return able.toSorted((one, other) => (added.get(one) ?? 0) - (added.get(other) ?? 0))
  }

  give(at: number, slot: number): void {
    this.#set(at, [...(this.taken[at] ?? []), slot])
  }

  /** Gives a slot to the resource that makes the whole cheapest, alone or in exchange for a slot at the same time. */
  improve(from: number, slot: number): boolean {
    const left = (this.taken[from] ?? []).filter((each) => each !== slot)
    const freed = this.#costOf(from, left)
    const near = this.#conflicts[slot]
    let best = { gain: 0, to: -1, left, given: [] as number[] }
    for (const to of this.#resources.keys()) {
      const theirs = this.taken[to] ?? []
      if (to === from || theirs.includes(slot)) continue
      const before = (this.#costs[from] ?? 0) + (this.#costs[to] ?? 0)
      const consider = (mine: number[], given: number[], mineCost: number) => {
        const gain = before - mineCost - this.#costOf(to, given)
        if (gain > best.gain) best = { gain, to, left: mine, given }
      }
      const more = [...theirs, slot]
      if (this.#canTake(to, more, slot)) consider(left, more, freed)
      for (const back of theirs) {
        if (!near?.has(back) || left.includes(back)) continue
        const [mine, given] = [
          [...left, back],
          [...theirs.filter((each) => each !== back), slot],
        ]
        if (!this.#canTake(to, given, slot) || !this.#canTake(from, mine, back)) continue
        consider(mine, given, this.#costOf(from, mine))
      }
    }
    if (best.to < 0) return false
    this.#set(from, best.left)
    this.#set(best.to, best.given)
    return true
  }

  #set(at: number, taken: number[]): void {
    this.taken[at] = taken
    this.#costs[at] = this.#costOf(at, taken)
  }
}
