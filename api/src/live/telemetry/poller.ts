import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { NodeContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Signals } from '../../platform/db/signals.ts'
import type { ExternalService } from '../../platform/runtime/external-services.ts'
import { newestFix, lastPoll } from './metrics.ts'
import { followFeeds, type Polling } from './feeds.ts'
import { type GeotabAccount, geotabClient } from './geotab-client.ts'
import { GeotabError } from './geotab-rpc.ts'
import { queueOldTracks, remeasureShifts, updateCoverage } from './remeasure.ts'
import { waitFor } from './waiting.ts'

interface Options extends Partial<Polling> {
  db: Db
  /** The same database: the lock has a connection of its own. */
  url: string
  /** Notifies nodes that trucks have moved; through the database by default. */
  signals?: Pick<Signals, 'publish'>
  account: GeotabAccount
  /** Told whether MyGeotab answers; without it, each failure is logged. */
  service?: ExternalService
  log: (error: unknown) => void
}

const LOCK = `hashtext('poll geotab')`
const RETRY_MS = 2000
const CHECK_MS = 3000
const ANSWER_MS = 5000
const POLL_MS = 10_000
const REMEASURE_MS = 5000
const COVERAGE_MS = 60_000

/** Polls MyGeotab on the one node that holds the lock. When that node is gone, another takes over. */
export function startPoller(options: Options): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = run(options, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(options: Options, signal: AbortSignal): Promise<void> {
  do {
    try {
      await takeTurn(options, signal)
    } catch (error) {
      if (signal.aborted) return
      options.log(error)
      if (error instanceof GeotabError) options.service?.failed(error)
      // The settings must be fixed first; retrying would only lock the account.
      if (error instanceof GeotabError && error.failure === 'refused') return
    }
  } while (await waitFor(RETRY_MS, signal))
}

// A node that loses power closes no connection: keepalives let the server notice and release the lock.
const KEEPALIVES = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3'

/** Waits for the lock and polls as long as it is held. */
async function takeTurn(options: Options, signal: AbortSignal): Promise<void> {
  const holder = new pg.Client({
    connectionString: options.url,
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  const lost = new AbortController()
  holder.on('error', () => lost.abort())
  holder.on('end', () => lost.abort())
  const held = AbortSignal.any([signal, lost.signal])
  try {
    await holder.connect()
    await holder.query(KEEPALIVES)
    while (!(await hasLock(holder))) if (!(await waitFor(RETRY_MS, held))) return
    await poll(options, holder, held, lost)
  } finally {
    // Closing the connection releases the lock; if the server does not answer, its keepalives release it.
    await Promise.race([holder.end().catch(() => {}), sleep(ANSWER_MS, undefined, { ref: false })])
  }
}

async function hasLock(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`)
  return rows[0]?.held ?? false
}

async function poll(options: Options, holder: pg.Client, held: AbortSignal, lost: AbortController): Promise<void> {
  const { db, account, log, everyMs = POLL_MS } = options
  const over = new AbortController()
  const signal = AbortSignal.any([held, over.signal])
  await queueOldTracks(db).catch(log)
  const beside = [
    every(CHECK_MS, signal, () => holder.query('select 1').catch(() => lost.abort())),
    every(REMEASURE_MS, signal, () => remeasureAll(db, signal).catch(log)),
    every(COVERAGE_MS, signal, () => updateCoverage(db).catch(log)),
  ]
  try {
    await followFeeds({ ...options, everyMs, client: geotabClient(account), signal })
  } finally {
    over.abort()
    await Promise.all(beside)
    // From now on another node reports these metrics.
    lastPoll.forget()
    newestFix.forget()
    options.service?.forget()
  }
}

async function every(ms: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (await waitFor(ms, signal)) await work()
}

async function remeasureAll(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await remeasureShifts(db))) continue
}

/** Polls the MyGeotab account of the settings, if there is one. */
export function geotabService({ db, databaseUrl, signals, services, env: { geotab }, log }: NodeContext) {
  if (!geotab) return undefined
  const service = services.watch({
    name: 'mygeotab',
    label: 'MyGeotab',
    effect: 'No new positions arrive; they are caught up with once it is back.',
  })
  const { everyMs } = geotab
  return startPoller({ db, url: databaseUrl, signals, account: geotab, everyMs, service, log })
}
