import { setTimeout as sleep } from 'node:timers/promises'

/** Whether work ends without an error. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Whether work has ended because its signal aborted. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** The result of work, or an error if it takes longer. The work itself goes on. */
export async function withinMs<T>(ms: number, work: T | Promise<T>): Promise<T> {
  const ended = new AbortController()
  const tooLong = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: ended.signal, ref: false })
    throw new Error('It does not answer')
  }
  try {
    return await Promise.race([work, tooLong()])
  } finally {
    ended.abort()
  }
}

/**
 * Runs work with a signal that aborts with any of these, and after a time if there is one. Unlike `AbortSignal.any`, it
 * leaves nothing behind at a signal that lives as long as the node.
 */
export async function withSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signals = [], afterMs }: { signals?: readonly AbortSignal[]; afterMs?: number | undefined },
): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = afterMs === undefined ? undefined : setTimeout(end, afterMs)
  for (const signal of signals) signal.addEventListener('abort', end)
  try {
    if (signals.some(({ aborted }) => aborted)) end()
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
}
