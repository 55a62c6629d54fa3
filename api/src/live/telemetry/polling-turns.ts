import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeLog } from '../../platform/observability/log.ts'
import { type Db, sessionLocksOf } from '../../platform/db/connection.ts'

interface Turns {
  db: Db
  /** The name of the lock: one node at a time works. */
  lock: string
  /** Works until aborted. When it fails, it is begun again a little later. */
  work: (signal: AbortSignal) => Promise<void>
  /** Whether a failure ends it for good. */
  isFinal: (error: unknown) => boolean
  log: NodeLog
}

const RETRY_MS = 2000

/** Polls a source on the one node that holds its lock. When that node is gone, another takes over. */
export function takePollingTurns(turns: Turns): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = run(turns, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(turns: Turns, signal: AbortSignal): Promise<void> {
  do {
    try {
      await takeTurn(turns, signal)
    } catch (error) {
      if (signal.aborted) return
      turns.log(error)
      if (turns.isFinal(error)) return
    }
  } while (await waitFor(RETRY_MS, signal))
}

/** Waits for the lock and works as long as it is held. */
async function takeTurn({ db, lock: name, work }: Turns, signal: AbortSignal): Promise<void> {
  const locks = sessionLocksOf(db)
  let lock = await locks.take(name)
  while (!lock) {
    if (!(await waitFor(RETRY_MS, signal))) return
    lock = await locks.take(name)
  }
  try {
    await work(AbortSignal.any([signal, lock.signal]))
  } finally {
    await lock.release()
  }
}

/** Waits unless aborted; answers whether it waited to the end. */
export const waitFor = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false)
