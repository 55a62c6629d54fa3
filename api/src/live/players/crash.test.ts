import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Play, RowAck } from '@roadshow/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { accountOfDevice } from '../plays/index.ts'
import { fleetOf, minutesAgo } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addRunning, aPlay, come, countedAndKept } = fleetOf(world)

const nodes: { process: ChildProcess; url: string }[] = []
afterAll(() => {
  for (const { process } of nodes) process.kill('SIGKILL')
})

async function startNode(): Promise<void> {
  const child = fork(testProgram('test-node'), [world.url, world.folder], { execArgv: [] })
  nodes.push({ process: child, url: ((await once(child, 'message')) as [string])[0] })
}

beforeAll(async () => void (await Promise.all([startNode(), startNode(), startNode()])), 120_000)

async function kill({ process: child }: { process: ChildProcess }): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const BATCH = 50
const AT_ONCE = 8

/** A player that keeps each play until it is told that it is on disk. */
class Backlog {
  readonly waiting: Map<string, Play>
  readonly accepted: string[] = []

  constructor(plays: Play[]) {
    this.waiting = new Map(plays.map((each) => [each.playId, each]))
  }

  /** Sends everything, some batches at once, until all is answered or no one answers any more. */
  async send(url: string, device: Parameters<typeof come>[1]): Promise<void> {
    const socket = await come(url, device)
    const rows = [...this.waiting.values()]
    const batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) =>
      rows.slice(index * BATCH, (index + 1) * BATCH),
    )
    const gone = once(socket as never, 'disconnect')
    const sendInTurn = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        const answer = await socket.emitWithAck('player-plays', batch)
        if ('rows' in answer) this.heard(answer.rows)
      }
    }
    const sent = Promise.all(Array.from({ length: AT_ONCE }, sendInTurn))
    await Promise.race([sent, gone])
    socket.disconnect()
  }

  heard(rows: RowAck[]): void {
    for (const { id, result } of rows) {
      this.waiting.delete(id)
      if (result === 'accepted') this.accepted.push(id)
    }
  }
}

test('a server that is killed in the middle of it loses nothing that it acknowledged, and counts nothing twice', async () => {
  const { art, device } = await addRunning()
  const plays = Array.from({ length: 3000 }, (_, index) =>
    aPlay(art, { sequence: index + 1, startedAt: minutesAgo(index / 20) }),
  )
  const backlog = new Backlog(plays)
  // One after the other takes over what the one before left; the last one lives.
  for (const [index, node] of nodes.entries()) {
    const left = backlog.waiting.size
    expect(left).toBeGreaterThan(0)
    const sending = backlog.send(node.url, device)
    if (index < nodes.length - 1) {
      // In the middle: some of the batches are answered, others are under way.
      while (backlog.waiting.size >= left - 5 * BATCH) await new Promise((resolve) => setTimeout(resolve, 1))
      await kill(node)
    }
    await sending
  }
  expect(backlog.waiting.size).toBe(0)
  expect(new Set(backlog.accepted).size).toBe(backlog.accepted.length)
  const { count } = await db
    .selectFrom('play')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(3000)
  expect(await accountOfDevice(db, device.uid)).toMatchObject({ used: 3000, stored: 3000, missing: 0 })
  const [counted, kept] = await countedAndKept()
  expect(kept).toEqual(counted)
}, 60_000)
