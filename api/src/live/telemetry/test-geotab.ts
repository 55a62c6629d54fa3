import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a call is answered with instead of its result. */
export type Fault =
  | 'InvalidUserException'
  | 'DbUnavailableException'
  | 'ArgumentException'
  | 'html'
  | 'cut'
  | 500
  | { retryAfter: number }

interface Call {
  method: string
  at: number
  params: {
    typeName?: string
    fromVersion?: string
    search?: { fromDate?: string }
    resultsLimit?: number
    password?: string
    credentials?: { sessionId: string }
  }
}

type Row = Record<string, unknown>

const MAX_ROWS = 50_000
const hex = (version: number) => version.toString(16).padStart(16, '0')

/** A MyGeotab of a test: feeds in version order, sessions, and whatever fault is asked for. */
export async function startGeotab({ password = 'secret', path = 'ThisServer', port: wanted = 0 } = {}) {
  const feeds = new Map<string, Row[]>()
  const statuses = new Map<string, Row>()
  const sessions = new Set<string>()
  const calls: Call[] = []
  const faults: { method: string; fault: Fault }[] = []
  const delays = new Map<string, number>()
  let opened = 0

  const rowsOf = (entity: string) => {
    const rows = feeds.get(entity) ?? []
    feeds.set(entity, rows)
    return rows
  }

  function getFeed({ typeName = '', fromVersion, search, resultsLimit = MAX_ROWS }: Call['params']) {
    const rows = rowsOf(typeName)
    if (fromVersion === undefined && !search?.fromDate) return { data: [], toVersion: hex(rows.length) }
    const seed = rows.findIndex(({ dateTime }) => String(dateTime) >= String(search?.fromDate))
    const from = fromVersion === undefined ? (seed < 0 ? rows.length : seed) : Number.parseInt(fromVersion, 16)
    const to = Math.min(rows.length, from + Math.min(resultsLimit, MAX_ROWS))
    return { data: rows.slice(from, to), toVersion: hex(to) }
  }

  function resultOf({ method, params }: Call): { result: unknown } | { fault: Fault } {
    if (method === 'Authenticate') {
      if (params.password !== password) return { fault: 'InvalidUserException' }
      const sessionId = `session ${++opened}`
      sessions.add(sessionId)
      return { result: { credentials: { database: 'fleet', userName: 'us', sessionId }, path } }
    }
    if (!sessions.has(params.credentials?.sessionId ?? '')) return { fault: 'InvalidUserException' }
    if (method === 'GetFeed') return { result: getFeed(params) }
    if (method === 'Get') return { result: [...statuses.values()] }
    return { fault: 'ArgumentException' }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const asked = JSON.parse(body) as Call
    const { typeName = '' } = asked.params
    await sleep(delays.get(typeName) ?? 0)
    delays.delete(typeName)
    const call = { ...asked, at: performance.now() }
    calls.push(call)
    const planned = faults.findIndex(({ method }) => method === call.method || method === call.params.typeName)
    const [next] = planned < 0 ? [] : faults.splice(planned, 1)
    const given = next ? { fault: next.fault } : resultOf(call)
    if ('result' in given) json(response, { result: given.result, jsonrpc: '2.0' })
    else fail(response, given.fault)
  }

  const server = createServer((request, response) => {
    const isCall = request.method === 'POST' && request.url === '/apiv1'
    if (isCall) void answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((listening) => server.listen(wanted, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo

  return {
    host: `127.0.0.1:${port}`,
    account: { server: `http://127.0.0.1:${port}`, database: 'fleet', user: 'us', password: 'secret' },
    calls,
    asked: (name: string) => calls.filter(({ method, params }) => method === name || params.typeName === name),
    /** Adds records to a feed, in the order of their versions. */
    say: (entity: string, ...rows: Row[]) => {
      for (const row of rows) rowsOf(entity).push(row)
    },
    /** What Get gives of DeviceStatusInfo. */
    stand: (device: string, row: Row) => statuses.set(device, row),
    /** The next call of a method, or of an entity, fails so. */
    failNext: (method: string, ...next: Fault[]) => faults.push(...next.map((fault) => ({ method, fault }))),
    /** The next call of an entity takes so long to arrive. */
    delayNext: (entity: string, ms: number) => void delays.set(entity, ms),
    endSessions: () => sessions.clear(),
    version: (entity: string) => hex(rowsOf(entity).length),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function json(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** As MyGeotab fails: inside HTTP 200; as a proxy before it does: with a page of its own. */
function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'cut') response.destroy()
  else if (fault === 'html') response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  else if (fault === 500) response.writeHead(500).end()
  else {
    const type = typeof fault === 'object' ? 'OverLimitException' : fault
    const error = { message: 'No.', code: -32_000, data: { type }, name: 'JSONRPCError', errors: [{ name: type }] }
    const headers = typeof fault === 'object' ? { 'retry-after': String(fault.retryAfter) } : {}
    json(response, { error, jsonrpc: '2.0', requestIndex: 0 }, headers)
  }
}
