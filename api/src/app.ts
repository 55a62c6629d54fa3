import fastifyMultipart from '@fastify/multipart'
import { API_BASE } from '@roadshow/contract'
import fastify from 'fastify'
import { addressRoutes } from './catalog/addresses/index.ts'
import { AppError } from './platform/runtime/app-error.ts'
import { artworkRoutes } from './catalog/artwork/index.ts'
import { auditLogRoutes, createAuditor } from './accounts/audit-log/index.ts'
import { authRoutes } from './accounts/sign-in/index.ts'
import { calendarRoutes, hideCalendarToken } from './planning/calendar/index.ts'
import { clientRoutes } from './catalog/clients/index.ts'
import type { Db } from './platform/db/connection.ts'
import { deviceRoutes } from './catalog/devices/index.ts'
import type { Env } from './env.ts'
import { type BlobStore, fileRoutes } from './platform/files/index.ts'
import { fleetRoutes } from './live/fleet/index.ts'
import { trustsHop } from './platform/http/address.ts'
import type { App } from './platform/http/app.ts'
import { limitConnections, type Patience, serverOptions, usualPatience } from './platform/http/connections.ts'
import { allowOrigins } from './platform/http/cors.ts'
import { type Counters, memoryCounters } from './platform/http/counters.ts'
import { docsPage } from './platform/http/docs.ts'
import { replyError } from './platform/http/error-reply.ts'
import { afterCommit } from './platform/http/idempotency.ts'
import { limitCalls } from './platform/http/limits.ts'
import { logging } from './platform/observability/log.ts'
import { sendRequestIds } from './platform/http/request-id.ts'
import { serveMetrics, timeCalls } from './platform/http/metrics-page.ts'
import { openapi } from './platform/http/openapi.ts'
import { entryHtml, readableUrl, servePages } from './platform/http/pages.ts'
import { reportHealth } from './platform/http/readiness.ts'
import { sendSecurityHeaders } from './platform/http/security-headers.ts'
import { sessionReader } from './platform/http/session.ts'
import { jumpRoutes } from './console/jump/index.ts'
import { legacyRoutes } from './legacy/index.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import { marketRoutes } from './catalog/markets/index.ts'
import { payrollRoutes } from './pay/payroll/index.ts'
import { photoRoutes } from './proof/photos/index.ts'
import { popRoutes, publicPageCache } from './proof/pop/index.ts'
import { programRoutes } from './catalog/programs/index.ts'
import { pixelMapRoutes } from './catalog/pixel-maps/index.ts'
import { reportRoutes } from './proof/reports/index.ts'
import { settingRoutes } from './catalog/settings/index.ts'
import { shiftRoutes } from './planning/shifts/index.ts'
import { truckRoutes } from './catalog/trucks/index.ts'
import { userRoutes } from './catalog/users/index.ts'
import { weblogRoutes } from './console/web-log/index.ts'

export interface Deps {
  db: Db
  mailer: Mailer
  blobs: BlobStore
  env: Pick<Env, 'brandName' | 'publicUrl' | 'logLevel' | 'trustProxy' | 'checkReplies'> &
    Partial<Pick<Env, 'geocoderUrl' | 'tiles' | 'corsOrigins' | 'callsPerMinute' | 'metricsToken'>>
  /** Whether the trucks that move are made up. */
  isSimulated?: boolean
  /** What calls are counted with; of this node alone unless others are given. */
  counters?: Counters
  /** How long clients may take. */
  patience?: Patience
  /** Where the log goes, unless to the standard output. */
  logTo?: { write(line: string): void }
  /** The built web app; tests of the API do without. */
  pages?: string
}

/** The whole API, ready to listen or to be injected into. */
export async function buildApp({
  db,
  mailer,
  blobs,
  env,
  pages,
  logTo,
  isSimulated = false,
  counters = memoryCounters(),
  patience = usualPatience,
}: Deps): Promise<App> {
  const app = fastify({
    ...logging({
      level: env.logLevel,
      isBehindProxy: env.trustProxy > 0,
      hidePath: hideCalendarToken,
      stream: logTo,
    }),
    trustProxy: trustsHop(env.trustProxy),
    ...serverOptions(patience),
    bodyLimit: 1024 * 1024,
    // A call that arrives while this node closes is still served: whoever sent it could not know.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // A path that is not valid percent-encoding is the caller's mistake like any other.
    frameworkErrors: replyError,
    ...(pages && { rewriteUrl: readableUrl }),
  })
  sendRequestIds(app)
  timeCalls(app)
  decorate(app, db, env.checkReplies)
  app.setErrorHandler(replyError)
  acceptJson(app)
  await app.register(fastifyMultipart)
  limitConnections(app, patience, env.trustProxy > 0)
  sendSecurityHeaders(app, {
    publicUrl: env.publicUrl,
    uploadOrigin: blobs.origin,
    tileSource: env.tiles && tileSource(env.tiles.url),
  })
  allowOrigins(app, env.corsOrigins ?? [])
  if (env.callsPerMinute) limitCalls(app, { counters, perMinute: env.callsPerMinute })

  authRoutes(app, { mailer, ...env })
  await fileRoutes(app, blobs)
  artworkRoutes(app)
  addressRoutes(app, { geocoderUrl: env.geocoderUrl, brandName: env.brandName, publicUrl: env.publicUrl })
  clientRoutes(app)
  marketRoutes(app)
  programRoutes(app)
  const shell = pages && (await entryHtml(pages, 'pop.html', env))
  await photoRoutes(app)
  popRoutes(app, { brandName: env.brandName, publicUrl: env.publicUrl, shell })
  settingRoutes(app)
  shiftRoutes(app)
  payrollRoutes(app, env)
  calendarRoutes(app, env)
  fleetRoutes(app, { isSimulated })
  reportRoutes(app)
  truckRoutes(app)
  deviceRoutes(app)
  pixelMapRoutes(app)
  jumpRoutes(app)
  userRoutes(app, { mailer, ...env })
  weblogRoutes(app)
  auditLogRoutes(app)
  await legacyRoutes(app, env)

  describeItself(app, env.brandName)
  reportHealth(app, db)
  serveMetrics(app, db, env)
  if (pages && shell !== undefined) {
    await servePages(app, pages, { ...env, publicPage: publicPageCache(db, { publicUrl: env.publicUrl, shell }) })
  } else app.setNotFoundHandler(refuse)
  return app
}

function decorate(app: App, db: Db, checkReplies: boolean): void {
  const underWay = new Set<Promise<unknown>>()
  const inBackground = (work: Promise<unknown>) => {
    const watched = work.catch((error: unknown) => app.log.error(error)).finally(() => underWay.delete(watched))
    underWay.add(watched)
  }
  const note = createAuditor(db)
  app.decorate('kernel', {
    db,
    readSession: sessionReader(db),
    checkReplies,
    served: [],
    inBackground,
    audit: (request, deed) => afterCommit(request, () => note(request, deed)),
  })
  app.decorateRequest('scope', undefined)
  app.addHook('onClose', async () => void (await Promise.all(underWay)))
}

function refuse(): never {
  throw new AppError('noSuchCall')
}

/** Bodies are JSON. Many clients send its content type without a body, with a DELETE for one. */
function acceptJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : void parseJson(request, body, done),
  )
}

/** Where the tiles of a map come from, as the content policy writes it: `{s}` stands for any host of a domain. */
const tileSource = (template: string) => new URL(template.replace('{s}', '*')).origin

function describeItself(app: App, brandName: string): void {
  const { served } = app.kernel
  app.get(`${API_BASE}/openapi.json`, async () => openapi(served, brandName))
  app.get(`${API_BASE}/docs`, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage(served, brandName)),
  )
}
