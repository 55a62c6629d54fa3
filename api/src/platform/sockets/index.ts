import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from 'socket.io'
import { AppError } from '../runtime/app-error.ts'
import type { Listener } from '../db/listen.ts'
import { databaseSignals, type Signals } from '../db/signals.ts'
import { addressOf } from '../http/address.ts'
import { isApiKey } from '../http/api-key-token.ts'
import type { App } from '../http/app.ts'
import type { SessionUser } from '../http/session.ts'
import { socketsOpen } from '../observability/metrics.ts'
import { messageQueue } from './message-queue.ts'
import {
  type Channel,
  type ClientSocket,
  connectedSockets,
  type EventHandler,
  type OpenSocketModule,
  type SocketModule,
  type SocketServer,
} from './socket-module.ts'
import { CONNECTS_PER_MINUTE, connectThrottle } from './throttle.ts'
import { webChannel } from './web.ts'
import { refuseOtherTransports } from './websocket-only.ts'

export {
  type ClientSocket,
  connectedSockets,
  defineSockets,
  hasSocketsIn,
  type OpenSocketModule,
  type SocketServer,
} from './socket-module.ts'

interface SocketOptions {
  /** The sockets of the domains. */
  modules?: OpenSocketModule[]
  trustProxy?: number
  /** Connections from one address; more are refused. */
  connectsPerMinute?: number
  /** How nodes notify each other; through the database by default. */
  signals?: Pick<Signals, 'subscribe'>
}

// Twice the size of a full batch of rows. Socket.IO disconnects clients that send more.
const MAX_MESSAGE_BYTES = 1024 * 1024

type Channels = ReadonlyMap<string, Channel>

/** Opens the socket channels on the API's own port. */
export async function openSockets(
  app: App,
  databaseUrl: string,
  { modules: opens = [], trustProxy = 0, connectsPerMinute = CONNECTS_PER_MINUTE, signals }: SocketOptions = {},
): Promise<{ close(): Promise<void> }> {
  const throttle = connectThrottle(connectsPerMinute)
  let isClosing = false
  // Sessions are never recovered after a lost connection: every client passes the handshake again.
  const io: SocketServer = new Server(app.server, {
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    allowRequest: (request, done) => done(null, !isClosing && throttle.mayConnect(addressOf(request, trustProxy))),
  })
  io.engine.use(refuseOtherTransports)
  const added = opens.map((open) => open(io))
  const rooms = {
    joined: (user: SessionUser) => added.flatMap(({ webRooms }) => webRooms?.(user) ?? []),
    onRequest: (user: SessionUser) => added.flatMap(({ roomsOnRequest }) => roomsOnRequest?.(user) ?? []),
  }
  const modules = [webChannel(app, rooms)(io), ...added]
  const channels: Channels = new Map(modules.flatMap((module) => Object.entries(module.channels ?? {})))

  async function admit(socket: ClientSocket, next: (error?: Error) => void): Promise<void> {
    const handshake = socket.handshake.auth as Record<string, unknown>
    const address = addressOf(socket.request, trustProxy)
    try {
      throttle.attempt(address)
      refuseApiKeys(handshake)
      const clientType = handshake.clientType as string
      const admission = await channels.get(clientType)?.admit(handshake, address)
      if (!admission) throw new AppError('signedOut')
      socket.data = { ...admission, clientType, address }
      next()
    } catch (error) {
      next(refusalOf(app, error))
      if (error instanceof AppError && error.code !== 'tooMany') throttle.failed(address)
    }
  }

  const messages = messageQueue(app, handlersFrom(modules))
  io.use((socket, next) => void admit(socket, next))
  io.on('connection', (socket) => {
    void socket.join(socket.data.rooms)
    countSocket(socket)
    messages.serve(socket)
    // A session that ended between admission and joining notified an empty room.
    app.kernel.inBackground(recheck(channels, [socket]))
  })
  const recheckAll = () => recheck(channels, connectedSockets(io, ...channels.keys()))
  const listener = await subscribeAll(app, modules, signals ?? databaseSignals(app.kernel.db, databaseUrl), recheckAll)
  return {
    async close() {
      isClosing = true
      for (const module of modules) module.close?.()
      await messages.finish()
      await disconnectGradually(io)
      await listener.close()
      await io.close()
    },
  }
}

/** Sockets are for pages and devices. A program with a key gets told so, in whichever field it sends the key. */
function refuseApiKeys(handshake: Record<string, unknown>): void {
  const isKey = Object.values(handshake).some((value) => typeof value === 'string' && isApiKey(value))
  if (isKey) throw new AppError('keyRefused')
}

function countSocket(socket: ClientSocket): void {
  const labels = { client_type: socket.data.clientType }
  socketsOpen.inc(labels)
  socket.once('disconnect', () => socketsOpen.dec(labels))
}

/** The error that a client gets; Socket.IO sends its data along. */
function refusalOf(app: App, error: unknown): Error {
  if (!(error instanceof AppError)) app.kernel.log(error)
  const { message, code } = error instanceof AppError ? error : new AppError('unavailable')
  return Object.assign(new Error(message), { data: { code } })
}

/** Lets every client test its connection. */
const testConnection: EventHandler = async (got, { data: { clientType } }) => ({
  got: got ?? null,
  serverTime: new Date().toISOString(),
  clientType,
})

function handlersFrom(modules: SocketModule[]) {
  const byType = new Map<string, Map<string, EventHandler>>()
  for (const { events = {} } of modules) {
    for (const [type, handlers] of Object.entries(events)) {
      byType.set(type, new Map([...(byType.get(type) ?? []), ...Object.entries(handlers)]))
    }
  }
  return ({ data: { clientType } }: ClientSocket) =>
    new Map<string, EventHandler>([['test', testConnection], ...(byType.get(clientType) ?? [])])
}

async function recheck(channels: Channels, sockets: ClientSocket[]): Promise<void> {
  for (const [type, channel] of channels) {
    const own = sockets.filter(({ data }) => data.clientType === type)
    if (own.length > 0) await channel.recheck(own)
  }
}

/** The WebSocket code for a restarting server: clients treat it as a lost connection and reconnect to another node. */
const SERVICE_RESTART = 1012
const PAUSE_MS = 100
// Small batches, but large enough that all sockets are closed within five seconds.
const MAX_BATCHES = 50
const MIN_BATCH_SIZE = 20

/** The part of the transport that is used here; the engine's types do not include it. */
interface Transport {
  socket?: { close(code: number, reason: string): void }
}

/** Closes every socket of this node in batches, so that the clients do not reconnect elsewhere all at once. */
async function disconnectGradually(io: SocketServer): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
  const batchSize = Math.max(MIN_BATCH_SIZE, Math.ceil(sockets.length / MAX_BATCHES))
  for (let first = 0; first < sockets.length; first += batchSize) {
    if (first > 0) await sleep(PAUSE_MS)
    for (const { conn } of sockets.slice(first, first + batchSize)) {
      ;(conn.transport as unknown as Transport).socket?.close(SERVICE_RESTART, 'This server restarts.')
    }
  }
}

/** Passes signals to the modules. Every node receives them and serves its own sockets. */
function subscribeAll(
  app: App,
  modules: readonly SocketModule[],
  signals: Pick<Signals, 'subscribe'>,
  recheckAll: () => Promise<void>,
): Promise<Listener> {
  const byName = new Map<string, ((payload: string) => void)[]>()
  for (const { subscriptions = {} } of modules) {
    for (const [name, handle] of Object.entries(subscriptions)) byName.set(name, [...(byName.get(name) ?? []), handle])
  }
  const callAll = (handlers: ((payload: string) => void)[]) => (payload: string) => {
    for (const handle of handlers) {
      try {
        handle(payload)
      } catch (error) {
        app.kernel.log(error)
      }
    }
  }
  return signals.subscribe({
    channels: Object.fromEntries([...byName].map(([name, handlers]) => [name, callAll(handlers)])),
    onReconnect: () => {
      app.kernel.inBackground(recheckAll())
      for (const module of modules) module.onReconnect?.()
    },
    log: app.kernel.log,
  })
}
