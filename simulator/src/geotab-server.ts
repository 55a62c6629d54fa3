import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  failureResponse,
  GeotabApi,
  type GeotabResponse,
  invalidUser,
  OverLimit,
  parseRequest,
  SIMULATED_DATABASE,
  SIMULATED_USER,
} from './geotab-api.ts'
import { GeotabFailure } from './geotab-calls.ts'
import { type GeotabFault, GeotabFaults } from './geotab-faults.ts'
import type { SimulatedFleet } from './fleet.ts'

/** The address of the simulated MyGeotab, and the account that may call it. */
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

interface GeotabServerOptions {
  fleet: SimulatedFleet
  port?: number
  /** Random by default. */
  password?: string
  /** The clock of limits and sessions, not of the trucks. */
  now?: () => number
}

const MAX_BODY = 1024 * 1024

/** Starts a MyGeotab on loopback: JSON-RPC over POST /apiv1, with sessions, limits, and faults on demand. */
export async function startGeotabServer(options: GeotabServerOptions): Promise<GeotabServer> {
  const { fleet, port = 0, password = randomBytes(18).toString('base64url'), now = Date.now } = options
  const api = new GeotabApi({ fleet, password, now })
  const faults = new GeotabFaults()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== 'POST' || request.url !== '/apiv1') return void response.writeHead(404).end()
      const call = parseRequest(await readJson(request))
      const fault = faults.take(call.method, call.params['typeName'])
      if (fault && (await applyFault(fault, api, response))) return
      send(response, api.respond(call))
    } catch (error) {
      send(response, failureResponse(error))
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: listening } = server.address() as AddressInfo
  return {
    account: {
      server: `http://127.0.0.1:${listening}`,
      database: SIMULATED_DATABASE,
      user: SIMULATED_USER,
      password,
    },
    inject: (fault) => faults.inject(fault),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Applies a fault before the call is answered. True if the fault has sent the response itself. */
async function applyFault(fault: GeotabFault, api: GeotabApi, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'expiredSession':
      api.endSessions()
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
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new GeotabFailure('JsonSerializerException', 'The request is too large.', -32_700)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new GeotabFailure('JsonSerializerException', 'The request is not valid JSON.', -32_700)
  }
}

function send(response: ServerResponse, { body, headers }: GeotabResponse): void {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ ...body, jsonrpc: '2.0' }))
}
