import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type ActResult, API_BASE, type DriverAct } from '@roadshow/contract'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ms, openPhones } from './test-phone.ts'

const world = await openWorld()
const { db } = world
const { act, addDriving, current, planIn, send } = await openPhones(world)

const nodes: { process: ChildProcess; url: string }[] = []
afterAll(() => {
  for (const { process } of nodes) process.kill('SIGKILL')
})

async function startNode(): Promise<void> {
  const child = fork(testProgram('test-node'), [world.url, world.folder], { execArgv: [] })
  nodes.push({ process: child, url: ((await once(child, 'message')) as [string])[0] })
}

beforeAll(async () => void (await Promise.all([startNode(), startNode()])), 120_000)

/** Sends acts to one node, as a phone does. */
async function sendTo(node: number, { token }: { token: string }, acts: readonly DriverAct[]): Promise<string[]> {
  const response = await fetch(`${nodes[node]?.url}${API_BASE}/driver-app/acts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sentAt: new Date().toISOString(), acts }),
  })
  const { data } = (await response.json()) as { data: { results: ActResult[] } }
  return data.results.map(({ result }) => result)
}

/** The acts of a shift that are stored, and those of which everything is: the row of the act and what it stands for. */
async function storedActs(shiftUid: string): Promise<{ acts: number; whole: number }> {
  const { rows } = await sql<{ acts: number; whole: number }>`
    select count(*)::int as acts,
           count(*) filter (where exists (select from shift_message g where g.act_id = a.act_id)
                               or exists (select from driver_event e where e.event_id = a.act_id::text))::int as whole
      from driver_act a where a.shift_uid = ${shiftUid}`.execute(db)
  return rows[0] ?? { acts: 0, whole: 0 }
}

const BEFORE = 9

test('a node that is killed in the middle of a batch leaves whole acts or nothing, and the next node completes it', async () => {
  const { driver, shift } = await addDriving()
  const held = await planIn(2, { driverUid: driver.uid })
  const messages = Array.from({ length: 20 }, (_, index) =>
    act('message', shift.uid, 60 - index, { text: `Message ${index}` }),
  )
  const acts: DriverAct[] = [
    act('start', shift.uid, 150),
    ...messages.slice(0, BEFORE - 1),
    // The node waits here, since the shift of this act is locked.
    act('message', held.uid, 30, { text: 'About tomorrow' }),
    ...messages.slice(BEFORE - 1),
    act('stop', shift.uid, 1),
  ]
  await db.transaction().execute(async (holding) => {
    await holding.selectFrom('shift').select('uid').where('uid', '=', held.uid).forUpdate().execute()
    const lost = sendTo(0, driver, acts).catch(() => 'lost')
    await vi.waitFor(async () => expect((await storedActs(shift.uid)).acts).toBe(BEFORE), { timeout: 20_000 })
    const [node] = nodes
    const gone = once(node!.process, 'exit')
    node!.process.kill('SIGKILL')
    await gone
    expect(await lost).toBe('lost')
  })
  expect(await storedActs(shift.uid)).toEqual({ acts: BEFORE, whole: BEFORE })
  expect(await storedActs(held.uid)).toEqual({ acts: 0, whole: 0 })
  expect((await current(shift.uid)).status).toBe('out')

  // The phone heard nothing and sends the batch again.
  expect(await sendTo(1, driver, acts)).toEqual(acts.map((_, index) => (index < BEFORE ? 'duplicate' : 'accepted')))
  expect(await storedActs(shift.uid)).toEqual({ acts: acts.length - 1, whole: acts.length - 1 })
  expect(await storedActs(held.uid)).toEqual({ acts: 1, whole: 1 })
  const { status, startedAt, stoppedAt } = await current(shift.uid)
  expect([status, ...[startedAt, stoppedAt].map(ms)]).toEqual(['completed', ...[acts[0]?.at, acts.at(-1)?.at].map(ms)])
})

test('of two nodes that get the same batch at once, each act is taken by one', async () => {
  const { driver, shift } = await addDriving()
  const acts = [
    act('start', shift.uid, 150),
    ...Array.from({ length: 12 }, (_, index) => act('message', shift.uid, 60 - index, { text: `Message ${index}` })),
    act('stop', shift.uid, 1),
  ]
  const [one, other] = await Promise.all([sendTo(1, driver, acts), send(driver, acts)])
  const answers = acts.map((_, index) => `${one[index]} and ${other[index]?.result}`)
  expect(answers).toEqual(acts.map(() => expect.stringMatching(/^(?:accepted and duplicate|duplicate and accepted)$/)))
  expect(await storedActs(shift.uid)).toEqual({ acts: acts.length, whole: acts.length })
})
