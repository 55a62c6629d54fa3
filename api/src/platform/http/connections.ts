import type { IncomingMessage } from 'node:http'
import { type Server, Socket } from 'node:net'
import { isLoopback, networkOf } from './address.ts'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/** How long a client may take for each step, in milliseconds. */
export interface ClientTimeouts {
  /** To send its headers. */
  headers: number
  /** To send a whole body of any content type. Of an upload: to send the least of `uploadRate`, again and again. */
  body: number
  /** Bytes a second that an upload must make. */
  uploadRate: number
  /** To send a whole request, uploads over a bad line included. */
  request: number
  /** To stay idle, neither sending nor reading. */
  silence: number
}

export const DEFAULT_TIMEOUTS: ClientTimeouts = {
  headers: 15_000,
  body: 30_000,
  // A phone with one bar makes several times as much.
  uploadRate: 4096,
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

/** Only a call that takes files may send one: by any other call a body is at most a few megabytes, whatever its type. */
function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? ''
  const endpoint = routeOptions.config.endpoint
  if (/^multipart\/form-data/i.test(type)) return endpoint?.files !== undefined
  return /^application\/octet-stream/i.test(type) && endpoint?.rate === 'upload' && endpoint.body === undefined
}

/**
 * Disconnects clients that keep a connection open by sending a byte now and then, and addresses that open too many.
 * Behind a proxy all connections belong to the proxy, so the proxy has to count them.
 */
export function limitConnections(app: App, timeouts: ClientTimeouts, isBehindProxy: boolean): void {
  app.server.maxConnections = MAX_OF_ALL
  if (!isBehindProxy) countByAddress(app.server, MAX_OF_ADDRESS)

  // This hook runs first, so that a refused caller cannot send the rest of a body slowly either.
  app.addHook('onRequest', (request, reply, next) => {
    const { raw, headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    // An injected request has no connection to close.
    if (hasBody && raw.socket instanceof Socket) {
      const bytes = isUpload(request) ? (timeouts.uploadRate * timeouts.body) / 1000 : Infinity
      const timer = watchBody(raw, { bytes, every: timeouts.body }, () => cutOff(raw, reply.raw.headersSent))
      raw.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer))
    }
    next()
  })
}

interface Pace {
  /** How many bytes are enough. */
  bytes: number
  /** In how many milliseconds. */
  every: number
}

/** Calls back once fewer bytes than enough have arrived in one of the intervals that follow each other. */
function watchBody(raw: IncomingMessage, { bytes, every }: Pace, onTooSlow: () => void): NodeJS.Timeout {
  let counted = raw.socket.bytesRead
  const timer = setInterval(() => {
    const arrived = raw.socket.bytesRead - counted
    counted += arrived
    if (arrived >= bytes || isHeldUp(raw, bytes)) return
    clearInterval(timer)
    onTooSlow()
  }, every)
  return timer.unref()
}

/** Whether an upload waits for this server, whose disk may be slower than the line. */
const isHeldUp = (raw: IncomingMessage, bytes: number): boolean =>
  Number.isFinite(bytes) && raw.readableLength >= raw.readableHighWaterMark

function cutOff({ complete, socket }: IncomingMessage, isAnswered: boolean): void {
  if (complete) return
  if (isAnswered) socket.destroy()
  else socket.end(TOO_SLOW, () => socket.destroy())
}

export function countByAddress(server: Server, max: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    // Local processes are trusted: the simulator connects from this machine, and a proxy may.
    if (isLoopback(socket.remoteAddress ?? '')) return
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
