import { AppError } from '../runtime/app-error.ts'
import { networkOf } from '../http/address.ts'

/** Enough for all devices behind one carrier's address to reconnect, and too little for a flood. */
export const CONNECTS_PER_MINUTE = 1000
const MAX_FAILURES = 100
const WINDOW_MS = 60_000

/**
 * Counts connections by address within a minute. Each node counts in memory, since refusing a flood must cost less than
 * the flood.
 */
export function connectThrottle(maxConnects: number) {
  let since = 0
  let counts = new Map<string, { connects: number; attempts: number; failures: number }>()

  function of(given: string) {
    const address = networkOf(given)
    if (performance.now() - since >= WINDOW_MS) {
      since = performance.now()
      counts = new Map()
    }
    const known = counts.get(address)
    if (known) return known
    const fresh = { connects: 0, attempts: 0, failures: 0 }
    counts.set(address, fresh)
    return fresh
  }

  return {
    /** Whether a connection is opened at all. Past the limit clients get a reason; past twice the limit they do not. */
    mayConnect: (address: string): boolean => ++of(address).connects <= 2 * maxConnects,
    /** Counts a handshake. One connection may try several. */
    attempt(address: string): void {
      const count = of(address)
      if (++count.attempts > maxConnects || count.failures >= MAX_FAILURES) throw new AppError('tooMany')
    },
    failed: (address: string): void => void of(address).failures++,
  }
}
