import { type DriverAct, type Shift, type ShiftStatus, shifts } from '@roadshow/contract'
import { seeded, shuffle } from '@roadshow/test-kit/random'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { ms, openPhones } from './test-phone.ts'

// Acts of two drivers of one shift, with a change of driver in between, in any order, repeated and in other pieces.

const world = await openWorld()
const { addUser, call, db } = world
const { act, addDriving, change, current, send } = await openPhones(world)

type Step = { by: 'first' | 'second'; made: DriverAct } | 'toSecond' | 'toFirst'
type Users = Record<'first' | 'second', Awaited<ReturnType<typeof addUser>>>

const BEGUN = Date.now()
/** One moment for all runs: minutes before this file began. */
const done = (kind: 'start' | 'stop', shift: Shift, minutesAgo: number): DriverAct => ({
  ...act(kind, shift.uid, 0),
  at: new Date(BEGUN - minutesAgo * 60_000).toISOString(),
})

/** Both drivers reported, the first on two phones; the second only while the shift is theirs. */
const actsOf = (shift: Shift) => ({
  first: [
    done('start', shift, 170),
    done('start', shift, 165),
    done('stop', shift, 120),
    done('start', shift, 110),
    done('stop', shift, 90),
  ],
  second: [done('start', shift, 80), done('stop', shift, 60), done('stop', shift, 20)],
})

/** The order of a run: a shift is given away before its next driver reports, and everything else is left to chance. */
function stepsOf(shift: Shift, random: (below: number) => number, isGivenBack: boolean): Step[] {
  const { first, second } = actsOf(shift)
  const twice = <T>(items: T[]) => items.flatMap((item) => (random(2) === 0 ? [item] : [item, item]))
  const ofFirst = shuffle(twice(first), random).map((made): Step => ({ by: 'first', made }))
  const ofSecond = shuffle(twice(second), random).map((made): Step => ({ by: 'second', made }))
  const after: Step[] = isGivenBack
    ? [...ofSecond.slice(0, 1), ...shuffle([...ofSecond.slice(1), 'toFirst' as const], random)]
    : ofSecond
  const order: Step[] = ['toSecond', ...after]
  for (const step of ofFirst) order.splice(random(order.length + 1), 0, step)
  return order
}

async function live(order: number, isGivenBack: boolean) {
  const random = seeded(order)
  const { driver, shift } = await addDriving(3)
  const users: Users = { first: driver, second: await addUser('driver') }
  const steps = stepsOf(shift, random, isGivenBack)
  const problems = new Set<string>()
  while (steps.length > 0) {
    const step = steps.shift()!
    if (typeof step === 'string') {
      await change(shift.uid, { driverUid: users[step === 'toSecond' ? 'second' : 'first'].uid })
      continue
    }
    // Some acts that stand together arrive together.
    const batch = [step.made]
    for (let next = steps[0]; typeof next === 'object' && next.by === step.by && random(2) === 0; next = steps[0]) {
      batch.push(next.made)
      steps.shift()
    }
    for (const { result } of await send(users[step.by], batch)) problems.add(result)
  }
  const { status, startedAt, stoppedAt } = await current(shift.uid)
  const stored = await db.selectFrom('driver_event').select('at').where('shift_uid', '=', shift.uid).execute()
  return {
    status,
    startedAt: ms(startedAt),
    stoppedAt: ms(stoppedAt),
    reports: stored.length,
    isRefused: problems.has('rejected'),
  }
}

const minutesAgo = (minutes: number) => BEGUN - minutes * 60_000

test('a shift that was given away has the times of its second driver, whatever order the phones send in', async () => {
  for (let order = 1; order <= 8; order++)
    expect(await live(order, false), `order ${order}`).toEqual({
      status: 'completed',
      startedAt: minutesAgo(80),
      stoppedAt: minutesAgo(20),
      reports: 8,
      isRefused: false,
    })
})

test('a shift that was given away and back has the times of its first driver', async () => {
  for (let order = 1; order <= 8; order++)
    expect(await live(order, true), `order ${order}`).toEqual({
      status: 'completed',
      startedAt: minutesAgo(170),
      stoppedAt: minutesAgo(90),
      reports: 8,
      isRefused: false,
    })
})

/** Marks a shift as dispatch does; returns the actual times. */
async function mark(uid: string, status: ShiftStatus) {
  const { version } = await current(uid)
  const { body } = await call(shifts.move, { body: { uid, version, status, reason: '' } })
  return { startedAt: ms(body.data.startedAt), stoppedAt: ms(body.data.stoppedAt) }
}

test('a shift that the office started and completed for its second driver keeps these times, whatever the first reports', async () => {
  for (let order = 1; order <= 4; order++) {
    const random = seeded(order)
    const { driver, shift } = await addDriving(3)
    // The first driver starts, and everything else of theirs arrives after the change.
    const [begun, ...late] = actsOf(shift).first
    await send(driver, [begun])
    const second = await addUser('driver')
    await change(shift.uid, { driverUid: second.uid })
    expect((await current(shift.uid)).status).toBe('planned')
    const { startedAt } = await mark(shift.uid, 'out')
    const out = await mark(shift.uid, 'completed')
    // Also the very times that the office set.
    const same = [startedAt, out.stoppedAt].flatMap((at) =>
      (['start', 'stop'] as const).map((kind) => ({ ...act(kind, shift.uid, 0), at: new Date(at ?? 0).toISOString() })),
    )
    for (const made of shuffle([...late, ...late, ...same, ...same], random)) {
      const [answer] = await send(driver, [made])
      expect(answer?.problem).toBe('shiftOfAnother')
    }
    const { status, ...kept } = await current(shift.uid)
    expect([status, ms(kept.startedAt), ms(kept.stoppedAt)], `order ${order}`).toEqual([
      'completed',
      startedAt,
      out.stoppedAt,
    ])
    const [details] = (await call(shifts.details, { query: { uid: shift.uid } })).body.data
    const byOffice = { source: 'office', name: 'The admin' }
    expect([details?.startSetBy, details?.stopSetBy]).toEqual([byOffice, byOffice])
    // Given back, the first driver's reports count again, beside the times of the office.
    await change(shift.uid, { driverUid: driver.uid })
    const back = await current(shift.uid)
    expect([ms(back.startedAt), ms(back.stoppedAt)]).toEqual([minutesAgo(170), out.stoppedAt])
  }
})
