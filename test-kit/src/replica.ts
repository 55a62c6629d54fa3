import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, cp, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from '@roadshow/api/platform/db/embedded/binaries'
import { giveFolder, type ServerAccount } from '@roadshow/api/platform/db/embedded/folder'
import { type EmbeddedServer, freePort } from '@roadshow/api/platform/db/embedded/server'
import pg from 'pg'
import { end } from './nodes.ts'

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

// What belongs to the running server and not to its data. The log is streamed instead.
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_wal\/.+)$/

/** Copies a running cluster as pg_basebackup does: the package of the embedded server lacks that program. */
async function copyCluster(superuserUrl: string, from: string, to: string): Promise<void> {
  await onServer(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('replica of a test', true)`)
    await cp(from, to, { recursive: true, filter: (file) => !LEFT_OUT.test(path.relative(from, file)) })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  await mkdir(path.join(to, 'pg_wal/archive_status'), { recursive: true })
  await writeFile(path.join(to, 'standby.signal'), '')
}

/** A streaming standby of an embedded server: it can be killed, started again, and held back. */
export class TestReplica {
  readonly url: string
  readonly #superuserUrl: string
  readonly #primaryUrl: URL
  readonly #port: number
  readonly #cluster: string
  readonly #account: ServerAccount
  #server: ChildProcess | undefined

  private constructor(primary: EmbeddedServer, port: number, cluster: string, account: ServerAccount) {
    this.url = Object.assign(new URL(primary.url), { port: String(port) }).href
    this.#superuserUrl = Object.assign(new URL(primary.superuserUrl), { port: String(port) }).href
    this.#primaryUrl = new URL(primary.superuserUrl)
    this.#port = port
    this.#cluster = cluster
    this.#account = account
  }

  /** Makes a standby of the server whose data lies in `dir`, and starts it. */
  static async of(primary: EmbeddedServer, dir: string, folder: string): Promise<TestReplica> {
    const from = path.join(dir, 'cluster')
    const cluster = path.join(folder, 'cluster')
    const { uid, gid } = await stat(from)
    const account = process.getuid?.() === 0 ? { uid, gid } : {}
    await mkdir(folder, { recursive: true })
    await copyCluster(primary.superuserUrl, from, cluster)
    await chmod(cluster, 0o700)
    if (account.uid !== undefined) await giveFolder(cluster, { uid, gid })
    const replica = new TestReplica(primary, await freePort(), cluster, account)
    await replica.start()
    return replica
  }

  /** Settles once it accepts readers. */
  async start(): Promise<void> {
    const { hostname, port, username, password } = this.#primaryUrl
    const settings = {
      port: this.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 100,
      fsync: 'off',
      timezone: 'UTC',
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
      // Queries that are in the way of the log are canceled at once, so that tests see it.
      max_standby_streaming_delay: '0',
      wal_retrieve_retry_interval: '100ms',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const log = await open(path.join(this.#cluster, '..', 'log'), 'a')
    const program = path.join(await findBinaries(this.#account), 'postgres')
    const server = spawn(program, ['-D', '/proc/self/cwd', ...args], {
      ...this.#account,
      cwd: this.#cluster,
      env: { LC_ALL: 'C' },
      stdio: ['ignore', log.fd, log.fd],
    })
    await log.close()
    this.#server = server
    while (!(await this.#accepts())) {
      if (server.exitCode !== null) throw new Error(`The replica ended: ${await this.#said()}`)
      await sleep(50)
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    if (this.#server) await end(this.#server, signal)
  }

  /** Stops replaying: from now on it falls behind. */
  async pause(): Promise<void> {
    await onServer(this.#superuserUrl, async (client) => {
      await client.query('select pg_wal_replay_pause()')
      const state = 'select pg_get_wal_replay_pause_state() as state'
      while ((await client.query<{ state: string }>(state)).rows[0]?.state !== 'paused') await sleep(20)
    })
  }

  async resume(): Promise<void> {
    await onServer(this.#superuserUrl, (client) => client.query('select pg_wal_replay_resume()'))
  }

  #accepts(): Promise<boolean> {
    return onServer(this.url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    )
  }

  #said(): Promise<string> {
    return readFile(path.join(this.#cluster, '..', 'log'), 'utf8')
  }
}
