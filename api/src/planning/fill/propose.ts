import { type FillRequest, type FillResult, type UnplacedShifts } from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { loadArtwork, loadBookedPlays } from '../suggestions/index.ts'
import { countMoves, countPlaced, sum } from './assignment.ts'
import { loadCandidates } from './candidates.ts'
import { countObstacles, findReliefs } from './explain.ts'
import { loadBookedShifts } from './facts.ts'
import { pairUp } from './pairs.ts'
import { type FillFacts, type FillProblem, problemOf } from './problem.ts'
import { type loadWantedDays, slotsOf, type WantedSlots } from './slots.ts'
import { type Progress, solveFill, type SolvedFill, type SolveModel } from './solve.ts'
import { SolverThread } from './solver-thread.ts'

/** Seconds for each part; together they stay below what a person waits for. */
const LIMITS = { placing: 3.5, improving: 6.5, gap: 0.01 }
const SECONDS_FOR_REASONS = 4

export interface Search {
  request: FillRequest
  wanted: WantedSlots
  artwork: Awaited<ReturnType<typeof loadArtwork>>['set']
  facts: FillFacts
  isAll: boolean
}

/** Reads everything that a fill proposal is made of. */
export async function loadSearch(
  db: Db,
  request: FillRequest,
  days: Awaited<ReturnType<typeof loadWantedDays>>,
): Promise<Search> {
  const range = { from: request.from, to: request.to }
  const booked = await loadBookedShifts(db, range)
  const { set: artwork, hasAny } = await loadArtwork(db, { uid: undefined, programUid: request.programUid })
  const needs = { hasArtwork: hasAny, bookedPlays: await loadBookedPlays(db, request.programUid) }
  const wanted = slotsOf(days, booked, needs, await sharedNow(db))
  const { restGapHours, overtimeAfterHours } = await readSettings(db)
  const limits = { restMinutes: restGapHours * 60, weekLimit: overtimeAfterHours * 60 }
  const { slots } = wanted
  if (slots.length === 0) {
    const facts = { slots, trucks: [], drivers: [], markets: new Map(), ...limits }
    return { request, wanted, artwork, facts, isAll: true }
  }
  const { isAll, ...candidates } = await loadCandidates(db, { slots, days: range, booked, artwork })
  return { request, wanted, artwork, facts: { slots, ...candidates, ...limits }, isAll }
}

interface ProposeOptions {
  onProgress?: (progress: Progress) => void
  /** Whether the reasons of what cannot be placed are wanted too; they are unless said otherwise. */
  withReasons?: boolean
}

/** Looks for the best fill proposal, in a thread of its own. */
export async function propose(search: Search, signal: AbortSignal, options: ProposeOptions = {}): Promise<FillResult> {
  const thread = new SolverThread(signal)
  try {
    return await solveSearch(search, thread.solve, options)
  } finally {
    await thread.end()
  }
}

async function solveSearch(
  { request, wanted, artwork, facts, isAll }: Search,
  solve: SolveModel,
  { onProgress = () => {}, withReasons = true }: ProposeOptions,
): Promise<FillResult> {
  const problem = problemOf(facts, request.relax)
  const solved: SolvedFill =
    facts.slots.length > 0
      ? await solveFill(problem, solve, LIMITS, onProgress)
      : { assignment: { trucks: [], drivers: [] }, isOptimal: true }
  const placed = countPlaced(problem, solved.assignment)
  onProgress({ step: 'explaining', placed: sum(placed) })
  const unplaced = withReasons ? await explain({ request, wanted, facts, problem, solved, placed }, solve) : []
  const { trucks, drivers } = solved.assignment
  const movesOf = (resources: FillProblem['trucks'], taken: typeof trucks) =>
    sum(resources.map((resource, at) => countMoves(resource, taken[at] ?? [], facts.slots)))
  return {
    shifts: proposedShifts({ request, wanted, facts, problem, solved }),
    unplaced,
    wanted: wanted.wanted,
    alreadyPlanned: wanted.alreadyPlanned,
    isOptimal: solved.isOptimal,
    truckMoves: movesOf(problem.trucks, trucks),
    driverMoves: movesOf(problem.drivers, drivers),
    artworkSet: artwork && !artwork.isInRotation ? { uid: artwork.uid, name: artwork.name } : null,
    considered: { trucks: facts.trucks.length, drivers: facts.drivers.length, isAll },
  }
}

interface Proposed extends Pick<Search, 'request' | 'wanted' | 'facts'> {
  problem: FillProblem
  solved: SolvedFill
}

const marketRef = ({ facts: { markets } }: WantedSlots, uid: string) => ({ uid, name: markets.get(uid)?.name ?? '' })

function proposedShifts({ request, wanted, problem, solved }: Proposed): FillResult['shifts'] {
  return pairUp(problem, solved.assignment).flatMap(({ slot: index, truck, driver }, at) => {
    const slot = problem.slots[index]
    if (!slot) return []
    return {
      key: String(at + 1),
      truck: { uid: truck.uid, name: truck.name },
      driver: { uid: driver.uid, name: driver.name },
      market: marketRef(wanted, slot.marketUid),
      date: slot.date,
      start: request.start,
      end: request.end,
      startsAt: new Date(slot.startsAt).toISOString(),
      endsAt: new Date(slot.endsAt).toISOString(),
    }
  })
}

/** The days that are not filled, with the reasons. */
async function explain(
  { request, wanted, facts, problem, solved, placed }: Proposed & { placed: readonly number[] },
  solve: SolveModel,
): Promise<UnplacedShifts[]> {
  const refused = wanted.refused.map(({ marketUid, date, missing, refusal }) => ({
    market: marketRef(wanted, marketUid),
    date,
    missing,
    refusal,
    trucks: {},
    drivers: {},
    relief: [],
  }))
  const state = { facts, relaxed: request.relax, problem, assignment: solved.assignment, placed }
  const open = facts.slots.flatMap((slot, index) => {
    const missing = slot.demand - (placed[index] ?? 0)
    return missing > 0 ? [{ slot, index, missing }] : []
  })
  const reliefs = open.length > 0 ? await findReliefs(state, solve, SECONDS_FOR_REASONS) : []
  const short = open.map(({ slot, index, missing }) => ({
    market: marketRef(wanted, slot.marketUid),
    date: slot.date,
    missing,
    refusal: null,
    ...countObstacles(state, slot),
    relief: reliefs[index] ?? null,
  }))
  return [...refused, ...short].toSorted(
    (a, b) => a.date.localeCompare(b.date) || a.market.name.localeCompare(b.market.name),
  )
}
