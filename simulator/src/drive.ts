import type { RoadLeg } from './city.ts'
import { planeDistance, type PlanePoint } from './plane.ts'

const ACCELERATION = 1.3
const BRAKING = 1.8
const CRAWL = 1

/** A truck on the road, moved on second by second. */
export class Drive {
  spot: PlanePoint
  /** In meters a second. */
  speed = 0
  /** The last movement, for the direction. */
  dx = 0
  dy = 1
  #leg: RoadLeg | undefined
  #waitS = 0

  constructor(spot: PlanePoint) {
    this.spot = spot
  }

  /** Stands for a while, wherever it is once the present piece of road ends. */
  stand(seconds: number): void {
    this.#waitS += seconds
  }

  /** Leaves the road for somewhere else. */
  putAt(spot: PlanePoint): void {
    this.spot = spot
    this.#leg = undefined
    this.#waitS = 0
    this.speed = 0
  }

  /** One second on; says how many meters that were. */
  step(nextLeg: () => RoadLeg | undefined): number {
    if (this.#waitS > 0) {
      this.#waitS--
      this.speed = 0
      return 0
    }
    this.#leg ??= nextLeg()
    const leg = this.#leg
    if (!leg) {
      this.speed = 0
      return 0
    }
    const left = planeDistance(this.spot, leg.to)
    const mayHave = Math.sqrt(leg.endSpeed ** 2 + 2 * BRAKING * left)
    this.speed = Math.max(CRAWL, Math.min(leg.limit, this.speed + ACCELERATION, mayHave))
    if (left <= this.speed) return this.#arrive(leg, left)
    const share = this.speed / left
    this.dx = leg.to.x - this.spot.x
    this.dy = leg.to.y - this.spot.y
    this.spot = { x: this.spot.x + this.dx * share, y: this.spot.y + this.dy * share }
    return this.speed
  }

  #arrive(leg: RoadLeg, left: number): number {
    this.spot = leg.to
    this.speed = leg.endSpeed
    this.#waitS += leg.waitS
    this.#leg = undefined
    return left
  }
}
