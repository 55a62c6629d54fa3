import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/** How long to wait after some failures in a row. The time is random, so that nodes do not retry all at once. */
export function backOffMs(failures: number, waitMs?: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
  return Math.max(waitMs ?? 0, longest * (0.5 + Math.random() / 2))
}

/** Waits unless aborted; answers whether it waited to the end. */
export const waitFor = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false)

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
