import type { PlayerData } from '@roadshow/contract/live/device-events'
import {
  fileProgress,
  type FileProgress,
  type HeldFile,
  type NeededFile,
  neededFiles,
  planFiles,
} from '../core/file-plan.ts'
import type { DeviceStore } from '../store/device-store.ts'
import { DownloadError, type FileWorker } from './worker-client.ts'

const MINUTE = 60_000
/** How long to wait before a file that failed is asked for again; a wrong one is wrong at the server or on the way. */
const RETRY_MS = 15_000
const WRONG_RETRY_MS = 5 * MINUTE

interface FilesHost {
  store: DeviceStore
  worker: FileWorker
  now(): number
  report(problem: string): void
}

/** The artwork on this device: downloaded in the order of need, and usable only once its hash was checked. */
export class ArtworkFiles {
  readonly #host: FilesHost
  readonly #intact = new Map<string, HeldFile>()
  readonly #waitUntil = new Map<string, number>()
  #unchecked = new Map<string, HeldFile>()
  #needed: NeededFile[] = []
  #manifest: Pick<PlayerData, 'shifts' | 'fallback'> | undefined
  #work: Promise<void> | undefined
  #isAskedAgain = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: FilesHost) {
    this.#host = host
  }

  /** Finds the files of earlier starts. Each is read again before it is used. */
  async start(): Promise<void> {
    // Without it the browser may clear everything when the disk runs full.
    void navigator.storage.persist()
    const names = new Set(await this.#host.worker.list())
    const known = await this.#host.store.files()
    this.#unchecked = new Map(known.filter(({ sha256 }) => names.has(sha256)).map((file) => [file.sha256, file]))
    const strangers = [...names].filter((name) => !this.#unchecked.has(name))
    for (const name of strangers) await this.#host.worker.remove(name)
  }

  /** Whether a file is here, with the right bytes. */
  has(sha256: string): boolean {
    return this.#intact.has(sha256)
  }

  get hashes(): string[] {
    return [...this.#intact.keys()]
  }

  get progress(): FileProgress {
    return fileProgress(this.#needed, new Set(this.#intact.keys()))
  }

  /** Follows a manifest: downloads what it needs and sweeps what is not needed any more. */
  follow(manifest: Pick<PlayerData, 'shifts' | 'fallback'>): void {
    this.#manifest = manifest
    this.#needed = neededFiles(manifest, this.#host.now())
    if (this.#work) this.#isAskedAgain = true
    else this.#work = this.#workThrough()
  }

  /** Deletes every file and downloads what is needed again. */
  async downloadAgain(): Promise<void> {
    for (const sha256 of [...this.#intact.keys(), ...this.#unchecked.keys()]) await this.#remove(sha256)
    this.#waitUntil.clear()
    if (this.#manifest) this.follow(this.#manifest)
  }

  /** The content of a checked file. */
  async content(sha256: string): Promise<Blob | undefined> {
    if (!this.has(sha256)) return undefined
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('artwork')
    return (await folder.getFileHandle(sha256)).getFile()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#manifest = undefined
    this.#needed = []
    this.#host.worker.close()
  }

  async freeBytes(): Promise<number | null> {
    const { quota, usage } = await navigator.storage.estimate()
    return quota === undefined ? null : Math.max(0, Math.floor(quota - (usage ?? 0)))
  }

  async #workThrough(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      do {
        this.#isAskedAgain = false
        await this.#checkNeeded()
        await this.#downloadNeeded()
      } while (this.#isAskedAgain)
    } catch (error) {
      this.#host.report(`Files: ${String(error)}`)
    } finally {
      this.#work = undefined
      this.#scheduleRetry()
    }
  }

  /** Reads needed files of earlier starts again, the most urgent first. */
  async #checkNeeded(): Promise<void> {
    for (const { sha256 } of this.#needed) {
      const file = this.#unchecked.get(sha256)
      if (!file) continue
      const isIntact = await this.#host.worker.isIntact(sha256).catch(() => false)
      // It may have been deleted while it was read.
      if (!this.#unchecked.delete(sha256)) continue
      if (isIntact) this.#intact.set(sha256, file)
      else await this.#remove(sha256)
    }
  }

  async #downloadNeeded(): Promise<void> {
    const now = this.#host.now()
    const neededHashes = new Set(this.#needed.map(({ sha256 }) => sha256))
    for (const file of this.#intact.values()) if (neededHashes.has(file.sha256)) file.neededAt = now
    await this.#keep([...this.#intact.values()])
    const { quota = 0 } = await navigator.storage.estimate()
    const held = [...this.#intact.values(), ...this.#unchecked.values()]
    const plan = planFiles(this.#needed, { held, quotaBytes: quota, now })
    for (const sha256 of plan.sweep) await this.#remove(sha256)
    if (plan.deferred.length > 0) this.#host.report(`No room for ${plan.deferred.length} files that are needed later.`)
    for (const file of plan.download) {
      if (this.#isAskedAgain) return
      if ((this.#waitUntil.get(file.sha256) ?? 0) <= this.#host.now()) await this.#download(file)
    }
  }

  async #download(file: NeededFile): Promise<void> {
    const { sha256, size, url } = file
    try {
      await this.#host.worker.download({ sha256, size, url }, () => undefined)
      const held = { sha256, size, neededAt: this.#host.now() }
      await this.#keep([held])
      this.#intact.set(sha256, held)
      this.#waitUntil.delete(sha256)
    } catch (error) {
      const problem = error instanceof DownloadError ? error.problem : 'failed'
      const isWrong = problem === 'wrongHash' || problem === 'wrongSize'
      this.#waitUntil.set(sha256, this.#host.now() + (isWrong ? WRONG_RETRY_MS : RETRY_MS))
      this.#host.report(`File ${sha256.slice(0, 8)}: ${problemText[problem]}`)
    }
  }

  #scheduleRetry(): void {
    const waits = this.#needed.filter(({ sha256 }) => !this.has(sha256))
    if (waits.length === 0) return
    const dueAt = Math.min(...waits.map(({ sha256 }) => this.#waitUntil.get(sha256) ?? Number.POSITIVE_INFINITY))
    const delay = Number.isFinite(dueAt) ? Math.max(1000, dueAt - this.#host.now()) : MINUTE
    this.#timer = setTimeout(() => this.#manifest && this.follow(this.#manifest), delay)
  }

  async #remove(sha256: string): Promise<void> {
    this.#intact.delete(sha256)
    this.#unchecked.delete(sha256)
    await this.#host.worker.remove(sha256)
    await this.#host.store.forgetFile(sha256).catch(this.#reportStore)
  }

  /** Notes which files are here. A store that fails costs another download after the next start, and nothing now. */
  async #keep(files: readonly HeldFile[]): Promise<void> {
    await this.#host.store.keepFiles(files).catch(this.#reportStore)
  }

  readonly #reportStore = (error: unknown): void => this.#host.report(`Files: ${String(error)}`)
}

const problemText: Record<DownloadError['problem'], string> = {
  wrongHash: 'Its content is not what was approved.',
  wrongSize: 'It is larger than announced.',
  gone: 'The server did not send it.',
  cutOff: 'The connection ended early.',
  noSpace: 'The disk is full.',
  failed: 'The download failed.',
}
