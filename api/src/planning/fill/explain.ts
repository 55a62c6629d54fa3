import { type FillRelief, type FillRule, fillRules, type UnplacedShifts } from '@roadshow/contract'
import { type Assignment, isFeasible } from './assignment.ts'
import { assignmentFrom, writeModel, placedFrom, type Side } from './fill-model.ts'
import {
  type FillFacts,
  type FillProblem,
  FillRules,
  minutesOf,
  problemOf,
  type Resource,
  type Slot,
} from './problem.ts'
import type { Solved, SolveModel } from './solve.ts'

type Reliefs = NonNullable<UnplacedShifts['relief']>

interface Placed {
  facts: FillFacts
  relaxed: readonly FillRule[]
  problem: FillProblem
  assignment: Assignment
  /** How many shifts of each slot are placed. */
  placed: readonly number[]
}

/** The number of choices and prohibitions: relaxing a rule that has no effect changes none of them. */
const sizeOf = ({ trucks, drivers, truckConflicts, driverConflicts }: FillProblem): string => {
  const choices = (resources: readonly Resource[]) => resources.reduce((sum, { slots }) => sum + slots.length, 0)
  const limits = drivers.reduce((sum, driver) => sum + driver.limits.length, 0)
  return [choices(trucks), choices(drivers), truckConflicts.length, driverConflicts.length, limits].join(' ')
}

/** A reason that was not found out in time is not claimed. */
const NOT_TRIED: Solved = { found: 'none', values: new Map() }
const SHORTEST_SECONDS = 0.2

/**
 * Finds out what would help to place the missing shifts: one rule at a time is relaxed, or trucks or drivers are taken as
 * plenty, and the problem is solved again with everything placed so far kept in number.
 */
export async function findReliefs(
  { facts, relaxed, problem, placed }: Placed,
  solve: SolveModel,
  seconds: number,
): Promise<(Reliefs | null)[]> {
  const until = performance.now() + seconds * 1000
  const reliefs: Reliefs[] = facts.slots.map(() => [])
  const note = (by: FillRelief, now: readonly number[]) => {
    for (const [slot, count] of now.entries()) {
      const places = count - (placed[slot] ?? 0)
      if (places > 0) reliefs[slot]?.push({ by, places })
    }
  }
  const solveMost = async (eased: FillProblem, sides: readonly Side[]): Promise<Solved> => {
    const left = (until - performance.now()) / 1000
    if (left < SHORTEST_SECONDS) return NOT_TRIED
    return solve(writeModel({ problem: eased, sides, goal: { kind: 'most', atLeast: placed } }), { seconds: left })
  }
  let isComplete = true
  const size = sizeOf(problem)
  for (const rule of fillRules.filter((each) => !relaxed.includes(each))) {
    const eased = problemOf(facts, [...relaxed, rule])
    if (sizeOf(eased) === size) continue
    const { found, values } = await solveMost(eased, ['trucks', 'drivers'])
    isComplete &&= found === 'best'
    if (found !== 'none' && isFeasible(eased, assignmentFrom(eased, values))) note(rule, placedFrom(eased, values))
  }
  for (const [by, side] of [['moreTrucks', 'drivers'] as const, ['moreDrivers', 'trucks'] as const]) {
    const { found, values } = await solveMost(problem, [side])
    isComplete &&= found === 'best'
    if (found !== 'none') note(by, placedFrom(problem, values))
  }
  // Without a relief, it is only known that there is none if everything was tried to the end.
  return reliefs.map((found) => (found.length > 0 || isComplete ? found : null))
}

const count = <Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> => {
  const counts: Partial<Record<Name, number>> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** What each truck and each driver does at the time of a slot, or what keeps it from there. */
export function countObstacles({ facts, relaxed, problem, assignment }: Placed, slot: Slot) {
  const rules = new FillRules(facts, relaxed)
  const takenBy = (resources: readonly Resource[], taken: Assignment[Side]) =>
    new Map(resources.map(({ uid }, at) => [uid, (taken[at] ?? []).flatMap((index) => problem.slots[index] ?? [])]))
  const [byTruck, byDriver] = [takenBy(problem.trucks, assignment.trucks), takenBy(problem.drivers, assignment.drivers)]
  const trucks = facts.trucks.map((truck) => {
    const isProposed = (byTruck.get(truck.uid) ?? []).some((taken) => !rules.canTruckDoBoth(taken, slot))
    return rules.truckObstacle(truck, slot) ?? (isProposed ? 'proposed' : 'free')
  })
  const drivers = facts.drivers.map((driver) => {
    const taken = byDriver.get(driver.uid) ?? []
    const obstacle = rules.driverObstacle(driver, slot)
    if (obstacle) return obstacle
    if (taken.some((each) => !rules.canDriverDoBoth(each, slot))) return 'proposed'
    const given = taken.filter(({ week }) => week === slot.week).reduce((sum, each) => sum + minutesOf(each), 0)
    return given + minutesOf(slot) > rules.minutesLeft(driver, slot.week) ? 'weekHours' : 'free'
  })
  return { trucks: count(trucks), drivers: count(drivers) }
}
