import { announced, isMadeOld, subjectOf } from '@roadshow/contract/platform/follows'
import type { Asked, Change } from '@roadshow/contract/platform/follows'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { Query, QueryClient } from '@tanstack/react-query'
import * as socket from './socket.ts'

// What makes a read old stands beside its endpoint (`follows`); here is the only place that acts on it.

// One save can arrive as several announcements.
const SOON_MS = 250
// Trucks move all the time; figures need not follow each second.
const MOVED_MS = 10_000
const AT_MOST_EVERY = 2

/** A call that changed something, as far as this matters here. */
type Saved = Pick<Endpoint, 'path'> & Partial<Pick<Endpoint, 'method'>>

/** Reads that are due, and when. */
const due = new WeakMap<Query, { at: number; timer: ReturnType<typeof setTimeout> }>()
/** Reads that are asked for once more when their answer is here, because it may be from before a change. */
const again = new WeakSet<Query>()

function refresh(queries: QueryClient, query: Query): void {
  clearTimeout(due.get(query)?.timer)
  due.delete(query)
  const ask = () => void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  if (query.state.fetchStatus !== 'fetching') return ask()
  if (again.has(query)) return
  again.add(query)
  const askAgain = () => {
    again.delete(query)
    ask()
  }
  void query.fetch().then(askAgain, askAgain)
}

function refreshLater(queries: QueryClient, query: Query, afterMs: number): void {
  const at = Date.now() + afterMs
  const planned = due.get(query)
  if (planned && planned.at <= at) return
  clearTimeout(planned?.timer)
  due.set(query, { at, timer: setTimeout(() => refresh(queries, query), afterMs) })
}

const madeOldBy = (queries: QueryClient, change: Change) =>
  queries
    .getQueryCache()
    .getAll()
    .filter(({ meta }) => meta?.read && isMadeOld(meta.read.endpoint, meta.read.asked, change))

/** Asks again for everything that this page has made old by a call: at once, or a little later together with more. */
export function refreshAfter(queries: QueryClient, saved: Saved, { params }: Asked = {}, afterMs = 0): void {
  const subject = subjectOf(saved)
  if (!subject) return
  const removed = saved.method === 'DELETE' ? (params?.['uid'] as string | undefined) : undefined
  const change = { subject, ...(removed !== undefined && { removed }) }
  for (const query of madeOldBy(queries, change)) {
    if (afterMs === 0) refresh(queries, query)
    else refreshLater(queries, query, afterMs)
  }
}

/** Asks again, soon and not too often, for what a change makes old that someone else made. */
function follow(queries: QueryClient, change: Change): void {
  for (const query of madeOldBy(queries, change)) {
    const pauseMs = (query.meta?.read?.endpoint.atMostEvery ?? AT_MOST_EVERY) * 1000
    const rested = query.state.dataUpdatedAt + pauseMs - Date.now()
    refreshLater(queries, query, Math.max(change.subject === 'fleet' ? MOVED_MS : SOON_MS, rested))
  }
}

type Announcements = Pick<typeof socket, 'onChange' | 'onConnected' | 'onFleetUpdate'>

/** Keeps every read on the page current, as the server announces changes. Mounted once. */
export function followServer(
  queries: QueryClient,
  { onChange, onConnected, onFleetUpdate }: Announcements = socket,
): () => void {
  const stops = [
    onChange((change) => follow(queries, change)),
    onFleetUpdate(() => follow(queries, { subject: 'fleet' })),
    // What changed while the page was not connected, even before the first time, was not announced to it.
    onConnected(() => announced.forEach((subject) => follow(queries, { subject }))),
  ]
  return () => stops.forEach((stop) => stop())
}
