import { hashText } from '@roadshow/contract/platform/hash-text'
import { isInsideMarket, type MarketArea, type Point } from '@roadshow/contract'
import { planeDistance, type CityPlane, planeAt, type PlanePoint } from './plane.ts'
import { type SeededRandom, seededRandom } from './seeded.ts'

/** A market as far as trucks drive in it. */
export interface CityMarket extends MarketArea {
  uid: string
  name: string
  depots: Point[]
}

/** A straight piece of road: where to, how fast at most and at its end (m/s), and how long to stand there (s). */
export interface RoadLeg {
  to: PlanePoint
  limit: number
  endSpeed: number
  waitS: number
}

/** A crossing: the number of a street along each axis. */
interface Crossing {
  x: number
  y: number
}

const BLOCK_M = { x: 165, y: 115 } as const
const BEND_M = 28
// Every fifth street is a wide one.
const WIDE = 5
const kmh = (speed: number) => speed / 3.6
const TURNING = kmh(16)
const SOMEWHERE: Point = { latitude: 39.8, longitude: -98.6 }
const DEFAULT_RADIUS_M = 15_000
const BUSY_M = 5_000
const LIGHTS = 0.45
const YARD_SPEED = kmh(12)

/** The made-up streets of a market: a grid that is not quite even, turned a little, with wide and narrow streets. */
export class City {
  readonly plane: CityPlane
  readonly depot: PlanePoint
  readonly #market: CityMarket
  readonly #radiusM: number

  constructor(market: CityMarket) {
    const center = centerOf(market)
    this.#market = market
    this.#radiusM = market.radiusM ?? DEFAULT_RADIUS_M
    this.plane = planeAt(center, seededRandom(`streets of ${market.name}`).between(-14, 14))
    this.depot = this.plane.spotOf(market.depots[0] ?? center)
  }

  isInside(spot: PlanePoint): boolean {
    return isInsideMarket(this.#market, this.plane.pointOf(spot)) !== false
  }

  /** A place where people are: mostly near the center, always inside the market. */
  somewhere(chance: SeededRandom): PlanePoint {
    const spread = Math.min(this.#radiusM * 0.25, BUSY_M)
    for (let attempt = 0; attempt < 20; attempt++) {
      const spot = { x: chance.normal() * spread, y: chance.normal() * spread }
      if (this.isInside(spot)) return this.#spotAt(this.#nearest(spot))
    }
    return this.#spotAt(this.#nearest({ x: 0, y: 0 }))
  }

  /** Places of these that a truck of this market passes. */
  within(points: readonly Point[]): PlanePoint[] {
    const spots = points.map((point) => this.plane.spotOf(point))
    return spots.filter((spot) => Math.hypot(spot.x, spot.y) < 25_000 && this.isInside(spot))
  }

  /** The next piece of road on the way from one place to another; undefined once there. */
  legTowards(from: PlanePoint, to: PlanePoint, chance: SeededRandom): RoadLeg | undefined {
    if (planeDistance(from, to) < 1) return undefined
    const [here, there] = [this.#nearest(from), this.#nearest(to)]
    const corner = this.#spotAt(here)
    // From a yard onto the street, or from the street into a yard: the last meters are no street.
    if (here.x === there.x && here.y === there.y) return { to, limit: YARD_SPEED, endSpeed: 0, waitS: 0 }
    if (planeDistance(from, corner) > 1) return { to: corner, limit: YARD_SPEED, endSpeed: TURNING, waitS: 0 }
    const axis = this.#axis(here, there, chance)
    const end = this.#run(here, there, axis, chance)
    const isWide = (axis === 'x' ? here.y : here.x) % WIDE === 0
    const isRed = chance.is(LIGHTS)
    return {
      to: this.#spotAt(end),
      limit: kmh(isWide ? chance.between(52, 69) : chance.between(30, 44)),
      endSpeed: isRed ? 0 : TURNING,
      waitS: isRed ? Math.round(chance.between(4, 40)) : 0,
    }
  }

  #axis(here: Crossing, there: Crossing, chance: SeededRandom): 'x' | 'y' {
    if (here.x === there.x) return 'y'
    if (here.y === there.y) return 'x'
    const first = chance.is(0.5) ? 'x' : 'y'
    const turn = first === 'x' ? 'y' : 'x'
    // An area can have a bay in it: the other way round may stay inside.
    const corner = this.#spotAt(first === 'x' ? { x: there.x, y: here.y } : { x: here.x, y: there.y })
    return this.isInside(corner) ? first : turn
  }

  #run(here: Crossing, there: Crossing, axis: 'x' | 'y', chance: SeededRandom): Crossing {
    const left = there[axis] - here[axis]
    const blocks = Math.min(Math.abs(left), 1 + chance.below(7))
    return { ...here, [axis]: here[axis] + Math.sign(left) * blocks }
  }

  #street(axis: 'x' | 'y', number: number): number {
    const bend = (hashText(`${this.#market.name} ${axis} ${number}`) / 0x1_0000_0000 - 0.5) * 2 * BEND_M
    return number * BLOCK_M[axis] + bend
  }

  readonly #streets = new Map<number, number>()

  #spotAt({ x, y }: Crossing): PlanePoint {
    return { x: this.#known('x', x), y: this.#known('y', y) }
  }

  // Asked for with every piece of road, and always the same.
  #known(axis: 'x' | 'y', number: number): number {
    const key = axis === 'x' ? number * 2 : number * 2 + 1
    const known = this.#streets.get(key)
    if (known !== undefined) return known
    const found = this.#street(axis, number)
    this.#streets.set(key, found)
    return found
  }

  #nearest({ x, y }: PlanePoint): Crossing {
    return { x: this.#nearestStreet('x', x), y: this.#nearestStreet('y', y) }
  }

  #nearestStreet(axis: 'x' | 'y', place: number): number {
    const near = Math.round(place / BLOCK_M[axis])
    const distance = (number: number) => Math.abs(this.#known(axis, number) - place)
    return [near - 1, near, near + 1].reduce((best, each) => (distance(each) < distance(best) ? each : best))
  }
}

function centerOf({ latitude, longitude, outline, depots }: CityMarket): Point {
  if (latitude !== null && longitude !== null) return { latitude, longitude }
  if (!outline || outline.length === 0) return depots[0] ?? SOMEWHERE
  const sum = outline.reduce(([x, y], [east, north]) => [x + east, y + north] as const, [0, 0] as const)
  return { latitude: sum[1] / outline.length, longitude: sum[0] / outline.length }
}
