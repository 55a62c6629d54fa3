import type { DriverDay, DriverMay } from '@roadshow/contract/live/driver-app'
import type { AppState } from '../app-state.ts'
import type { QueueItem } from './items.ts'

/** Why something is not sent yet: the account may not send it, the session ended, no signal, or no answer. */
export type WaitReason = 'right' | 'signIn' | 'signal' | 'server'

const EVERYTHING: DriverMay = { act: true, photos: true, pictures: true, pay: true, calendar: true }

/** What the account may do; a day of an earlier version says nothing about it. */
export const mayOf = (day: Pick<DriverDay, 'may'> | undefined): DriverMay => day?.may ?? EVERYTHING

/** Whether the account may send something. */
export function isAllowed(item: QueueItem, may: DriverMay): boolean {
  if (item.kind === 'photo') return may.photos
  return may.act && (may.pictures || item.pictures.every(({ fileUid }) => fileUid !== null))
}

export type WaitFacts = Pick<AppState, 'isOnline' | 'session' | 'day'>

/** Signal alone does not help what the account may not send, so that is said first. */
export function waitReason(item: QueueItem, { isOnline, session, day }: WaitFacts): WaitReason {
  if (item.isForbidden || session === 'otherRole' || !isAllowed(item, mayOf(day))) return 'right'
  if (session === 'ended') return isOnline ? 'signIn' : 'signal'
  return isOnline ? 'server' : 'signal'
}
