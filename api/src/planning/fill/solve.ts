import type { fillSteps } from '@roadshow/contract'
import { type Assignment, costOf, countPlaced, isFeasible, sum } from './assignment.ts'
import { exchangeShifts, placeGreedily } from './exchange.ts'
import { assignmentFrom, type Side, valuesOf, writeModel, type WrittenModel } from './fill-model.ts'
import type { FillProblem } from './problem.ts'

export interface Solved {
  /** `best` if there is no better solution, `some` if time ran out with one at hand, `none` without one. */
  found: 'best' | 'some' | 'none'
  /** The values of the whole numbers that are not 0. */
  values: ReadonlyMap<string, number>
}

interface SolveOptions {
  seconds: number
  /** How much worse than the best a solution may be to count as the best, as a share of its cost. */
  gap?: number
  /** A solution to start from. */
  start?: ReadonlyMap<string, number>
}

/** Solves a linear program. */
export type SolveModel = (model: WrittenModel, options: SolveOptions) => Promise<Solved>

type FillStep = (typeof fillSteps)[number]

export interface Progress {
  step: FillStep
  placed: number | null
}

export interface SolvedFill {
  assignment: Assignment
  isOptimal: boolean
}

/** How long a fill proposal may be looked for, in seconds, and when it is good enough. */
export interface TimeLimits {
  placing: number
  improving: number
  gap: number
}

const BOTH: readonly Side[] = ['trucks', 'drivers']

/** Places as many shifts as possible, then looks for the cheapest way to place that many. */
export async function solveFill(
  problem: FillProblem,
  solve: SolveModel,
  limits: TimeLimits,
  onProgress: (progress: Progress) => void = () => {},
): Promise<SolvedFill> {
  onProgress({ step: 'placing', placed: null })
  const { assignment: first, isMost } = await placeMost(problem, solve, limits.placing)
  const total = sum(countPlaced(problem, first))
  if (total === 0) return { assignment: first, isOptimal: isMost }
  onProgress({ step: 'improving', placed: total })
  const improved = await improve(problem, first, solve, limits)
  return { assignment: improved.assignment, isOptimal: isMost && improved.isOptimal }
}

/** Places as many shifts as possible: simply where that places all, else by the solver. */
async function placeMost(problem: FillProblem, solve: SolveModel, seconds: number) {
  const simple = keepRules(problem, await placeGreedily(problem))
  const wanted = sum(problem.slots.map(({ demand }) => demand))
  if (sum(countPlaced(problem, simple)) === wanted) return { assignment: simple, isMost: true }
  const model = writeModel({ problem, sides: BOTH, goal: { kind: 'most', atLeast: [] } })
  const { found, values } = await solve(model, { seconds, start: valuesOf(problem, simple) })
  const solved = keepRules(problem, assignmentFrom(problem, values))
  const isMore = sum(countPlaced(problem, solved)) > sum(countPlaced(problem, simple))
  return { assignment: isMore ? solved : simple, isMost: found === 'best' }
}

const NOTHING_TAKEN = ({ trucks, drivers }: FillProblem): Assignment => ({
  trucks: trucks.map(() => []),
  drivers: drivers.map(() => []),
})

/** Rounding inside the solver must never break a rule, so its answer is checked. */
const keepRules = (problem: FillProblem, assignment: Assignment): Assignment =>
  isFeasible(problem, assignment) ? assignment : NOTHING_TAKEN(problem)

/** Where every shift is placed, trucks and drivers do not depend on each other: two small models instead of a large one. */
async function improve(
  problem: FillProblem,
  first: Assignment,
  solve: SolveModel,
  { improving, gap }: TimeLimits,
): Promise<SolvedFill> {
  const total = sum(countPlaced(problem, first))
  const isAll = total === sum(problem.slots.map(({ demand }) => demand))
  const goal = { kind: 'cheapest', total } as const
  const until = performance.now() + improving * 1000
  let best = await exchangeShifts(problem, first)
  let isOptimal = true
  for (const sides of isAll ? BOTH.map((side) => [side]) : [BOTH]) {
    const left = (until - performance.now()) / 1000
    // The trucks leave the drivers at least half of the time.
    const seconds = Math.max(0.5, sides.length === 1 && sides[0] === 'trucks' ? left / 2 : left)
    const model = writeModel({ problem, sides, goal })
    const { found, values } = await solve(model, { seconds, gap, start: valuesOf(problem, best) })
    isOptimal &&= found === 'best'
    const read = assignmentFrom(problem, values)
    const next = { ...best, ...Object.fromEntries(sides.map((side) => [side, read[side]])) }
    if (found !== 'none' && isBetter(problem, next, best, total)) best = next
  }
  return { assignment: best, isOptimal }
}

const isBetter = (problem: FillProblem, next: Assignment, best: Assignment, total: number) =>
  isFeasible(problem, next) &&
  sum(countPlaced(problem, next)) === total &&
  costOf(problem, next) <= costOf(problem, best)
