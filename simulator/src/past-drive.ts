import { setImmediate } from 'node:timers/promises'
import type { Play, PlayerData } from '@roadshow/contract'
import { City, type CityMarket } from './city.ts'
import type { PlannedShift, PlannedTruck } from './plan.ts'
import { Screens } from './screens.ts'
import type { LoggedPosition, TrackerUpload } from './tracker.ts'
import { SimulatedTruck } from './truck.ts'

const MINUTE = 60_000
/** Trucks leave at most half an hour before, and are back in the yard within one and a half. */
const BEFORE_MS = 31 * MINUTE
const AFTER_MS = 90 * MINUTE
/** A truck remembers what its receiver saw for an hour. */
const SLICE_MS = 30 * MINUTE

export interface PastDrive {
  /** What the tracker logged and counted. */
  logs: LoggedPosition[]
  readings: { at: number; metres: number }[]
  /** What the truck's own receiver saw, every five seconds. */
  fixes: LoggedPosition[]
  /** What its screens showed. */
  plays: Play[]
}

interface Driven {
  truck: Omit<PlannedTruck, 'shifts' | 'devices' | 'playedAt' | 'odometer'>
  shift: PlannedShift
  /** What the player had been told of this shift. */
  shown: PlayerData['shifts'][number]
  seed?: string
  /** The number of its first play. */
  nextSequence: number
}

/** A shift as the simulated fleet would have driven it, for past days. It works in pieces and yields between them. */
export async function simulatePastDrive({
  truck,
  shift,
  shown,
  seed = 'roadshow',
  nextSequence,
}: Driven): Promise<PastDrive> {
  const cities = new Map<CityMarket, City>()
  const cityOf = (market: CityMarket) => {
    const city = cities.get(market) ?? new City(market)
    cities.set(market, city)
    return city
  }
  const uploads: TrackerUpload[] = []
  const planned = { ...truck, shifts: [shift], devices: [], playedAt: null, odometer: null }
  const from = shift.startsAt - BEFORE_MS
  const until = shift.endsAt + AFTER_MS
  const driving = new SimulatedTruck(planned, { seed, cityOf, send: (upload) => void uploads.push(upload) }, from)
  const screens = new Screens(nextSequence)
  const fixes: LoggedPosition[] = []
  const plays: Play[] = []
  for (let to = from; to < until; to += SLICE_MS) {
    driving.advance(Math.min(until, to + SLICE_MS))
    const seen = driving.takeFixes()
    fixes.push(...seen)
    for (const fix of seen) plays.push(...screens.see(fix, { shifts: [shown] }))
    await setImmediate()
  }
  return {
    logs: uploads.flatMap((upload) => (upload.kind === 'log' ? [upload.log] : [])),
    readings: uploads.flatMap((upload) =>
      upload.kind === 'reading' && upload.diagnostic === 'odometer' ? [{ at: upload.at, metres: upload.value }] : [],
    ),
    fixes,
    plays,
  }
}
