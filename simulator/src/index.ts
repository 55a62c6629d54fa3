import { DAY_MS } from '@roadshow/contract'
import { PICTURE_MS } from '@roadshow/contract/planning/loop-lines'
import { type Clock, acceleratedClock } from './clock.ts'
import { SimulatedDevices } from './devices.ts'
import { type Camera, photoSender } from './driver-photos.ts'
import { SimulatedFleet } from './fleet.ts'
import type { GeotabFault } from './geotab-faults.ts'
import { type SimulatedGeotabAccount, startGeotabServer } from './geotab-server.ts'
import { type RunQuery, readPlan, withOdometers } from './plan.ts'
import type { OnStored } from './player.ts'

export { PastDriver, type PastDrive } from './past-drive.ts'
export type { Camera } from './driver-photos.ts'
export { type PlannedShift, type PlannedTruck, readPlan } from './plan.ts'

const SECOND = 1000
const HOUR = 3_600_000
const TICK_MS = SECOND
const PLAN_MS = 30 * SECOND
/** How far back the fleet starts: long enough for every shift under way. */
export const PAST_MS = 14 * HOUR
const AHEAD_MS = DAY_MS

export interface SimulatorOptions {
  /** Reads from the database of the fleet. */
  query: RunQuery
  /** The same seed gives the same routes. */
  seed?: string
  /** The speed against real time; a faster fleet starts in the past and catches up. */
  speed?: number
  /** How long the trucks have been on the road, and how far back a faster fleet starts. */
  pastMs?: number
  geotab?: { port?: number; password?: string }
  log: (error: unknown) => void
  /** If present, drivers take photos. */
  camera?: Camera
  /** Called with the plays that the server confirmed as stored. */
  onStored?: OnStored
  /** How long screens show a picture. */
  pictureMs?: number
  /** The least number of the next play, by the MAC address of the player. */
  firstSequences?: ReadonlyMap<string, number>
  /** With its own clock, the caller advances the fleet by step(). */
  clock?: Clock
}

export interface Simulator {
  /** The account of the simulated MyGeotab. */
  account: SimulatedGeotabAccount
  /** How far back the feeds go. */
  pastMs: number
  /** Makes the next calls to MyGeotab fail. */
  inject(fault: GeotabFault): void
  /** Starts the players and driver apps that have keys. */
  connect(url: string, keys: ReadonlyMap<string, string>): void
  /** Advances the fleet to the time of the clock. */
  step(): void
  /** Reads the current plan. */
  refresh(): Promise<void>
  readonly sentPlays: number
  stop(): Promise<void>
}

/** Starts a living fleet: a MyGeotab with positions, players that play, drivers that drive. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const fleet = await RunningFleet.start(options)
  const geotab = await startGeotabServer({ fleet: fleet.trucks, ...options.geotab })
  const timers = options.clock
    ? []
    : [setInterval(() => fleet.stepOn(), TICK_MS), setInterval(() => fleet.refreshInTurn(), PLAN_MS)]
  return {
    account: geotab.account,
    inject: (fault) => geotab.inject(fault),
    pastMs: fleet.pastMs,
    connect: (url, keys) => fleet.connect(url, keys),
    step: () => fleet.step(),
    refresh: () => fleet.refresh(),
    get sentPlays() {
      return fleet.sentPlays
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await fleet.stop()
      await geotab.close()
    },
  }
}

/** Trucks and devices that follow the plan of the database and the clock. */
class RunningFleet {
  readonly trucks: SimulatedFleet
  readonly pastMs: number
  readonly #options: SimulatorOptions
  readonly #clock: Clock
  readonly #seed: string
  readonly #isReplay: boolean
  #devices: SimulatedDevices | undefined
  #refreshing: Promise<void> | undefined

  private constructor(options: SimulatorOptions) {
    const { seed = 'roadshow', speed = 1, pastMs = PAST_MS } = options
    const start = (options.clock?.now() ?? Date.now()) - (speed > 1 ? pastMs : 0)
    this.pastMs = pastMs
    this.trucks = new SimulatedFleet(seed, start - (speed > 1 ? 0 : pastMs))
    this.#options = options
    this.#clock = options.clock ?? acceleratedClock(start, speed)
    this.#seed = seed
    this.#isReplay = speed > 1
  }

  static async start(options: SimulatorOptions): Promise<RunningFleet> {
    const fleet = new RunningFleet(options)
    await fleet.refresh()
    await fleet.trucks.catchUp(fleet.#clock.now())
    return fleet
  }

  get sentPlays(): number {
    return this.#devices?.sentPlays ?? 0
  }

  async refresh(): Promise<void> {
    const now = this.#clock.now()
    const { query } = this.#options
    const plan = await readPlan(query, now - PAST_MS, now + AHEAD_MS)
    this.trucks.update(await withOdometers(query, plan, (truck) => !this.trucks.has(truck)))
    this.#devices?.update()
  }

  /** Refreshes unless a refresh is under way. */
  refreshInTurn(): void {
    this.#refreshing ??= this.refresh()
      .catch(this.#options.log)
      .finally(() => (this.#refreshing = undefined))
  }

  /** Steps; an error is logged, and the next step comes all the same. */
  stepOn(): void {
    try {
      this.step()
    } catch (error) {
      this.#options.log(error)
    }
  }

  step(): void {
    const now = this.#clock.now()
    this.trucks.advance(now)
    this.#devices?.tick(now)
  }

  connect(url: string, keys: ReadonlyMap<string, string>): void {
    const { camera, log, onStored, pictureMs = PICTURE_MS, firstSequences = new Map() } = this.#options
    this.#devices?.close()
    this.#devices = new SimulatedDevices({
      fleet: this.trucks,
      url,
      keys,
      seed: this.#seed,
      now: this.#clock.now(),
      isReplay: this.#isReplay,
      sendPhoto: camera && photoSender(url, camera, log),
      onStored,
      pictureMs,
      firstSequences,
    })
    this.#devices.update()
  }

  async stop(): Promise<void> {
    this.#devices?.close()
    await this.#refreshing
  }
}
