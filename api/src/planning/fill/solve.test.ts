import type { FillRule } from '@roadshow/contract'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { costOf, countMoves, countPlaced, isFeasible } from './assignment.ts'
import { countObstacles, findReliefs } from './explain.ts'
import { pairUp } from './pairs.ts'
import { type FillFacts, problemOf } from './problem.ts'
import { solveFill } from './solve.ts'
import { SolverThread } from './solver-thread.ts'
import { bookingOn, bruteForce, driverNamed, factsOf, slotOn, truckNamed } from './test-problems.ts'

const thread = new SolverThread(new AbortController().signal)
afterAll(() => thread.end())

test('a search that is stopped ends as stopped, not as a failure of the solver', async () => {
  const stopping = new AbortController()
  const { solve } = new SolverThread(stopping.signal)
  const solving = solve({ text: '', names: [] }, { seconds: 60 })
  stopping.abort()
  await expect(solving).rejects.toMatchObject({ name: 'AbortError' })
})

const LIMITS = { placing: 20, improving: 20, gap: 0 }
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

async function fill(facts: FillFacts, relaxed: FillRule[] = []) {
  const problem = problemOf(facts, relaxed)
  const { assignment, isOptimal } = await solveFill(problem, thread.solve, LIMITS)
  const placed = countPlaced(problem, assignment)
  return { problem, assignment, isOptimal, placed, facts, relaxed, cost: costOf(problem, assignment) }
}

const markets = ['dallas', 'denver', 'fortWorth'] as const
const market = fc.constantFrom(...markets)
const bookings = fc
  .uniqueArray(fc.record({ day: fc.integer({ min: -1, max: 4 }), market }), {
    maxLength: 2,
    selector: ({ day }) => day,
  })
  .map((given) =>
    given.toSorted((a, b) => a.day - b.day).map((each) => bookingOn(each.day, each.market, each.day % 2 ? 8 : 18)),
  )
const start = fc.option(fc.constantFrom(...markets, 'elsewhere'), { nil: undefined })
const slots = fc
  .uniqueArray(fc.record({ day: fc.integer({ min: 0, max: 3 }), market, demand: fc.integer({ min: 1, max: 2 }) }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ day, market: place }) => `${day} ${place}`,
  })
  .chain((given) =>
    fc.constantFrom(6, 8, 20).map((hour) => given.map((each) => slotOn(each.day, each.market, each.demand, hour))),
  )
const facts = fc.record({
  slots,
  trucks: fc
    .array(fc.record({ bookings, startMarketUid: start, misfit: fc.integer({ min: 0, max: 2 }) }), { maxLength: 3 })
    .map((given) => given.map((each, at) => truckNamed(`T-${at}`, each))),
  drivers: fc
    .array(fc.record({ bookings, startMarketUid: start, worked: fc.constantFrom(0, 300, 1440, 1920) }), {
      maxLength: 3,
    })
    .map((given) =>
      given.map(({ worked, ...each }, at) =>
        driverNamed(`D-${at}`, { ...each, weekMinutes: new Map([['2027-01-04', worked]]) }),
      ),
    ),
})

describe('a fill proposal', () => {
  test('places as many shifts and costs as little as the best of all possible ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.subarray<FillRule>(['rest', 'travel', 'weekHours', 'artwork']),
        async (given, relaxed) => {
          const { problem, assignment, isOptimal, placed, cost } = await fill(factsOf(given), relaxed)
          expect(isOptimal).toBe(true)
          expect(isFeasible(problem, assignment)).toBe(true)
          const best = bruteForce(problem)
          expect({ placed: sum(placed), cost }).toEqual(best)
        },
      ),
      { numRuns: 120 },
    )
  }, 120_000)

  test('is the cheapest where HiGHS would take all others for infeasible', async () => {
    const { problem, placed, cost } = await fill(
      factsOf({
        slots: [slotOn(1, 'dallas', 1, 6), slotOn(3, 'dallas', 1, 6), slotOn(0, 'dallas', 2, 6)],
        trucks: [truckNamed('T-0', { misfit: 1 }), truckNamed('T-1', { bookings: [bookingOn(0, 'fortWorth', 18)] })],
        drivers: [
          driverNamed('D-0', { bookings: [bookingOn(1, 'dallas')] }),
          driverNamed('D-1', { startMarketUid: 'fortWorth', weekMinutes: new Map([['2027-01-04', 1920]]) }),
        ],
      }),
    )
    expect({ placed: sum(placed), cost }).toEqual(bruteForce(problem))
  })

  test('shares hours evenly, and counts those that are planned already', async () => {
    const drivers = [
      driverNamed('busy', { weekMinutes: new Map([['2027-01-04', 1440]]) }),
      driverNamed('free'),
      driverNamed('idle'),
    ]
    const trucks = [truckNamed('T-1')]
    const days = [0, 1, 2, 3].map((day) => slotOn(day, 'dallas'))
    const { assignment, problem } = await fill(factsOf({ slots: days, trucks, drivers }))
    const shiftsOf = Object.fromEntries(problem.drivers.map(({ uid }, at) => [uid, assignment.drivers[at]?.length]))
    expect(shiftsOf).toEqual({ busy: 0, free: 2, idle: 2 })
  })

  test('leaves trucks and drivers in their markets', async () => {
    const days = [0, 1, 2].flatMap((day) => [slotOn(day, 'dallas'), slotOn(day, 'fortWorth')])
    const trucks = [
      truckNamed('east', { startMarketUid: 'dallas' }),
      truckNamed('west', { startMarketUid: 'fortWorth' }),
    ]
    const drivers = [driverNamed('one'), driverNamed('two', { startMarketUid: 'dallas' })]
    const { problem, assignment } = await fill(factsOf({ slots: days, trucks, drivers }))
    const moves = [...problem.trucks.entries()].map(([at, truck]) =>
      countMoves(truck, assignment.trucks[at] ?? [], problem.slots),
    )
    expect(moves).toEqual([0, 0])
    const pairs = pairUp(problem, assignment)
    expect(pairs).toHaveLength(6)
    // Each driver keeps the truck.
    expect(new Set(pairs.map(({ truck, driver }) => `${truck.uid} ${driver.uid}`)).size).toBe(2)
  })
})

describe('what could not be placed', () => {
  const explain = async (given: Partial<FillFacts>, relaxed: FillRule[] = []) => {
    const state = await fill(factsOf(given), relaxed)
    const reliefs = await findReliefs(state, thread.solve, 5)
    return { ...state, reliefs, obstacles: state.problem.slots.map((slot) => countObstacles(state, slot)) }
  }

  test('names the trucks that are booked, and that one more would do', async () => {
    const { placed, reliefs, obstacles } = await explain({
      slots: [slotOn(0, 'dallas', 3)],
      trucks: [truckNamed('T-1'), truckNamed('T-2', { bookings: [bookingOn(0, 'denver', 6)] })],
      drivers: [driverNamed('one'), driverNamed('two'), driverNamed('three')],
    })
    expect(placed).toEqual([1])
    expect(obstacles[0]).toEqual({ trucks: { proposed: 1, booked: 1 }, drivers: { proposed: 1, free: 2 } })
    expect(reliefs).toEqual([[{ by: 'moreTrucks', places: 2 }]])
  })

  test('says that drivers would have to work more than 40 hours', async () => {
    const week = [0, 1, 2, 3, 4, 5].map((day) => slotOn(day, 'dallas'))
    const { placed, reliefs, obstacles } = await explain({
      slots: week,
      trucks: [truckNamed('T-1')],
      drivers: [driverNamed('one')],
    })
    expect(sum(placed)).toBe(5)
    const open = placed.indexOf(0)
    expect(reliefs[open]).toEqual([
      { by: 'weekHours', places: 1 },
      { by: 'moreDrivers', places: 1 },
    ])
    expect(obstacles[open]?.drivers).toEqual({ weekHours: 1 })
  })

  test('says that no single change is enough', async () => {
    const { reliefs } = await explain({ slots: [slotOn(0, 'dallas')], trucks: [], drivers: [] })
    expect(reliefs).toEqual([[]])
  })

  test('is true: with the rule relaxed, that many more are placed', async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (given) => {
        const state = await fill(factsOf(given))
        const reliefs = await findReliefs(state, thread.solve, 5)
        const before = sum(state.placed)
        for (const by of ['weekHours', 'rest', 'travel', 'artwork'] as const) {
          const claimed = sum(
            reliefs.flatMap((each) => each ?? []).map((relief) => (relief.by === by ? relief.places : 0)),
          )
          expect([by, claimed]).toEqual([by, bruteForce(problemOf(state.facts, [by])).placed - before])
        }
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})
