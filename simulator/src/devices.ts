import { SimulatedDriver } from './driver.ts'
import type { SendPhoto } from './driver-photos.ts'
import type { SimulatedFleet } from './fleet.ts'
import type { PlannedDevice } from './plan.ts'
import { type OnStored, SimulatedPlayer } from './player.ts'
import type { SimulatedTruck } from './truck.ts'

const HOUR = 3_600_000
// The server accepts a thousand connections per minute from one address.
const OPENED_AT_ONCE = 12

interface Options {
  fleet: SimulatedFleet
  url: string
  /** Keys by MAC address; a device without a key is a real one. */
  keys: ReadonlyMap<string, string>
  seed: string
  now: number
  /** Whether hours that may already be played are played again. */
  isReplay: boolean
  sendPhoto: SendPhoto | undefined
  onStored: OnStored | undefined
  pictureMs: number
  /** The least number of the next play, by the MAC address of the player. */
  firstSequences: ReadonlyMap<string, number>
}

/** The players and driver apps of the fleet. */
export class SimulatedDevices {
  readonly #options: Options
  readonly #devices = new Map<string, SimulatedPlayer | SimulatedDriver>()

  constructor(options: Options) {
    this.#options = options
  }

  get sentPlays(): number {
    return [...this.#devices.values()].reduce((sum, each) => sum + (each instanceof SimulatedPlayer ? each.sent : 0), 0)
  }

  /** Adds new devices and removes those that are gone. */
  update(): void {
    const wanted = new Set<string>()
    for (const truck of this.#options.fleet.trucks) {
      for (const device of truck.planned.devices) {
        const key = this.#options.keys.get(device.mac)
        if (key === undefined) continue
        wanted.add(device.mac)
        if (!this.#devices.has(device.mac)) this.#devices.set(device.mac, this.#deviceOf(truck, device, key))
      }
    }
    for (const [mac, device] of this.#devices) {
      if (wanted.has(mac)) continue
      device.close()
      this.#devices.delete(mac)
    }
  }

  tick(now: number): void {
    let opened = 0
    for (const device of this.#devices.values()) {
      if (opened < OPENED_AT_ONCE && device.wantsLink) {
        device.open()
        opened++
      }
      device.tick(now)
    }
  }

  close(): void {
    for (const device of this.#devices.values()) device.close()
    this.#devices.clear()
  }

  #deviceOf(
    truck: SimulatedTruck,
    { kind, mac, nextSequence }: PlannedDevice,
    key: string,
  ): SimulatedPlayer | SimulatedDriver {
    const { url, seed, now, isReplay, sendPhoto, onStored, pictureMs, firstSequences } = this.#options
    const access = { url, mac, key, truck, seed }
    if (kind === 'driver') return new SimulatedDriver({ ...access, sendPhoto })
    // A player that was offline has played on; it does not report the plays that it already reported.
    const reported = isReplay ? 0 : (truck.planned.playedAt ?? 0) + pictureMs
    const from = Math.max(now - HOUR, reported)
    const next = Math.max(nextSequence, firstSequences.get(mac) ?? 1)
    return new SimulatedPlayer({ ...access, nextSequence: next, from, pictureMs, onStored })
  }
}
