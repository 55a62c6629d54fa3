import type { City } from './city.ts'
import type { Drive } from './drive.ts'
import { GpsNoise } from './noise.ts'
import type { SeededRandom } from './seeded.ts'
import { type GpsReading, TrackThinner } from './thinning.ts'

/** Where a tracker was, and how fast. */
export interface LoggedPosition {
  at: number
  latitude: number
  longitude: number
  speedKmh: number
}

interface Status extends LoggedPosition {
  heading: number
  isDriving: boolean
}

/** What a tracker tells MyGeotab, with the moment (milliseconds since 1970) at which it gets through. */
export type TrackerUpload = { geotabId: string; uploadAt: number } & (
  | { kind: 'log'; log: LoggedPosition }
  | { kind: 'status'; status: Status }
  | { kind: 'reading'; diagnostic: 'odometer' | 'ignition'; at: number; value: number }
)
// Each kind loses the same two fields, which Omit does not do for a choice of kinds.
type Said = TrackerUpload extends infer U ? (U extends TrackerUpload ? Omit<U, 'geotabId' | 'uploadAt'> : never) : never

const STATUS_S = 10
const ODOMETER_S = 300
const LATENCY_MS = [1500, 6000] as const

/** The tracker in a truck: it sees with noise, logs what a line needs, and sends late what it could not send at once. */
export class Tracker {
  readonly #geotabId: string
  readonly #send: (upload: TrackerUpload) => void
  readonly #noise = new GpsNoise()
  readonly #thinning = new TrackThinner()
  #outage: { from: number; to: number } | undefined
  #seconds = 0
  #latency = LATENCY_MS[0] as number

  constructor(geotabId: string, send: (upload: TrackerUpload) => void) {
    this.#geotabId = geotabId
    this.#send = send
  }

  /** The next shift begins: perhaps there will be an hour without a network. */
  plan(from: number, to: number, chance: SeededRandom): void {
    this.#latency = chance.between(...LATENCY_MS)
    if (!chance.is(0.25)) return void (this.#outage = undefined)
    const start = chance.between(from, to)
    this.#outage = { from: start, to: start + chance.between(4, 22) * 60_000 }
  }

  engineOn(at: number, odometerM: number): void {
    this.#seconds = 0
    this.#tell(at, { kind: 'reading', diagnostic: 'ignition', at, value: 1 })
    this.#tellOdometer(at, odometerM)
  }

  /** A second with the engine on; says what the receiver saw. */
  see(at: number, drive: Drive, city: City, odometerM: number, chance: SeededRandom): GpsReading {
    const { x, y } = this.#noise.on(drive.spot, chance)
    const seen: GpsReading = { x, y, at, speed: drive.speed }
    const kept = this.#thinning.push(seen)
    if (kept) this.#log(kept, city, at)
    if (this.#seconds % STATUS_S === 0) this.tellStatus(at, drive, city)
    if (this.#seconds > 0 && this.#seconds % ODOMETER_S === 0) this.#tellOdometer(at, odometerM)
    this.#seconds++
    return seen
  }

  engineOff(at: number, drive: Drive, city: City, odometerM: number): void {
    const last = this.#thinning.end()
    if (last) this.#log(last, city, at)
    this.#tellOdometer(at, odometerM)
    this.#tell(at, { kind: 'reading', diagnostic: 'ignition', at, value: 0 })
    this.tellStatus(at, drive, city)
  }

  /** How things are at this moment, also with the engine off. What does not get through is not sent later. */
  tellStatus(at: number, { spot, speed, dx, dy }: Drive, city: City): void {
    if (this.#outage && at >= this.#outage.from && at < this.#outage.to) return
    const heading = Math.round(city.plane.headingOf(dx, dy)) % 360
    const status = { ...toLoggedPosition({ x: spot.x, y: spot.y, at, speed }, city), heading, isDriving: speed > 0 }
    this.#tell(at, { kind: 'status', status })
  }

  #log(seen: GpsReading, city: City, now: number): void {
    this.#tell(now, { kind: 'log', log: toLoggedPosition(seen, city) })
  }

  #tellOdometer(at: number, value: number): void {
    this.#tell(at, { kind: 'reading', diagnostic: 'odometer', at, value: Math.round(value) })
  }

  #tell(now: number, said: Said): void {
    const outage = this.#outage
    const from = outage && now >= outage.from && now < outage.to ? outage.to : now
    this.#send({ geotabId: this.#geotabId, uploadAt: Math.round(from + this.#latency), ...said })
  }
}

const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7

/** The tracker's report of it: in degrees, and in kilometers an hour. */
export function toLoggedPosition(seen: GpsReading, city: City): LoggedPosition {
  const { at, speed } = seen
  const { latitude, longitude } = city.plane.pointOf(seen)
  // Trackers tell whole kilometers an hour.
  return { at, latitude: rounded(latitude), longitude: rounded(longitude), speedKmh: Math.round(speed * 3.6) }
}
