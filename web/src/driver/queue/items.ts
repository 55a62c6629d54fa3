import type { ActProblem, DriverAct, DriverAppShift } from '@roadshow/contract/live/driver-app'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'

/** Where the phone was; null where it did not know. */
export type PhonePlace = { latitude: number; longitude: number; accuracyM: number } | null

/**
 * How far something in the queue has come. `sent` is dropped once the day was loaded again and shows it; `noted` was stored
 * but changed nothing, and `refused` was not stored: both stay until the driver has seen them.
 */
type QueueState = 'waiting' | 'sent' | 'noted' | 'refused'

/** What is wrong with an item: with its act, or with a picture. */
export type ItemProblem = ActProblem | 'pictureRefused'

interface InQueue {
  id: string
  /** Whose it is. No other user of this phone sees or sends it. */
  userUid: string
  /** When it was added, by the phone's clock, which also gives the order. */
  addedAt: number
  state: QueueState
  problem: ItemProblem | null
  /** In the server's words. */
  reason: string
  /** The user has no right to it at the moment. */
  isForbidden?: boolean
  attempts: number
  /** Not to be sent before, in milliseconds since 1970. */
  nextAt: number
  sentAt: number | null
  /** What the queue page calls it by, also when the shift has left the day. */
  about: { shiftUid: string; truckNumber: string; date: string; contacts?: DriverAppShift['contacts'] }
}

/** A picture that an act names. It is uploaded first. */
export interface ActPicture {
  pictureId: string
  /** The inspected item it belongs to; null if it belongs to the act itself. */
  itemUid: string | null
  /** Known once it is uploaded. */
  fileUid: string | null
}

export interface QueuedAct extends InQueue {
  kind: 'act'
  act: DriverAct
  pictures: ActPicture[]
}

export interface QueuedPhoto extends InQueue {
  kind: 'photo'
  pictureId: string
  /** By the phone's clock; null for a picture of the gallery, which has its own time and place or none. */
  takenAt: number | null
  place: PhonePlace
  side: TruckSide | null
  caption: string
}

export type QueueItem = QueuedAct | QueuedPhoto

export const isWaiting = ({ state }: QueueItem): boolean => state === 'waiting'

/** Whether the driver has to look at it. */
export const needsLook = ({ state }: QueueItem): boolean => state === 'refused' || state === 'noted'
