import { setImmediate } from 'node:timers/promises'
import { City, type CityMarket } from './city.ts'
import type { PlannedShift, PlannedTruck } from './plan.ts'
import type { LoggedPosition, TrackerUpload } from './tracker.ts'
import { SimulatedTruck } from './truck.ts'

const MINUTE = 60_000
/** Trucks leave at most half an hour before, and are back in the yard within one and a half. */
const BEFORE_MS = 31 * MINUTE
const AFTER_MS = 90 * MINUTE
const SLICE_MS = 120 * MINUTE

export interface PastDrive {
  /** What the tracker logged and counted. */
  logs: LoggedPosition[]
  readings: { at: number; metres: number }[]
}

interface DrivenInThePast {
  truck: Omit<PlannedTruck, 'shifts' | 'devices' | 'playedAt' | 'odometer'>
  shift: PlannedShift
  /** The odometer before the drive. */
  odometerM: number
  seed?: string
}

/** When a truck on a shift is away from its yard, at the most. */
const awayHours = ({ startsAt, endsAt }: Pick<PlannedShift, 'startsAt' | 'endsAt'>) => ({
  from: startsAt - BEFORE_MS,
  to: endsAt + AFTER_MS,
})

/** Drives shifts of past days as the simulated fleet would have. It works in pieces and yields between them. */
export class PastDriver {
  readonly #cities = new Map<string, City>()

  async drive({ truck, shift, odometerM, seed = 'roadshow' }: DrivenInThePast): Promise<PastDrive> {
    const uploads: TrackerUpload[] = []
    const { from, to } = awayHours(shift)
    const odometer = { at: from - 1, metres: odometerM }
    const planned = { ...truck, shifts: [shift], devices: [], playedAt: null, odometer }
    const surroundings = {
      seed,
      cityOf: (market: CityMarket) => this.#cityOf(market),
      send: (upload: TrackerUpload) => void uploads.push(upload),
    }
    const driving = new SimulatedTruck(planned, surroundings, from)
    for (let until = from; until < to; until += SLICE_MS) {
      driving.advance(Math.min(to, until + SLICE_MS))
      driving.takeFixes()
      await setImmediate()
    }
    return {
      logs: uploads.flatMap((upload) => (upload.kind === 'log' ? [upload.log] : [])),
      readings: uploads.flatMap((upload) =>
        upload.kind === 'reading' && upload.diagnostic === 'odometer' ? [{ at: upload.at, metres: upload.value }] : [],
      ),
    }
  }

  #cityOf(market: CityMarket): City {
    const city = this.#cities.get(market.uid) ?? new City(market)
    this.#cities.set(market.uid, city)
    return city
  }
}
