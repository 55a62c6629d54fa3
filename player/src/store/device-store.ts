import type { Play, PlayerData } from '@roadshow/contract/live/device-events'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { HeldFile } from '../core/file-plan.ts'
import { emptyHead, type PlayChange, type PlayLogHead, type PlayStore } from '../core/plays.ts'

interface Kept {
  /** The id by which this screen is known: a MAC address that no network card has. */
  macAddress: string
  key: string
  /** The device that it was paired as; its plays are numbered for this one. */
  deviceUid: string
  manifest: PlayerData
  clockOffsetMs: number
  playHead: PlayLogHead
}

interface Schema extends DBSchema {
  kept: { key: string; value: unknown }
  play: { key: number; value: Play }
  file: { key: string; value: HeldFile }
}

type OpenDb = IDBPDatabase<Schema>

const VERSION = 1

/** The database of this screen. */
export class DeviceDb {
  #opening: Promise<OpenDb> | undefined

  /** Opens it, and again after the browser has closed it: a screen runs for weeks. */
  open(): Promise<OpenDb> {
    this.#opening ??= openDB<Schema>('roadshow-player', VERSION, {
      upgrade(db) {
        db.createObjectStore('kept')
        db.createObjectStore('play', { keyPath: 'sequence' })
        db.createObjectStore('file', { keyPath: 'sha256' })
      },
      // A second window of the same screen must not keep a newer build from starting.
      blocking: (_before, _after, event) => {
        ;(event.target as IDBDatabase).close()
        this.#forget()
      },
      terminated: () => this.#forget(),
    }).catch((error: unknown) => {
      this.#forget()
      throw error
    })
    return this.#opening
  }

  #forget(): void {
    this.#opening = undefined
  }
}

/** What a screen knows over restarts, beside its plays. */
export class DeviceStore {
  readonly #db: DeviceDb

  constructor(db: DeviceDb) {
    this.#db = db
  }

  async read<Name extends keyof Kept>(name: Name): Promise<Kept[Name] | undefined> {
    return (await (await this.#db.open()).get('kept', name)) as Kept[Name] | undefined
  }

  async keep<Name extends keyof Kept>(name: Name, value: Kept[Name]): Promise<void> {
    const change = (await this.#db.open()).transaction('kept', 'readwrite', { durability: 'strict' })
    await Promise.all([change.store.put(value, name), change.done])
  }

  async forget(name: keyof Kept): Promise<void> {
    await (await this.#db.open()).delete('kept', name)
  }

  /**
   * Becomes a device. Plays of another one, which was deleted, can never be sent again, and its numbers are not ours: they
   * are deleted, and the health of the new device counts them as lost.
   */
  async become({ key, deviceUid }: { key: string; deviceUid: string }): Promise<void> {
    const change = (await this.#db.open()).transaction(['kept', 'play'], 'readwrite', { durability: 'strict' })
    const kept = change.objectStore('kept')
    const before = (await kept.get('deviceUid')) as string | undefined
    if (before !== undefined && before !== deviceUid) {
      const head = (await kept.get('playHead')) as PlayLogHead | undefined
      const open = head?.open.reduce((sum, { plays }) => sum + plays.length, 0) ?? 0
      const lost = open + (await change.objectStore('play').count())
      await Promise.all([change.objectStore('play').clear(), kept.put({ ...emptyHead, lost }, 'playHead')])
    }
    await Promise.all([kept.put(deviceUid, 'deviceUid'), kept.put(key, 'key'), change.done])
  }

  async files(): Promise<HeldFile[]> {
    return (await this.#db.open()).getAll('file')
  }

  async keepFiles(files: readonly HeldFile[]): Promise<void> {
    const change = (await this.#db.open()).transaction('file', 'readwrite')
    await Promise.all([...files.map((file) => change.store.put(file)), change.done])
  }

  async forgetFile(sha256: string): Promise<void> {
    await (await this.#db.open()).delete('file', sha256)
  }

  /** The id of this screen, made once. */
  async macAddress(): Promise<string> {
    const known = await this.read('macAddress')
    if (known) return known
    const made = randomMacAddress()
    await this.keep('macAddress', made)
    return made
  }
}

/** A random MAC address of the kind that is assigned locally, to one device alone. */
function randomMacAddress(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  bytes[0] = ((bytes[0] ?? 0) & 0b1111_1100) | 0b10
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')
}

/** Keeps plays so that a power cut loses none: each change is one transaction, on the disk when it is done. */
export class BrowserPlayStore implements PlayStore {
  readonly #db: DeviceDb

  constructor(db: DeviceDb) {
    this.#db = db
  }

  async read(): Promise<{ head: PlayLogHead | null; waiting: number }> {
    const reading = (await this.#db.open()).transaction(['kept', 'play'], 'readonly')
    const [head, waiting] = await Promise.all([
      reading.objectStore('kept').get('playHead'),
      reading.objectStore('play').count(),
    ])
    return { head: (head as PlayLogHead | undefined) ?? null, waiting }
  }

  async write({ head, add, remove }: PlayChange): Promise<void> {
    const change = (await this.#db.open()).transaction(['kept', 'play'], 'readwrite', { durability: 'strict' })
    const plays = change.objectStore('play')
    await Promise.all([
      change.objectStore('kept').put(head, 'playHead'),
      ...add.map((play) => plays.put(play)),
      ...remove.map((sequence) => plays.delete(sequence)),
      change.done,
    ])
  }

  async oldest(limit: number, above: number): Promise<Play[]> {
    return (await this.#db.open()).getAll('play', IDBKeyRange.lowerBound(above, true), limit)
  }
}
