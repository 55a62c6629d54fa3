import { errors } from '@roadshow/contract'
import { Server } from 'socket.io'
import { AppError } from '../runtime/app-error.ts'
import type { Listener } from '../db/listen.ts'
import { databaseNotifications, type Notifications } from '../db/notifications.ts'
import { addressOf } from '../http/address.ts'
import type { App } from '../http/app.ts'
import type { SessionUser } from '../http/session.ts'
import { socketsOpen } from '../observability/metrics.ts'
import { answering } from './answers.ts'
import { disconnectGradually } from './disconnect-gradually.ts'
import {
  type Channel,
  type ClientSocket,
  type ClientType,
  connected,
  type Handler,
  type OpenPart,
  type SocketData,
  type SocketPart,
  type SocketServer,
} from './part.ts'
import { CONNECTS_PER_MINUTE, connectThrottle } from './throttle.ts'
import { webChannel } from './web.ts'

export { type ClientSocket, connected, type OpenPart, type SocketServer } from './part.ts'

interface Options {
  /** What the domains add. */
  parts?: OpenPart[]
  trustProxy?: number
  /** From one address; more are refused. */
  connectsPerMinute?: number
  /** How nodes hear of each other; by the database's own notifications unless it is given. */
  news?: Pick<Notifications, 'subscribe'>
}

// A full batch of plays has half of it. Whoever sends more is disconnected.
const MAX_MESSAGE_BYTES = 1024 * 1024

class Refusal extends Error {
  readonly data: { code: string }

  constructor({ message, code }: Pick<AppError, 'message' | 'code'>) {
    super(message)
    this.data = { code }
  }
}

/** Opens the socket channels on the API's own port. */
export async function openSockets(
  app: App,
  databaseUrl: string,
  { parts: opens = [], trustProxy = 0, connectsPerMinute = CONNECTS_PER_MINUTE, news }: Options = {},
): Promise<{ close(): Promise<void> }> {
  const throttle = connectThrottle(connectsPerMinute)
  let isClosing = false
  // Nothing is recovered after a broken connection: everybody comes in by the handshake, and is judged there.
  const io: SocketServer = new Server(app.server, {
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    allowRequest: (request, done) => done(null, !isClosing && throttle.mayConnect(addressOf(request, trustProxy))),
  })
  const added = opens.map((open) => open(io))
  const roomsFor = (user: SessionUser) => added.flatMap(({ webRooms }) => webRooms?.(user) ?? [])
  const parts = [webChannel(app, roomsFor)(io), ...added]
  const channels = new Map(parts.flatMap((part) => Object.entries(part.channels ?? {}) as [ClientType, Channel][]))

  async function admit(socket: ClientSocket, next: (error?: Error) => void): Promise<void> {
    const handshake = socket.handshake.auth as Record<string, unknown>
    const address = addressOf(socket.request, trustProxy)
    try {
      throttle.attempt(address)
      const clientType = handshake.clientType as ClientType
      const admitted = await channels.get(clientType)?.admit(handshake, address)
      if (!admitted) throw new AppError('signedOut')
      socket.data = { ...admitted, clientType, address }
      next()
    } catch (error) {
      next(refusalOf(app, error))
      if (error instanceof AppError && error.code !== 'tooMany') throttle.failed(address)
    }
  }

  const answers = answering(app, handlersFrom(parts))
  io.use((socket, next) => void admit(socket, next))
  io.on('connection', (socket) => {
    void socket.join(socket.data.rooms)
    count(socket)
    answers.attend(socket)
    // What ended between admitting and joining was told to an empty room.
    app.kernel.inBackground(recheck(channels, [socket]))
  })
  const listener = await hearNews(app, io, parts, channels, news ?? databaseNotifications(app.kernel.db, databaseUrl))
  return {
    async close() {
      isClosing = true
      for (const part of parts) part.close?.()
      await answers.finish()
      await disconnectGradually(io)
      await listener.close()
      await io.close()
    },
  }
}

function count(socket: ClientSocket): void {
  const kind = { client_type: socket.data.clientType }
  socketsOpen.inc(kind)
  socket.once('disconnect', () => socketsOpen.dec(kind))
}

function refusalOf(app: App, error: unknown): Refusal {
  if (error instanceof AppError) return new Refusal(error)
  app.log.error(error)
  return new Refusal({ code: 'unavailable', message: errors.unavailable[1] })
}

/** Every client may ask whether it is heard. */
const test = async (got: unknown, { data: { clientType } }: { data: SocketData }) => ({
  got: got ?? null,
  serverTime: new Date().toISOString(),
  clientType,
})

function handlersFrom(parts: SocketPart[]) {
  const byType = new Map<ClientType, Map<string, Handler>>()
  for (const { events = {} } of parts) {
    for (const [type, handlers] of Object.entries(events) as [ClientType, Record<string, Handler>][]) {
      byType.set(type, new Map([...(byType.get(type) ?? []), ...Object.entries(handlers)]))
    }
  }
  return ({ data: { clientType } }: ClientSocket) =>
    new Map<string, Handler>([['test', test], ...(byType.get(clientType) ?? [])])
}

const recheck = async (channels: ReadonlyMap<ClientType, Channel>, sockets: ClientSocket[]): Promise<void> => {
  for (const [type, channel] of channels) {
    const own = sockets.filter(({ data }) => data.clientType === type)
    if (own.length > 0) await channel.recheck(own)
  }
}

/** Each node tells its own sockets: every node hears the news. */
function hearNews(
  app: App,
  io: SocketServer,
  parts: SocketPart[],
  channels: ReadonlyMap<ClientType, Channel>,
  news: Pick<Notifications, 'subscribe'>,
): Promise<Listener> {
  const all = new Map<string, ((payload: string) => void)[]>()
  for (const { hears = {} } of parts) {
    for (const [name, hear] of Object.entries(hears)) all.set(name, [...(all.get(name) ?? []), hear])
  }
  const tell = (hears: ((payload: string) => void)[]) => (payload: string) => {
    for (const hear of hears) {
      try {
        hear(payload)
      } catch (error) {
        app.log.error(error)
      }
    }
  }
  return news.subscribe({
    channels: Object.fromEntries([...all].map(([name, hears]) => [name, tell(hears)])),
    onReconnect: () => {
      app.kernel.inBackground(recheck(channels, connected(io, ...channels.keys())))
      for (const part of parts) part.missed?.()
    },
    log: (error) => app.log.error(error),
  })
}
