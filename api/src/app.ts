import fastifyMultipart from '@fastify/multipart'
import { API_BASE } from '@roadshow/contract'
import fastify from 'fastify'
import type { Logger } from 'pino'
import { apiKeyModule, keyReader } from './accounts/api-keys/index.ts'
import { auditLogModule, createAuditor } from './accounts/audit-log/index.ts'
import { credentialModule } from './accounts/credentials/index.ts'
import { identityProviderModule } from './accounts/identity-provider/index.ts'
import { sessionEndMessages, sessionEndReason, sessionReader, signInModule } from './accounts/sign-in/index.ts'
import { secondFactorModule } from './accounts/second-factors/index.ts'
import { addressModule } from './catalog/addresses/index.ts'
import { artworkModule } from './catalog/artwork/index.ts'
import { clientModule } from './catalog/clients/index.ts'
import { deviceModule } from './catalog/devices/index.ts'
import { marketModule } from './catalog/markets/index.ts'
import { pixelMapModule } from './catalog/pixel-maps/index.ts'
import { programModule } from './catalog/programs/index.ts'
import { readSettings, settingModule } from './catalog/settings/index.ts'
import { truckModule } from './catalog/trucks/index.ts'
import { userModule } from './catalog/users/index.ts'
import { businessModule } from './console/business/index.ts'
import { chartModule } from './console/charts/index.ts'
import { incidentModule } from './console/incidents/index.ts'
import { changesModule } from './console/changes/index.ts'
import { jumpModule } from './console/jump/index.ts'
import { listFactsModule } from './console/list-facts/index.ts'
import { programStepsModule } from './console/program-steps/index.ts'
import { setupModule } from './console/setup/index.ts'
import { servicesModule } from './console/services/index.ts'
import { errorLogModule } from './console/error-log/index.ts'
import type { Env } from './env.ts'
import { legacyModule } from './legacy/index.ts'
import { driverAppModule } from './live/driver-app/index.ts'
import { driverEventModule } from './live/driver-events/index.ts'
import { evidenceModule } from './live/evidence/index.ts'
import { fleetModule } from './live/fleet/index.ts'
import { inspectionModule } from './live/inspections/index.ts'
import { playerModule } from './live/players/index.ts'
import { playModule } from './live/plays/index.ts'
import { shiftDetailModule } from './live/shift-details/index.ts'
import { shiftTimeModule } from './live/shift-times/index.ts'
import { telemetryModule } from './live/telemetry/index.ts'
import { trackerModule } from './live/trackers/index.ts'
import { notificationModule } from './outreach/notifications/index.ts'
import { pushModule } from './outreach/push/index.ts'
import { feedModule } from './outreach/feeds/index.ts'
import { webhookModule } from './outreach/webhooks/index.ts'
import { payrollModule } from './pay/payroll/index.ts'
import { calendarModule } from './planning/calendar/index.ts'
import { fillModule } from './planning/fill/index.ts'
import { shiftModule } from './planning/shifts/index.ts'
import { outOfServiceModule } from './planning/out-of-service/index.ts'
import { rotationModule } from './planning/rotation/index.ts'
import { suggestionModule } from './planning/suggestions/index.ts'
import type { AppContext, Brand } from './platform/context.ts'
import { fileModule, longLivedFileUrl } from './platform/files/index.ts'
import { importModule } from './platform/imports/index.ts'
import type { NameColumns } from './platform/db/name-columns.ts'
import { type ReadDb, readFromPrimary } from './platform/db/replica.ts'
import { trustsHop } from './platform/http/address.ts'
import type { App } from './platform/http/app.ts'
import { logCalls } from './platform/http/call-log.ts'
import { limitConnections, type ClientTimeouts, serverOptions, DEFAULT_TIMEOUTS } from './platform/http/connections.ts'
import { allowOrigins } from './platform/http/cors.ts'
import { type Counters, memoryCounters } from './platform/http/counters.ts'
import { DOCS_SCRIPT, docsPage, docsScript } from './platform/http/docs.ts'
import { errorReplier } from './platform/http/error-reply.ts'
import { afterCommit } from './platform/http/idempotency.ts'
import { FIX_SHARE, limitCalls, limitReports, takeAllReports } from './platform/http/limits.ts'
import { serveMetrics, timeCalls } from './platform/http/metrics-page.ts'
import { openapi } from './platform/http/openapi.ts'
import { serveMapFile } from './platform/http/map-file.ts'
import { entryHtml, type PublicPages, escapeInvalidUrl, servePages } from './platform/http/pages.ts'
import { reportHealth } from './platform/http/readiness.ts'
import { sendSecurityHeaders } from './platform/http/security-headers.ts'
import type { LiveSession } from './platform/http/session.ts'
import type { Job } from './platform/jobs/define-job.ts'
import { kernelModule } from './platform/kernel-module.ts'
import type { TableLifetimes } from './platform/lifetimes/lifetime.ts'
import { sweepJob } from './platform/lifetimes/sweep.ts'
import { mailChannel } from './platform/mail/channel.ts'
import type { Module } from './platform/module.ts'
import { createLogger, loggingTo, nodeLog } from './platform/observability/log.ts'
import { registry } from './platform/observability/metrics.ts'
import { messageModule } from './outreach/messages/index.ts'
import { proposalModule } from './outreach/proposals/index.ts'
import {
  type BeforeSending,
  checkedChannel,
  handleEvents,
  outboxModule,
  sendMessages,
} from './platform/outbox/index.ts'
import { parquetOf } from './platform/parquet/index.ts'
import { watcherModule, watchJobs } from './platform/watcher/index.ts'
import { AppError } from './platform/runtime/app-error.ts'
import { ExternalServices } from './platform/runtime/external-services.ts'
import { impressionModule } from './proof/impressions/index.ts'
import { campaignModule } from './proof/campaigns/index.ts'
import { photoModule } from './proof/photos/index.ts'
import { campaignMailModule } from './proof/campaign-mails/index.ts'
import { clientReportModule } from './proof/client-reports/index.ts'
import { popModule } from './proof/pop/index.ts'
import { deliveryModule } from './proof/delivery/index.ts'
import { replayModule } from './proof/replay/index.ts'
import { reportModule } from './proof/reports/index.ts'
import { shiftPlayModule } from './proof/shift-plays/index.ts'

/** Every module. The order is that of the calls in the OpenAPI document. */
export const apiModules: readonly Module[] = [
  signInModule,
  identityProviderModule,
  credentialModule,
  secondFactorModule,
  fileModule,
  artworkModule,
  addressModule,
  clientModule,
  marketModule,
  programModule,
  photoModule,
  popModule,
  impressionModule,
  campaignMailModule,
  clientReportModule,
  campaignModule,
  settingModule,
  shiftModule,
  suggestionModule,
  outOfServiceModule,
  rotationModule,
  fillModule,
  shiftDetailModule,
  payrollModule,
  calendarModule,
  driverAppModule,
  shiftTimeModule,
  fleetModule,
  inspectionModule,
  deliveryModule,
  reportModule,
  replayModule,
  shiftPlayModule,
  feedModule,
  proposalModule,
  truckModule,
  deviceModule,
  pixelMapModule,
  changesModule,
  jumpModule,
  listFactsModule,
  businessModule,
  programStepsModule,
  chartModule,
  servicesModule,
  setupModule,
  notificationModule,
  userModule,
  incidentModule,
  errorLogModule,
  auditLogModule,
  apiKeyModule,
  webhookModule,
  legacyModule,
  playerModule,
  evidenceModule,
  playModule,
  driverEventModule,
  telemetryModule,
  trackerModule,
  pushModule,
  importModule,
  outboxModule,
  messageModule,
  watcherModule,
  kernelModule,
]

export interface Deps extends Pick<AppContext, 'db' | 'mailer' | 'blobs'> {
  env: Pick<Env, 'brandName' | 'publicUrl' | 'logLevel' | 'trustProxy' | 'checkReplies'> & Partial<Env>
  /** Whether the demo fleet moves by itself. */
  isSimulated?: boolean
  /** Where calls read that a replica may answer; the database itself unless there is one. */
  reads?: ReadDb
  /** Knows which services outside are away. */
  services?: ExternalServices
  /** Counts calls; by default each node counts its own. */
  counters?: Counters
  /** How long clients may take. */
  timeouts?: ClientTimeouts
  /** The log of the node; an app on its own opens one. */
  logger?: Logger
  /** The folder of the built web app; tests of the API do without. */
  pages?: string
  /** The folder of the built player. */
  playerPages?: string
}

/** How long every table keeps its rows. */
export const tableLifetimes: TableLifetimes = Object.assign({}, ...apiModules.map(({ tables }) => tables))

/** What modules check at the moment a message is sent. */
export const messageChecks: readonly BeforeSending[] = apiModules.flatMap(({ beforeSending }) => beforeSending ?? [])

/** Every job of a node. */
export function jobsOf(context: AppContext): Job[] {
  const channels = [mailChannel(context), ...apiModules.flatMap((module) => module.channels?.(context) ?? [])]
  return [
    ...apiModules.flatMap(({ jobs = [] }) => jobs),
    sweepJob(tableLifetimes, readSettings),
    ...watchJobs(apiModules.flatMap(({ watches = [] }) => watches)),
    handleEvents(apiModules.flatMap(({ eventHandlers = [] }) => eventHandlers)),
    ...channels.map((channel) => sendMessages(checkedChannel(channel, context.db, messageChecks))),
  ]
}

const replyError = errorReplier(Object.assign({}, ...apiModules.map(({ dbErrors }) => dbErrors)))

/** What the modules get of the app's dependencies. */
export const contextOf = ({ db, mailer, blobs, env, pages, ...given }: Deps): AppContext => ({
  db,
  mailer,
  blobs,
  env,
  reads: given.reads ?? readFromPrimary(db),
  services: given.services ?? new ExternalServices(),
  isSimulated: given.isSimulated ?? false,
  entryHtml: async (name) =>
    pages === undefined ? undefined : entryHtml(pages, name, { settings: env, fileUrl: longLivedFileUrl }),
})

/** The whole API, ready to listen or to be injected into. */
export async function buildApp(deps: Deps): Promise<App> {
  const app = createServer(deps)
  const context = contextOf(deps)
  context.services.logTo(app.log)
  const publicPages = await publicPagesOf(context)
  await protect(app, deps, publicPages)
  const parquet = parquetOf(context)
  app.addHook('onClose', () => parquet.close())
  for (const { routes, metrics = [] } of apiModules) {
    for (const metric of metrics) registry.registerMetric(metric)
    await routes?.(app, context)
  }
  describeItself(app, deps.env)
  reportHealth(app, deps.db, context.services)
  serveMetrics(app, { ...context, dataDir: deps.env.dataDir }, deps.env.metricsToken)
  const { mapFile, tiles } = deps.env
  if (mapFile && tiles) await serveMapFile(app, mapFile, tiles)
  if (deps.pages) {
    const pages = { settings: deps.env, fileUrl: longLivedFileUrl, publicPages, player: deps.playerPages }
    await servePages(app, deps.pages, pages)
  } else app.setNotFoundHandler(refuse)
  return app
}

/** Removes secrets from the path of a call. */
export const redactPath = (path: string): string => pathRedactions.reduce((hidden, redact) => redact(hidden), path)

const pathRedactions = apiModules.flatMap((module) => module.redactPath ?? [])

function createServer({ env, logger, pages, timeouts = DEFAULT_TIMEOUTS }: Deps): App {
  return fastify({
    ...loggingTo(logger ?? createLogger({ level: env.logLevel, redactPath }), env.trustProxy > 0),
    trustProxy: trustsHop(env.trustProxy),
    ...serverOptions(timeouts),
    bodyLimit: 1024 * 1024,
    // A call that arrives while this node closes is still served: its sender could not know.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // A path that is not valid percent-encoding is the caller's mistake like any other.
    frameworkErrors: replyError,
    ...(pages && { rewriteUrl: escapeInvalidUrl }),
  })
}

/** Everything that happens to a call before its module sees it. */
async function protect(app: App, deps: Deps, publicPages: readonly PublicPages[]): Promise<void> {
  const { env, blobs, counters = memoryCounters(), timeouts = DEFAULT_TIMEOUTS } = deps
  timeCalls(app)
  logCalls(app, { redactPath, samplePercent: env.logSamplePercent })
  const limits = env.callsPerMinute ? { counters, perMinute: env.callsPerMinute } : undefined
  decorate(app, deps, limits)
  app.setErrorHandler(replyError)
  acceptJson(app)
  await app.register(fastifyMultipart)
  limitConnections(app, timeouts, env.trustProxy > 0)
  sendSecurityHeaders(app, {
    publicUrl: env.publicUrl,
    isHttps: env.isHttps ?? env.publicUrl.startsWith('https:'),
    allowIndexing: env.allowIndexing,
    uploadOrigin: blobs.origin,
    tileSource: env.tiles && !env.tiles.area ? tileSource(env.tiles.url) : undefined,
  })
  allowOrigins(app, env.corsOrigins ?? [])
  if (limits) {
    const isPublicPage = (pathname: string) => publicPages.some((pages) => pages.matches(pathname))
    limitCalls(app, { ...limits, isPublicPage })
  }
}

const fullUserOf = (session: LiveSession | undefined) => (session?.isLimited ? undefined : session?.user)

function decorate(
  app: App,
  { db, reads = readFromPrimary(db), env: { checkReplies } }: Deps,
  limits: Parameters<typeof limitReports>[0] | undefined,
) {
  const log = nodeLog(app.log)
  const underWay = new Set<Promise<unknown>>()
  const inBackground = (work: Promise<unknown>) => {
    const watched = work.catch((error: unknown) => log(error)).finally(() => underWay.delete(watched))
    underWay.add(watched)
  }
  const backgroundDone = async () => void (await Promise.all(underWay))
  const writeAuditEvent = createAuditor(db)
  const sessions = sessionReader(db)
  app.decorate('kernel', {
    db,
    reads,
    log,
    sessionEndReason: (token) => sessionEndReason(db, token),
    sessionEndMessages,
    readSession: async (token) => fullUserOf(await sessions.read(token)),
    peekSession: async (token) => fullUserOf(await sessions.peek(token)),
    readLimitedSession: sessions.read,
    isLimitedSession: async (token) => (await sessions.peek(token))?.isLimited === true,
    readKey: keyReader(db),
    nameColumns: Object.assign({}, ...apiModules.map((module) => module.nameColumns)) as NameColumns,
    histories: new Map(),
    credentials: apiModules.flatMap(({ credentials = [] }) => credentials),
    dependents: apiModules.flatMap(({ dependents = [] }) => dependents),
    imports: apiModules.flatMap(({ imports = [] }) => imports),
    checkReplies,
    served: [],
    routes: [],
    takeReports: limits ? limitReports(limits) : takeAllReports,
    takeFixes: limits ? limitReports(limits, FIX_SHARE) : takeAllReports,
    inBackground,
    backgroundDone,
    audit: (request, event) => afterCommit(request, () => writeAuditEvent(request, event)),
  })
  app.decorateRequest('scope', undefined)
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const each of [method].flat()) app.kernel.routes.push({ method: each, url, endpoint: config?.endpoint })
  })
  app.addHook('onClose', backgroundDone)
}

async function publicPagesOf(context: AppContext): Promise<PublicPages[]> {
  const pages = await Promise.all(apiModules.map(async (module) => module.pages?.(context)))
  return pages.filter((each) => each !== undefined)
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

function describeItself(app: App, brand: Brand): void {
  const { served } = app.kernel
  // Made when first asked for: every call is registered by then, and none is added later. The name of the company can change.
  let made: { name: string; contract: ReturnType<typeof openapi>; page: string } | undefined
  const description = () => {
    const { brandName: name } = brand
    if (made?.name !== name) made = { name, contract: openapi(served, name), page: docsPage(served, name) }
    return made
  }
  app.get(`${API_BASE}/openapi.json`, async () => description().contract)
  app.get(`${API_BASE}/docs`, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(description().page),
  )
  app.get(DOCS_SCRIPT, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(docsScript))
}
