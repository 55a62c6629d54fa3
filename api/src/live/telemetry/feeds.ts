import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Notifications } from '../../platform/db/notifications.ts'
import { polled } from './metrics.ts'
import type { GeotabClient } from './geotab-client.ts'
import { GeotabError } from './geotab-rpc.ts'
import { fixesOf, ODOMETER, readingsOf, statusesOf } from './records.ts'
import { type FeedBatch, storeFeedBatch } from './store.ts'
import { backOffMs, untilStopped, waitFor } from './waiting.ts'

type Held = Pick<FeedBatch, 'fixes' | 'statuses' | 'readings'>

/** A feed of MyGeotab that we follow. */
interface Feed {
  entity: string
  /** What it is asked for: at first from a moment on, later from the version where it stopped. */
  since: (from: { version: string } | { date: string }) => object
  /** What its records are to us. */
  hold: (data: readonly unknown[]) => Partial<Held>
  /** Whether its first answer is only where it stands now, so that what there is has to be asked for apart. */
  startsEmpty?: true
}

const byDate = (from: { version: string } | { date: string }, search: object = {}) =>
  'version' in from ? { fromVersion: from.version, search } : { search: { ...search, fromDate: from.date } }

const feeds: Feed[] = [
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
  /** How long to wait after a page that was not full. */
  everyMs: number
  /** How many records a page has at most; MyGeotab gives no more than 50,000. */
  pageSize?: number
  /** How far back a feed begins that was never read. */
  seedMs?: number
}

const PAGE_SIZE = 50_000
const SEED_MS = 60 * 60_000
// MyGeotab allows sixty calls a minute for each feed.
const LEAST_MS = 1010

interface Following extends Polling {
  db: Db
  news?: Pick<Notifications, 'publish'> | undefined
  client: GeotabClient
  signal: AbortSignal
  log: (error: unknown) => void
}

/** Follows every feed until told to stop. Ends early, with the reason, when MyGeotab refuses us. */
export async function followFeeds(following: Following): Promise<void> {
  // One that fails for good takes the others along: all need the same user.
  const failing = new AbortController()
  const signal = AbortSignal.any([following.signal, failing.signal])
  const all = feeds.map((feed) =>
    follow({ ...following, signal }, feed).catch((error: unknown) => {
      failing.abort()
      throw error
    }),
  )
  const ends = await Promise.allSettled(all)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

async function follow(following: Following, feed: Feed): Promise<void> {
  const { signal, log } = following
  let failures = 0
  let waitMs = 0
  do {
    try {
      waitMs = await pollOnce(following, feed)
      polled.at(feed.entity, Date.now())
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // A wrong password locks nobody out, and a wrong call is not made again: both are for a person to mend.
      if (error instanceof GeotabError && error.failure === 'refused') throw error
      log(error)
      if (error instanceof GeotabError && error.failure === 'rejected') return untilStopped(signal)
      waitMs = Math.max(backOffMs(++failures, error instanceof GeotabError ? error.waitMs : undefined), LEAST_MS)
    }
  } while (await waitFor(waitMs, signal))
}

/** Reads one page from where the feed stopped and stores it; says how long to wait for the next. */
async function pollOnce(following: Following, feed: Feed): Promise<number> {
  const { db, news, client, signal, everyMs, pageSize = PAGE_SIZE, seedMs = SEED_MS } = following
  const { entity } = feed
  const cursor = await db.selectFrom('geotab_cursor').select('version').where('entity', '=', entity).executeTakeFirst()
  const since = feed.since(cursor ?? { date: new Date((await sharedNow(db)) - seedMs).toISOString() })
  const { data, toVersion, answeredAt } = await client.getFeed(entity, since, pageSize, signal)
  // Asked for after the version, so that nothing falls between them.
  const there = !cursor && feed.startsEmpty ? await client.get(entity, signal) : []
  if (data.length > 0 || toVersion !== cursor?.version) {
    const held: Held = { fixes: [], statuses: [], readings: [], ...feed.hold([...data, ...there]) }
    const batch = { ...held, cursor: { entity, from: cursor?.version, to: toVersion }, now: await sharedNow(db) }
    await storeFeedBatch(db, batch, news?.publish)
  }
  const wait = data.length >= pageSize ? 0 : data.length > 0 ? everyMs : everyMs * 1.5
  return Math.max(wait, answeredAt + LEAST_MS - performance.now())
}
