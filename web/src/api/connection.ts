import { auth } from '@roadshow/contract/accounts/sign-in'
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError, call, contact } from './call.ts'
import { interruption, isChannelOpen } from './socket.ts'

// Whether the server can be reached: decided here for the whole console, from the browser's own events, from every call
// and from the socket.

/** One lost call may be a node that restarts; two in a row are an outage. */
const MISSES = 2
const FIRST_CHECK_MS = 500
const CHECK_MS = 3_000
const ANSWER_MS = 8_000

let isAway = false
let heardAt = Date.now()
let misses = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
/** Calls that do not wait for the server to come back. */
const impatient = new Set<AbortController>()

function setAway(away: boolean): void {
  if (away) for (const call of impatient) call.abort(new ApiError(0, { error: 'You’re offline.' }))
  if (isAway === away) return
  isAway = away
  // Reads wait while the server is away and are repeated when it is back.
  onlineManager.setOnline(!away)
  // Placeholders of what is still loading say that it waits.
  document.documentElement.toggleAttribute('data-away', away)
  for (const listen of listeners) listen()
}

function checkLater(): void {
  timer ??= setTimeout(
    () => {
      timer = undefined
      void checkConnection()
    },
    isAway ? CHECK_MS : FIRST_CHECK_MS,
  )
}

function heard(): void {
  heardAt = Date.now()
  misses = 0
  clearTimeout(timer)
  timer = undefined
  setAway(false)
}

function missed(): void {
  misses++
  if (misses >= MISSES || !navigator.onLine) setAway(true)
  checkLater()
}

/** Asks the server for a sign of life. A session that has ended meanwhile leads to the sign-in page, as with any call. */
export const checkConnection = (): Promise<unknown> =>
  call(auth.me, {}, { isOnce: true, signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined)

/** Begins to follow the connection. Before that, the console counts as connected. */
function follow(): void {
  Object.assign(contact, { heard, missed })
  onlineManager.setEventListener(() => () => undefined)
  addEventListener('offline', () => {
    if (isChannelOpen()) heardAt = Date.now()
    setAway(true)
    checkLater()
  })
  addEventListener('online', () => void checkConnection())
  interruption.subscribe(() => {
    const since = interruption.since()
    if (since === undefined) return
    // What the screen shows was up to date until the channel closed.
    if (!isAway) heardAt = since
    void checkConnection()
  })
  if (!navigator.onLine) missed()
}

follow()

const subscribe = (listen: () => void) => {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

export const connection = {
  isAway: () => isAway,
  /** When the server last answered a call or said something. */
  heardAt: () => heardAt,
  subscribe,
}

export const useIsAway = (): boolean => useSyncExternalStore(subscribe, connection.isAway)

/** Runs a call that is given up as soon as the server is away, as if no answer had come. */
export async function unlessAway<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  impatient.add(giveUp)
  try {
    return await work(giveUp.signal)
  } finally {
    impatient.delete(giveUp)
  }
}
