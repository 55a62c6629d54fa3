import { DAY_MS } from '@roadshow/contract'
import { hashText } from '@roadshow/contract/platform/hash-text'
import type { City, RoadLeg, CityMarket } from './city.ts'
import { Drive } from './drive.ts'
import { planeDistance, type PlanePoint } from './plane.ts'
import type { PlannedShift, PlannedTruck, PlannedVisit } from './plan.ts'
import { type SeededRandom, seededRandom } from './seeded.ts'
import { type LoggedPosition, toLoggedPosition, Tracker, type TrackerUpload } from './tracker.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
// Parked, a tracker says now and then that it is still there; one in the shop has no current for most of the day.
const HEARTBEAT_MS = 4 * MINUTE
const SHOP_HEARTBEAT_MS = 6 * HOUR
const LOOK_MS = 20 * SECOND
const FIX_S = 5
const MAX_FIXES = HOUR / SECOND / FIX_S
const BREAK_FROM_MS = 5 * HOUR
/** Before the window of a planned stop opens, a truck sets out for it. */
const SET_OUT_MS = 10 * MINUTE
/** Odometers begin as if each truck had always driven more than it can, so that none ever goes back. */
const EPOCH = Date.UTC(2026, 0, 1)
const METERS_A_DAY = 400_000

export interface TruckSurroundings {
  seed: string
  cityOf: (market: CityMarket) => City
  send: (upload: TrackerUpload) => void
}

/** A truck that leaves its yard before a shift, drives about in the market, and returns afterwards. */
export class SimulatedTruck {
  planned: PlannedTruck
  /** Up to which moment it has been moved. */
  now: number
  odometerM: number
  /** What the receiver saw since the player last asked, every five seconds; at most the last hour. */
  fixes: LoggedPosition[] = []
  readonly #setting: TruckSurroundings
  readonly #tracker: Tracker
  readonly #drive: Drive
  /** Where it stands in the yard: not all on one spot. */
  readonly #yard: PlanePoint
  #city: City | undefined
  #chance: SeededRandom
  #shift: PlannedShift | undefined
  #target: PlanePoint | undefined
  /** The planned stops that are still ahead, and the one that it drives to. */
  #dueStops: PlannedVisit[] = []
  #visit: PlannedVisit | undefined
  #isOn = false
  #breakAt = Infinity
  #lookAt = 0
  #heartbeatAt: number
  #reading: PlannedTruck['odometer']

  constructor(planned: PlannedTruck, setting: TruckSurroundings, from: number) {
    this.planned = planned
    this.now = Math.floor(from / SECOND) * SECOND
    this.#setting = setting
    this.#tracker = new Tracker(planned.geotabId, (upload) => this.#send(upload))
    this.#chance = seededRandom(`${setting.seed} ${planned.number}`)
    const market = planned.shifts[0]?.market ?? planned.home
    this.#city = market ? setting.cityOf(market) : undefined
    this.#yard = { x: this.#chance.between(-40, 40), y: this.#chance.between(-40, 40) }
    this.#drive = new Drive(this.#city ? this.#yardOf(this.#city) : this.#yard)
    this.odometerM = this.#chance.between(20e6, 80e6) + ((from - EPOCH) / DAY_MS) * METERS_A_DAY
    this.#reading = planned.odometer
    this.#heartbeatAt = from + (hashText(planned.number) % HEARTBEAT_MS)
    if (this.#city) this.#tracker.tellStatus(from, this.#drive, this.#city)
    const running = this.#shiftAt(from)
    if (running && this.#city) this.#drive.putAt(this.#city.somewhere(seededRandom(`${setting.seed} ${running.uid}`)))
  }

  get isOnTheRoad(): boolean {
    return this.#isOn
  }

  /** Its current position. */
  get place(): LoggedPosition | undefined {
    return this.#city && toLoggedPosition({ ...this.#drive.spot, at: this.now, speed: this.#drive.speed }, this.#city)
  }

  update(planned: PlannedTruck): void {
    this.planned = planned
    this.#lookAt = 0
  }

  /** Moves on to a moment, second by second where it drives. */
  advance(to: number): void {
    while (this.now + SECOND <= to) {
      if (this.now >= this.#lookAt) this.#look()
      if (this.#isOn) this.#second()
      else if (!this.#rest(to)) return
    }
  }

  /** Takes what the receiver saw since the last time. */
  takeFixes(): LoggedPosition[] {
    const taken = this.fixes
    this.fixes = []
    return taken
  }

  /** Nothing happens until the next look at the plan or the next sign of life. */
  #rest(to: number): boolean {
    const next = Math.min(this.#lookAt, this.#heartbeatAt)
    if (next > to) {
      this.now += Math.floor((to - this.now) / SECOND) * SECOND
      return false
    }
    this.now = Math.max(this.now + SECOND, next)
    if (this.now >= this.#heartbeatAt && this.#city) {
      this.#tracker.tellStatus(this.now, this.#drive, this.#city)
      this.#heartbeatAt = this.now + (this.planned.isInShop ? SHOP_HEARTBEAT_MS : HEARTBEAT_MS)
    }
    return true
  }

  #departureOf(shift: PlannedShift): number {
    return shift.startsAt - seededRandom(this.#seedOf(shift)).between(12, 30) * MINUTE
  }

  // By what people would call it: the same fleet drives the same ways in every database.
  #seedOf({ startsAt }: PlannedShift): string {
    return `${this.#setting.seed} ${this.planned.number} ${startsAt}`
  }

  #shiftAt(at: number): PlannedShift | undefined {
    return this.planned.shifts.find((shift) => at < shift.endsAt && at >= this.#departureOf(shift))
  }

  #look(): void {
    // At the same moments always, so that a truck leaves in the same second after every start.
    this.#lookAt = (Math.floor(this.now / LOOK_MS) + 1) * LOOK_MS
    const shift = this.#shiftAt(this.now)
    if (shift?.uid === this.#shift?.uid && shift?.startsAt === this.#shift?.startsAt) return void (this.#shift = shift)
    this.#shift = shift
    this.#target = undefined
    if (shift) this.#begin(shift)
  }

  #begin(shift: PlannedShift): void {
    this.#chance = seededRandom(`${this.#seedOf(shift)} on the road`)
    const city = this.#setting.cityOf(shift.market)
    // A truck that worked elsewhere has been brought here.
    if (city !== this.#city) this.#drive.putAt(this.#yardOf(city))
    this.#city = city
    this.#dueStops = this.#stopsOf(shift)
    this.#visit = undefined
    this.#tracker.plan(shift.startsAt, shift.endsAt, this.#chance)
    const length = shift.endsAt - shift.startsAt
    this.#breakAt = length > BREAK_FROM_MS ? shift.startsAt + length * this.#chance.between(0.4, 0.55) : Infinity
    if (this.#isOn) return
    this.#isOn = true
    this.#goOnCounting()
    this.#tracker.engineOn(this.now, this.odometerM)
  }

  #second(): void {
    const city = this.#city
    if (!city) return
    this.now += SECOND
    this.#goOnCounting()
    this.odometerM += this.#drive.step(() => this.#nextLeg(city))
    const seen = this.#tracker.see(this.now, this.#drive, city, this.odometerM, this.#chance)
    if (Math.floor(this.now / SECOND) % FIX_S === 0) {
      if (this.fixes.length >= MAX_FIXES) this.fixes.shift()
      this.fixes.push(toLoggedPosition(seen, city))
    }
  }

  #nextLeg(city: City): RoadLeg | undefined {
    const { spot } = this.#drive
    if (this.#shift && this.now >= this.#breakAt) {
      this.#breakAt = Infinity
      this.#drive.stand(Math.round(this.#chance.between(20, 32) * 60))
      return undefined
    }
    if (this.#target && planeDistance(spot, this.#target) < 1) {
      this.#target = undefined
      const visit = this.#visit
      this.#visit = undefined
      if (visit && this.#shift) {
        this.#drive.stand(this.#stayAt(visit))
        return undefined
      }
      if (!this.#shift) {
        this.#park(city)
        return undefined
      }
      // Shows itself where people are.
      if (this.#chance.is(0.4)) {
        this.#drive.stand(Math.round(this.#chance.between(60, 330)))
        return undefined
      }
    }
    this.#target ??= this.#shift ? this.#nextTarget(this.#shift, city) : this.#yardOf(city)
    return city.legTowards(spot, this.#target, this.#chance)
  }

  #nextTarget(shift: PlannedShift, city: City): PlanePoint {
    const due = this.#dueStops[0]
    if (due && this.now >= due.opensAt - SET_OUT_MS) {
      this.#dueStops.shift()
      this.#visit = due
      return city.plane.spotOf(due)
    }
    const place = this.#chance.is(0.5) ? this.#chance.oneOf(city.within(shift.places)) : undefined
    return place ?? city.somewhere(this.#chance)
  }

  /** How many seconds it stays at a planned stop: most of what is left of the window. */
  #stayAt({ opensAt, closesAt }: PlannedVisit): number {
    const left = closesAt - Math.max(opensAt, this.now)
    return Math.max(5 * 60, Math.round((left / SECOND) * this.#chance.between(0.4, 0.9)))
  }

  /** The stops that it will go to: now and then a driver does not. */
  #stopsOf(shift: PlannedShift): PlannedVisit[] {
    const isKept = (_: PlannedVisit, index: number) => hashText(`${this.#seedOf(shift)} stop ${index}`) % 6 !== 0
    return shift.stops.filter(isKept).toSorted((one, other) => one.opensAt - other.opensAt)
  }

  #yardOf({ depot }: City): PlanePoint {
    return { x: depot.x + this.#yard.x, y: depot.y + this.#yard.y }
  }

  #park(city: City): void {
    this.#isOn = false
    this.#drive.speed = 0
    this.#tracker.engineOff(this.now, this.#drive, city, this.odometerM)
    this.#heartbeatAt = this.now + HEARTBEAT_MS
  }

  /** After a start, the odometer goes on from what is stored; what was told before that is not told again. */
  #goOnCounting(): void {
    if (!this.#reading || this.now < this.#reading.at) return
    this.odometerM = this.#reading.metres
    this.#reading = null
  }

  #send(upload: TrackerUpload): void {
    const isOld = upload.kind === 'reading' && upload.diagnostic === 'odometer' && this.#reading !== null
    if (!isOld) this.#setting.send(upload)
  }
}
