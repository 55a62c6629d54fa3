import type { DriverDay } from '@roadshow/contract/live/driver-app'
import { openDB } from 'idb'
import type { DBSchema, IDBPDatabase } from 'idb'
import type { QueueItem } from './items.ts'
import type { QueueStore } from './sending.ts'

/** The day as it was loaded last. */
export interface KeptDay {
  day: DriverDay
  /** When it was asked for, by the phone's clock. */
  askedAt: number
  /** How far the server's clock is ahead of the phone's. */
  clockOffsetMs: number
}

interface Schema extends DBSchema {
  /** By user, so that no user of this phone sees another's. */
  day: { key: string; value: KeptDay }
  item: { key: string; value: QueueItem; indexes: { ofUser: string } }
  /** Apart from the items, so that a list does not load pictures. */
  picture: { key: string; value: { id: string; userUid: string; blob: Blob }; indexes: { ofUser: string } }
  /** What is typed but not done yet, such as half an inspection. */
  draft: { key: [userUid: string, name: string]; value: unknown }
}

const VERSION = 1
const strict = { durability: 'strict' } as const

const open = () =>
  openDB<Schema>('roadshow-driver', VERSION, {
    upgrade(db) {
      db.createObjectStore('day')
      db.createObjectStore('item', { keyPath: 'id' }).createIndex('ofUser', 'userUid')
      db.createObjectStore('picture', { keyPath: 'id' }).createIndex('ofUser', 'userUid')
      db.createObjectStore('draft')
    },
    // A tab with an older build must not keep a newer one from starting.
    blocking: (_before, _after, event) => (event.target as IDBDatabase).close(),
  })

/** What a phone keeps over restarts: each change is on the disk when its promise is done. */
export class DriverDatabase implements QueueStore {
  #opened: Promise<IDBPDatabase<Schema>> | undefined

  /** Browsers close a database behind a page that slept for long; the next use opens it again. */
  async #db(): Promise<IDBPDatabase<Schema>> {
    this.#opened ??= open().then(
      (db) => {
        db.addEventListener('close', () => (this.#opened = undefined))
        return db
      },
      (error: unknown) => {
        // A phone that is full may have space again at the next try.
        this.#opened = undefined
        throw error
      },
    )
    return this.#opened
  }

  async day(userUid: string): Promise<KeptDay | undefined> {
    return (await this.#db()).get('day', userUid)
  }

  async keepDay(userUid: string, kept: KeptDay): Promise<void> {
    await (await this.#db()).put('day', kept, userUid)
  }

  /** Forgets what the server said to other users; what they did stays until they are back. */
  async forgetDays(unlessOf?: string): Promise<void> {
    const change = (await this.#db()).transaction('day', 'readwrite')
    const others = (await change.store.getAllKeys()).filter((userUid) => userUid !== unlessOf)
    await Promise.all([...others.map((userUid) => change.store.delete(userUid)), change.done])
  }

  async items(userUid: string): Promise<QueueItem[]> {
    return (await this.#db()).getAllFromIndex('item', 'ofUser', userUid)
  }

  /** Adds something with its pictures: all of it or nothing. */
  async add(item: QueueItem, pictures: { id: string; blob: Blob }[]): Promise<void> {
    const change = (await this.#db()).transaction(['item', 'picture'], 'readwrite', strict)
    const kept = pictures.map((picture) => ({ ...picture, userUid: item.userUid }))
    await Promise.all([
      change.objectStore('item').put(item),
      ...kept.map((picture) => change.objectStore('picture').put(picture)),
      change.done,
    ])
  }

  /** Writes what has become of an item. An item that was removed meanwhile stays removed. */
  async put(item: QueueItem): Promise<void> {
    const change = (await this.#db()).transaction(['item', 'picture'], 'readwrite', strict)
    const items = change.objectStore('item')
    if ((await items.getKey(item.id)) !== undefined) {
      await items.put(item)
      const isStored = item.state === 'sent' || item.state === 'noted'
      if (isStored) for (const id of pictureIdsOf(item)) await change.objectStore('picture').delete(id)
    }
    await change.done
  }

  async remove(item: QueueItem): Promise<void> {
    const change = (await this.#db()).transaction(['item', 'picture'], 'readwrite', strict)
    await Promise.all([
      change.objectStore('item').delete(item.id),
      ...pictureIdsOf(item).map((id) => change.objectStore('picture').delete(id)),
      change.done,
    ])
  }

  async picture(id: string): Promise<Blob | undefined> {
    return (await (await this.#db()).get('picture', id))?.blob
  }

  async draft<T>(userUid: string, name: string): Promise<T | undefined> {
    return (await (await this.#db()).get('draft', [userUid, name])) as T | undefined
  }

  async keepDraft(userUid: string, name: string, draft: unknown): Promise<void> {
    await (await this.#db()).put('draft', draft, [userUid, name])
  }

  async dropDraft(userUid: string, name: string): Promise<void> {
    await (await this.#db()).delete('draft', [userUid, name])
  }
}

const pictureIdsOf = (item: QueueItem): string[] =>
  item.kind === 'photo' ? [item.pictureId] : item.pictures.map(({ pictureId }) => pictureId)
