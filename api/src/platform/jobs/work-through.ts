import { setTimeout as sleep } from 'node:timers/promises'
import type { BacklogContext, JobContext } from './define-job.ts'

const LONGEST_REST_MS = 1000

/** Rests as long as work took, because people are waiting for their lists. */
export async function restAfter(workedMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.min(LONGEST_REST_MS, workedMs), undefined, { signal }).catch(() => undefined)
}

/** Works through a backlog until a piece says that there is no more, or the time is up. */
export async function workThrough(timeUp: AbortSignal, workOnPiece: () => Promise<boolean>): Promise<void> {
  // Each run does a piece at least, so that it gets on.
  do {
    const began = performance.now()
    if (!(await workOnPiece())) return
    await restAfter(performance.now() - began, timeUp)
  } while (!timeUp.aborted)
}

type RunContext = JobContext & BacklogContext

interface RecentAndOld<Context> {
  recent: (context: Context) => Promise<unknown>
  /** Does one piece; answers whether there may be more. */
  old: (context: Context) => Promise<boolean>
}

const OLD_EVERY = 20

/**
 * Does recent work first. Old work is slower to look for and rarely there: every twentieth run looks for it, and so do the
 * next runs while there is more.
 */
export function recentThenOld<Context extends RunContext>({ recent, old }: RecentAndOld<Context>) {
  let runs = 0
  return async (context: Context): Promise<void> => {
    await recent(context)
    if (runs % OLD_EVERY === 0) await workThrough(context.timeUp, () => old(context))
    if (!context.timeUp.aborted) runs++
  }
}
