import { setTimeout as sleep } from 'node:timers/promises'
import { contract } from '@roadshow/contract'
import { apiTarget, type BenchWorld } from './world.ts'

const QUESTIONS_MS = 100

/** A person at a screen, who asks for everything on it at once, again and again. */
export interface ScreenReader {
  /** The paths of its calls, with what they ask for. */
  paths: readonly string[]
  /** How long the screen rests between two rounds. */
  everyMs: number
}

async function read({ url, headers }: ReturnType<typeof apiTarget>): Promise<void> {
  const answer = await fetch(url, { headers })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  await answer.arrayBuffer()
}

/** How long each screen took until its last call was answered, round for round, while other work runs. */
export async function waitsOfScreens<Name extends string>(
  world: BenchWorld,
  screens: Record<Name, ScreenReader>,
  work: () => Promise<unknown>,
): Promise<Record<Name, number[]>> {
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  const waitsAt = async ({ paths, everyMs }: ScreenReader) => {
    const targets = paths.map((path) => apiTarget(world, path))
    const waits: number[] = []
    while (!done.signal.aborted) {
      const start = performance.now()
      await Promise.all(targets.map(read))
      waits.push(performance.now() - start)
      await sleep(everyMs)
    }
    return waits
  }
  const names = Object.keys(screens) as Name[]
  const [all] = await Promise.all([Promise.all(names.map((name) => waitsAt(screens[name]))), working])
  return Object.fromEntries(names.map((name, index) => [name, all[index] ?? []])) as Record<Name, number[]>
}

/** How long a user waits for a list that is requested again and again while other work runs. */
export async function waitsDuring(
  world: BenchWorld,
  work: () => Promise<unknown>,
  everyMs = QUESTIONS_MS,
): Promise<number[]> {
  const { list } = await waitsOfScreens(world, { list: { paths: [contract.trucks.list.path], everyMs } }, work)
  return list
}
