import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { GeotabCalls, GeotabFailure, type GeotabParams, textOrEmpty } from './geotab-calls.ts'
import { type GeotabFault, GeotabFaults } from './geotab-faults.ts'
import { GeotabRateLimits } from './geotab-limits.ts'
import type { SimulatedFleet } from './fleet.ts'

/** Who may ask the simulated MyGeotab, and where it is. */
export interface SimulatedGeotabAccount {
  server: string
  database: string
  user: string
  password: string
}

export interface GeotabServer {
  account: SimulatedGeotabAccount
  inject(fault: GeotabFault): void
  close(): Promise<void>
}

interface Options {
  fleet: SimulatedFleet
  port?: number
  /** Made up unless one is given. */
  password?: string
  /** Of the limits and sessions, not of the trucks. */
  now?: () => number
}

type Asked = { method: string; params: GeotabParams }
type Answer = { body: object; headers?: Record<string, string> }

const MAX_BODY = 1024 * 1024
const MAX_SESSIONS = 100
const SESSION_MS = 14 * 24 * 3_600_000
const DATABASE = 'simulated'
const USER = 'fleet@simulator.example'

const isObject = (value: unknown): value is GeotabParams => typeof value === 'object' && value !== null
const invalidUser = () => new GeotabFailure('InvalidUserException', 'Incorrect login credentials')

class OverLimit extends GeotabFailure {
  readonly retryS: number

  constructor(retryS: number) {
    super('OverLimitException', 'API calls quota exceeded.')
    this.retryS = retryS
  }
}

/** A MyGeotab on loopback: JSON-RPC over POST /apiv1, its sessions, its limits, and its faults on demand. */
export async function startGeotabServer(options: Options): Promise<GeotabServer> {
  const { fleet, port = 0, password = randomBytes(18).toString('base64url'), now = Date.now } = options
  const calls = new GeotabCalls(fleet)
  const limits = new GeotabRateLimits(now)
  const faults = new GeotabFaults()
  const sessions = new Map<string, number>()

  function authenticate(params: GeotabParams): object {
    if (params['database'] !== DATABASE || params['userName'] !== USER || params['password'] !== password)
      throw invalidUser()
    const sessionId = randomBytes(16).toString('base64url')
    sessions.set(sessionId, now())
    const [oldest] = sessions.keys()
    if (sessions.size > MAX_SESSIONS && oldest) sessions.delete(oldest)
    return { credentials: { database: DATABASE, sessionId, userName: USER }, path: 'ThisServer' }
  }

  function checkSession({ credentials }: GeotabParams): void {
    const sessionId = isObject(credentials) ? textOrEmpty(credentials['sessionId']) : ''
    if (now() - (sessions.get(sessionId) ?? -Infinity) > SESSION_MS) throw invalidUser()
  }

  function limited({ method, params }: Asked): Record<string, string> {
    const { remaining, resetS } = limits.count(method, textOrEmpty(params['typeName']), USER)
    if (remaining < 0) throw new OverLimit(resetS)
    return {
      'X-Rate-Limit-Limit': '1m',
      'X-Rate-Limit-Remaining': String(remaining),
      'X-Rate-Limit-Reset': new Date(now() + resetS * 1000).toISOString(),
    }
  }

  function multiCall({ calls: parts }: GeotabParams): unknown[] {
    if (!Array.isArray(parts)) throw new GeotabFailure('ArgumentException', 'There are no calls.')
    return parts.map((part: unknown, requestIndex) => {
      try {
        const asked = askedOf(part)
        limited(asked)
        return calls.result(asked.method, asked.params)
      } catch (error) {
        throw Object.assign(error as Error, { requestIndex })
      }
    })
  }

  function answer(asked: Asked): Answer {
    const headers = limited(asked)
    const { method, params } = asked
    if (method === 'Authenticate') return { body: { result: authenticate(params) }, headers }
    checkSession(params)
    return {
      body: { result: method === 'ExecuteMultiCall' ? multiCall(params) : calls.result(method, params) },
      headers,
    }
  }

  /** What a fault does before the call is answered; true when it has answered itself. */
  async function befall(fault: GeotabFault | undefined, response: ServerResponse): Promise<boolean> {
    switch (fault?.kind) {
      case 'expiredSession':
        sessions.clear()
        throw invalidUser()
      case 'dbUnavailable':
        throw new GeotabFailure('DbUnavailableException', 'The database is being moved.')
      case 'overLimit':
        throw new OverLimit(fault.seconds ?? 1)
      case 'html':
        response.writeHead(403, { 'content-type': 'text/html' }).end('<html><body>Blocked by the proxy.</body></html>')
        return true
      case 'serverError':
        response.writeHead(503).end()
        return true
      case 'slow':
        await sleep((fault.seconds ?? 1) * 1000)
        return false
      case undefined:
        return false
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== 'POST' || request.url !== '/apiv1') return void response.writeHead(404).end()
      const asked = askedOf(await jsonOf(request))
      if (await befall(faults.take(asked.method, asked.params['typeName']), response)) return
      reply(response, answer(asked))
    } catch (error) {
      reply(response, failed(error))
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: listening } = server.address() as AddressInfo
  return {
    account: { server: `http://127.0.0.1:${listening}`, database: DATABASE, user: USER, password },
    inject: (fault) => faults.inject(fault),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_BODY) throw new GeotabFailure('JsonSerializerException', 'The request is too large.', -32_700)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw new GeotabFailure('JsonSerializerException', 'The request is no JSON.', -32_700)
  }
}

function askedOf(body: unknown): Asked {
  if (!isObject(body) || typeof body['method'] !== 'string')
    throw new GeotabFailure('ArgumentException', 'The request has no method.')
  return { method: body['method'], params: isObject(body['params']) ? body['params'] : {} }
}

/** Errors come inside HTTP 200. */
function failed(error: unknown): Answer {
  const failure = error instanceof GeotabFailure ? error : new GeotabFailure('Exception', String(error))
  const { type, message, code } = failure
  const { requestIndex = 0 } = error as { requestIndex?: number }
  const data = { id: randomBytes(16).toString('hex'), type, requestIndex }
  return {
    body: { error: { message, code, data, name: 'JSONRPCError', errors: [{ message, name: type }] }, requestIndex },
    ...(failure instanceof OverLimit && { headers: { 'Retry-After': String(failure.retryS) } }),
  }
}

function reply(response: ServerResponse, { body, headers }: Answer): void {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ ...body, jsonrpc: '2.0' }))
}
