import { setTimeout as sleep } from 'node:timers/promises'
import { contract } from '@roadshow/contract'
import { fillRoad } from './fill-road.ts'
import { fillShifts } from './fill-shifts.ts'
import { p99 } from './load.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld, startBareServer } from './world.ts'

const READERS = 50
const READ_EVERY_MS = 1000
const DUE_EVERY_MS = 1000
const READING_MS = 20_000
const MOST_WAIT = 1.5

/** How long people wait for lists while every job of a node is due in the same instant, again and again. */
export async function* measureJobs(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  await fillRoad(world.sql)
  const node = await startBareServer('jobs-node', world.settings)
  const { url, headers } = apiTarget({ ...world, ours: node.url }, contract.trucks.list.path)
  const reads = () => waitsOfReaders(url, headers)
  let jobs = 0
  const due = async () => {
    const answer = await fetch(`${node.url}/due`, { method: 'POST' })
    if (!answer.ok) throw new Error(`Jobs failed: ${answer.status}`)
    jobs = Number(await answer.text())
  }
  // Whatever the filling left to do is done first.
  await due()
  const [idle, busy] = [[] as number[], [] as number[]]
  for (let round = 0; round < 2; round++) {
    idle.push(...(await reads()))
    const done = new AbortController()
    const working = repeat(due, done.signal)
    busy.push(...(await reads()))
    done.abort()
    await working
  }
  const [ours, beside] = [p99(busy), p99(idle)]
  yield {
    name: `A list of trucks for ${READERS} people while ${jobs} jobs are due at once on a pool of 20, 99 % of the calls, beside none`,
    ours: `${ours.toFixed(1)} ms`,
    beside: `${beside.toFixed(1)} ms`,
    ratio: times(ours / beside),
    bar: `≤ ${MOST_WAIT} ×`,
    met: ours / beside <= MOST_WAIT,
  }
}

async function repeat(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(DUE_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function waitsOfReaders(url: string, headers: Record<string, string>): Promise<number[]> {
  const until = performance.now() + READING_MS
  const reader = async (_: unknown, person: number) => {
    const waits: number[] = []
    await sleep((person * READ_EVERY_MS) / READERS)
    while (performance.now() < until) {
      const start = performance.now()
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
      waits.push(performance.now() - start)
      await sleep(READ_EVERY_MS)
    }
    return waits
  }
  return (await Promise.all(Array.from({ length: READERS }, reader))).flat()
}
