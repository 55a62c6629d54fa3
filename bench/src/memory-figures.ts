import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes, memoryOf, MB } from './memory.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const IDLE_MS = 60_000
const MAX_IDLE_MB = 180

/** What a node holds that has nothing to do but its jobs, a minute after its start. Its database is another process. */
export async function* measureMemory({ pid }: BenchWorld): AsyncGenerator<BenchFigure> {
  await sleep(IDLE_MS)
  const { now } = await memoryOf(pid)
  yield {
    name: 'Memory of a node a minute after its start',
    ours: megabytes(now),
    beside: '',
    ratio: '',
    bar: `≤ ${MAX_IDLE_MB} MB`,
    met: now <= MAX_IDLE_MB * MB,
  }
}
