import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@roadshow/api/platform/db/connection'
import { type EmbeddedServer, freePort, startEmbedded } from '@roadshow/api/platform/db/embedded/server'
import { migrate } from '@roadshow/api/platform/db/migrate'
import { loadDemo } from '@roadshow/api/demo/index'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import { end, newNode, startProxy, startRedis, type TestNode } from '@roadshow/test-kit/nodes'
import { fillYears } from '@roadshow/test-kit/years'
import pg from 'pg'

const root = path.resolve(createRequire(import.meta.url).resolve('@roadshow/api/package.json'), '../..')

/** A database as durable as in production that can be stopped under load. */
class SoakDatabase {
  readonly #dir: string
  readonly #port: number
  #server: EmbeddedServer | undefined

  constructor(dir: string, port: number) {
    this.#dir = dir
    this.#port = port
  }

  get url(): string {
    if (!this.#server) throw new Error('The database is not started.')
    return this.#server.url
  }

  async start(): Promise<void> {
    this.#server = await startEmbedded({ dir: this.#dir, port: this.#port })
  }

  /** Stops and starts it: in order, or as after a power cut. */
  async restart(how: 'fast' | 'immediate'): Promise<void> {
    if (how === 'immediate') {
      const [pid] = (await readFile(path.join(this.#dir, 'cluster/postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
    }
    await this.#server?.stop()
    await this.start()
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
  }
}

export interface SoakWorld {
  folder: string
  database: SoakDatabase
  nodes: [TestNode, TestNode]
  proxy: { url: string; port: number }
  /** Runs a statement on a new connection, because the database may have restarted. */
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** The load of trucks, players and driver apps; its ledger lists the plays that the server confirmed. */
  fleet: { ledger: string; isRunning(): boolean; stop(): Promise<void>; said(): string }
  close(): Promise<void>
}

interface SoakWorldOptions {
  trucks: number
  speed: number
  totalMs: number
  days?: number
  isByDay?: boolean
}

/**
 * How far back the fleet starts: the time it covers during the run, and a little more for a slow start. Players get only
 * shifts that are not over, so with an earlier start most of them would have nothing to play.
 */
const hoursBack = ({ speed, totalMs }: SoakWorldOptions) => (speed * (totalMs + 90_000)) / 3_600_000

/** Starts two nodes behind the proxy on a database with the demo fleet, and a simulated fleet that drives. */
export async function openSoakWorld(options: SoakWorldOptions): Promise<SoakWorld> {
  const stops: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
  }
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-soak-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const database = new SoakDatabase(path.join(folder, 'postgres'), await freePort())
    await database.start()
    stops.push(() => database.stop())
    await migrate(database.url)
    await addDemo(database.url, folder)
    if (options.days) await addYears(database.url, options.days, options.isByDay)
    const redis = await startRedis(folder)
    stops.push(() => redis.stop())
    const geotabPort = await freePort()
    const settings = { ...NODE_SETTINGS, DATABASE_URL: database.url, REDIS_URL: redis.url, DATA_DIR: folder }
    const geotab = { GEOTAB_SERVER: `http://127.0.0.1:${geotabPort}` }
    const nodes: SoakWorld['nodes'] = [
      await newNode({ ...settings, ...geotab }),
      await newNode({ ...settings, ...geotab }),
    ]
    stops.push(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))))
    await Promise.all(nodes.map((node) => node.start()))
    const proxy = await startProxy(nodes, folder)
    stops.push(() => proxy.stop())
    const args = fleetArguments(options, proxy.url, geotabPort)
    const fleet = await startFleet(folder, args, database.url)
    stops.push(() => fleet.stop())
    return { folder, database, nodes, proxy, sql: sqlOn(database), fleet, close }
  } catch (error) {
    await close()
    throw error
  }
}

const NODE_SETTINGS = {
  TRUST_PROXY: '1',
  LOG_LEVEL: 'error',
  GEOTAB_POLL_SECONDS: '5',
  DRAIN_SECONDS: '2',
  GEOTAB_DATABASE: 'simulated',
  GEOTAB_USER: 'fleet@simulator.example',
  GEOTAB_PASSWORD: 'simulated',
}

const fleetArguments = (options: SoakWorldOptions, url: string, geotabPort: number): string[] =>
  Object.entries({
    trucks: options.trucks,
    speed: options.speed,
    hours: hoursBack(options),
    url,
    'geotab-port': geotabPort,
  }).flatMap(([name, value]) => [`--${name}`, String(value)])

const sqlOn =
  (database: SoakDatabase): SoakWorld['sql'] =>
  async (text, values) => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

/** The age that the database has at the start. */
async function addYears(url: string, playDays: number, isByDay = false): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
  await client.connect()
  const positionDays = Math.ceil(playDays / 2)
  await fillYears((text, values) => client.query(text, values), { playDays, positionDays, isByDay })
  await client.end()
}

async function addDemo(url: string, folder: string): Promise<void> {
  const { db, close } = connect(url)
  await loadDemo(db, await openLocalStore(path.join(folder, 'blobs')))
  await close()
}

/** Starts the simulator as load generator, in its own process as people start it. */
async function startFleet(folder: string, args: string[], databaseUrl: string): Promise<SoakWorld['fleet']> {
  const ledger = path.join(folder, 'plays.ledger')
  const program = path.join(root, 'api/dist/bundled/simulator.js')
  const child: ChildProcess = spawn(process.execPath, [program, ...args, '--ledger', ledger], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (text: Buffer) => (said = `${said}${text.toString()}`.slice(-5000))
  child.on('exit', (code) => (said += `The simulator ended with ${code}.`))
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (!said.includes('MyGeotab is simulated')) {
    if (!isRunning()) throw new Error(`The simulator did not start: ${said}`)
    await sleep(50)
  }
  return {
    ledger,
    isRunning,
    said: () => said,
    async stop() {
      const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await end(child, 'SIGINT')
      clearTimeout(impatient)
    },
  }
}
