import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { SessionUser } from '../http/session.ts'

/** The identity that a channel gives to a socket it admits. Domains add their own facts to it. */
interface Admission {
  rooms: string[]
  /** Set for web pages only. Handlers read the session at each request, since permissions change while a page is open. */
  session?: { uid: string; token: string }
}

interface SocketData extends Admission {
  /** The kind of client that the handshake names, such as `web`. */
  clientType: string
  address: string
}

/** `Events` are the events that a domain sends, `Data` the facts that its channels add to their sockets. */
export type SocketServer<Events extends object = DefaultEventsMap, Data = unknown> = Server<
  DefaultEventsMap,
  Events,
  DefaultEventsMap,
  SocketData & Data
>
export type ClientSocket<Events extends object = DefaultEventsMap, Data = unknown> = Socket<
  DefaultEventsMap,
  Events,
  DefaultEventsMap,
  SocketData & Data
>

/** Decides which sockets may connect as one kind of client. */
export interface Channel<Events extends object = DefaultEventsMap, Data = unknown> {
  /** Throws an AppError to refuse the socket. */
  admit(handshake: Record<string, unknown>, address: string): Promise<Admission & Partial<Data>>
  /** Disconnects sockets that lost access. It runs after each admission, and for all sockets after a lost connection. */
  recheck(sockets: ClientSocket<Events, Data>[]): Promise<void>
}

/** Answers an event. The payload is not validated yet; the client receives any error that the handler throws. */
export type EventHandler<Events extends object = DefaultEventsMap, Data = unknown> = (
  payload: unknown,
  socket: ClientSocket<Events, Data>,
) => Promise<object>

/** The channels, events and subscriptions that a domain adds. */
export interface SocketModule<Events extends object = DefaultEventsMap, Data = unknown> {
  /** By kind of client. */
  channels?: Record<string, Channel<Events, Data>>
  /** By kind of client, then by event. */
  events?: Record<string, Record<string, EventHandler<Events, Data>>>
  /** Rooms of the page of a signed-in user. The page leaves and joins them as the user's rights change. */
  webRooms?: (user: SessionUser) => string[]
  /** Rooms that such a page joins by an event. The page leaves those that are closed to the user after a change. */
  roomsOnRequest?: (user: SessionUser) => string[]
  /** Handlers of signals by name. Every node receives every signal. */
  subscriptions?: Record<string, (payload: string) => void>
  /** Runs when signals may have been lost: the domain reads the current state itself. */
  onReconnect?: () => void
  close?: () => void
}

export type OpenSocketModule = (io: SocketServer) => SocketModule

/**
 * Declares the sockets of a domain with its own events and data. The cast is safe because a domain gets only sockets
 * that its own channels or the web channel admitted.
 */
export const defineSockets = <Events extends object, Data = unknown>(
  open: (io: SocketServer<Events, Data>) => SocketModule<Events, Data>,
): OpenSocketModule => open as unknown as OpenSocketModule

/** The sockets of these kinds of client that are connected to this node. */
export const connectedSockets = <Events extends object, Data>(
  io: SocketServer<Events, Data>,
  ...types: string[]
): ClientSocket<Events, Data>[] =>
  [...io.sockets.sockets.values()].filter(({ data }) => types.includes(data.clientType))

export const hasSocketsIn = <Events extends object, Data>(io: SocketServer<Events, Data>, room: string): boolean =>
  io.sockets.adapter.rooms.has(room)

export const socketsIn = <Events extends object, Data>(
  io: SocketServer<Events, Data>,
  room: string,
): ClientSocket<Events, Data>[] =>
  [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? [])
