import {
  type Assignment,
  countPlaced,
  labelOf,
  labelsOf,
  laterBookings,
  MOVE_COST,
  OTHER_MARKET,
  type Stay,
} from './assignment.ts'
import { LinearModel } from './linear-model.ts'
import { type Conflict, conflictsBySlot, type FillProblem, minutesOf, type Resource, type Slot } from './problem.ts'

export type Side = 'trucks' | 'drivers'

type Goal =
  /** As many shifts as possible, at least some of each slot. */
  | { kind: 'most'; atLeast: readonly number[] }
  /** The least cost with a number of shifts. */
  | { kind: 'cheapest'; total: number }

export interface ModelRequest {
  problem: FillProblem
  /** Sides that are left out are no obstacle, as if there were enough trucks or drivers. */
  sides: readonly Side[]
  goal: Goal
}

const letter: Record<Side, string> = { trucks: 't', drivers: 'd' }
const takesName = (side: Side, resource: number, slot: number) => `${letter[side]}${resource}_${slot}`
const placedName = (slot: number) => `y${slot}`

/** A linear program as text, and its variables that are whole numbers. */
export interface WrittenModel {
  text: string
  names: readonly string[]
}

/** Writes a problem as a linear program. */
export function writeModel({ problem, sides, goal }: ModelRequest): WrittenModel {
  const model = new LinearModel()
  for (const [index, { demand }] of problem.slots.entries()) {
    const least = goal.kind === 'most' ? (goal.atLeast[index] ?? 0) : 0
    model.addInteger(placedName(index), least, demand)
    if (goal.kind === 'most') model.addCost(1, placedName(index))
  }
  for (const side of sides) addSide(model, problem, side, goal.kind === 'cheapest')
  if (goal.kind === 'cheapest') {
    model.addRow(
      problem.slots.map((_, index) => [1, placedName(index)]),
      '=',
      goal.total,
    )
  }
  return { text: model.toText(goal.kind === 'most' ? 'Maximize' : 'Minimize'), names: model.names }
}

function addSide(model: LinearModel, problem: FillProblem, side: Side, withCost: boolean): void {
  const { slots } = problem
  const resources = problem[side]
  const takers = slots.map(() => [] as string[])
  const cliques = cliquesOf(side === 'trucks' ? problem.truckConflicts : problem.driverConflicts, slots.length)
  const steps = stepsOf(slots)
  for (const [at, resource] of resources.entries()) {
    const nameOf = (slot: number) => takesName(side, at, slot)
    for (const slot of resource.slots) {
      model.addBinary(nameOf(slot))
      takers[slot]?.push(nameOf(slot))
      if (withCost) model.addCost(resource.costEach, nameOf(slot))
    }
    addConflicts(model, resource, cliques, nameOf)
    addLimits(model, resource, slots, nameOf)
    if (!withCost) continue
    const chain = chainOf(resource, slots, steps)
    addCostByCount(
      model,
      resource,
      `l${letter[side]}${at}`,
      nameOf,
      chain.filter(({ label }) => label === undefined).length,
    )
    addMoves(model, { resource, slots, chain, nameOf, prefix: `${letter[side]}${at}` })
  }
  for (const [slot, names] of takers.entries()) {
    model.addRow([...names.map((name) => [1, name] as const), [-1, placedName(slot)]], '=', 0)
  }
}

type NameOf = (slot: number) => string

/** Sets of slots of which one resource takes at most one; together they hold every conflict. */
function cliquesOf(conflicts: readonly Conflict[], count: number): number[][] {
  const near = conflictsBySlot(conflicts, count)
  const covered = new Set<string>()
  const cliques: number[][] = []
  for (const [one, other] of conflicts) {
    if (covered.has(`${one} ${other}`)) continue
    const clique = [one, other]
    for (const next of near[one] ?? []) {
      if (!clique.includes(next) && clique.every((member) => near[member]?.has(next))) clique.push(next)
    }
    for (const a of clique) for (const b of clique) covered.add(`${a} ${b}`)
    cliques.push(clique)
  }
  return cliques
}

function addConflicts(model: LinearModel, resource: Resource, cliques: readonly number[][], nameOf: NameOf): void {
  const free = new Set(resource.slots)
  for (const clique of cliques) {
    const among = clique.filter((slot) => free.has(slot))
    if (among.length < 2) continue
    model.addRow(
      among.map((slot) => [1, nameOf(slot)]),
      '<=',
      1,
    )
  }
}

function addLimits(model: LinearModel, { limits }: Resource, slots: readonly Slot[], nameOf: NameOf): void {
  for (const limit of limits) {
    const lengths = limit.slots.map((slot) => (slots[slot] ? minutesOf(slots[slot]) : 0))
    const [length = 1] = lengths
    const isSame = lengths.every((each) => each === length)
    // Counting shifts instead of minutes leaves the solver less to search.
    model.addRow(
      limit.slots.map((slot, at) => [isSame ? 1 : (lengths[at] ?? 0), nameOf(slot)]),
      '<=',
      isSame ? Math.floor(limit.minutes / length) : limit.minutes,
    )
  }
}

/** The first shift of a resource costs the first figure, the second one the next: figures grow, so the solver fills them in order. */
function addCostByCount(
  model: LinearModel,
  { slots, costByCount }: Resource,
  prefix: string,
  nameOf: NameOf,
  most: number,
) {
  const costs = costByCount.slice(0, most)
  if (costs.length === 0) return
  const names = costs.map((cost, at) => {
    const name = `${prefix}_${at}`
    model.addShare(name)
    model.addCost(cost, name)
    return name
  })
  model.addRow(
    [...slots.map((slot) => [1, nameOf(slot)] as const), ...names.map((name) => [-1, name] as const)],
    '=',
    0,
  )
}

/** Slots in groups of which all overlap each other, in the order of time. */
function stepsOf(slots: readonly Slot[]): number[][] {
  const order = slots.map((_, index) => index).toSorted((a, b) => (slots[a]?.startsAt ?? 0) - (slots[b]?.startsAt ?? 0))
  const steps: number[][] = []
  let endsAt = Number.NEGATIVE_INFINITY
  for (const index of order) {
    const slot = slots[index]
    if (!slot) continue
    if (slot.startsAt < endsAt) {
      steps.at(-1)?.push(index)
      endsAt = Math.min(endsAt, slot.endsAt)
    } else {
      steps.push([index])
      endsAt = slot.endsAt
    }
  }
  return steps
}

/** The bookings of a resource and the groups of slots that it can take, in the order of time. */
function chainOf(resource: Resource, slots: readonly Slot[], steps: readonly number[][]): Stay[] {
  const labels = labelsOf(slots)
  const free = new Set(resource.slots)
  const chosen = steps
    .map((step) => step.filter((slot) => free.has(slot)))
    .filter((step) => step.length > 0)
    .map((step) => ({
      at: Math.min(...step.map((slot) => slots[slot]?.startsAt ?? 0)),
      label: undefined,
      slots: step,
    }))
  const booked = laterBookings(resource, slots).map(({ startsAt, marketUid }) => ({
    at: startsAt,
    label: labelOf(labels, marketUid),
    slots: [],
  }))
  return [...chosen, ...booked].toSorted((one, other) => one.at - other.at)
}

interface Moves {
  resource: Resource
  slots: readonly Slot[]
  chain: readonly Stay[]
  nameOf: NameOf
  prefix: string
}

/** How much of a resource is in a market: known, or by variables. */
interface Presence {
  constant: number
  terms: readonly (readonly [number, string])[]
}

/** Counts changes between markets. A resource is in one market at a time, and in that of each slot it takes. */
function addMoves(model: LinearModel, { resource, slots, chain, nameOf, prefix }: Moves): void {
  const all = labelsOf(slots)
  const start = resource.startMarketUid === undefined ? undefined : labelOf(all, resource.startMarketUid)
  const labels = new Set(
    chain.flatMap(({ label, slots: step }) =>
      label === undefined ? step.map((at) => slots[at]?.marketUid ?? '') : [label],
    ),
  )
  if (start !== undefined) labels.add(start)
  if (labels.size < 2) return
  const named = [...labels].filter((label) => label !== OTHER_MARKET)
  const inMarket = (label: string, at: number) => `w${prefix}_${at}_${named.indexOf(label)}`
  const presenceOf = (stay: Stay, at: number, label: string): Presence => {
    if (stay.label !== undefined) return { constant: stay.label === label ? 1 : 0, terms: [] }
    if (label !== OTHER_MARKET) return { constant: 0, terms: [[1, inMarket(label, at)]] }
    return { constant: 1, terms: named.map((each) => [-1, inMarket(each, at)]) }
  }
  let before = start === undefined ? undefined : startPresence(start)
  for (const [at, stay] of chain.entries()) {
    if (stay.label === undefined) {
      const terms = named.map((label) => [1, inMarket(label, at)] as const)
      model.addRow(terms, labels.has(OTHER_MARKET) ? '<=' : '=', 1)
      for (const slot of stay.slots) {
        model.addRow(
          [
            [1, nameOf(slot)],
            [-1, inMarket(slots[slot]?.marketUid ?? '', at)],
          ],
          '<=',
          0,
        )
      }
    }
    const now = (label: string) => presenceOf(stay, at, label)
    if (before) addEntries(model, [...labels], before, now, `e${prefix}_${at}`)
    before = now
  }
}

type PresenceOf = (label: string) => Presence
const startPresence =
  (start: string): PresenceOf =>
  (label) => ({ constant: label === start ? 1 : 0, terms: [] })

/** Each market that a resource enters costs a change. */
function addEntries(
  model: LinearModel,
  labels: readonly string[],
  before: PresenceOf,
  now: PresenceOf,
  prefix: string,
) {
  for (const [index, label] of labels.entries()) {
    const [was, is] = [before(label), now(label)]
    if (was.terms.length + is.terms.length === 0) continue
    const name = `${prefix}_${index}`
    model.addCost(MOVE_COST, name)
    const less = (terms: Presence['terms']) => terms.map(([factor, each]) => [-factor, each] as const)
    model.addRow([[1, name], ...less(is.terms), ...was.terms], '>=', is.constant - was.constant)
  }
}

/** Reads what each truck and driver takes from the values of a solved model. */
export function assignmentFrom({ trucks, drivers }: FillProblem, values: ReadonlyMap<string, number>): Assignment {
  const takenBy = (side: Side, resources: readonly Resource[]) =>
    resources.map(({ slots }, at) => slots.filter((slot) => (values.get(takesName(side, at, slot)) ?? 0) > 0.5))
  return { trucks: takenBy('trucks', trucks), drivers: takenBy('drivers', drivers) }
}

/** The values of the variables that are not 0 in an assignment. */
export function valuesOf(problem: FillProblem, assignment: Assignment): Map<string, number> {
  const values = new Map<string, number>()
  for (const side of ['trucks', 'drivers'] as const) {
    for (const [at, taken] of assignment[side].entries()) {
      for (const slot of taken) values.set(takesName(side, at, slot), 1)
    }
  }
  for (const [slot, placed] of countPlaced(problem, assignment).entries()) values.set(placedName(slot), placed)
  return values
}

/** How many shifts of each slot are placed in the values of a solved model. */
export const placedFrom = ({ slots }: FillProblem, values: ReadonlyMap<string, number>): number[] =>
  slots.map((_, slot) => Math.round(values.get(placedName(slot)) ?? 0))
