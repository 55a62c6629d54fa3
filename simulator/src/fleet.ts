import { setImmediate } from 'node:timers/promises'
import { City, type CityMarket } from './city.ts'
import { GeotabFeeds } from './feeds.ts'
import type { PlannedTruck } from './plan.ts'
import { SimulatedTruck } from './truck.ts'

const MINUTE = 60_000
const SLICE_MS = 15 * MINUTE
const AT_ONCE = 20

/** All trucks, and what their trackers have told. */
export class SimulatedFleet {
  readonly feeds = new GeotabFeeds()
  readonly #seed: string
  readonly #trucks = new Map<string, SimulatedTruck>()
  readonly #cities = new Map<string, City>()
  #now: number

  constructor(seed: string, from: number) {
    this.#seed = seed
    this.#now = Math.floor(from / MINUTE) * MINUTE
  }

  get trucks(): readonly SimulatedTruck[] {
    return [...this.#trucks.values()]
  }

  has({ geotabId }: PlannedTruck): boolean {
    return this.#trucks.has(geotabId)
  }

  /** Takes over what is planned now: new trucks stand in their yards, those that are gone fall silent. */
  update(plan: readonly PlannedTruck[]): void {
    const ids = new Set(plan.map(({ geotabId }) => geotabId))
    for (const id of this.#trucks.keys()) if (!ids.has(id)) this.#trucks.delete(id)
    for (const planned of plan) {
      const known = this.#trucks.get(planned.geotabId)
      if (known) known.update(planned)
      else this.#trucks.set(planned.geotabId, this.#truck(planned))
    }
  }

  /** Moves everything on to a moment. */
  advance(to: number): void {
    for (const truck of this.#trucks.values()) truck.advance(to)
    this.#now = to
    this.feeds.reach(to)
  }

  /** The same over hours, in pieces that leave others their turn. */
  async catchUp(to: number): Promise<void> {
    while (this.#now < to) {
      const slice = Math.min(to, this.#now + SLICE_MS)
      let moved = 0
      for (const truck of this.trucks) {
        truck.advance(slice)
        if (++moved % AT_ONCE === 0) await setImmediate()
      }
      this.advance(slice)
      await setImmediate()
    }
  }

  #truck(planned: PlannedTruck): SimulatedTruck {
    const setting = {
      seed: this.#seed,
      cityOf: (market: CityMarket) => this.#cityOf(market),
      send: this.feeds.take.bind(this.feeds),
    }
    return new SimulatedTruck(planned, setting, this.#now)
  }

  // A market with a new outline is another city.
  #cityOf(market: CityMarket): City {
    const key = JSON.stringify(market)
    const known = this.#cities.get(key)
    if (known) return known
    const city = new City(market)
    this.#cities.set(key, city)
    return city
  }
}
