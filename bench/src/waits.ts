import { setTimeout as sleep } from 'node:timers/promises'
import { contract } from '@roadshow/contract'
import { apiTarget, type BenchWorld } from './world.ts'

const QUESTIONS_MS = 100

/** How long a user waits for a list that is requested again and again while other work runs. */
export async function waitsDuring(
  world: BenchWorld,
  work: () => Promise<unknown>,
  everyMs = QUESTIONS_MS,
): Promise<number[]> {
  const waits: number[] = []
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  const { url, headers } = apiTarget(world, contract.trucks.list.path)
  while (!done.signal.aborted) {
    const start = performance.now()
    const answer = await fetch(url, { headers })
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
    await answer.arrayBuffer()
    waits.push(performance.now() - start)
    await sleep(everyMs)
  }
  await working
  return waits
}
