import type { ActResult, DriverAct } from '@roadshow/contract/live/driver-app'
import type { ItemProblem, QueuedAct, QueuedPhoto, QueueItem } from './items.ts'
import { actToSend, failureOf, nextStep, settled, waitMs } from './rules.ts'
import type { Failure, SendingStep } from './rules.ts'

/** Where the queue is kept. */
export interface QueueStore {
  items(userUid: string): Promise<QueueItem[]>
  put(item: QueueItem): Promise<void>
  picture(id: string): Promise<Blob | undefined>
}

/** In the server's words, and with the id of the error. */
interface Refusal {
  reason: string
  code: string | undefined
}

/** How things are sent. A call that fails throws an error with the status of the answer, 0 if there was none. */
export interface Transport {
  sendActs(acts: DriverAct[]): Promise<ActResult[]>
  /** Uploads a picture and answers its file's uid. */
  upload(picture: Blob): Promise<string>
  /** Answers why the photo was refused; undefined if it is stored. */
  sendPhoto(photo: QueuedPhoto, picture: Blob): Promise<Refusal | undefined>
}

export interface Sending {
  userUid: string
  store: QueueStore
  transport: Transport
  now: () => number
  /** Whether it is still this user who is signed in; another tab may change that at any moment. */
  isSignedIn: () => boolean
  /** Something in the queue has changed. */
  onChange: () => void
}

type Stop = Extract<Failure, 'away' | 'signedOut'>
/** How a run ended: `done` when nothing is due any more, or another user has signed in. */
export type RunResult = 'done' | Stop

const isStop = (failure: Failure): failure is Stop => failure === 'away' || failure === 'signedOut'

/** The most acts of one call, as the contract has it. */
const MAX_ACTS = 50
/** Errors about a picture itself: another one helps. */
const PICTURE_ERRORS = ['fileRefused', 'wrongMediaType', 'tooLarge']
const problemOf = (code: unknown): ItemProblem =>
  typeof code === 'string' && PICTURE_ERRORS.includes(code) ? 'pictureRefused' : 'invalid'

const PICTURE_LOST = 'The picture is no longer on this phone.'

const statusOf = (error: unknown): number => {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' ? status : 0
}

async function sendActs(items: QueuedAct[], { store, transport, now }: Sending): Promise<void> {
  const results = await transport.sendActs(items.map(actToSend))
  const byId = new Map(results.map((result) => [result.actId, result]))
  for (const item of items) await store.put(settled(item, byId.get(item.id), now()))
}

async function sendPicture(step: SendingStep & { kind: 'picture' }, { store, transport }: Sending): Promise<void> {
  const { item, picture } = step
  const blob = await store.picture(picture.pictureId)
  if (!blob) return store.put({ ...item, state: 'refused', problem: 'fileMissing', reason: PICTURE_LOST })
  const fileUid = await transport.upload(blob)
  const pictures = item.pictures.map((each) => (each.pictureId === picture.pictureId ? { ...each, fileUid } : each))
  return store.put({ ...item, pictures })
}

async function sendPhoto(item: QueuedPhoto, { store, transport, now }: Sending): Promise<void> {
  const blob = await store.picture(item.pictureId)
  if (!blob) return store.put({ ...item, state: 'refused', problem: 'fileMissing', reason: PICTURE_LOST })
  const refusal = await transport.sendPhoto(item, blob)
  const attempts = item.attempts + 1
  if (refusal) {
    const { reason, code } = refusal
    return store.put({ ...item, attempts, state: 'refused', problem: problemOf(code), reason })
  }
  return store.put({ ...item, attempts, state: 'sent', sentAt: now() })
}

const take = (step: SendingStep, sending: Sending) => {
  if (step.kind === 'acts') return sendActs(step.items, sending)
  return step.kind === 'picture' ? sendPicture(step, sending) : sendPhoto(step.item, sending)
}

/** Notes on the items of a step why it failed. */
async function noteFailure(step: SendingStep, error: unknown, { store, now }: Sending): Promise<void> {
  const failure = failureOf(statusOf(error))
  const reason = error instanceof Error ? error.message : ''
  const problem = problemOf((error as { code?: unknown } | null)?.code)
  for (const item of step.kind === 'acts' ? step.items : [step.item]) {
    const tried = { ...item, attempts: item.attempts + 1, reason, isForbidden: failure === 'forbidden' }
    if (failure === 'refused') await store.put({ ...tried, state: 'refused', problem })
    else await store.put(isStop(failure) ? tried : { ...tried, nextAt: now() + waitMs(tried.attempts) })
  }
}

/** Sends what is due, one thing at a time, until nothing is left or the server cannot be reached. */
export async function sendQueue(sending: Sending): Promise<RunResult> {
  const { userUid, store, now, isSignedIn, onChange } = sending
  let maxActs = MAX_ACTS
  for (;;) {
    const step = nextStep(await store.items(userUid), now(), maxActs)
    if (!step || !isSignedIn()) return 'done'
    try {
      await take(step, sending)
    } catch (error) {
      const failure = failureOf(statusOf(error))
      // One act of many that is refused must not hold up the others.
      const isOneOfMany =
        step.kind === 'acts' && step.items.length > 1 && (failure === 'refused' || failure === 'failed')
      if (isOneOfMany) maxActs = 1
      else await noteFailure(step, error, sending)
      if (isStop(failure)) return failure
    } finally {
      onChange()
    }
  }
}
