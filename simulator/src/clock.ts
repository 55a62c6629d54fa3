/** What time it is for the simulated fleet, in milliseconds since 1970. */
export interface Clock {
  now(): number
}

/**
 * Time that runs faster from a moment in the past until it has caught up, and as fast as everybody's from then on: the
 * server refuses what lies in its future.
 */
export function acceleratedClock(from: number, speed: number, real: () => number = Date.now): Clock {
  const started = real()
  return { now: () => Math.min(real(), from + (real() - started) * speed) }
}
