import type { Redis } from '../db/redis.ts'
import type { Counters } from './counters.ts'

// A call waits at most this long to be counted.
const ANSWER_MS = 250

/** Counters that all nodes share; while Redis is away, each node counts for itself. */
export const redisCounters = (redis: Redis, alone: Counters, answerMs = ANSWER_MS): Counters => ({
  async hit(key, windowMs) {
    const name = `roadshow:count:${windowMs}:${Math.floor(Date.now() / windowMs)}:${key}`
    const counted = await redis.ask((client) => client.multi().incr(name).pExpire(name, windowMs).execTyped(), answerMs)
    return counted ? counted[0] : alone.hit(key, windowMs)
  },
})
