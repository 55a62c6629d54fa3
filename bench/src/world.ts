import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashPassword } from '@roadshow/api/accounts/sign-in/index'
import { freePort, startEmbedded } from '@roadshow/api/platform/db/embedded/server'
import { migrate } from '@roadshow/api/platform/db/migrate'
import { API_BASE, CLIENT_TYPE, contract, modules } from '@roadshow/contract'
import pg from 'pg'
import { fillFleet } from './fill-fleet.ts'
import type { RunSql } from './sql.ts'

export interface BenchWorld {
  /** The addresses of our server and of the bare one. */
  ours: string
  bare: string
  /** The address and process of a bare server with few database connections: the floor of a call. */
  floor: string
  floorPid: number
  /** The address of their database. */
  database: string
  /** The server that our server hands its mails to: where it takes them, and where it tells how many it took. */
  mailSink: { smtp: string; url: string }
  /** The settings of our server. */
  settings: Record<string, string>
  /** The process of our server. */
  pid: number
  /** The data folder of our server. */
  dataDir: string
  /** The token of a signed-in admin. */
  token: string
  userUid: string
  sql: RunSql
  /** Runs statements in one transaction. */
  transaction: (work: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<void>) => Promise<void>
}

/** How many database connections the floor of a call has, and how many callers it is measured with at least. */
export const FLOOR_CALLERS = 8

/** A request to our server by the signed-in admin. */
export const apiTarget = ({ ours, token }: BenchWorld, path: string) => ({
  url: `${ours}${API_BASE}/${path}`,
  headers: { authorization: `Bearer ${token}` },
})

/** The tokens of more sessions of the same admin: callers who share one would share the reading of it, too. */
export async function openSessions({ sql, userUid }: BenchWorld, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  await sql(
    `insert into session (token_hash, user_uid, client_type, expires_at)
     select sha256(convert_to(token, 'UTF8')), $2, 'web', now() + interval '12 hours' from unnest($1::text[]) token`,
    [tokens, userUid],
  )
  return tokens
}

/** Stops everything that was started, last first. */
const stops: (() => Promise<unknown>)[] = []

export async function closeBenchWorld(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
}

/** Starts a database as in production with 100,000 trucks, our server and the bare one, each in its own process. */
export async function openBenchWorld(): Promise<BenchWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-bench-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  const database = await startEmbedded({ dir: path.join(folder, 'postgres') })
  stops.push(() => database.stop())
  await migrate(database.url)

  // Some data is filled in without triggers, which the app's role may not switch off.
  const pool = new pg.Pool({ connectionString: database.superuserUrl, max: 2 })
  stops.push(() => pool.end())
  const sql: RunSql = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await pool.query<Row>(text, values)).rows
  const transaction: BenchWorld['transaction'] = async (work) => {
    const client = await pool.connect()
    await client.query('begin')
    await work((text, values) => client.query(text, values))
    await client.query('commit')
    client.release()
  }
  await fillFleet(sql)
  const admin = await addAdmin(sql)

  // One account sends thousands of requests a second here.
  const mailSink = await startMailSink()
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '1000000',
    SMTP_URL: mailSink.smtp,
  }
  const ours = await startNode({ settings })
  const bare = await startBareServer('bare', settings)
  const floor = await startBareServer('bare', { ...settings, POOL_SIZE: String(FLOOR_CALLERS) })
  const { url, pid } = ours
  const session = await signIn(url, admin)
  return {
    ours: url,
    bare: bare.url,
    floor: floor.url,
    floorPid: floor.pid,
    database: database.url,
    mailSink,
    settings,
    pid,
    dataDir: folder,
    ...session,
    sql,
    transaction,
  }
}

async function addAdmin(sql: RunSql) {
  const admin = { email: 'bench@example.com', password: 'only for this run' }
  await sql(
    `insert into user_account (email, name, role, modules, password_hash) values ($1, 'Bench', 'admin', $2, $3)`,
    [admin.email, modules, await hashPassword(admin.password)],
  )
  return admin
}

async function signIn(ours: string, admin: { email: string; password: string }) {
  const answer = await fetch(`${ours}${API_BASE}/${contract.auth.authenticate.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...admin, clientType: CLIENT_TYPE }),
  })
  const { data } = contract.auth.authenticate.reply.parse(await answer.json())
  return { token: data.token, userUid: data.user.userUid }
}

// As `npm start` does.
const MEMORY = ['--max-old-space-size=1024', '--max-semi-space-size=16']
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }

/** Runs a server as in production and waits until it reports that it is ready. */
async function startServer(entry: string, settings: Record<string, string>): Promise<{ url: string; pid: number }> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...settings,
    NODE_ENV: 'production',
    ...MALLOC,
    HOST: '127.0.0.1',
    PORT: port,
    PUBLIC_URL: url,
    TLS_AT_PROXY: 'on',
  }
  const server = spawn(process.execPath, [...MEMORY, entry], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  stops.push(async () => {
    server.kill('SIGTERM')
    await ended
  })
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => text.includes('ready') && resolve())
    server.on('exit', () => reject(new Error(`${path.basename(entry)} did not start.`)))
  })
  return { url, pid: server.pid ?? NaN }
}

/** Runs a node of our server. */
export const startNode = ({ settings }: Pick<BenchWorld, 'settings'>) =>
  startServer(fileURLToPath(import.meta.resolve('@roadshow/api/main')), settings)

async function startMailSink(): Promise<BenchWorld['mailSink']> {
  const port = String(await freePort())
  const { url } = await startBareServer('mail-sink', { SMTP_PORT: port })
  return { smtp: `smtp://127.0.0.1:${port}`, url }
}

/** Runs one of the bare servers beside this file. */
export const startBareServer = (name: string, settings: Record<string, string>) =>
  startServer(fileURLToPath(new URL(`${name}.js`, import.meta.url)), settings)
