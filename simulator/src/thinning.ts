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
 * Keeps what a line needs to stay within ten meters, as trackers do by Ramer, Douglas and Peucker: as long as the
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
    if (last && (seen.at - kept.at > LONGEST_MS || !areNear(this.#since, kept, seen))) {
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

/** Whether all places are near the line between two others. A fleet asks this for every second that it drives. */
function areNear(places: readonly GpsReading[], from: GpsReading, to: GpsReading): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const [ms, faster] = [to.at - from.at, to.speed - from.speed]
  for (const { x, y, at, speed } of places) {
    const share = (at - from.at) / ms
    if (Math.abs(from.speed + faster * share - speed) > OFF_SPEED) return false
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length))
    if ((from.x + along * dx - x) ** 2 + (from.y + along * dy - y) ** 2 > OFF_M ** 2) return false
  }
  return true
}
