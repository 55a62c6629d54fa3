import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { dedicatedAccount, giveFolder, type ServerAccount } from '@roadshow/api/platform/db/embedded/folder'
import { freePort } from '@roadshow/api/platform/db/embedded/server'
import type { CitusNodes } from './citus.ts'
import { findCitus } from './citus-programs.ts'
import { folderForClones } from './clone-folder.ts'
import { end } from './nodes.ts'

const run = promisify(execFile)

const SUPERUSER = 'roadshow'

// A coordinator asks each worker on several connections for each of its own.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=disable',
}

interface Place {
  programs: string
  folder: string
  account: ServerAccount
  password: string
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A PostgreSQL with Citus: it can be killed as by a power cut, and started again where it was. */
class CitusServer {
  readonly url: string
  readonly #place: Place
  readonly #port: number
  #server: ChildProcess | undefined

  private constructor(place: Place, port: number) {
    this.#place = place
    this.#port = port
    this.url = `postgres://${SUPERUSER}:${place.password}@127.0.0.1:${port}/postgres`
  }

  static async create(place: Place): Promise<CitusServer> {
    const { programs, folder, account, password } = place
    const [data, passwordFile] = [path.join(folder, 'data'), path.join(folder, 'password')]
    await mkdir(data, { recursive: true })
    await writeFile(passwordFile, password, { mode: 0o600 })
    const { uid, gid } = account
    if (uid !== undefined && gid !== undefined) await giveFolder(folder, { uid, gid })
    const args = `-D ${data} -U ${SUPERUSER} --pwfile=${passwordFile} --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8`
    const settings = { ...account, cwd: '/', env: { LC_ALL: 'C' } }
    await run(path.join(programs, 'initdb'), [...args.split(' '), '--no-sync'], settings)
    const server = new CitusServer(place, await freePort())
    await server.start()
    return server
  }

  /** Settles once it accepts connections, after any recovery. */
  async start(): Promise<void> {
    const { programs, folder, account, password } = this.#place
    const args = Object.entries({ ...SETTINGS, port: this.#port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const log = await open(path.join(folder, 'log'), 'a')
    const server = spawn(path.join(programs, 'postgres'), ['-D', path.join(folder, 'data'), ...args], {
      ...account,
      cwd: '/',
      // Machines of the cluster connect to each other with it.
      env: { LC_ALL: 'C', PGPASSWORD: password },
      stdio: ['ignore', log.fd, log.fd],
    })
    await log.close()
    this.#server = server
    while (!(await this.#isReady(server))) {
      if (server.exitCode !== null)
        throw new Error(`Citus did not start: ${await readFile(path.join(folder, 'log'), 'utf8')}`)
      await sleep(50)
    }
  }

  async #isReady({ pid }: ChildProcess): Promise<boolean> {
    const text = await readFile(path.join(this.#place.folder, 'data/postmaster.pid'), 'utf8').catch(() => '')
    const { 0: first, 7: state } = text.split('\n')
    return first === String(pid) && state?.trim() === 'ready'
  }

  /** Kills the server and each of its processes at once; none of them can write anything more. */
  async kill(): Promise<void> {
    const pid = this.#server?.pid
    if (!this.#server || pid === undefined) return
    const ended = once(this.#server, 'exit')
    // Stopped, it starts no further processes while they are listed.
    process.kill(pid, 'SIGSTOP')
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)])
    const children = stdout.split('\n').map(Number).filter(Boolean)
    for (const each of [pid, ...children]) if (isAlive(each)) process.kill(each, 'SIGKILL')
    await ended
    while (children.some(isAlive)) await sleep(10)
  }

  async stop(): Promise<void> {
    if (this.#server) await end(this.#server, 'SIGQUIT')
  }
}

interface CitusServers {
  nodes: CitusNodes
  workers: CitusServer[]
  stop: () => Promise<void>
}

const WORKERS = 2

/** A coordinator and its workers, for as long as tests need them; undefined where no PostgreSQL has Citus. */
export async function startCitusServers(): Promise<CitusServers | undefined> {
  const programs = findCitus()
  if (programs === undefined) return undefined
  const folder = await mkdtemp(path.join(await folderForClones(), 'roadshow-citus-'))
  await chmod(folder, 0o711)
  const account = process.getuid?.() === 0 ? await dedicatedAccount() : {}
  const password = randomBytes(24).toString('hex')
  const names = Array.from({ length: 1 + WORKERS }, (_, index) => path.join(folder, String(index)))
  const servers = await Promise.all(
    names.map((name) => CitusServer.create({ programs, folder: name, account, password })),
  )
  return {
    nodes: servers.map(({ url }) => url),
    workers: servers.slice(1),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
