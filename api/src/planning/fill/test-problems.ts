import { DAY_MS, workweekOf } from '@roadshow/contract'
import { type Assignment, costOf, isFeasible } from './assignment.ts'
import type { FillDriver, FillFacts, FillProblem, FillTruck, Resource, Slot } from './problem.ts'

const HOUR = 3_600_000
/** A Monday, at midnight UTC. */
const FIRST_DAY = Date.UTC(2027, 0, 4)

const dateAt = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A slot of eight hours, from 8 AM UTC unless it starts later. */
export const slotOn = (day: number, marketUid: string, demand = 1, hour = 8): Slot => {
  const startsAt = FIRST_DAY + day * DAY_MS + hour * HOUR
  const date = dateAt(startsAt)
  return { marketUid, date, week: workweekOf(date), startsAt, endsAt: startsAt + 8 * HOUR, demand, needsScreens: false }
}

export const bookingOn = (day: number, marketUid: string, hour = 8) => {
  const { startsAt, endsAt } = slotOn(day, marketUid, 1, hour)
  return { marketUid, startsAt, endsAt }
}

export const truckNamed = (name: string, given: Partial<FillTruck> = {}): FillTruck => ({
  uid: name,
  name,
  bookings: [],
  startMarketUid: undefined,
  away: [],
  hasScreens: true,
  misfit: 0,
  ...given,
})

export const driverNamed = (name: string, given: Partial<FillDriver> = {}): FillDriver => ({
  uid: name,
  name,
  bookings: [],
  startMarketUid: undefined,
  canSeeShifts: true,
  away: [],
  declined: [],
  weekMinutes: new Map(),
  ...given,
})

/** Denver and Dallas are 662 miles apart, which takes 14 h 43 min; Fort Worth is near Dallas. */
const PLACES: Record<string, [latitude: number, longitude: number]> = {
  dallas: [32.78, -96.8],
  denver: [39.74, -104.99],
  fortWorth: [32.75, -97.33],
}

const testMarkets: FillFacts['markets'] = new Map(
  Object.entries(PLACES).map(([uid, [latitude, longitude]]) => [
    uid,
    {
      uid,
      name: uid,
      zone: 'UTC',
      area: { latitude, longitude, radiusM: 40_000, outline: null },
      points: [{ latitude, longitude }],
    },
  ]),
)

export const factsOf = (given: Partial<FillFacts>): FillFacts => ({
  slots: [],
  trucks: [],
  drivers: [],
  markets: testMarkets,
  restMinutes: 600,
  weekLimit: 2400,
  ...given,
})

/** All sets of slots that a resource may take, by trying each. */
function* choicesOf(problem: FillProblem, side: 'trucks' | 'drivers', resource: Resource): Generator<number[]> {
  const { slots } = resource
  const alone = { ...problem, slots: problem.slots.map((slot) => ({ ...slot, demand: 99 })) }
  for (let mask = 0; mask < 1 << slots.length; mask++) {
    const taken = slots.filter((_, at) => mask & (1 << at))
    // A partner without limits makes the resource's own rules the only ones.
    const partner = { ...resource, limits: [], slots }
    const trial =
      side === 'trucks'
        ? {
            problem: { ...alone, trucks: [resource], drivers: [partner], driverConflicts: [] },
            assignment: both(taken),
          }
        : { problem: { ...alone, drivers: [resource], trucks: [partner], truckConflicts: [] }, assignment: both(taken) }
    if (isFeasible(trial.problem, trial.assignment)) yield taken
  }
}

const both = (taken: number[]): Assignment => ({ trucks: [taken], drivers: [taken] })

/** The best that there is for one side by the number of shifts placed in each slot, by trying everything. */
function bestBySlots(problem: FillProblem, side: 'trucks' | 'drivers'): Map<string, number> {
  let best = new Map([[problem.slots.map(() => 0).join(), 0]])
  for (const resource of problem[side]) {
    const next = new Map<string, number>()
    for (const taken of choicesOf(problem, side, resource)) {
      const alone = { ...problem, trucks: [], drivers: [], [side]: [resource] }
      const cost = costOf(alone, { trucks: [taken], drivers: [taken] })
      for (const [key, before] of best) {
        const counts = key.split(',').map(Number)
        for (const slot of taken) counts[slot] = (counts[slot] ?? 0) + 1
        if (problem.slots.some(({ demand }, at) => (counts[at] ?? 0) > demand)) continue
        const sum = before + cost
        if (sum < (next.get(counts.join()) ?? Number.POSITIVE_INFINITY)) next.set(counts.join(), sum)
      }
    }
    best = next
  }
  return best
}

/** The most shifts that can be placed, and the least cost of placing that many, found without a solver. */
export function bruteForce(problem: FillProblem): { placed: number; cost: number } {
  const [trucks, drivers] = [bestBySlots(problem, 'trucks'), bestBySlots(problem, 'drivers')]
  let best = { placed: 0, cost: Number.POSITIVE_INFINITY }
  for (const [key, cost] of trucks) {
    const other = drivers.get(key)
    if (other === undefined) continue
    const placed = key === '' ? 0 : key.split(',').reduce((sum, each) => sum + Number(each), 0)
    if (placed > best.placed || (placed === best.placed && cost + other < best.cost))
      best = { placed, cost: cost + other }
  }
  return best
}
