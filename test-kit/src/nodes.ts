import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@roadshow/api/platform/db/embedded/server'

function findProgram(name: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
}

/** Whether a program of the system is there, for tests that are left out without it. */
export const hasProgram = (name: string): boolean => findProgram(name) !== undefined

/** Where a program of the system is, for tests that need the real one. */
export function programOf(name: string): string {
  const found = findProgram(name)
  if (!found) throw new Error(`This test needs the program ${name}: install the package "${name}".`)
  return found
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Ends a process that was started here, by its id. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal)
  await ended(child)
}

const root = fileURLToPath(new URL('../../', import.meta.url))

// As in production.
const entry = path.join(root, 'api/dist/bundled/main.js')

/** Where a program `test-….ts` of the API's tests is, joined with the compiled API. */
export const testProgram = (name: string): string => path.join(root, `api/.cache/test-programs/${name}.js`)

// As npm start does.
const MEMORY = ['--max-old-space-size=1024', '--max-semi-space-size=16']
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }

const LOG_KEPT = 1_000_000

/** A node as it runs in production: a process of its own, which can be stopped, killed and started again. */
export class TestNode {
  readonly port: number
  readonly #settings: Record<string, string>
  readonly #entry: string
  #process: ChildProcess | undefined
  /** Its log. */
  log = ''

  constructor(port: number, settings: Record<string, string>, main = entry) {
    this.port = port
    this.#settings = settings
    this.#entry = main
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Settles once it is ready; says why when it ends instead. */
  async start(): Promise<void> {
    const settings = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
      PORT: String(this.port),
      PUBLIC_URL: this.url,
      TLS_AT_PROXY: 'on',
      ...this.#settings,
    }
    const child = spawn(process.execPath, [...MEMORY, this.#entry], {
      // oxlint-disable-next-line node/no-process-env
      env: { ...process.env, ...MALLOC, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    await new Promise<void>((resolve, reject) => {
      const hear = (text: Buffer) => {
        this.log = `${this.log}${text.toString()}`.slice(-LOG_KEPT)
        if (text.includes('is ready at')) resolve()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.on('exit', (code) => reject(new Error(`The node ended with ${code}: ${this.log}`)))
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  /** How it ended. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    if (!this.#process) return null
    await ended(this.#process)
    return this.#process.exitCode ?? this.#process.signalCode
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process) await end(this.#process, signal)
  }
}

export const newNode = async (settings: Record<string, string>, main?: string) =>
  new TestNode(await freePort(), settings, main)

const configuration = path.join(root, 'docs/proxy/haproxy.cfg')

/** HAProxy as it is documented, in front of these nodes; addresses are others, and it looks at them more often. */
export async function startProxy(nodes: readonly [TestNode, TestNode], folder: string) {
  const [port, plain] = [await freePort(), await freePort()]
  const file = path.join(folder, 'haproxy.cfg')
  const documented = await readFile(configuration, 'utf8')
  const used = documented
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/bind :80$/m, `bind 127.0.0.1:${plain}`)
    .replace('inter 1s', 'inter 250ms')
    .replaceAll('10.0.0.11:3000', `127.0.0.1:${nodes[0].port}`)
    .replaceAll('10.0.0.12:3000', `127.0.0.1:${nodes[1].port}`)
  await writeFile(file, used)
  const child = spawn(programOf('haproxy'), ['-f', file, '-db'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let log = ''
  child.stdout.on('data', (text: Buffer) => (log = `${log}${text.toString()}`.slice(-LOG_KEPT)))
  child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-10_000)))
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(`${url}/healthz`))) {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${said}`)
    await sleep(50)
  }
  /** The nodes that the proxy gives calls to, as far as a few of them show. */
  async function answering(): Promise<Set<TestNode | undefined>> {
    const calls = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/healthz`)))
    return new Set(
      calls.map(({ headers }) => nodes[Number.parseInt(headers.get('x-node')?.slice('node'.length) ?? '', 10) - 1]),
    )
  }
  return { url, port, answering, log: () => log, stop: () => end(child) }
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

/** A Redis that keeps nothing on disk; it can be ended and started again where it was. */
export async function startRedis(folder: string, port?: number) {
  const chosen = port ?? (await freePort())
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(programOf('redis-server'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve())
    child.on('exit', (code) => reject(new Error(`Redis ended with ${code}.`)))
  })
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, stop: () => end(child, 'SIGKILL') }
}

// PgBouncer refuses to run as root.
const NOBODY = 65_534
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** PgBouncer as it is documented, in front of a database, in this mode. */
export async function startPooler(databaseUrl: string, mode: 'session' | 'transaction', folder: string) {
  const [port, server] = [await freePort(), new URL(databaseUrl)]
  const name = server.pathname.slice(1)
  const [file, users] = [path.join(folder, `pgbouncer-${mode}.ini`), path.join(folder, 'userlist.txt')]
  const documented = await readFile(path.join(root, 'docs/proxy/pgbouncer.ini'), 'utf8')
  const used = documented
    .replace(/^roadshow = .*/m, `${name} = host=${server.hostname} port=${server.port}`)
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('pool_mode = session', `pool_mode = ${mode}`)
  await writeFile(file, used)
  await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  await chmod(folder, 0o755)
  const child = spawn(programOf('pgbouncer'), [file], { stdio: ['ignore', 'ignore', 'pipe'], ...asNobody })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      if (said.includes('process up')) resolve()
    })
    child.on('exit', (code) => reject(new Error(`PgBouncer ended with ${code}: ${said}`)))
  })
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href
  return { url, stop: () => end(child) }
}
