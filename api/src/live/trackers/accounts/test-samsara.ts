import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A Samsara of a test, by developers.samsara.com/docs/pagination and /reference/getvehiclestatsfeed: without a cursor the
 * newest reading of each vehicle, with one all readings since, oldest first; `gps` is a list; cursors are opaque and expire.
 */

interface Reading {
  time: string
  latitude: number
  longitude: number
  headingDegrees?: number
  speedMilesPerHour?: number
}

/** What a call is answered with instead of its page. */
type SamsaraFault = { status: number; retryAfter?: number; body?: string } | 'cut' | 'short'

export interface Said {
  vehicle: string
  gps?: Reading
  odometer?: { time: string; value: number }
}

export async function startSamsaraServer({ token = 'samsara_api_secret', pageSize = 1000 } = {}) {
  const said: Said[] = []
  const cursors = new Map<string, number>()
  const calls: { at: number; after: string | null; authorization: string | undefined }[] = []
  const faults: SamsaraFault[] = []
  let accepted = token
  let generation = 0

  const cursorAt = (index: number): string => {
    const name = `cursor-${generation}-${index}`
    cursors.set(name, index)
    return name
  }

  function pageOf(rows: readonly Said[], endIndex: number) {
    const vehicles = new Map<string, { id: string; name: string; gps: Reading[]; obdOdometerMeters: unknown[] }>()
    for (const { vehicle, gps, odometer } of rows) {
      const found = vehicles.get(vehicle) ?? { id: vehicle, name: `Truck ${vehicle}`, gps: [], obdOdometerMeters: [] }
      vehicles.set(vehicle, found)
      if (gps) found.gps.push(gps)
      if (odometer) found.obdOdometerMeters.push(odometer)
    }
    const data = vehicles.size === 0 ? null : [...vehicles.values()]
    return { data, pagination: { endCursor: cursorAt(endIndex), hasNextPage: endIndex < said.length } }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://samsara')
    const after = url.searchParams.get('after')
    const { authorization } = request.headers
    calls.push({ at: performance.now(), after, authorization })
    const fault = faults.shift()
    if (fault === 'cut') return void response.destroy()
    if (fault === 'short') {
      // The length is promised and not kept.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write('{"data":[{"id":"1","gps":[{"time":')
      return void setTimeout(() => response.destroy(), 20)
    }
    if (fault) return send(response, fault.status, fault.body ?? '{"message":"No.","requestId":"x"}', fault.retryAfter)
    if (url.pathname !== '/fleet/vehicles/stats/feed' || request.method !== 'GET') return send(response, 404, '{}')
    if (authorization !== `Bearer ${accepted}`) return send(response, 401, '{"message":"Unauthorized"}')
    if (!url.searchParams.get('types')?.split(',').includes('gps'))
      return send(response, 400, '{"message":"Invalid value for parameter types"}')
    if (after !== null && !cursors.has(after))
      return send(response, 400, '{"message":"Invalid value for parameter after","requestId":"x"}')
    if (after === null) {
      const newest = new Map(said.map((row) => [row.vehicle, row]))
      return send(response, 200, JSON.stringify(pageOf([...newest.values()], said.length)))
    }
    const from = cursors.get(after) ?? 0
    const to = Math.min(said.length, from + pageSize)
    send(response, 200, JSON.stringify(pageOf(said.slice(from, to), to)))
  }

  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    calls,
    say: (...rows: Said[]) => void said.push(...rows),
    failNext: (...next: SamsaraFault[]) => void faults.push(...next),
    /** As after 30 days. */
    expireCursors() {
      cursors.clear()
      generation++
    },
    accept: (other: string) => void (accepted = other),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function send(response: ServerResponse, status: number, body: string, retryAfter?: number): void {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  response.writeHead(status, headers).end(body)
}
