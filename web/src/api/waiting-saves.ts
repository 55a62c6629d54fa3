import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { ApiError, call, endpointWithoutSchemas } from './call.ts'
import { connection, unlessAway } from './connection.ts'
import { keepDraft, readKept, WAITING_SAVES } from './drafts.ts'
import { savedUserUid } from './session.ts'

/** A save that the server has not answered. It is sent again under the same key, so it is applied once. */
export interface WaitingSave {
  idempotencyKey: string
  method: Endpoint['method']
  path: string
  /** Whether the call takes a form with files; none of them waits. */
  takesFiles: boolean
  body: unknown
  /** What is saved, as its form names it. */
  name: string
  /** The address that opens its form. */
  place: string
  /** Puts the typed words back into the form. */
  draft: { name: string; typed: object }
  since: number
  /** Why the server refused it. Its words are kept until its form is opened again. */
  refused?: { status: number; body: Partial<ErrorBody> }
}

interface KeptSaves {
  userUid: string | undefined
  saves: readonly WaitingSave[]
}

/** The server knows a key for a day. Later it could not tell whether a save was applied, so it is looked at again. */
const SENDABLE_MS = 20 * 3_600_000
const TOO_OLD: WaitingSave['refused'] = {
  status: 0,
  body: { error: 'This save waited for a day. Check it and save again.' },
}

const NONE: readonly WaitingSave[] = []
let saves = readOwn()
let isSending = false
const listeners = new Set<() => void>()

function readOwn(): readonly WaitingSave[] {
  const kept = readKept(WAITING_SAVES) as KeptSaves | undefined
  return kept && kept.userUid === savedUserUid() ? kept.saves : NONE
}

function setSaves(next: readonly WaitingSave[]): void {
  const kept: KeptSaves = { userUid: savedUserUid(), saves: next }
  if (next.length === 0) sessionStorage.removeItem(WAITING_SAVES)
  else sessionStorage.setItem(WAITING_SAVES, JSON.stringify(kept))
  saves = next
  for (const listen of listeners) listen()
}

export const waitingSaves = {
  all: () => saves,
  subscribe: (listen: () => void) => {
    listeners.add(listen)
    return () => void listeners.delete(listen)
  },
}

/** Puts a save in line. Answers false if the browser keeps nothing: its form has to stay open. */
export function addWaitingSave(save: WaitingSave): boolean {
  try {
    setSaves([...saves, save])
    return true
  } catch {
    return false
  }
}

export const dropWaitingSave = (save: WaitingSave): void => setSaves(saves.filter((each) => each !== save))

/** Takes a save out of line and gives its words to the form at its place. */
export function reopenWaitingSave(save: WaitingSave): void {
  keepDraft(save.draft.name, { ...save.draft.typed, refused: save.refused }, savedUserUid())
  dropWaitingSave(save)
}

const sendSave = ({ method, path, takesFiles, body, idempotencyKey }: WaitingSave) => {
  const endpoint = endpointWithoutSchemas<Endpoint>({
    method,
    path,
    access: 'signedIn',
    ...(takesFiles && { files: {} }),
  })
  return unlessAway((signal) => call(endpoint, { body } as InputOf<Endpoint>, { idempotencyKey, signal }))
}

interface SendingReports {
  onSent: (save: WaitingSave) => void
  onRefused: (save: WaitingSave) => void
}

/** Sends what waits, in order, until the server is away again. */
export async function sendWaitingSaves({ onSent, onRefused }: SendingReports): Promise<void> {
  if (isSending) return
  isSending = true
  const refuse = (save: WaitingSave, refused: WaitingSave['refused']) => {
    const answered = { ...save, ...(refused && { refused }) }
    setSaves(saves.map((each) => (each === save ? answered : each)))
    onRefused(answered)
  }
  try {
    for (;;) {
      const next = saves.find(({ refused }) => !refused)
      if (!next || connection.isAway()) return
      if (Date.now() - next.since > SENDABLE_MS) {
        refuse(next, TOO_OLD)
        continue
      }
      try {
        await sendSave(next)
        dropWaitingSave(next)
        onSent(next)
      } catch (error) {
        // An ended session leads to the sign-in page; what waits is sent after it.
        if (!(error instanceof ApiError) || isTransientStatus(error.status) || error.status === 401) return
        const { status, message, code, fields } = error
        refuse(next, { status, body: { error: message, fields, ...(code && { code }) } })
      }
    }
  } finally {
    isSending = false
  }
}
