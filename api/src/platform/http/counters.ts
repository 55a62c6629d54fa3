/** Counts events by key within a window of time. */
export interface Counters {
  /** Adds one and returns the count of the current window. */
  hit(key: string, windowMs: number): Promise<number>
}

/** A window with this many keys starts over: a flood from many addresses must not fill the memory. */
const MAX_KEYS = 200_000

/** Counters of this node alone. */
export function memoryCounters(): Counters {
  const windows = new Map<number, { number: number; counts: Map<string, number> }>()
  return {
    async hit(key, windowMs) {
      const number = Math.floor(Date.now() / windowMs)
      let window = windows.get(windowMs)
      if (window?.number !== number || window.counts.size >= MAX_KEYS) {
        window = { number, counts: new Map() }
        windows.set(windowMs, window)
      }
      const count = (window.counts.get(key) ?? 0) + 1
      window.counts.set(key, count)
      return count
    },
  }
}

/** Seconds until a window of this length is over. */
export const secondsLeft = (windowMs: number): number => Math.ceil((windowMs - (Date.now() % windowMs)) / 1000)
