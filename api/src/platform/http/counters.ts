/** Counts what happens under a key within a window of time. */
export interface Counters {
  /** One more; answers how many there are in this window now. */
  hit(key: string, windowMs: number): Promise<number>
}

/** Past so many keys a window begins anew: a flood from everywhere must not fill the memory. */
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
