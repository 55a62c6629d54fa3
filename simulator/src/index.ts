import { type Clock, acceleratedClock } from './clock.ts'
import { SimulatedDevices } from './devices.ts'
import { type Camera, photoSender } from './driver-photos.ts'
import { SimulatedFleet } from './fleet.ts'
import type { GeotabFault } from './geotab-faults.ts'
import { type SimulatedGeotabAccount, startGeotabServer } from './geotab-server.ts'
import { type RunQuery, readPlan } from './plan.ts'
import type { OnStored } from './player.ts'

export { simulatePastDrive, type PastDrive } from './past-drive.ts'
export type { Camera } from './driver-photos.ts'
export { type PlannedShift, type PlannedTruck, readPlan } from './plan.ts'

const SECOND = 1000
const HOUR = 3_600_000
const TICK_MS = SECOND
const PLAN_MS = 30 * SECOND
/** So far back the fleet has a past: long enough for every shift that is under way. */
const PAST_MS = 14 * HOUR
const AHEAD_MS = 24 * HOUR

export interface SimulatorOptions {
  /** Reads from the database of the fleet. */
  query: RunQuery
  /** The same seed drives the same ways. */
  seed?: string
  /** How much faster than real; the fleet then starts in the past and catches up. */
  speed?: number
  /** How far back the trucks have been on the road, and where a faster fleet starts. */
  pastMs?: number
  geotab?: { port?: number; password?: string }
  log: (error: unknown) => void
  /** With it, drivers take photos. */
  camera?: Camera
  /** Hears which plays the server has said are on disk. */
  onStored?: OnStored
  /** Whoever brings a clock moves everything on by step(). */
  clock?: Clock
}

export interface Simulator {
  /** How to reach the MyGeotab that knows these trucks. */
  account: SimulatedGeotabAccount
  /** How far back its feeds go. */
  pastMs: number
  /** Lets something go wrong with MyGeotab. */
  inject(fault: GeotabFault): void
  /** Switches the players and driver apps on whose keys are given. */
  connect(url: string, keys: ReadonlyMap<string, string>): void
  /** Moves everything on to what the clock says. */
  step(): void
  /** Looks for what is planned now. */
  refresh(): Promise<void>
  readonly sentPlays: number
  stop(): Promise<void>
}

/** A fleet that lives: a MyGeotab that tells where its trucks are, players that play, drivers that drive. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { query, seed = 'roadshow', speed = 1, pastMs = PAST_MS, log } = options
  const start = (options.clock?.now() ?? Date.now()) - (speed > 1 ? pastMs : 0)
  const clock = options.clock ?? acceleratedClock(start, speed)
  const fleet = new SimulatedFleet(seed, start - (speed > 1 ? 0 : pastMs))
  let devices: SimulatedDevices | undefined

  async function refresh(): Promise<void> {
    const now = clock.now()
    fleet.update(await readPlan(query, now - PAST_MS, now + AHEAD_MS))
    devices?.update()
  }

  await refresh()
  await fleet.catchUp(clock.now())
  const geotab = await startGeotabServer({ fleet, ...options.geotab })

  function step(): void {
    const now = clock.now()
    fleet.advance(now)
    devices?.tick(now)
  }

  let refreshing: Promise<void> | undefined
  const refreshInTurn = () => {
    refreshing ??= refresh()
      .catch(log)
      .finally(() => (refreshing = undefined))
  }
  const timers = options.clock ? [] : [setInterval(step, TICK_MS), setInterval(refreshInTurn, PLAN_MS)]

  return {
    account: geotab.account,
    inject: (fault) => geotab.inject(fault),
    pastMs,
    connect(url, keys) {
      devices?.close()
      const sendPhoto = options.camera && photoSender(url, options.camera, log)
      devices = new SimulatedDevices({
        fleet,
        url,
        keys,
        seed,
        now: clock.now(),
        isReplay: speed > 1,
        sendPhoto,
        onStored: options.onStored,
      })
      devices.update()
    },
    step,
    refresh,
    get sentPlays() {
      return devices?.sentPlays ?? 0
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      devices?.close()
      await refreshing
      await geotab.close()
    },
  }
}
