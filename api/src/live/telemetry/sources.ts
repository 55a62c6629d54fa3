import { once } from 'node:events'
import { sharedNow } from '../../platform/db/clock.ts'
import type { NodeLog } from '../../platform/observability/log.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Signals } from '../../platform/db/signals.ts'
import { newTrace, type Trace } from '../../platform/observability/trace.ts'
import type { ExternalService } from '../../platform/runtime/external-services.ts'
import type { geotabFeeds } from './feed-versions.ts'
import { lastPoll } from './metrics.ts'
import type { GeotabClient } from './geotab-client.ts'
import { GeotabError } from './geotab-rpc.ts'
import { waitFor } from './polling-turns.ts'
import { fixesOf, ODOMETER, readingsOf, statusesOf } from './records.ts'
import { backOffMs } from './source-error.ts'
import { type SourceBatch, storeTelemetry } from './store.ts'

type Held = Pick<SourceBatch, 'fixes' | 'statuses' | 'readings'>

/** A source of positions, a feed of MyGeotab that is polled. */
interface PositionSource {
  entity: (typeof geotabFeeds)[number]
  /** The parameters of a call: at first from a moment, later from the last version. */
  since: (from: { version: string } | { date: string }) => object
  /** Parses its records. */
  hold: (data: readonly unknown[]) => Partial<Held>
  /** Whether its first answer has only a version, so that existing records need a call of their own. */
  startsEmpty?: true
}

const byDate = (from: { version: string } | { date: string }, search: object = {}) =>
  'version' in from ? { fromVersion: from.version, search } : { search: { ...search, fromDate: from.date } }

const sources: PositionSource[] = [
  { entity: 'LogRecord', since: (from) => byDate(from), hold: (data) => ({ fixes: fixesOf(data) }) },
  {
    entity: 'DeviceStatusInfo',
    // It accepts no search.
    since: (from) => ('version' in from ? { fromVersion: from.version } : {}),
    hold: (data) => ({ statuses: statusesOf(data) }),
    startsEmpty: true,
  },
  {
    entity: 'StatusData',
    since: (from) => byDate(from, { diagnosticSearch: { id: ODOMETER } }),
    hold: (data) => ({ readings: readingsOf(data) }),
  },
]

export interface Polling {
  /** How long to wait after a page that is not full. */
  everyMs: number
  /** How many records a page has at most; MyGeotab gives no more than 50,000. */
  pageSize?: number
  /** How far back a source starts that was never read. */
  seedMs?: number
}

const PAGE_SIZE = 50_000
const SEED_MS = 60 * 60_000
// MyGeotab allows sixty calls a minute for each source.
const LEAST_MS = 1010

/** Where a poller says how its service does. */
export type ServiceReport = Pick<ExternalService, 'answered' | 'failed' | 'forget'>

export interface Following extends Polling {
  db: Db
  /** Notifies nodes that trucks have moved; through the database by default. */
  signals?: Pick<Signals, 'publish'> | undefined
  client: GeotabClient
  signal: AbortSignal
  /** Told whether MyGeotab answers; without it, each failure is logged. */
  service?: ServiceReport | undefined
  log: NodeLog
}

/** The sources share a service: it is away when one of them fails, and back when none does. */
function reporter({ service, log }: Following) {
  const failing = new Set<string>()
  return {
    read(entity: string): void {
      failing.delete(entity)
      if (failing.size === 0) service?.answered()
    },
    failed(entity: string, error: unknown, trace: Trace): void {
      const isAway = error instanceof GeotabError && error.failure === 'unavailable'
      if (!service || !isAway) return log(error, { trace })
      failing.add(entity)
      service.failed(error)
    },
  }
}

/** Follows every source until aborted. Fails when MyGeotab rejects the sign-in. */
export async function followSources(following: Following): Promise<void> {
  // All sources use the same account, so one that fails for good stops the others.
  const failing = new AbortController()
  const signal = AbortSignal.any([following.signal, failing.signal])
  const report = reporter(following)
  const all = sources.map((source) =>
    follow({ ...following, signal }, source, report).catch((error: unknown) => {
      failing.abort()
      throw error
    }),
  )
  const ends = await Promise.allSettled(all)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

async function follow(
  following: Following,
  source: PositionSource,
  report: ReturnType<typeof reporter>,
): Promise<void> {
  const { signal } = following
  let failures = 0
  let waitMs = 0
  do {
    const trace = newTrace()
    try {
      waitMs = await pollOnce(following, source, trace)
      lastPoll.at(source.entity, Date.now())
      report.read(source.entity)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // Neither a wrong password nor a wrong call is retried: someone must fix them, and retries could lock the account.
      if (error instanceof GeotabError && error.failure === 'refused') throw error
      report.failed(source.entity, error, trace)
      if (error instanceof GeotabError && error.failure === 'rejected')
        return void (signal.aborted || (await once(signal, 'abort')))
      waitMs = Math.max(backOffMs(++failures, error instanceof GeotabError ? error.waitMs : undefined), LEAST_MS)
    }
  } while (await waitFor(waitMs, signal))
}

/** Reads and stores the next page of a source; answers how long to wait for the one after it. */
async function pollOnce(following: Following, source: PositionSource, trace: Trace): Promise<number> {
  const { db, signals, client, signal, everyMs, pageSize = PAGE_SIZE, seedMs = SEED_MS } = following
  const { entity } = source
  const cursor = await db.selectFrom('geotab_cursor').select('version').where('entity', '=', entity).executeTakeFirst()
  const since = source.since(cursor ?? { date: new Date((await sharedNow(db)) - seedMs).toISOString() })
  const { data, toVersion, answeredAt } = await client.getFeed(entity, since, pageSize, { signal, trace })
  // Read after the version, so that no record is missed in between.
  const existing = !cursor && source.startsEmpty ? await client.get(entity, { signal, trace }) : []
  if (data.length > 0 || toVersion !== cursor?.version) {
    const held: Held = { fixes: [], statuses: [], readings: [], ...source.hold([...data, ...existing]) }
    const batch = { ...held, cursor: { entity, from: cursor?.version, to: toVersion }, now: await sharedNow(db) }
    await storeTelemetry(db, batch, signals?.publish)
  }
  const wait = data.length >= pageSize ? 0 : data.length > 0 ? everyMs : everyMs * 1.5
  return Math.max(wait, answeredAt + LEAST_MS - performance.now())
}
