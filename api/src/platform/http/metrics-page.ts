import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import { API_BASE } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { AppError } from '../runtime/app-error.ts'
import { type Db, poolOf } from '../db/connection.ts'
import type { App } from './app.ts'
import { registry, requestSeconds } from '../observability/metrics.ts'
import { bearerOf } from './session.ts'

const own = new BlockList()
own.addSubnet('127.0.0.0', 8)
own.addSubnet('10.0.0.0', 8)
own.addSubnet('172.16.0.0', 12)
own.addSubnet('192.168.0.0', 16)
own.addAddress('::1', 'ipv6')
own.addSubnet('fc00::', 7, 'ipv6')

/** Whether an address is of this machine or of a private network. */
export const isOwnNetwork = (address: string): boolean => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

const PLACES = ['/healthz', '/readyz', '/metrics']

/** The label that counts a call. All files of the web app share one label, and so do all pages. */
function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return '(page)'
  return url.startsWith(`${API_BASE}/`) || PLACES.includes(url) ? url : '(file)'
}

/** Times every call. */
export function timeCalls(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [route, status] = [routeOf(request), reply.statusCode]
    requestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    done()
  })
}

/** Metrics of the connection pool. They need no query. */
function poolMetrics(db: Db): Registry {
  const registers = [new Registry()]
  const pool = poolOf(db)
  void new Gauge({
    name: 'roadshow_database_connections',
    help: 'Connections to the database: in use, idle, and calls that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  return registers[0] as Registry
}

/** Compares hashes, since timingSafeEqual needs equal lengths. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))

/** With a token set, only its holders may read; otherwise only clients in private networks. */
function mayRead(request: FastifyRequest, token: string | undefined, isBehindProxy: boolean): boolean {
  if (token !== undefined) return isSame(bearerOf(request) ?? '', token)
  // A proxy that is not configured makes every client appear to come from its address.
  if (!isBehindProxy && request.headers['x-forwarded-for'] !== undefined) return false
  return isOwnNetwork(request.ip)
}

interface Settings {
  metricsToken?: string | undefined
  /** Whether addresses come from a proxy that is trusted. */
  trustProxy: unknown
}

/** Serves /metrics, in the text that Prometheus reads. */
export function serveMetrics(app: App, db: Db, { metricsToken, trustProxy }: Settings): void {
  if (!registry.getSingleMetric('process_start_time_seconds')) collectDefaultMetrics({ register: registry })
  const pool = poolMetrics(db)
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, metricsToken, Boolean(trustProxy))) {
      const how =
        metricsToken === undefined
          ? 'Metrics are for private networks. Set METRICS_TOKEN to read them from elsewhere.'
          : 'Metrics need the token that METRICS_TOKEN is set to, as a bearer token.'
      throw new AppError('forbidden', { text: how })
    }
    const texts = [await registry.metrics(), await pool.metrics()]
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(texts.join('\n'))
  })
}
