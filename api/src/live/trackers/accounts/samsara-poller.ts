import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Signals } from '../../../platform/db/signals.ts'
import type { NodeLog } from '../../../platform/observability/log.ts'
import {
  backOffMs,
  feedVersion,
  forgetFeed,
  type ServiceReport,
  SourceError,
  storeTelemetry,
  takePollingTurns,
  type TrackerFix,
  waitFor,
} from '../../telemetry/index.ts'
import { noteUnknown } from '../queries.ts'
import { CursorExpired, type SamsaraClient } from './samsara-client.ts'

export interface SamsaraPolling {
  db: Db
  signals?: Pick<Signals, 'publish'> | undefined
  sourceUid: string
  client: SamsaraClient
  everyMs?: number
  /** How long to wait after a token was rejected: it may be given its right meanwhile. */
  refusedMs?: number
  service: ServiceReport
  log: NodeLog
}

// Samsara asks for at least five seconds between two calls where there is no further page.
const POLL_MS = 10_000
const REFUSED_MS = 5 * 60_000

/** The name of a source's feed, beside those of MyGeotab. */
const feedOf = (sourceUid: string) => `samsara ${sourceUid}`

/** Polls a Samsara account on the one node that holds its lock. */
export const startSamsara = (polling: SamsaraPolling): { stop(): Promise<void> } =>
  takePollingTurns({
    db: polling.db,
    lock: `poll ${feedOf(polling.sourceUid)}`,
    work: (signal) => follow(polling, signal).finally(() => polling.service.forget()),
    isFinal: () => false,
    log: polling.log,
  })

async function follow(polling: SamsaraPolling, signal: AbortSignal): Promise<void> {
  const { service, log, everyMs = POLL_MS, refusedMs = REFUSED_MS } = polling
  let failures = 0
  let waitMs = 0
  do {
    try {
      waitMs = (await pollOnce(polling, signal)) ? 0 : everyMs
      service.answered()
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof SourceError)) log(error)
      service.failed(error)
      const asked = error instanceof SourceError ? error.waitMs : undefined
      const isLasting = error instanceof SourceError && ['refused', 'rejected'].includes(error.failure)
      waitMs = isLasting ? refusedMs : backOffMs(++failures, asked)
    }
  } while (await waitFor(waitMs, signal))
}

/** How many fixes came of each vehicle that is no truck. */
function unknownOf(fixes: readonly TrackerFix[], trucks: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { truck } of fixes) if (!trucks.has(truck)) counts.set(truck, (counts.get(truck) ?? 0) + 1)
  return counts
}

/** Reads and stores the next page; answers whether there is another one. */
async function pollOnce(polling: SamsaraPolling, signal: AbortSignal): Promise<boolean> {
  const { db, signals, sourceUid, client } = polling
  const feed = feedOf(sourceUid)
  const from = await feedVersion(db, feed)
  const page = await client.read(from, signal).catch(async (error: unknown) => {
    if (!(error instanceof CursorExpired)) throw error
    await forgetFeed(db, feed)
    const text =
      'Samsara no longer knew how far its feed was read, so the newest positions are read from now on. Upload files for days that are missing.'
    throw new SourceError('unavailable', text)
  })
  const { fixes, readings, endCursor, hasNextPage } = page
  if (fixes.length + readings.length > 0 || endCursor !== from) {
    const now = await sharedNow(db)
    const cursor = { entity: feed, from, to: endCursor }
    const batch = { source: sourceUid, cursor, now, fixes, statuses: [], readings }
    const { trucks } = await storeTelemetry(db, batch, signals?.publish)
    await noteUnknown(db, { uid: sourceUid }, unknownOf(fixes, trucks))
  }
  return hasNextPage && endCursor !== from
}
