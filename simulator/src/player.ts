import type { DeviceHealthReport, Play, PlayerData } from '@roadshow/contract'
import { type DeviceAccess, DeviceLink } from './device-link.ts'
import { Outbox } from './outbox.ts'
import { Screens } from './screens.ts'
import { type SeededRandom, seededRandom } from './seeded.ts'
import type { SimulatedTruck } from './truck.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const SEND_MS = 20 * SECOND
const HEALTH_MS = MINUTE
const APP_VERSION = 'simulator 1'
const FREE_BYTES = 24e9
// About once in five hours a player has no network for a while.
const OFFLINE_SHARE = (1 / (5 * 60)) * (SEND_MS / MINUTE)

/** Hears which plays of a player the server has said are on disk. */
export type OnStored = (mac: string, playIds: string[]) => void

interface Options extends DeviceAccess {
  truck: SimulatedTruck
  nextSequence: number
  pictureMs: number
  /** Nothing is played for what was seen before. */
  from: number
  seed: string
  onStored: OnStored | undefined
}

/** The player in a truck: it plays by what the server told it, also without a network, and sends what it played. */
export class SimulatedPlayer {
  readonly #truck: SimulatedTruck
  readonly #link: DeviceLink
  readonly #outbox: Outbox<Play>
  readonly #screens: Screens
  readonly #chance: SeededRandom
  readonly #from: number
  #data: PlayerData | undefined
  #offlineUntil = 0
  #sendAt: number
  #healthAt = 0

  constructor({ truck, nextSequence, pictureMs, from, seed, onStored, ...access }: Options) {
    const told = onStored && ((ids: string[]) => onStored(access.mac, ids))
    this.#outbox = new Outbox('player-plays', ({ playId }) => playId, told)
    this.#truck = truck
    this.#from = from
    this.#screens = new Screens(nextSequence, pictureMs)
    this.#chance = seededRandom(`${seed} player ${access.mac}`)
    this.#sendAt = this.#chance.between(0, SEND_MS)
    this.#link = new DeviceLink('player', access, () => void this.#askData())
    this.#link.on('get-player-data', (data) => (this.#data = data))
  }

  get sent(): number {
    return this.#outbox.sent
  }

  /** Whether it would like to be connected. */
  get wantsLink(): boolean {
    return this.#link.isIdle && this.#offlineUntil === 0
  }

  open(): void {
    this.#link.open()
  }

  close(): void {
    this.#link.close()
  }

  /** Now and then: plays what the truck came by since the last time, and sends what is due. `now` is the fleet's clock. */
  tick(now: number): void {
    if (this.#offlineUntil > 0 && now >= this.#offlineUntil) this.#offlineUntil = 0
    if (this.#data) this.#play(this.#data)
    if (!this.#link.isOpen) return
    if (now >= this.#sendAt) this.#send(now)
    if (Date.now() >= this.#healthAt) void this.#tellHealth()
  }

  #play(data: PlayerData): void {
    for (const fix of this.#truck.takeFixes()) {
      if (fix.at >= this.#from) this.#outbox.add(this.#screens.see(fix, data))
    }
  }

  #send(now: number): void {
    this.#sendAt = now + SEND_MS
    if (this.#truck.isOnTheRoad && this.#outbox.sent > 0 && this.#chance.is(OFFLINE_SHARE)) {
      this.#offlineUntil = now + this.#chance.between(2, 14) * MINUTE
      return this.#link.close()
    }
    void this.#outbox.flush(this.#link)
  }

  async #askData(): Promise<void> {
    this.#data = (await this.#link.request<PlayerData>('get-player-data')) ?? this.#data
    await this.#tellHealth()
  }

  async #tellHealth(): Promise<void> {
    this.#healthAt = Date.now() + HEALTH_MS
    const sets = this.#data?.shifts.flatMap(({ artwork, addresses }) => [
      artwork,
      ...addresses.map((each) => each.artwork),
    ])
    const files = (sets ?? []).flatMap((set) => set?.files.map(({ sha256 }) => sha256) ?? [])
    const at = new Date().toISOString()
    const health: DeviceHealthReport = {
      reportId: `health-${at}`,
      at,
      sentAt: at,
      files: [...new Set(files)],
      gpsFix: true,
      freeBytes: FREE_BYTES,
      appVersion: APP_VERSION,
    }
    await this.#link.request('device-health', [health])
  }
}
