import type { PlayerData, PlayerSet, TruckPosition } from '@roadshow/contract/live/device-events'
import type { Problems } from './alive/problems.ts'
import type { Updates } from './alive/updates.ts'
import { DeviceClock } from './core/clock.ts'
import { type Spot, TruckPlayer } from './core/player.ts'
import { PlayLog } from './core/plays.ts'
import { ArtworkFiles } from './files/artwork-files.ts'
import { FileWorker } from './files/worker-client.ts'
import { Commands } from './link/commands.ts'
import { ScreenLink } from './link/device-link.ts'
import { healthOf } from './link/health.ts'
import { followReceivers } from './link/positions.ts'
import { Picture } from './picture/picture.ts'
import { BrowserPlayStore, type DeviceDb, DeviceStore } from './store/device-store.ts'

const SECOND = 1000
const SEND_MS = 5 * SECOND
const HEALTH_MS = 60 * SECOND
const MANIFEST_MS = 10 * 60 * SECOND
// The next set is decoded this long before its spot.
const DECODE_AHEAD_MS = 10 * SECOND
// A page whose frames fail for this long starts again.
const BROKEN_MS = 30 * SECOND

const steadyNow = () => Math.round(performance.timeOrigin + performance.now())

interface ScreenOptions {
  db: DeviceDb
  access: { macAddress: string; key: string }
  problems: Problems
  updates: Updates
}

/** The screen of a truck: it shows what the core says, with the files, the store and the connection of this browser. */
export class TruckScreen {
  readonly #options: ScreenOptions
  readonly #store: DeviceStore
  readonly #clock: DeviceClock
  readonly #picture: Picture
  readonly #files: ArtworkFiles
  readonly #player: TruckPlayer
  readonly #commands: Commands
  readonly #frames = { shown: 0, dropped: 0 }
  readonly #timers: ReturnType<typeof setInterval>[] = []
  #link: ScreenLink | undefined
  #shownNumber: number | undefined
  #isSoundOn = true
  #brokenSince: number | undefined
  #isEnded = false
  #end!: () => void
  /** The key of this screen was revoked. */
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve))

  private constructor(options: ScreenOptions, log: PlayLog, offsetMs: number | null) {
    const { db, problems } = options
    const report = (problem: string) => problems.report(problem)
    this.#options = options
    this.#store = new DeviceStore(db)
    this.#clock = new DeviceClock({ wall: () => Date.now(), steady: steadyNow }, offsetMs)
    this.#picture = new Picture({
      content: (sha256) => this.#files.content(sha256),
      frames: this.#frames,
      isSoundOn: () => this.#isSoundOn,
      report,
    })
    this.#files = new ArtworkFiles({
      store: this.#store,
      worker: new FileWorker(),
      now: () => this.#clock.now(),
      report,
    })
    this.#player = new TruckPlayer({
      log,
      host: {
        isReady: (set) => this.#isReady(set),
        sendPlays: async (plays) => this.#link?.sendPlays(plays),
      },
    })
    this.#commands = new Commands({
      picture: this.#picture,
      hold: (isHeld) => this.#player.hold(isHeld),
      now: () => this.#clock.now(),
      downloadAgain: () => this.#downloadAgain(),
      setSound: (isOn) => (this.#isSoundOn = isOn),
      restart: () => this.restart(),
    })
  }

  /** Starts with what is on this device, with or without network. */
  static async open(options: ScreenOptions): Promise<TruckScreen> {
    const store = new DeviceStore(options.db)
    const log = await PlayLog.recover(new BrowserPlayStore(options.db), crypto.randomUUID())
    const screen = new TruckScreen(options, log, (await store.read('clockOffsetMs')) ?? null)
    await screen.#start((await store.read('manifest')) ?? undefined)
    return screen
  }

  /** Ends the running spot, so that it is counted, and starts the page again. */
  restart(): void {
    this.#player.stop(this.#clock.now())
    // The store writes the last spot meanwhile; if it does not, the next start completes it.
    setTimeout(() => location.reload(), 500)
  }

  async #start(manifest: PlayerData | undefined): Promise<void> {
    document.body.append(this.#picture.element)
    await this.#files.start()
    if (manifest) this.#follow(manifest)
    this.#link = new ScreenLink(this.#options.access, {
      onConnect: () => void this.#connected(),
      onManifest: (pushed) => void this.#take(pushed),
      onPosition: (position) => this.#locate(position),
      onCommand: (command) => this.#commands.run(command),
      onEnded: () => this.#close(),
    })
    followReceivers((source, fix) => {
      const at = this.#clock.now()
      this.#player.locate(source, { ...fix, at }, at)
    })
    this.#every(SEND_MS, () => this.#send())
    this.#every(HEALTH_MS, () => this.#reportHealth())
    this.#every(MANIFEST_MS, () => this.#askManifest())
    this.#every(SECOND, () => this.#decodeAhead())
    requestAnimationFrame(this.#frame)
  }

  #every(ms: number, act: () => Promise<void>): void {
    this.#timers.push(setInterval(() => void act(), ms))
  }

  /** One frame: what the core says is on the canvas before the next one. An error leaves black, never a message. */
  readonly #frame = (time: number): void => {
    if (this.#isEnded) return
    try {
      this.#show(this.#player.tick(this.#clock.now()))
      this.#picture.draw(time)
      this.#brokenSince = undefined
    } catch (error) {
      this.#options.problems.report(String(error))
      this.#picture.blacken()
      this.#brokenSince ??= time
      if (time - this.#brokenSince > BROKEN_MS) location.reload()
    }
    requestAnimationFrame(this.#frame)
  }

  #show(spot: Spot | undefined): void {
    if (spot?.number === this.#shownNumber) return
    this.#shownNumber = spot?.number
    this.#picture.show(spot?.set.files ?? null)
  }

  #isReady({ files }: PlayerSet): boolean {
    return files.every(({ sha256 }) => this.#files.has(sha256)) && this.#picture.canShow(files, performance.now())
  }

  async #decodeAhead(): Promise<void> {
    const now = this.#clock.now()
    const next = this.#player.upcoming(now)
    if (next && next.startsAt - now <= DECODE_AHEAD_MS) await this.#picture.prepare(next.scene.set.files)
    // A new build starts while nothing is shown.
    if (this.#options.updates.isWaiting && this.#shownNumber === undefined && !this.#picture.isCovered) this.restart()
  }

  async #connected(): Promise<void> {
    await this.#askManifest()
    this.#player.sender.retryNow()
    await this.#send()
    await this.#reportHealth()
    await this.#options.updates.check()
  }

  async #askManifest(): Promise<void> {
    const askedAt = this.#clock.steady()
    const manifest = await this.#link?.manifest()
    if (!manifest) return
    this.#clock.hear({ askedAt, heardAt: this.#clock.steady(), serverTime: Date.parse(manifest.serverTime) })
    const { offsetMs } = this.#clock
    await this.#take(manifest)
    if (offsetMs !== null) await this.#store.keep('clockOffsetMs', offsetMs)
  }

  async #take(manifest: PlayerData): Promise<void> {
    this.#follow(manifest)
    await this.#store.keep('manifest', manifest)
  }

  #follow(manifest: PlayerData): void {
    this.#picture.pixelMap = manifest.pixelMap
    this.#player.update(manifest)
    this.#files.follow(manifest)
  }

  #locate({ at, latitude, longitude, speedKmh }: TruckPosition): void {
    this.#player.locate('server', { at: Date.parse(at), latitude, longitude, speedKmh }, this.#clock.now())
  }

  async #send(): Promise<void> {
    await this.#player.send(this.#clock.now(), this.#clock.isConfirmed)
  }

  async #reportHealth(): Promise<void> {
    const now = this.#clock.now()
    const health = await healthOf({
      files: this.#files,
      player: this.#player,
      frames: this.#frames,
      clock: this.#clock,
      now,
      problem: this.#player.log.problem ?? this.#player.loopProblem(now) ?? this.#options.problems.last,
    })
    await this.#link?.sendHealth(health)
  }

  async #downloadAgain(): Promise<void> {
    await this.#files.downloadAgain()
    this.#picture.forgetFiles()
  }

  /** The key is worth nothing any more: the screen is black at once, and forgets its truck but no play. */
  #close(): void {
    this.#isEnded = true
    this.#player.stop(this.#clock.now())
    this.#picture.close()
    this.#picture.element.remove()
    for (const timer of this.#timers) clearInterval(timer)
    this.#link?.close()
    this.#files.close()
    void Promise.all([this.#store.forget('key'), this.#store.forget('manifest')]).finally(this.#end)
  }
}
