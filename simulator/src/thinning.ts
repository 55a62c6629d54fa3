import type { PlanePoint } from './plane.ts'

/** What a receiver said at a moment (milliseconds since 1970), with the speed in m/s. */
export interface GpsReading extends PlanePoint {
  at: number
  speed: number
}

const OFF_M = 10
const OFF_SPEED = 3
// With the engine on, a tracker logs at least so often.
const LONGEST_MS = 100_000

/**
 * Keeps what a line needs to stay within ten metres, as trackers do by Ramer, Douglas and Peucker: as long as the
 * straight line from the last kept place to the newest one passes near everything in between, nothing is kept. The same
 * for the speed over time.
 */
export class TrackThinner {
  #kept: GpsReading | undefined
  #since: GpsReading[] = []

  /** Takes the next one; gives back what is to be kept of the earlier ones, if anything. */
  push(seen: GpsReading): GpsReading | undefined {
    const kept = this.#kept
    if (!kept) return this.#keep(seen)
    const last = this.#since.at(-1)
    if (last && (seen.at - kept.at > LONGEST_MS || !this.#since.every((each) => isNear(each, kept, seen)))) {
      this.#since = [seen]
      this.#kept = last
      return last
    }
    this.#since.push(seen)
    return undefined
  }

  /** The engine stops: the last point is kept, and the next one starts a new track. */
  end(): GpsReading | undefined {
    const last = this.#since.at(-1)
    this.#kept = undefined
    this.#since = []
    return last
  }

  #keep(seen: GpsReading): GpsReading {
    this.#kept = seen
    this.#since = []
    return seen
  }
}

function isNear(each: GpsReading, from: GpsReading, to: GpsReading): boolean {
  const share = (each.at - from.at) / (to.at - from.at)
  if (Math.abs(from.speed + (to.speed - from.speed) * share - each.speed) > OFF_SPEED) return false
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((each.x - from.x) * dx + (each.y - from.y) * dy) / length))
  return (from.x + along * dx - each.x) ** 2 + (from.y + along * dy - each.y) ** 2 <= OFF_M ** 2
}
