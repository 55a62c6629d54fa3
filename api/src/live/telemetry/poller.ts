import { beginFeedsOf } from './feed-versions.ts'
import { newestFix, lastPoll } from './metrics.ts'
import { followSources, type Following } from './sources.ts'
import { type GeotabAccount, geotabClient } from './geotab-client.ts'
import { takePollingTurns } from './polling-turns.ts'
import { SourceError } from './source-error.ts'

interface Options extends Omit<Following, 'everyMs' | 'client' | 'signal'> {
  account: GeotabAccount
  everyMs?: number | undefined
}

const LOCK = 'poll geotab'
const POLL_MS = 10_000

/** Polls MyGeotab on the one node that holds the lock. When that node is gone, another takes over. */
export const startPoller = (options: Options): { stop(): Promise<void> } =>
  takePollingTurns({
    db: options.db,
    lock: LOCK,
    work: (signal) => poll(options, signal),
    // The account must be fixed first; retrying would only lock it.
    isFinal: (error) => error instanceof SourceError && error.failure === 'refused',
    log(error, about) {
      options.log(error, about)
      if (error instanceof SourceError) options.service?.failed(error)
    },
  })

async function poll(options: Options, signal: AbortSignal): Promise<void> {
  const { account, everyMs = POLL_MS } = options
  try {
    await beginFeedsOf(options.db, `${account.server} ${account.database}`.toLowerCase())
    await followSources({ ...options, everyMs, client: geotabClient(account), signal })
  } finally {
    // From now on another node reports these metrics.
    lastPoll.forget()
    newestFix.forget()
    options.service?.forget()
  }
}
