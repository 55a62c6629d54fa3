import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'

const [status, sentence] = errors.webSocketOnly

/** Separates the packets of one polling response. */
const PACKET_END = '\u001e'

/**
 * The refusal in the words of Engine.IO: an opened connection, and in it the refusal of the handshake. Client libraries
 * hide the body of any other response, and try again forever; this one reaches `connect_error` and ends there.
 */
const REFUSED_HANDSHAKE = [
  `0${JSON.stringify({ sid: 'refused', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000_000 })}`,
  `44${JSON.stringify({ message: sentence, data: { code: 'webSocketOnly' } })}`,
].join(PACKET_END)

const BODY = JSON.stringify(new AppError('webSocketOnly').body)

const isUpgrade = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'

/** Answers requests that are no WebSocket with a sentence that says so, before the engine refuses them with a number. */
export function refuseOtherTransports(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const { searchParams: query } = new URL(request.url ?? '', 'http://localhost')
  const transport = query.get('transport')
  if (isUpgrade(request)) {
    if (transport === 'websocket') return next()
    const head = `HTTP/1.1 ${status} Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n`
    request.socket.end(`${head}Content-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`)
    return
  }
  // Client libraries mark each polling request with the time; people with curl do not.
  const isLibrary = request.method === 'GET' && transport === 'polling' && query.has('t') && !query.has('sid')
  response.setHeader('cache-control', 'no-store')
  if (isLibrary) response.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8' }).end(REFUSED_HANDSHAKE)
  else response.writeHead(status, { 'content-type': 'application/json' }).end(BODY)
}
