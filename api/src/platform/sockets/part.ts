import type { DeviceClientType, ServerToDevice, ServerToWeb } from '@roadshow/contract'
import type { SessionUser } from '../http/session.ts'
import type { DefaultEventsMap, Server, Socket } from 'socket.io'

/** Every kind of client, as the handshake's `clientType` names it. */
export type ClientType = 'web' | DeviceClientType

/** Who a socket belongs to, as far as its channel knows it. */
interface Admitted {
  rooms: string[]
  /** Of a web page. What its user may see, the session says at the moment of asking. */
  session?: { uid: string; token: string }
  /** Of a device. */
  device?: { uid: string; truckUid: string; keyHash: Buffer }
}

export interface SocketData extends Admitted {
  clientType: ClientType
  address: string
}

type FromServer = ServerToWeb & ServerToDevice
export type SocketServer = Server<DefaultEventsMap, FromServer, DefaultEventsMap, SocketData>
export type ClientSocket = Socket<DefaultEventsMap, FromServer, DefaultEventsMap, SocketData>

/** Who may come in. */
export interface Channel {
  /** Throws an AppError for who is not let in. */
  admit(handshake: Record<string, unknown>, address: string): Promise<Admitted>
  /** Ends those that may no longer be there. Asked of each that came in, and of all when notifications were missed. */
  recheck(sockets: ClientSocket[]): Promise<void>
}

/** Answers an event. What was sent is not checked yet; an error that it throws is told to the client. */
export type Handler = (payload: unknown, socket: ClientSocket) => Promise<object>

/** What a domain adds to the sockets. */
export interface SocketPart {
  channels?: Partial<Record<ClientType, Channel>>
  events?: Partial<Record<ClientType, Record<string, Handler>>>
  /** Rooms that the page of a signed-in user joins. */
  webRooms?: (user: SessionUser) => string[]
  /** News that it wants to hear; every node hears them. */
  hears?: Record<string, (payload: string) => void>
  /** Some notifications may have been missed: whoever relies on them looks for itself. */
  missed?: () => void
  close?: () => void
}

export type OpenPart = (io: SocketServer) => SocketPart

/** The sockets of a kind of client that are connected to this node. */
export const connected = (io: SocketServer, ...types: ClientType[]): ClientSocket[] =>
  [...io.sockets.sockets.values()].filter(({ data }) => types.includes(data.clientType))
