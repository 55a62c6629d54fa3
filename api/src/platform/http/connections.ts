import type { IncomingMessage } from 'node:http'
import { type Server, Socket } from 'node:net'
import { networkOf } from './address.ts'
import type { App } from './app.ts'

/** How long a client may take for each step, in milliseconds. */
export interface ClientTimeouts {
  /** To send its headers. */
  headers: number
  /** To send a body that is not an upload: at most a few megabytes. */
  body: number
  /** To send a whole request, uploads over a bad line included. */
  request: number
  /** To stay idle, neither sending nor reading. */
  silence: number
}

export const DEFAULT_TIMEOUTS: ClientTimeouts = {
  headers: 15_000,
  body: 30_000,
  request: 15 * 60_000,
  silence: 3 * 60_000,
}

/** Concurrent connections from one address: more than all devices behind one mobile carrier need. */
const MAX_OF_ADDRESS = 2000
const MAX_OF_ALL = 20_000

/** The timeouts that Fastify and Node enforce themselves. */
export const serverOptions = ({ headers, request, silence }: ClientTimeouts) => ({
  requestTimeout: request,
  connectionTimeout: silence,
  http: { headersTimeout: headers, connectionsCheckingInterval: Math.min(5000, Math.ceil(headers / 3)) },
})

const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

const isUpload = (type: string | undefined) => /^(multipart\/form-data|application\/octet-stream)/i.test(type ?? '')

/**
 * Disconnects clients that keep a connection open by sending a byte now and then, and addresses that open too many.
 * Behind a proxy all connections belong to the proxy, so the proxy has to count them.
 */
export function limitConnections(app: App, timeouts: ClientTimeouts, isBehindProxy: boolean): void {
  app.server.maxConnections = MAX_OF_ALL
  if (!isBehindProxy) countByAddress(app.server, MAX_OF_ADDRESS)

  // This hook runs first, so that a refused caller cannot send the rest of a body slowly either.
  app.addHook('onRequest', ({ raw, headers }, reply, next) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !isUpload(headers['content-type'])) {
      const timer = setTimeout(() => cutOff(raw, reply.raw.headersSent), timeouts.body).unref()
      raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    }
    next()
  })
}

function cutOff({ complete, socket }: IncomingMessage, isAnswered: boolean): void {
  // An injected request has no connection to close.
  if (complete || !(socket instanceof Socket)) return
  if (isAnswered) socket.destroy()
  else socket.end(TOO_SLOW, () => socket.destroy())
}

// Local processes are trusted: the simulator connects from this machine, and a proxy may.
const isOwn = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address)

export function countByAddress(server: Server, max: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    if (isOwn(socket.remoteAddress ?? '')) return
    const count = (open.get(address) ?? 0) + 1
    if (count > max) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
