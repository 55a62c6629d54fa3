import { hash, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs/promises'
import { API_BASE } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { AppError } from '../runtime/app-error.ts'
import type { ExternalServices } from '../runtime/external-services.ts'
import { type Db, poolOf } from '../db/connection.ts'
import { isLoopback } from './address.ts'
import type { App } from './app.ts'
import { HEALTH_CHECKS } from './call-log.ts'
import { measuredFolders, registry, requestSeconds } from '../observability/metrics.ts'
import { bearerOf } from './session.ts'

/** The label that counts a call. All files of the web app share one label, and so do all pages. */
function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return '(page)'
  return url.startsWith(`${API_BASE}/`) || HEALTH_CHECKS.includes(url) ? url : '(file)'
}

export function timeCalls(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [route, status] = [routeOf(request), reply.statusCode]
    requestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    done()
  })
}

/** Measures the connection pool, which needs no query. */
function measurePool(db: Db, registers: Registry[]): void {
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
}

/** Measures whether load balancers should send calls here, by what the node knows: a database that is away is not asked. */
function measureReadiness(app: App, registers: Registry[]): void {
  void new Gauge({
    name: 'roadshow_ready',
    help: 'Whether this node can serve calls: 1 or 0. It is 0 while the database is away and while the node stops.',
    registers,
    collect() {
      this.set(app.readiness.isReady ? 1 : 0)
    },
  })
}

/** Measures the disks of folders whenever it is asked. A disk that cannot be read shows nothing. */
function measureDisks(dataDir: string | undefined, registers: Registry[]): void {
  if (dataDir !== undefined) measuredFolders.set('data', dataDir)
  const gauge = (name: string, help: string, blocks: 'bavail' | 'blocks') =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers,
      async collect() {
        this.reset()
        for (const [folder, at] of measuredFolders) {
          const disk = await fs.statfs(at).catch(() => undefined)
          if (disk) this.set({ folder }, disk[blocks] * disk.bsize)
        }
      },
    })
  gauge(
    'roadshow_disk_free_bytes',
    'Room that is left on the disk of DATA_DIR, and on that of a database on this machine.',
    'bavail',
  )
  gauge(
    'roadshow_disk_size_bytes',
    'Size of the disk of DATA_DIR, and of that of a database on this machine.',
    'blocks',
  )
}

/** Compares hashes, since timingSafeEqual needs equal lengths. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Whether a call comes from a program on this machine. A proxy on this machine also connects from here, so a call that
 * one passed on does not count, and neither does one for another host name.
 */
function isFromHere({ socket, headers, hostname }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  const host = hostname.replace(/^\[|\]$/g, '')
  return isLoopback(socket.remoteAddress ?? '') && (host === 'localhost' || isLoopback(host))
}

/** With a token set, only its holders may read; otherwise only programs on this machine. */
const mayRead = (request: FastifyRequest, token: string | undefined): boolean =>
  token === undefined ? isFromHere(request) : isSame(bearerOf(request) ?? '', token)

/** Serves /metrics, in the text that Prometheus reads. */
export function serveMetrics(
  app: App,
  { db, services, dataDir }: { db: Db; services: ExternalServices; dataDir: string | undefined },
  metricsToken: string | undefined,
): void {
  if (!registry.getSingleMetric('process_start_time_seconds')) collectDefaultMetrics({ register: registry })
  const ofNode = new Registry()
  measurePool(db, [ofNode])
  measureReadiness(app, [ofNode])
  measureDisks(dataDir, [ofNode])
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, metricsToken)) {
      const how =
        metricsToken === undefined
          ? 'Metrics are for programs on this machine. Set METRICS_TOKEN to read them from elsewhere.'
          : 'Metrics need the token that METRICS_TOKEN is set to, as a bearer token.'
      throw new AppError('forbidden', { text: how })
    }
    const texts = await Promise.all([registry, ofNode, services].map((each) => each.metrics()))
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(texts.join('\n'))
  })
}
