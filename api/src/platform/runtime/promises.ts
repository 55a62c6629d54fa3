import { setTimeout as sleep } from 'node:timers/promises'

/** Whether work ends without an error. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

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
