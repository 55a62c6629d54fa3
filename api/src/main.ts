import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { buildApp } from './app.ts'
import { connect, type Db } from './db/connection.ts'
import { type EmbeddedServer, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { addPops, demoLogins, isDemo, loadDemo, simulateFleet } from './demo/index.ts'
import { type Env, readEnv } from './env.ts'
import { type BlobStore, azureStore, keptSecret, localStore, secretOf, signWith } from './files/index.ts'
import { fleetSockets } from './fleet/index.ts'
import { keepSweeping } from './jobs/sweep.ts'
import { keepWatching } from './jobs/watch.ts'
import { folderMailer, smtpMailer } from './mail.ts'
import { deviceChannels, keepGrading } from './players/index.ts'
import { keepPdfs, keepPhotoGrades } from './pop/index.ts'
import { openSockets } from './sockets/index.ts'
import { StartError } from './start-error.ts'
import { keepApproaches, keepDays, startPoller } from './telemetry/index.ts'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))

// oxlint-disable-next-line no-console
const say = (sentence: string) => console.log(sentence)

/** Undoes what was started, last first. */
const stops: (() => Promise<unknown> | void)[] = []

async function start(env: Env): Promise<void> {
  const url = env.databaseUrl ?? (await startDatabase(env)).url
  await migrate(url).catch(explainConnection)
  const { db, close } = connect(url, { max: 20 })
  stops.push(close)
  const blobs = await openStore(env)
  if (!env.production && (await loadDemo(db, blobs))) say('Loaded the demo fleet.')
  const mailer = env.smtpUrl
    ? smtpMailer(env.smtpUrl, env.mailFrom)
    : folderMailer(path.join(env.dataDir, 'mail'), env.mailFrom, say)
  const isSimulated = env.simulator && (await isDemo(db))
  const app = await buildApp({ db, mailer, blobs, env, isSimulated, ...(existsSync(built) && { pages: built }) })
  stops.push(() => app.close())
  const log = (error: unknown) => app.log.error(error)
  const pdfs = keepPdfs({ db, blobs, publicUrl: env.publicUrl, log })
  stops.push(() => pdfs.stop())
  const parts = [deviceChannels(app), fleetSockets(app), pdfs.part]
  const sockets = await openSockets(app, url, { parts, trustProxy: env.trustProxy })
  stops.push(() => sockets.close())
  const days = await keepDays(db, log)
  stops.push(() => days.stop())
  if (env.geotab) {
    const poller = startPoller({ db, url, account: env.geotab, everyMs: env.geotab.everyMs, log })
    stops.push(() => poller.stop())
  }
  const approaches = keepApproaches(db, log)
  stops.push(() => approaches.stop())
  const watching = keepWatching(db, log)
  stops.push(() => watching.stop())
  const sweeping = keepSweeping(db, blobs, log)
  stops.push(() => sweeping.stop())
  const grading = keepGrading(db, (error) => app.log.error(error))
  stops.push(() => grading.stop())
  const photoGrades = keepPhotoGrades(db, log)
  stops.push(() => photoGrades.stop())
  const { port, host } = env
  const address = await app.listen({ port, host }).catch((error: unknown) => explainPort(error, port))
  say(`\n${env.brandName} is ready at ${env.publicUrl}\n`)
  if (!env.production && (await isDemo(db))) {
    sayLogins()
    showPast(env, db, blobs, log)
  }
  if (isSimulated) await simulate(env, db, url, address, log)
}

/** What the demo has to show of its past takes a while to make; nobody waits for it to sign in. */
function showPast({ brandName }: Env, db: Db, blobs: BlobStore, log: (error: unknown) => void): void {
  const stopping = new AbortController()
  const adding = addPops({ db, blobs, brandName, signal: stopping.signal }).catch(log)
  stops.push(async () => {
    stopping.abort()
    await adding
  })
}

/** Last, because a fleet has some hours to catch up with; nobody waits for it to sign in. */
async function simulate(env: Env, db: Db, url: string, address: string, log: (error: unknown) => void): Promise<void> {
  const fleet = await simulateFleet(db, { secret: await keptSecret(env.dataDir), log })
  stops.push(() => fleet.stop())
  // A demo's first start shows where its trucks have been since their shifts began.
  const poller = startPoller({ db, url, account: fleet.account, seedMs: fleet.pastMs, log })
  stops.push(() => poller.stop())
  fleet.connect(address)
}

async function openStore({ azureStorage, dataDir, publicUrl }: Env): Promise<BlobStore> {
  signWith(azureStorage ? secretOf(azureStorage.connection) : await keptSecret(dataDir))
  return azureStorage
    ? azureStore(azureStorage.connection, azureStorage.container, new URL(publicUrl).origin)
    : localStore(path.join(dataDir, 'blobs'))
}

async function startDatabase(env: Env): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dir: path.join(env.dataDir, 'postgres'), log: say })
  stops.push(() => server.stop())
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

let stopping: Promise<void> | undefined

// What is half started is waited for, so that nothing outlives this process.
function stop(): Promise<void> {
  stopping ??= (async () => {
    await starting.catch(() => {})
    for (const undo of stops.toReversed()) await undo()
  })()
  return stopping
}

async function stopOnSignal(): Promise<void> {
  await stop()
  process.exit(0)
}

process.on('SIGINT', () => void stopOnSignal())
process.on('SIGTERM', () => void stopOnSignal())

const starting = Promise.resolve().then(() => start(readEnv(process.env)))

try {
  await starting
} catch (error) {
  await stop().catch(() => {})
  // oxlint-disable-next-line no-console
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
