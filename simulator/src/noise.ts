import type { PlanePoint } from './plane.ts'
import type { SeededRandom } from './seeded.ts'

const SPREAD_M = 3
// How much of an error is still there a second later: errors of a receiver wander, they do not jump about.
const KEPT = 0.97
const FRESH = Math.sqrt(1 - KEPT ** 2)
// A reflection between tall buildings, about once in six hours of driving.
const JUMP_SHARE = 1 / 20_000
const JUMP_M = 200

/** The error of a satellite receiver: a few meters that wander, and now and then a jump. */
export class GpsNoise {
  #x = 0
  #y = 0
  #jump: { x: number; y: number; seconds: number } | undefined

  /** What the receiver says a second later. */
  on(spot: PlanePoint, chance: SeededRandom): PlanePoint {
    this.#x = KEPT * this.#x + FRESH * SPREAD_M * chance.normal()
    this.#y = KEPT * this.#y + FRESH * SPREAD_M * chance.normal()
    if (this.#jump && --this.#jump.seconds <= 0) this.#jump = undefined
    if (chance.is(JUMP_SHARE)) {
      const direction = chance.between(0, 2 * Math.PI)
      this.#jump = {
        x: Math.cos(direction) * JUMP_M,
        y: Math.sin(direction) * JUMP_M,
        seconds: 1 + chance.below(3),
      }
    }
    return { x: spot.x + this.#x + (this.#jump?.x ?? 0), y: spot.y + this.#y + (this.#jump?.y ?? 0) }
  }
}
