import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DrivenFix } from '@roadshow/test-kit/fast-time'

interface Call {
  method: string
  params: { typeName?: string; fromVersion?: string }
}

const versionOf = (count: number) => count.toString(16).padStart(16, '0')

/** A MyGeotab with the tracker of one truck, which tells its positions when the journey says so. */
export async function startTracker(geotabDeviceId: string) {
  const records: object[] = []
  const resultOf = ({ method, params: { typeName, fromVersion = versionOf(0) } }: Call): unknown => {
    if (method === 'Authenticate') return { credentials: { sessionId: 'one' }, path: 'ThisServer' }
    if (method !== 'GetFeed') return []
    if (typeName !== 'LogRecord') return { data: [], toVersion: versionOf(0) }
    return { data: records.slice(Number.parseInt(fromVersion, 16)), toVersion: versionOf(records.length) }
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', result: resultOf(JSON.parse(body) as Call) }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    settings: {
      GEOTAB_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GEOTAB_DATABASE: 'fleet',
      GEOTAB_USER: 'us',
      GEOTAB_PASSWORD: 'secret',
      GEOTAB_POLL_SECONDS: '2',
    },
    tell(fixes: readonly DrivenFix[]) {
      for (const { at, latitude, longitude, speedKmh: speed } of fixes) {
        const device = { id: geotabDeviceId }
        records.push({
          id: `b${records.length}`,
          device,
          dateTime: new Date(at).toISOString(),
          latitude,
          longitude,
          speed,
        })
      }
    },
    async close() {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
