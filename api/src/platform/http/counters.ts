import type { Redis } from '../db/redis.ts'

/** Counts events by key within a window of time. */
export interface Counters {
  /** Adds one, or as many as given, and returns the count of the current window; at once where the counters are in memory. */
  hit(key: string, windowMs: number, by?: number): number | Promise<number>
}

/** A window with this many keys starts over: a flood from many addresses must not fill the memory. */
const MAX_KEYS = 200_000

/** Counters of this node alone. */
export function memoryCounters(): Counters {
  const windows = new Map<number, { number: number; counts: Map<string, number> }>()
  return {
    hit(key, windowMs, by = 1) {
      const number = Math.floor(Date.now() / windowMs)
      let window = windows.get(windowMs)
      if (window?.number !== number || window.counts.size >= MAX_KEYS) {
        window = { number, counts: new Map() }
        windows.set(windowMs, window)
      }
      const count = (window.counts.get(key) ?? 0) + by
      window.counts.set(key, count)
      return count
    },
  }
}

/** Seconds until a window of this length is over. */
export const secondsLeft = (windowMs: number): number => Math.ceil((windowMs - (Date.now() % windowMs)) / 1000)

// A call waits at most this long to be counted.
const ANSWER_MS = 250

/** Counters that all nodes share; while Redis is away, each node counts for itself. */
export const redisCounters = (redis: Redis, alone: Counters, answerMs = ANSWER_MS): Counters => ({
  async hit(key, windowMs, by = 1) {
    const name = `roadshow:count:${windowMs}:${Math.floor(Date.now() / windowMs)}:${key}`
    const counted = await redis.ask(
      (client) => client.multi().incrBy(name, by).pExpire(name, windowMs).execTyped(),
      answerMs,
    )
    return counted ? counted[0] : alone.hit(key, windowMs, by)
  },
})
