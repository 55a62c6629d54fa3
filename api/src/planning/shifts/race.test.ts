import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type ErrorBody, formatDay, type Shift } from '@roadshow/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'

const ROUNDS = 200

const world = await openWorld()
const workers: ChildProcess[] = []

/** Starts a process with its own connections, like another node. */
async function startWorker(): Promise<void> {
  const scope = await world.adminScope()
  const worker = fork(testProgram('test-race-worker'), [world.url, JSON.stringify(scope)], { execArgv: [] })
  workers.push(worker)
  await once(worker, 'message')
}

beforeAll(async () => {
  await Promise.all([startWorker(), startWorker()])
})

afterAll(async () => {
  for (const worker of workers) {
    const ended = once(worker, 'exit')
    worker.disconnect()
    await ended
  }
})

type Answer = { shift: Shift } | { error: ErrorBody }

async function save(worker: ChildProcess, input: object): Promise<Answer> {
  const answered = once(worker, 'message')
  worker.send(input)
  return ((await answered) as [Answer])[0]
}

test('two dispatchers save the same truck and minute from two processes: one succeeds each time, the other learns which shift is in the way', async () => {
  const market = await world.addMarket('Dallas')
  const { uid: programUid } = await world.addProgram({ markets: [{ marketUid: market.uid }] })
  const [one, two] = [await world.addUser('driver'), await world.addUser('driver')]
  const truck = { number: 'T-1', kind: 'led', state: 'active' }
  const { uid: truckUid } = await world.db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
  const plan = {
    truckUid,
    programUid,
    marketUid: market.uid,
    artworkSetUid: null,
    addressSetUid: null,
    payOption: null,
    note: '',
  }

  for (let round = 0; round < ROUNDS; round++) {
    const date = new Date(Date.UTC(2026, 0, 1 + round)).toISOString().slice(0, 10)
    const answers = await Promise.all(
      workers.map((worker, index) => {
        // Every other time the same driver too, so that both rules are at stake.
        const driverUid = index === 0 || round % 2 === 0 ? one.uid : two.uid
        return save(worker, { ...plan, driverUid, date, start: '08:00', end: '16:00' })
      }),
    )
    const [saved] = answers.flatMap((answer) => ('shift' in answer ? [answer.shift] : []))
    const refused = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({
      code: 'shiftClash',
      error: expect.stringContaining(`T-1 · The driver · ${formatDay(date)}, 8:00 AM–4:00 PM`),
    })
    expect(new Set(refused[0]?.clashes?.map(({ uid }) => uid))).toEqual(new Set([saved?.uid]))
  }
}, 120_000)
