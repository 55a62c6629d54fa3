import type { DriverAct, DriverDay } from '@roadshow/contract/live/driver-app'
import { ApiError } from '../api/call.ts'
import { DriverApp } from './driver-app.ts'
import type { PhoneStore } from './driver-app.ts'
import type { KeptDay } from './queue/database.ts'
import type { QueueItem } from './queue/items.ts'
import type { Transport } from './queue/sending.ts'

/** A phone's storage in memory, which several starts of the app share. */
export function memoryPhone() {
  const days = new Map<string, KeptDay>()
  const items = new Map<string, QueueItem>()
  const pictures = new Map<string, Blob>()
  const drafts = new Map<string, unknown>()
  const store: PhoneStore = {
    day: async (userUid) => days.get(userUid),
    keepDay: async (userUid, kept) => void days.set(userUid, kept),
    forgetDays: async (unlessOf) => {
      for (const userUid of days.keys()) if (userUid !== unlessOf) days.delete(userUid)
    },
    items: async (userUid) => [...items.values()].filter((item) => item.userUid === userUid),
    add: async (item, added) => {
      items.set(item.id, item)
      for (const { id, blob } of added) pictures.set(id, blob)
    },
    put: async (item) => void (items.has(item.id) && items.set(item.id, item)),
    remove: async ({ id }) => void items.delete(id),
    picture: async (id) => pictures.get(id),
    draft: async <T>(userUid: string, name: string) => drafts.get(`${userUid} ${name}`) as T | undefined,
    keepDraft: async (userUid, name, draft) => void drafts.set(`${userUid} ${name}`, draft),
    dropDraft: async (userUid, name) => void drafts.delete(`${userUid} ${name}`),
  }
  return { store, days, items }
}

/** A server that knows tokens, each with its day, and notes what arrives under which token. */
export function memoryServer(dayOf: Map<string, DriverDay>, token: () => string | undefined) {
  const arrived: string[] = []
  const sender = () => {
    const known = token()
    if (known === undefined || !dayOf.has(known)) throw new ApiError(401, { error: 'Signed out.' })
    return known
  }
  const transport: Transport = {
    async sendActs(acts: DriverAct[]) {
      arrived.push(...acts.map(({ kind }) => `${sender()}: ${kind}`))
      return acts.map(({ actId }) => ({ actId, result: 'accepted', problem: null, reason: '' }))
    },
    async upload() {
      return 'file'
    },
    async sendPhoto() {
      arrived.push(`${sender()}: photo`)
      return undefined
    },
  }
  return { arrived, transport, fetchDay: async () => dayOf.get(sender())! }
}

export const openApp = (store: PhoneStore, transport: Transport) => new DriverApp(store, transport)
