import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { buildApp, contextOf, modules } from './app.ts'
import type { NodeContext } from './platform/context.ts'
import { connect, type Db } from './platform/db/connection.ts'
import { type EmbeddedServer, startEmbedded } from './platform/db/embedded/server.ts'
import { migrate } from './platform/db/migrate.ts'
import { databaseNotifications, type Notifications } from './platform/db/notifications.ts'
import { redisNotifications } from './platform/db/redis-notifications.ts'
import { openRedis } from './platform/db/redis.ts'
import { addPops, demoLogins, isDemo, loadDemo, simulateFleet } from './demo/index.ts'
import { type Env, readEnv } from './env.ts'
import {
  type BlobStore,
  openAzureStore,
  loadOrCreateSigningSecret,
  openLocalStore,
  azureSigningSecret,
  setSigningSecret,
} from './platform/files/index.ts'
import type { App } from './platform/http/app.ts'
import { type Counters, memoryCounters } from './platform/http/counters.ts'
import { redisCounters } from './platform/http/redis-counters.ts'
import { answerWhileStarting } from './platform/http/while-starting.ts'
import { JobRunner } from './platform/jobs/runner.ts'
import { folderMailer, smtpMailer } from './platform/mail/mailer.ts'
import { openSockets } from './platform/sockets/index.ts'
import { StartError } from './platform/runtime/start-error.ts'
import { Shutdown } from './platform/runtime/shutdown.ts'
import { startPoller } from './live/telemetry/index.ts'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))

// oxlint-disable-next-line no-console
const say = (sentence: string) => console.log(sentence)

// Said as soon as there is a log; what fails before that ends the start.
// oxlint-disable-next-line no-console
let log = (error: unknown): void => console.error(error)

const stopping = new Shutdown({ started: () => starting, log: (error) => log(error) })

async function start(env: Env): Promise<void> {
  const { port, host } = env
  const endWaiting = await answerWhileStarting(port, host).catch((error: unknown) => explainPort(error, port))
  const url = env.databaseUrl ?? (await startDatabase(env)).url
  await migrate(url).catch(explainConnection)
  const { db, close } = connect(url, { max: 20 })
  stopping.needed(close)
  const blobs = await openStore(env)
  if (!env.production && (await loadDemo(db, blobs))) say('Loaded the demo fleet.')
  const mailer = env.smtpUrl
    ? smtpMailer(env.smtpUrl, env.mailFrom)
    : folderMailer(path.join(env.dataDir, 'mail'), env.mailFrom, say)
  const isSimulated = env.simulator && (await isDemo(db))
  const { news, counters } = shareBetweenNodes(env, db, url)
  const pages = existsSync(built) ? { pages: built } : {}
  const deps = { db, mailer, blobs, env, isSimulated, counters, ...pages }
  const app = await buildApp(deps)
  log = (error) => app.log.error(error)
  const context: NodeContext = { ...contextOf(deps), databaseUrl: url, notifications: news, log }
  const jobs = new JobRunner(
    modules.flatMap((module) => module.jobs ?? []),
    context,
  )
  stopping.work(() => jobs.stop())
  const parts = [...modules.flatMap((module) => module.sockets?.(app) ?? []), jobs.sockets]
  const sockets = await openSockets(app, url, { parts, trustProxy: env.trustProxy, news })
  stopping.needed(() => finishCalls(app, sockets))
  stopping.announceBy(() => announceStop(app), env.drainMs)
  for (const { service } of modules) {
    const running = service?.(context)
    if (running) stopping.work(() => running.stop())
  }
  await jobs.start()
  await endWaiting()
  const address = await app.listen({ port, host }).catch((error: unknown) => explainPort(error, port))
  say(`\n${env.brandName} is ready at ${env.publicUrl}\n`)
  if (!env.production && (await isDemo(db))) {
    sayLogins()
    showPast(env, db, blobs)
  }
  if (isSimulated) await simulate(env, db, url, address)
}

/** With a Redis, nodes tell each other and count together by it; otherwise the database tells, and each counts alone. */
function shareBetweenNodes({ redisUrl }: Env, db: Db, url: string): { news: Notifications; counters: Counters } {
  const [news, counters] = [databaseNotifications(db, url), memoryCounters()]
  if (!redisUrl) return { news, counters }
  const redis = openRedis(redisUrl, (error) => log(error))
  stopping.needed(() => redis.close())
  return { news: redisNotifications(redis, news), counters: redisCounters(redis, counters) }
}

/** From now on whoever asks is told to go elsewhere; who comes all the same is served, once for each connection. */
function announceStop(app: App): void {
  app.readiness.notReady('This node is draining: it is about to stop.')
  app.server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
}

// The longest export takes less; who has not finished by then would not finish either.
const CALLS_MS = 30_000

/** Answers what devices and pages have sent, then lets them and all other calls go; exports may finish, but not for ever. */
async function finishCalls(app: App, sockets: { close(): Promise<void> }): Promise<void> {
  const impatient = setTimeout(() => app.server.closeAllConnections(), CALLS_MS)
  await sockets.close()
  await app.close()
  clearTimeout(impatient)
}

/** What the demo has to show of its past takes a while to make; nobody waits for it to sign in. */
function showPast({ brandName }: Env, db: Db, blobs: BlobStore): void {
  const leaving = new AbortController()
  const adding = addPops({ db, blobs, brandName, signal: leaving.signal }).catch(log)
  stopping.work(async () => {
    leaving.abort()
    await adding
  })
}

/** Last, because a fleet has some hours to catch up with; nobody waits for it to sign in. */
async function simulate(env: Env, db: Db, url: string, address: string): Promise<void> {
  const fleet = await simulateFleet(db, { secret: await loadOrCreateSigningSecret(env.dataDir), log })
  stopping.work(() => fleet.stop())
  // A demo's first start shows where its trucks have been since their shifts began.
  const poller = startPoller({ db, url, account: fleet.account, seedMs: fleet.pastMs, log })
  stopping.work(() => poller.stop())
  fleet.connect(address)
}

async function openStore({ azureStorage, dataDir, publicUrl }: Env): Promise<BlobStore> {
  setSigningSecret(
    azureStorage ? azureSigningSecret(azureStorage.connection) : await loadOrCreateSigningSecret(dataDir),
  )
  return azureStorage
    ? openAzureStore(azureStorage.connection, azureStorage.container, new URL(publicUrl).origin)
    : openLocalStore(path.join(dataDir, 'blobs'))
}

async function startDatabase(env: Env): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dir: path.join(env.dataDir, 'postgres'), log: say })
  stopping.needed(() => server.stop())
  // It gets its signal at once, and ends by itself.
  stopping.hurryBy(() => void server.stop())
  return server
}

function explainConnection(error: unknown): never {
  const { code } = error as { code?: string }
  const away = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', '28P01', '28000', '3D000']
  if (!code || !away.includes(code)) throw error
  throw new StartError(`The database that DATABASE_URL names cannot be used: ${(error as Error).message}.`)
}

function explainPort(error: unknown, port: number): never {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken by another program. Set PORT to a free one.`)
  if (code === 'EACCES') throw new StartError(`Port ${port} may not be used by this account. Set PORT to another one.`)
  throw error
}

function sayLogins(): void {
  for (const { role, email, password } of demoLogins) say(`  ${role.padEnd(8)}${email.padEnd(28)}${password}`)
  say('\nStop it with Ctrl-C.')
}

process.on('SIGINT', () => stopping.onSignal())
process.on('SIGTERM', () => stopping.onSignal())

const starting = Promise.resolve().then(() => start(readEnv(process.env)))

try {
  await starting
} catch (error) {
  await stopping.stop()
  // oxlint-disable-next-line no-console
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
