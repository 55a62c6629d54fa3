const MINUTE = 60_000
const AUTHENTICATE = 10
const GET_FEED = 60
const GET = 900
const COUNT = 100

/** The rate limits of MyGeotab: calls per minute, by method, entity and user. */
export class GeotabRateLimits {
  readonly #now: () => number
  readonly #windows = new Map<string, { since: number; calls: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a call and returns the calls left in this minute, negative if exceeded, and the seconds until it ends. */
  count(method: string, typeName: string, user: string): { remaining: number; resetS: number } {
    const limit = { Authenticate: AUTHENTICATE, GetFeed: GET_FEED, GetCountOf: COUNT }[method] ?? GET
    const key = `${method} ${typeName} ${user}`
    const now = this.#now()
    const known = this.#windows.get(key)
    const current = known && now - known.since < MINUTE ? known : { since: now, calls: 0 }
    current.calls++
    this.#windows.set(key, current)
    return { remaining: limit - current.calls, resetS: Math.max(1, Math.ceil((current.since + MINUTE - now) / 1000)) }
  }
}
