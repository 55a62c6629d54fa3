import { isTransientStatus } from '@roadshow/contract/platform/retries'
import type { ActResult, DriverAct } from '@roadshow/contract/live/driver-app'
import type { ActPicture, QueuedAct, QueuedPhoto, QueueItem } from './items.ts'
import { isWaiting } from './items.ts'

/** The next thing to send. */
export type SendingStep =
  | { kind: 'acts'; items: QueuedAct[] }
  | { kind: 'picture'; item: QueuedAct; picture: ActPicture }
  | { kind: 'photo'; item: QueuedPhoto }

const inOrder = (a: QueueItem, b: QueueItem) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1)

const unsentPicture = ({ pictures }: QueuedAct) => pictures.find(({ fileUid }) => fileUid === null)

/**
 * What to send next: acts that are ready at once, since dispatch waits for them, then those that wait for a picture, then
 * photos. Undefined if nothing is due.
 */
export function nextStep(items: readonly QueueItem[], now: number, maxActs: number): SendingStep | undefined {
  const due = items.filter((item) => isWaiting(item) && item.nextAt <= now).toSorted(inOrder)
  const acts = due.filter((item) => item.kind === 'act')
  const ready = acts.filter((item) => !unsentPicture(item)).slice(0, maxActs)
  if (ready.length > 0) return { kind: 'acts', items: ready }
  const [item] = acts
  const picture = item && unsentPicture(item)
  if (item && picture) return { kind: 'picture', item, picture }
  const photo = due.find((each) => each.kind === 'photo')
  return photo && { kind: 'photo', item: photo }
}

/** An act as it is sent, with the files that its pictures have become. */
export function actToSend({ act, pictures }: QueuedAct): DriverAct {
  const fileOf = (itemUid: string | null) => pictures.find((each) => each.itemUid === itemUid)?.fileUid ?? null
  if (act.kind === 'issue') return { ...act, photoFileUid: fileOf(null) }
  if (act.kind !== 'inspection') return act
  return { ...act, items: act.items.map((item) => ({ ...item, photoFileUid: fileOf(item.itemUid) })) }
}

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 5 * 60_000

/** How long to wait after some attempts without success. */
export const waitMs = (attempts: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_WAIT_MS)

const MAX_UPLOADS = 3

/** An item after the server has answered; undefined stands for an answer that does not name it. */
export function settled(item: QueuedAct, result: ActResult | undefined, now: number): QueuedAct {
  const attempts = item.attempts + 1
  if (!result || result.result === 'later') return { ...item, attempts, nextAt: now + waitMs(attempts) }
  const { problem, reason } = result
  if (result.result === 'rejected') {
    // An upload that no act named is deleted after a day: the picture is still here and is sent again.
    const isLost = problem === 'fileMissing' && item.pictures.length > 0 && attempts < MAX_UPLOADS
    if (isLost) return { ...item, attempts, pictures: item.pictures.map((each) => ({ ...each, fileUid: null })) }
    return { ...item, attempts, state: 'refused', problem, reason }
  }
  return { ...item, attempts, state: problem ? 'noted' : 'sent', problem, reason, sentAt: now }
}

/**
 * What a failed call means: no server for now, an error about this item, an ended session, a user without the right to this
 * call, or a refusal that would be the same again.
 */
export type Failure = 'away' | 'failed' | 'signedOut' | 'forbidden' | 'refused'

export function failureOf(status: number): Failure {
  if (status === 401) return 'signedOut'
  if (status === 403) return 'forbidden'
  if (status === 408 || status === 425 || status === 429 || isTransientStatus(status)) return 'away'
  return status >= 500 ? 'failed' : 'refused'
}

/** When something is due next; undefined if nothing waits. */
export function nextDue(items: readonly QueueItem[]): number | undefined {
  const waiting = items.filter(isWaiting)
  return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ nextAt }) => nextAt))
}
