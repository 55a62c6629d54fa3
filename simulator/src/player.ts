import { randomBytes } from 'node:crypto'
import type { BatchAck, DeviceHealthReport, Play, PlayerData } from '@roadshow/contract'
import { fileProgress, neededFiles } from '@roadshow/player/core/file-plan'
import { MemoryPlayStore } from '@roadshow/player/core/memory-store'
import { TruckPlayer } from '@roadshow/player/core/player'
import { emptyHead, PlayLog } from '@roadshow/player/core/plays'
import { type DeviceAccess, DeviceLink } from './device-link.ts'
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

/** The player in a truck: the core of the real one, with a memory for a disk and every file at hand. */
export class SimulatedPlayer {
  readonly #truck: SimulatedTruck
  readonly #link: DeviceLink
  readonly #player: TruckPlayer
  readonly #chance: SeededRandom
  readonly #from: number
  #data: PlayerData | undefined
  #offlineUntil = 0
  #sendAt: number
  #healthAt = 0

  constructor({ truck, nextSequence, pictureMs, from, seed, onStored, ...access }: Options) {
    const log = new PlayLog({
      store: new MemoryPlayStore(),
      startId: randomBytes(9).toString('base64url'),
      head: { ...emptyHead, nextSequence },
    })
    const host = {
      isReady: () => true,
      sendPlays: (plays: Play[]) => this.#link.request<BatchAck>('player-plays', plays),
      onStored: onStored && ((ids: string[]) => onStored(access.mac, ids)),
    }
    this.#player = new TruckPlayer({ host, log, pictureMs })
    this.#truck = truck
    this.#from = from
    this.#chance = seededRandom(`${seed} player ${access.mac}`)
    this.#sendAt = this.#chance.between(0, SEND_MS)
    this.#link = new DeviceLink('player', access, () => void this.#askData())
    this.#link.on('get-player-data', (data) => this.#follow(data))
  }

  get sent(): number {
    return this.#player.sender.sent
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
    if (this.#data) this.#play()
    if (!this.#link.isOpen) return
    if (now >= this.#sendAt) this.#send(now)
    if (Date.now() >= this.#healthAt) void this.#tellHealth()
  }

  #follow(data: PlayerData): void {
    this.#data = data
    this.#player.update(data)
  }

  #play(): void {
    for (const fix of this.#truck.takeFixes()) {
      if (fix.at < this.#from) continue
      this.#player.locate('bridge', fix, fix.at)
      this.#player.tick(fix.at)
    }
  }

  #send(now: number): void {
    this.#sendAt = now + SEND_MS
    if (this.#truck.isOnTheRoad && this.sent > 0 && this.#chance.is(OFFLINE_SHARE)) {
      this.#offlineUntil = now + this.#chance.between(2, 14) * MINUTE
      return this.#link.close()
    }
    void this.#player.send(now)
  }

  async #askData(): Promise<void> {
    const data = await this.#link.request<PlayerData>('get-player-data')
    if (data) this.#follow(data)
    this.#player.sender.retryNow()
    await this.#tellHealth()
  }

  async #tellHealth(): Promise<void> {
    this.#healthAt = Date.now() + HEALTH_MS
    const needed = this.#data ? neededFiles(this.#data, 0) : []
    const files = needed.map(({ sha256 }) => sha256)
    const at = new Date().toISOString()
    const health: DeviceHealthReport = {
      reportId: `health-${at}`,
      at,
      sentAt: at,
      files,
      gpsFix: true,
      freeBytes: FREE_BYTES,
      appVersion: APP_VERSION,
      screen: {
        ...fileProgress(needed, new Set(files)),
        clockOffsetMs: 0,
        playsWaiting: this.#player.log.waiting,
        playsLost: this.#player.log.lost,
        gpsSource: 'bridge',
      },
    }
    await this.#link.request('device-health', [health])
  }
}
