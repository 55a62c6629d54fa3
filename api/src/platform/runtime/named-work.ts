import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAbort } from './promises.ts'
import { StartError } from './start-error.ts'

// Every promise of a process costs more once this is used, so only the demo uses it.
const contexts = new AsyncLocalStorage<string>()

/** Runs work whose errors, thrown anywhere by anything that it began, are logged under its name and end nothing. */
export const asWork = <T>(name: string, work: () => T): T => contexts.run(name, work)

/** The work that the running code belongs to. */
export const workOfContext = (): string | undefined => contexts.getStore()

const running = new Map<string, number>()

/** Notes that work of this name is under way, as a hint for errors that say nothing of where they come from. */
export async function whileRunning<T>(name: string, work: () => Promise<T>): Promise<T> {
  running.set(name, (running.get(name) ?? 0) + 1)
  try {
    return await work()
  } finally {
    const left = (running.get(name) ?? 1) - 1
    if (left > 0) running.set(name, left)
    else running.delete(name)
  }
}

/** The work that is under way, by name. */
export const runningWork = (): string[] => [...running.keys()]

const [FIRST_MS, LONGEST_MS] = [5000, 5 * 60_000]

/** How long to wait after some failures in a row. */
export const pauseAfter = (failures: number, firstMs: number = FIRST_MS): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 20), LONGEST_MS)

interface Trying {
  signal: AbortSignal
  log: (error: unknown) => void
  firstMs?: number
}

/**
 * Tries work until it succeeds, with growing pauses, and logs each failure. A setting that is wrong stays wrong: that is
 * logged once. Settles when there is nothing more to do.
 */
export async function keepTrying(work: () => Promise<void>, { signal, log, firstMs }: Trying): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    const began = Date.now()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted && isAbort(error)) return
      log(error)
      if (error instanceof StartError) return
    }
    // What has worked for a while fails for the first time.
    if (Date.now() - began > LONGEST_MS) failures = 1
    await sleep(pauseAfter(failures, firstMs), undefined, { signal }).catch(() => undefined)
  }
}
