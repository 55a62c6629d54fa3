import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import type { DriverAct, DriverAppShift } from '@roadshow/contract/live/driver-app'
import { newId } from '../ids.ts'
import type { PhonePlace, QueuedAct } from './items.ts'

/** How long an act waits for its place. */
export const PLACE_MS = 6_000

type WithoutCommon<A> = A extends DriverAct ? Omit<A, 'actId' | 'at' | 'shiftUid' | 'place'> : never
/** What a driver does, without what every act has. */
export type NewAct = WithoutCommon<DriverAct>

/** A picture of a new act: of the act itself, or of an inspected item. */
export interface NewPicture {
  itemUid: string | null
  blob: Blob
}

export interface NewPhoto {
  blob: Blob
  /** By the phone's clock; null for a picture of the gallery. */
  takenAt: number | null
  place: PhonePlace
  side: TruckSide | null
  caption: string
}

type ItemShift = Pick<DriverAppShift, 'uid' | 'date' | 'truck' | 'contacts'>

/** What every new item has: it waits from now on. */
export const newItem = (userUid: string, shift: ItemShift) => ({
  id: newId(),
  userUid,
  addedAt: Date.now(),
  state: 'waiting' as const,
  problem: null,
  reason: '',
  attempts: 0,
  nextAt: 0,
  sentAt: null,
  about: { shiftUid: shift.uid, truckNumber: shift.truck.number, date: shift.date, contacts: shift.contacts },
})

/** Something that the driver does now, and its pictures as they are kept. */
export function newAct(userUid: string, shift: ItemShift, done: NewAct, pictures: readonly NewPicture[]) {
  const item = newItem(userUid, shift)
  const kept = pictures.map(({ itemUid, blob }) => ({ id: newId(), itemUid, blob }))
  const act = {
    ...done,
    actId: item.id,
    at: new Date(item.addedAt).toISOString(),
    shiftUid: shift.uid,
    place: null,
  } as DriverAct
  const queued: QueuedAct = {
    ...item,
    kind: 'act',
    act,
    pictures: kept.map(({ id, itemUid }) => ({ pictureId: id, itemUid, fileUid: null })),
    // It is safe at once; the place is added if the phone finds it soon.
    nextAt: item.addedAt + PLACE_MS,
  }
  return { queued, blobs: kept.map(({ id, blob }) => ({ id, blob })) }
}
