import { auth } from '@roadshow/contract/auth'
import { CLIENT_TYPE } from '@roadshow/contract/constants'
import type { ServerToWeb, WebHandshake } from '@roadshow/contract/sockets'
import type { Socket } from 'socket.io-client'
import { call } from './call.ts'
import { leave, readToken } from './session.ts'

const REFUSED_RETRY_MS = 5_000

const handshake = (userUid: string): WebHandshake => ({ clientType: CLIENT_TYPE, userUid, token: readToken() ?? '' })

type DaysChanged = Parameters<ServerToWeb['shifts-changed']>[0]
const shiftListeners = new Set<(days: DaysChanged) => void>()
const tellShiftsChanged = (days: DaysChanged) => shiftListeners.forEach((listen) => listen(days))

// What changed while the connection was away, nobody tells afterwards: any day may have.
const ANY_DAY: DaysChanged = { from: '0000-01-01', to: '9999-12-31' }

/** Listens to changes of shifts, between the days on which they are; hands back the way to stop. */
export function onShiftsChanged(listen: (days: DaysChanged) => void): () => void {
  shiftListeners.add(listen)
  return () => void shiftListeners.delete(listen)
}

const codeOf = (error: Error) => (error as { data?: { code?: unknown } }).data?.code

/** Opens the user's channel: the page leaves as soon as the server says that the session has ended. */
export async function openSocket(userUid: string): Promise<Socket<ServerToWeb>> {
  // Loaded here and not above: the first screen does not wait for it.
  const { io } = await import('socket.io-client')
  const socket: Socket<ServerToWeb> = io({
    transports: ['websocket'],
    auth: (give: (data: object) => void) => give(handshake(userUid)),
  })
  socket.on('session-ended', leave)
  socket.on('shifts-changed', tellShiftsChanged)
  let wasConnected = false
  socket.on('connect', () => {
    if (wasConnected) tellShiftsChanged(ANY_DAY)
    wasConnected = true
  })
  socket.on('connect_error', (error) => {
    if (codeOf(error) === 'signedOut') leave()
    // A refusal by the server, unlike a lost connection, is not tried again by the library.
    else if (!socket.active) setTimeout(() => socket.connect(), REFUSED_RETRY_MS)
  })
  socket.on('disconnect', (reason) => {
    if (reason !== 'io server disconnect') return
    // A 401 here leaves the page; anything else means that the server let go for a reason of its own.
    void call(auth.me, {})
      .catch(() => undefined)
      .then(() => readToken() && socket.connect())
  })
  return socket
}
