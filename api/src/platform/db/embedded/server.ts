import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../../runtime/start-error.ts'
import { answers } from '../detect-hung-connections.ts'
import { readSchema, requireUsableSchema } from '../migrate.ts'
import { findBinaries, postgresMajor } from './binaries.ts'
import {
  chooseAccount,
  type DataFolder,
  folderPath,
  initializeCluster,
  isHandedOver,
  openFolder,
  openLog,
  presentAccount,
  readExitReason,
} from './folder.ts'
import { lockFolder, endOrphan, releaseStalePidFile, type FolderLock } from './owner.ts'
import { forgetSchema, noteSchema, readNotedSchema } from './noted-schema.ts'
import { APP_ROLE, appPassword, prepareDatabase, SUPERUSER } from './roles.ts'

export type EmbeddedServer = {
  /** Connection string of the database `roadshow`, for the role that owns it. */
  url: string
  /** The same for the superuser: for a restore, tests and benchmarks. */
  superuserUrl: string
  /** Ends the server cleanly and frees the folder. Call it last, after the app's own connections are closed. */
  stop(): Promise<void>
}

type Options = {
  dir: string
  /** By default any free port. */
  port?: number
  /** Off only in tests, where a power cut costs nothing. */
  fsync?: boolean
  log?: (sentence: string) => void
  /** Aborted when this Roadshow begins to stop. */
  signal?: AbortSignal
}

const database = 'roadshow'
const fastShutdownMs = 20_000

/** Runs the PostgreSQL that comes with npm on the folder `dir`, for as long as this process lives. */
export async function startEmbedded({
  dir,
  port,
  fsync = true,
  log = () => {},
  signal,
}: Options): Promise<EmbeddedServer> {
  const folder = await openFolder(dir)
  const owner = await lockFolder(folder, { signal, log })
  try {
    return await startOwned(folder, owner, { port, fsync, log })
  } catch (error) {
    await owner.release()
    throw error
  }
}

type LaunchOptions = { port: number | undefined; fsync: boolean; log: (sentence: string) => void }

/** A database that this version cannot use is refused before anything in the folder is changed. */
async function startOwned(folder: DataFolder, owner: FolderLock, how: LaunchOptions): Promise<EmbeddedServer> {
  await refuseOtherPostgres(folder)
  await requireUsableSchema(await readNotedSchema(folder))
  if (await endOrphan(folder)) how.log('Took over the database of a Roadshow that was killed.')
  const present = await presentAccount(folder)
  let cluster = await openCluster({ ...folder, account: present ?? (await chooseAccount(folder)) }, how)
  try {
    await requireUsableSchema(await readSchema(cluster.superuserUrl(database)))
    await forgetSchema(folder)
    if (await isHandedOver(folder)) {
      await cluster.stop()
      cluster = await openCluster({ ...folder, account: await chooseAccount(folder) }, how)
    }
    const own = await appPassword(folder.appPasswordFile)
    await prepareDatabase({ superuserUrl: cluster.superuserUrl, database, password: own })
    return {
      url: urlOf(APP_ROLE, own, cluster.port),
      superuserUrl: cluster.superuserUrl(database),
      stop: async () => {
        await noteSchema(folder, cluster.superuserUrl(database))
        await cluster.stop()
        await owner.release()
      },
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** Refuses a cluster of another major version of PostgreSQL, which this one cannot read. */
async function refuseOtherPostgres({ name, cluster }: DataFolder): Promise<void> {
  const found = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const own = await postgresMajor()
  if (found === '' || found === own) return
  throw new StartError(
    `The data folder ${name} belongs to PostgreSQL ${found}, but this version of the program brings PostgreSQL ${own}. Make a backup with the version before, and restore it into another DATA_DIR.`,
  )
}

/** Runs the server of a folder, and creates its cluster on the first start. */
async function openCluster(folder: DataFolder, how: LaunchOptions) {
  const binaries = await findBinaries(folder.account)
  await releaseStalePidFile(folder)
  const password = await initializeCluster(folder, binaries, how.fsync, how.log)
  const { server, port } = await launch(folder, binaries, how)
  async function again(): Promise<ChildProcess> {
    await releaseStalePidFile(folder)
    return (await launch(folder, binaries, { ...how, port })).server
  }
  const kept = keepRunning(server, again, how.log)
  return { port, superuserUrl: (name: string) => urlOf(SUPERUSER, password, port, name), stop: () => kept.stop() }
}

const urlOf = (user: string, password: string, port: number | string, name = database) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${name}`

/** The connection string of a server that already runs on a folder, if there is one. */
export async function runningUrl(dir: string): Promise<string | undefined> {
  const textOf = (name: string) => readFile(path.join(dir, name), 'utf8').catch(() => '')
  const [own, password] = [await textOf('app-password'), await textOf('password')]
  const { 3: port, 7: state } = (await textOf('cluster/postmaster.pid')).split('\n')
  if (password === '' || !port || state?.trim() !== 'ready') return undefined
  // A server that an earlier version started has the superuser only.
  const url = own === '' ? urlOf(SUPERUSER, password.trim(), port) : urlOf(APP_ROLE, own.trim(), port)
  return (await answers(new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 }))) ? url : undefined
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

/** Restarts the server when it ends by itself, for example because its disk is full or the kernel kills it. */
function keepRunning(first: ChildProcess, again: () => Promise<ChildProcess>, log: (sentence: string) => void) {
  const stopping = new AbortController()
  let server = first
  let restarting: Promise<void> | undefined

  async function restart(): Promise<void> {
    log('The database server stopped unexpectedly. Restarting it.')
    for (let wait = FIRST_WAIT_MS; !stopping.signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        watch(await again())
        return log('The database server is running again.')
      } catch (error) {
        log((error as Error).message)
        await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  function watch(fresh: ChildProcess): void {
    server = fresh
    server.once('exit', () => {
      if (!stopping.signal.aborted) restarting = restart()
    })
  }

  watch(first)
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await restarting
      await shutDown(server)
    },
  }
}

/** Tries a few ports: another process may take a free port before PostgreSQL does. */
async function launch(folder: DataFolder, binaries: string, how: LaunchOptions) {
  for (let attempt = 1; ; attempt++) {
    const port = how.port ?? (await freePort())
    const server = await spawnServer(folder, binaries, settings(folder, port, how.fsync))
    if (await isReady(server, folder)) return { server, port }
    const reason = await readExitReason(folder)
    if (attempt === 5 || !reason.includes('could not create any TCP/IP sockets')) {
      throw new StartError(`The embedded PostgreSQL did not start: ${reason} (log: ${folder.logFile})`)
    }
  }
}

function settings(folder: DataFolder, port: number, fsync: boolean) {
  const all = {
    // Marks the process as the server of this folder, see owner.ts.
    cluster_name: folder.id,
    listen_addresses: '127.0.0.1',
    port,
    // A socket's path may have 107 characters; a deep folder has more.
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    // Its write-ahead log would otherwise take a gigabyte beside a small database.
    max_wal_size: '256MB',
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: fsync ? 'on' : 'off',
    full_page_writes: fsync ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The app logs failed statements with their caller; here they would only fill the disk.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function spawnServer(folder: DataFolder, binaries: string, args: string[]) {
  const logFile = await openLog(folder)
  try {
    const server = spawn(path.join(binaries, 'postgres'), ['-D', folderPath, ...args], {
      ...folder.account,
      cwd: folder.cluster,
      env: folder.env,
      // In its own process group: Ctrl-C reaches only the app, which then stops the server.
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    })
    await once(server, 'spawn')
    server.unref()
    return server
  } finally {
    await logFile.close()
  }
}

/** Waits until the server accepts connections, after any recovery; false if it ended instead. */
async function isReady(server: ChildProcess, folder: DataFolder) {
  while (!hasEnded(server)) {
    const lines = (await readFile(folder.pidFile, 'utf8').catch(() => '')).split('\n')
    if (lines[0] === String(server.pid) && lines[7]?.trim() === 'ready') return true
    await sleep(20)
  }
  return false
}

async function shutDown(server: ChildProcess) {
  if (hasEnded(server)) return
  const ended = once(server, 'exit')
  server.ref()
  server.kill('SIGINT')
  // SIGQUIT loses no data: the next start replays the log.
  const impatient = setTimeout(() => server.kill('SIGQUIT'), fastShutdownMs)
  await ended
  clearTimeout(impatient)
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
