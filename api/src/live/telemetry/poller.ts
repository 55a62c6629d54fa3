import type { NodeContext } from '../../platform/context.ts'
import { sessionLocksOf } from '../../platform/db/connection.ts'
import { newestFix, lastPoll } from './metrics.ts'
import { followSources, type Following, waitFor } from './sources.ts'
import { type GeotabAccount, geotabClient } from './geotab-client.ts'
import { GeotabError } from './geotab-rpc.ts'

interface Options extends Omit<Following, 'everyMs' | 'client' | 'signal'> {
  account: GeotabAccount
  everyMs?: number | undefined
}

const LOCK = 'poll geotab'
const RETRY_MS = 2000
const POLL_MS = 10_000

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

/** Waits for the lock and polls as long as it is held. */
async function takeTurn(options: Options, signal: AbortSignal): Promise<void> {
  const locks = sessionLocksOf(options.db)
  let lock = await locks.take(LOCK)
  while (!lock) {
    if (!(await waitFor(RETRY_MS, signal))) return
    lock = await locks.take(LOCK)
  }
  try {
    await poll(options, AbortSignal.any([signal, lock.signal]))
  } finally {
    await lock.release()
  }
}

async function poll(options: Options, signal: AbortSignal): Promise<void> {
  const { account, everyMs = POLL_MS } = options
  try {
    await followSources({ ...options, everyMs, client: geotabClient(account), signal })
  } finally {
    // From now on another node reports these metrics.
    lastPoll.forget()
    newestFix.forget()
    options.service?.forget()
  }
}

/** Polls the MyGeotab account of the settings, if there is one. */
export function geotabService({ db, signals, services, env: { geotab }, log }: NodeContext) {
  if (!geotab) return undefined
  const service = services.watch({
    name: 'mygeotab',
    label: 'MyGeotab',
    effect: 'No new positions arrive; they are caught up with once it is back.',
  })
  const { everyMs } = geotab
  return startPoller({ db, signals, account: geotab, everyMs, service, log })
}
