import { errors, reachWith, type ServerToWeb, shifts, type WebHandshake } from '@roadshow/contract'
import { type DefaultEventsMap, Server, type Socket } from 'socket.io'
import { type Listener, listen } from '../db/listen.ts'
import type { App } from '../http/app.ts'

interface SocketData {
  sessionUid: string
  token: string
  /** Whether the user may see shifts. */
  seesShifts: boolean
}

type WebSocketServer = Server<DefaultEventsMap, ServerToWeb, DefaultEventsMap, SocketData>
type WebSocket = Socket<DefaultEventsMap, ServerToWeb, DefaultEventsMap, SocketData>

const roomOf = (sessionUid: string) => `session:${sessionUid}`
const SHIFTS = 'shifts'

class Refusal extends Error {
  readonly data: { code: string }

  constructor(code: 'signedOut' | 'unavailable') {
    super(errors[code][1])
    this.data = { code }
  }
}

/** Opens the socket channels on the API's own port. */
export async function openSockets(app: App, databaseUrl: string): Promise<{ close(): Promise<void> }> {
  const io: WebSocketServer = new Server(app.server, { transports: ['websocket'], perMessageDeflate: false })
  io.use((socket, next) => void admit(app, socket, next))
  io.on('connection', (socket) => {
    void socket.join([roomOf(socket.data.sessionUid), ...(socket.data.seesShifts ? [SHIFTS] : [])])
    // A session that ended between admitting and joining was told to an empty room.
    app.kernel.inBackground(endIfOver(app, io, socket.data))
  })
  const listener = await hearDatabase(app, io, databaseUrl)
  return {
    async close() {
      await listener.close()
      await io.close()
    },
  }
}

async function admit(app: App, socket: WebSocket, next: (error?: Error) => void): Promise<void> {
  const { clientType, userUid, token } = socket.handshake.auth as Partial<WebHandshake>
  try {
    const user = clientType === 'web' && typeof token === 'string' ? await app.kernel.readSession(token) : undefined
    if (!user || user.uid !== userUid) return next(new Refusal('signedOut'))
    const seesShifts = reachWith(user, shifts.list.access) !== undefined
    socket.data = { sessionUid: user.sessionUid, token: token as string, seesShifts }
    next()
  } catch (error) {
    app.log.error(error)
    next(new Refusal('unavailable'))
  }
}

function end(io: WebSocketServer, sessionUid: string): void {
  io.to(roomOf(sessionUid)).emit('session-ended')
  io.in(roomOf(sessionUid)).disconnectSockets(true)
}

async function endIfOver(app: App, io: WebSocketServer, { token, sessionUid }: SocketData): Promise<void> {
  if (!(await app.kernel.readSession(token))) end(io, sessionUid)
}

type Days = Parameters<ServerToWeb['shifts-changed']>[0]

/** Each node tells its own sockets: the database tells every node. */
function hearDatabase(app: App, io: WebSocketServer, url: string): Promise<Listener> {
  const checkAll = () => Promise.all([...io.sockets.sockets.values()].map(({ data }) => endIfOver(app, io, data)))
  return listen({
    url,
    channels: {
      session_ended: (sessionUid) => end(io, sessionUid),
      // Which days, and nothing of the shifts: what somebody may see of them, their next call decides.
      shifts_changed: (days) => io.to(SHIFTS).emit('shifts-changed', JSON.parse(days) as Days),
    },
    onReconnect: () => {
      app.kernel.inBackground(checkAll())
      // Whatever changed meanwhile was not heard.
      io.to(SHIFTS).emit('shifts-changed', { from: '1970-01-01', to: '2199-12-31' })
    },
    log: (error) => app.log.error(error),
  })
}
