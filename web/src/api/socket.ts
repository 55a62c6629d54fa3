import { auth } from '@roadshow/contract/accounts/sign-in'
import { CLIENT_TYPE } from '@roadshow/contract/platform/constants'
import type { Change } from '@roadshow/contract/platform/follows'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import type { ServerToWeb, WebToServer } from '@roadshow/contract/live/web-events'
import type { WebHandshake } from '@roadshow/contract/platform/sockets'
import type { Socket } from 'socket.io-client'
import { call, contact } from './call.ts'
import { endLocalSession, goToEnrollment, readToken } from './session.ts'

type Channel = Socket<ServerToWeb, WebToServer>

const REFUSED_RETRY_MS = 5_000
const ANSWER_MS = 10_000

const handshake = (userUid: string): WebHandshake => ({ clientType: CLIENT_TYPE, userUid, token: readToken() ?? '' })

/** Those who listen to one kind of message. `on` hands back the way to stop. */
function listeners<Told extends unknown[]>() {
  const all = new Set<(...told: Told) => void>()
  return {
    tell: (...told: Told) => all.forEach((listen) => listen(...told)),
    on: (listen: (...told: Told) => void) => {
      all.add(listen)
      return () => void all.delete(listen)
    },
  }
}

const changed = listeners<[change: Change]>()
const fleetFed = listeners<[trucks: LiveTruck[]]>()
const trucksLeft = listeners<[truckUids: string[]]>()
const accessChanged = listeners<[]>()
const connected = listeners<[]>()
const interrupted = listeners<[]>()

/** Listens to what the server announces: something changed. */
export const onChange = changed.on
/** Subscribes to changed trucks; the server sends them after the fleet was requested. */
export const onFleetUpdate = fleetFed.on
/** Listens to trucks that the user no longer sees. */
export const onTrucksLeft = trucksLeft.on
/** Listens to changes of what the user may see. */
export const onAccessChanged = accessChanged.on
/** Listens to the channel opening, each time: what was asked for before is to be asked for again. */
export const onConnected = connected.on

let channel: Channel | undefined
let interruptedAt: number | undefined

function interruptedSince(moment: number | undefined): void {
  if (moment !== undefined && interruptedAt !== undefined) return
  interruptedAt = moment
  interrupted.tell()
}

/** Since when the channel is interrupted; nothing while it works. */
export const interruption = { subscribe: interrupted.on, since: () => interruptedAt }

/** Whether changes reach this page at the moment. */
export const isChannelOpen = (): boolean => channel?.connected === true

/** Requests every truck that the user may see; afterwards the server sends changes. */
export async function fetchFleet(): Promise<LiveTruck[]> {
  if (!channel?.connected) throw new Error('The channel is not open.')
  const answer = await channel.timeout(ANSWER_MS).emitWithAck('get-all-geotab-stats')
  if ('error' in answer) throw new Error(answer.error)
  return answer.trucks
}

/** Leaves the page. A call of the ended session is refused with the reason, and leaves with it. */
function leaveWithReason(): void {
  void call(auth.me, {}, { isOnce: true })
    .catch(() => undefined)
    .then(() => endLocalSession())
}

const codeOf = (error: Error) => (error as { data?: { code?: unknown } }).data?.code

/** Opens the user's channel: the page leaves as soon as the server says that the session has ended. */
export async function openSocket(userUid: string): Promise<Channel> {
  // Loaded here and not above: the first screen does not wait for it.
  const { io } = await import('socket.io-client')
  const socket: Channel = io({
    transports: ['websocket'],
    auth: (give: (data: object) => void) => give(handshake(userUid)),
  })
  channel = socket
  socket.on('session-ended', leaveWithReason)
  socket.on('session-limited', goToEnrollment)
  socket.on('shifts-changed', (days) => changed.tell({ subject: 'shifts', days }))
  socket.on('issues-changed', () => changed.tell({ subject: 'issues' }))
  socket.on('photos-changed', () => changed.tell({ subject: 'photos' }))
  socket.on('proposals-changed', () => changed.tell({ subject: 'proposals' }))
  socket.on('screens-changed', (truckUid) => changed.tell({ subject: 'screens', truckUid }))
  socket.on('notifications-changed', () => changed.tell({ subject: 'notifications' }))
  socket.on('geotab-feed', fleetFed.tell)
  socket.on('trucks-left', trucksLeft.tell)
  socket.on('access-changed', accessChanged.tell)
  socket.on('connect', () => {
    contact.heard()
    interruptedSince(undefined)
    connected.tell()
  })
  socket.on('connect_error', (error) => {
    if (codeOf(error) === 'signedOut') leaveWithReason()
    else if (codeOf(error) === 'secondFactorNeeded') goToEnrollment()
    // A refusal by the server, unlike a lost connection, is not tried again by the library.
    else if (!socket.active) setTimeout(() => socket.connect(), REFUSED_RETRY_MS)
    interruptedSince(Date.now())
  })
  socket.on('disconnect', (reason) => {
    // The page itself let go.
    if (reason === 'io client disconnect') return
    interruptedSince(Date.now())
    if (reason !== 'io server disconnect') return
    // A 401 here leaves the page; anything else means that the server let go for a reason of its own.
    void call(auth.me, {})
      .catch(() => undefined)
      .then(() => readToken() && socket.connect())
  })
  return socket
}
