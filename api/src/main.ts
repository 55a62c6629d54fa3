import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { buildApp, contextOf, apiModules, jobsOf, redactPath } from './app.ts'
import type { NodeContext } from './platform/context.ts'
import { connect, type Db } from './platform/db/connection.ts'
import { type EmbeddedServer, startEmbedded } from './platform/db/embedded/server.ts'
import { migrate } from './platform/db/migrate.ts'
import { databaseSignals, type Signals } from './platform/db/signals.ts'
import { requireSessions } from './platform/db/require-sessions.ts'
import { checkLockCapacity, checkRole } from './platform/db/server-checks.ts'
import { waitForDatabase } from './platform/db/wait-for-database.ts'
import { openReplica, type ReadDb, readFromPrimary } from './platform/db/replica.ts'
import { redisSignals } from './platform/db/redis-signals.ts'
import { openRedis } from './platform/db/redis.ts'
import { addPast, type DemoPage, demoLogins, isDemo, loadDemo, keepSimulating, whileDemo } from './demo/index.ts'
import { type Env, readEnv } from './env.ts'
import { closeDecoder, setDecodingLimits } from './platform/decoding/decoder.ts'
import {
  type BlobStore,
  openAzureStore,
  loadOrCreateSigningSecret,
  measuredStore,
  openLocalStore,
  azureSigningSecret,
  setSigningSecret,
} from './platform/files/index.ts'
import type { App } from './platform/http/app.ts'
import { type Counters, memoryCounters, redisCounters } from './platform/http/counters.ts'
import { readMapFile } from './platform/http/map-file.ts'
import { explainAddress, takePort } from './platform/http/take-port.ts'
import { JOB_CONNECTIONS, JobRunner } from './platform/jobs/runner.ts'
import { folderMailer, type Mailer, smtpMailer, watchedMailer } from './platform/mail/mailer.ts'
import type { Service } from './platform/module.ts'
import { nodeLog } from './platform/observability/log.ts'
import { catchStrayErrors, openOutput } from './platform/observability/node-output.ts'
import { openSockets } from './platform/sockets/index.ts'
import { AppError } from './platform/runtime/app-error.ts'
import { ExternalServices } from './platform/runtime/external-services.ts'
import { loadOrCreateKey } from './platform/runtime/key-file.ts'
import { setSealingKey } from './platform/runtime/secret-box.ts'
import { asWork, keepTrying } from './platform/runtime/named-work.ts'
import { Shutdown } from './platform/runtime/shutdown.ts'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const builtPlayer = fileURLToPath(new URL('../../player/dist/', import.meta.url))

const output = openOutput({ isJson: process.env['NODE_ENV'] === 'production', redactPath })
const { say } = output
const log = nodeLog(output.logger)
catchStrayErrors(output)

const interrupted = new AbortController()

const services = new ExternalServices()

const shutdown = new Shutdown({ started: () => starting, log })

/** The start in order: answer that the node is starting, open what it needs, serve, work, listen. */
async function start(env: Env): Promise<void> {
  const { port, host } = env
  output.logger.level = env.logLevel
  const { signal } = interrupted
  const stopAnswering = await takePort(env, { say, signal }).catch((error: unknown) => explainAddress(error, env))
  const databaseUrl = env.databaseUrl ?? (await startDatabase(env)).url
  const deps = await openDeps(env, databaseUrl)
  const signals = deps.signals
  const app = await buildApp(deps)
  const context: NodeContext = { ...contextOf(deps), databaseUrl, signals, log }
  await openSocketsAndWork(app, env, context)
  await stopAnswering()
  const address = await app.listen({ port, host }).catch((error: unknown) => explainAddress(error, env))
  say(`\n${env.brandName} is ready at ${env.publicUrl}\n`)
  if (!env.production && (await isDemo(context.db))) showDemo(env, context)
  if (context.isSimulated) {
    const secret = await loadOrCreateSigningSecret(env.dataDir)
    shutdown.stopFirst(keepSimulating(context, { secret, address }))
  }
}

/** The connections of calls. Some stay open: a server whose disk is full may accept no new ones. */
const CALL_CONNECTIONS = { max: 20, min: 4 }

/** Migrates the database and opens everything that the app depends on. */
async function openDeps(env: Env, databaseUrl: string) {
  const waiting = { limitMs: env.databaseWaitMs, say, signal: interrupted.signal }
  await waitForDatabase(async () => {
    await requireSessions(databaseUrl)
    await migrate(env.databaseOwnerUrl ?? databaseUrl, { say })
  }, waiting)
  const { db, close } = connect(databaseUrl, CALL_CONNECTIONS)
  shutdown.closeLast(close)
  for (const warning of [await checkLockCapacity(db), await checkRole(db)]) if (warning) say(warning)
  shutdown.closeLast(() => services.stop())
  setDecodingLimits(env.decoding)
  shutdown.closeLast(closeDecoder)
  const blobs = await openStore(env)
  setSealingKey(env.secretKey ?? (await loadOrCreateKey(path.join(env.dataDir, 'secret.key'))))
  if (!env.production) await addDemo(db, blobs)
  return {
    db,
    blobs,
    logger: output.logger,
    mailer: openMailer(env),
    services,
    reads: openReads(env, db),
    env: env.mapFile ? { ...env, tiles: await readMapFile(env.mapFile, env.tiles.attribution) } : env,
    isSimulated: env.simulator && (await isDemo(db)),
    ...shareBetweenNodes(env, db, databaseUrl),
    ...(existsSync(built) && { pages: built }),
    ...(existsSync(builtPlayer) && { playerPages: builtPlayer }),
  }
}

/** The demo has pictures. Without a storage for them the node starts empty, and the next start adds the demo. */
async function addDemo(db: Db, blobs: BlobStore): Promise<void> {
  try {
    if (await loadDemo(db, blobs)) say('Loaded the demo fleet.')
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    say(`The demo fleet is not loaded: ${error.message} The next start loads it.`)
  }
}

/** Opens the sockets, then starts the services and jobs of every module. */
async function openSocketsAndWork(app: App, env: Env, context: NodeContext): Promise<void> {
  const { db, close } = connect(context.databaseUrl, JOB_CONNECTIONS)
  shutdown.closeLast(close)
  const ofJobs = { ...context, db }
  const jobs = new JobRunner(jobsOf(ofJobs), ofJobs)
  shutdown.stopFirst(() => jobs.stop())
  const sockets = await openSockets(app, context.databaseUrl, {
    modules: [...apiModules.flatMap((module) => module.sockets?.(app) ?? []), jobs.sockets],
    trustProxy: env.trustProxy,
    signals: context.signals,
  })
  shutdown.closeLast(() => finishCalls(app, sockets))
  shutdown.drain(() => announceStop(app), env.drainMs)
  stopServicesFirst(apiModules.map(({ service }) => service?.(context)))
  await jobs.start()
}

function stopServicesFirst(services: readonly (Service | undefined)[]): void {
  for (const service of services) if (service) shutdown.stopFirst(() => service.stop())
}

/** With Redis, nodes notify each other and count together through it; otherwise through the database, each counting alone. */
function shareBetweenNodes({ redisUrl }: Env, db: Db, databaseUrl: string) {
  const own: { signals: Signals; counters: Counters } = {
    signals: databaseSignals(db, databaseUrl),
    counters: memoryCounters(),
  }
  if (!redisUrl) return own
  const redis = openRedis(redisUrl, log, services)
  shutdown.closeLast(() => redis.close())
  return {
    signals: redisSignals(redis, own.signals),
    counters: redisCounters(redis, own.counters),
  }
}

function openReads({ replicaUrl }: Env, db: Db): ReadDb {
  if (!replicaUrl) return readFromPrimary(db)
  const replica = openReplica(db, replicaUrl, services)
  shutdown.closeLast(() => replica.close())
  return replica
}

function openMailer({ smtpUrl, mailFrom, dataDir }: Env): Mailer {
  if (!smtpUrl) return folderMailer(path.join(dataDir, 'mail'), mailFrom, say)
  const smtp = smtpMailer(smtpUrl, mailFrom)
  shutdown.closeLast(() => smtp.close())
  return watchedMailer(smtp, services)
}

/** Load balancers turn away from now on. Calls that still come are served, one for each connection. */
function announceStop(app: App): void {
  app.readiness.notReady('This node is draining: it is about to stop.')
  app.server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
}

// The longest export takes less than this.
const FINISH_CALLS_MS = 30_000

/** Answers what devices and pages have sent, then closes their sockets and lets all other calls finish within a limit. */
async function finishCalls(app: App, sockets: { close(): Promise<void> }): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), FINISH_CALLS_MS)
  await sockets.close()
  await app.close()
  clearTimeout(deadline)
}

/** The demo's past takes a while to make; people can sign in meanwhile. */
function showDemo({ brandName, demoPast, publicUrl }: Env, { db, blobs }: NodeContext): void {
  sayLogins()
  if (demoPast === 'none') return
  const stopping = new AbortController()
  const onLink = (page: DemoPage, path: string) => say(`A ${page} as anyone with its link sees it: ${publicUrl}${path}`)
  const { signal } = stopping
  const options = { db, blobs, brandName, signal, onProgress: sayProgress, onLink, isShort: demoPast === 'short' }
  const job = 'demo past'
  const adding = asWork(job, () => keepTrying(() => addPast(options), { signal, log: (error) => log(error, { job }) }))
  // Emptying the demo ends it too.
  void asWork(job, () => whileDemo(db, { signal, log })).then(() => stopping.abort())
  shutdown.stopFirst(async () => {
    stopping.abort()
    await adding
  })
}

async function openStore({ azureStorage, dataDir, publicUrl }: Env): Promise<BlobStore> {
  setSigningSecret(
    azureStorage ? azureSigningSecret(azureStorage.connection) : await loadOrCreateSigningSecret(dataDir),
  )
  return measuredStore(
    azureStorage
      ? await openAzureStore(azureStorage.connection, azureStorage.container, new URL(publicUrl).origin, services)
      : await openLocalStore(path.join(dataDir, 'blobs')),
  )
}

async function startDatabase(env: Env): Promise<EmbeddedServer> {
  const server = await startEmbedded({
    dir: path.join(env.dataDir, 'postgres'),
    log: say,
    signal: interrupted.signal,
  })
  shutdown.closeLast(() => server.stop())
  // The server gets its signal at once, and ends by itself.
  shutdown.onForcedExit(() => void server.stop())
  return server
}

const TENTHS = 10

/** Says how much of the demo's past is recorded, a few times at most. */
function sayProgress(done: number, total: number): void {
  const isTenth = Math.floor((done * TENTHS) / total) > Math.floor(((done - 1) * TENTHS) / total)
  if (done === total) say('The past eight weeks of the demo are recorded.')
  else if (done > 0 && isTenth) say(`Recording the past eight weeks of the demo: ${Math.round((100 * done) / total)} %`)
}

function sayLogins(): void {
  for (const { role, email, password } of demoLogins) say(`  ${role.padEnd(8)}${email.padEnd(28)}${password}`)
  say('\nStop it with Ctrl-C.')
}

function onSignal(): void {
  interrupted.abort()
  shutdown.onSignal()
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)

const starting = Promise.resolve().then(() => start(readEnv(process.env)))

try {
  await starting
} catch (error) {
  await shutdown.stop()
  if (interrupted.signal.aborted) process.exit(0)
  output.fail(error)
  process.exit(1)
}
