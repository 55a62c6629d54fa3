import type { NodeContext } from '../../../platform/context.ts'
import type { Service } from '../../../platform/module.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { outboundRequests } from '../../../platform/http/outbound.ts'
import type { ExternalService } from '../../../platform/runtime/external-services.ts'
import { type ServiceReport, startPoller, waitFor } from '../../telemetry/index.ts'
import { noteAnswered, noteProblem, type PollableAccount, pollableAccounts } from './queries.ts'
import { samsaraClient } from './samsara-client.ts'
import { startSamsara } from './samsara-poller.ts'

type Context = Pick<NodeContext, 'db' | 'signals' | 'services' | 'env' | 'log'>

interface Running {
  version: string
  poller: Service
}

interface Pace {
  /** How often accounts are looked at. */
  lookEveryMs: number
  /** How often Samsara is asked; as it wants by itself. */
  askEveryMs?: number
}
const PACE: Pace = { lookEveryMs: 5000 }
const NOTE_EVERY_MS = 10_000
const SAMSARA_TIMEOUT_MS = 60_000
const effect = 'No new positions arrive; they are caught up with once it is back.'
const UNREADABLE =
  "The stored password can't be opened: the server's secret key is another one than when it was entered. Enter it again."

/** The account of the server's settings goes where the operator says; those that were entered are checked. */
export const outboundOf = ({ privateNetworks }: Context['env'], timeoutMs = SAMSARA_TIMEOUT_MS) =>
  outboundRequests({ privateNetworks, timeoutMs })

/** Asks every source that has an account, each on one node at a time, and starts over when an account changes. */
export function polledSources(context: Context, pace = PACE): Service {
  const stopping = new AbortController()
  const running = supervise(context, pace, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function supervise(context: Context, pace: Pace, signal: AbortSignal): Promise<void> {
  const { db, env, log } = context
  const running = new Map<string, Running>()
  const watched = new WatchedKinds(context)
  let isFailing = false
  do {
    try {
      const accounts = await pollableAccounts(db, env.geotab)
      const wanted = new Map(accounts.map((account) => [account.sourceUid, account]))
      for (const [uid, { version, poller }] of running) {
        if (wanted.get(uid)?.version === version) continue
        await poller.stop()
        running.delete(uid)
        watched.forget(uid)
      }
      for (const account of accounts) {
        if (running.has(account.sourceUid)) continue
        const poller = await start({ ...context, ...pace }, account, watched)
        running.set(account.sourceUid, { version: account.version, poller })
      }
      isFailing = false
    } catch (error) {
      // While the database is away, one line says so.
      if (!isFailing && !signal.aborted) log(error)
      isFailing = true
    }
  } while (await waitFor(pace.lookEveryMs, signal))
  await Promise.all([...running.values()].map(({ poller }) => poller.stop()))
}

const NOTHING_TO_STOP: Service = { stop: async () => {} }

async function start(context: Context & Pace, account: PollableAccount, watched: WatchedKinds): Promise<Service> {
  const { db, signals, env } = context
  const { sourceUid, kind, server, database, user, secret, everyMs, isSetByServer } = account
  if (secret === undefined) {
    await noteProblem(db, sourceUid, UNREADABLE)
    return NOTHING_TO_STOP
  }
  const service = reportOf(db, account, watched.reportFor(account))
  const log: Context['log'] = (error, about) => {
    context.log(error, about)
    service.note(error)
  }
  const outbound = outboundOf(env)
  if (kind === 'samsara') {
    const client = samsaraClient({ server, token: secret }, outbound)
    const { askEveryMs } = context
    const pace = askEveryMs !== undefined && { everyMs: askEveryMs, refusedMs: askEveryMs }
    return startSamsara({ db, signals, sourceUid, client, service, log: context.log, ...pace })
  }
  const geotab = { server, database, user, password: secret, ...(!isSetByServer && { outbound }) }
  return startPoller({ db, signals, account: geotab, everyMs, service, log })
}

/** Notes at its source how an account does, beside the service of its kind. */
function reportOf(db: Db, { sourceUid }: PollableAccount, service: ServiceReport) {
  let notedAt = 0
  const inBackground = (work: Promise<unknown>) => void work.catch(() => {})
  const note = (error: unknown) => {
    notedAt = 0
    inBackground(noteProblem(db, sourceUid, (error as Error).message))
  }
  return {
    note,
    answered() {
      service.answered()
      if (performance.now() - notedAt < NOTE_EVERY_MS && notedAt > 0) return
      notedAt = performance.now()
      inBackground(noteAnswered(db, sourceUid))
    },
    failed(error: unknown) {
      service.failed(error)
      note(error)
    },
    forget: () => service.forget(),
  }
}

const kindNames = { geotab: ['mygeotab', 'MyGeotab'], samsara: ['samsara', 'Samsara'] } as const

/** The services of the node by kind: one is away while any of its accounts fails. */
class WatchedKinds {
  readonly #context: Context
  readonly #services = new Map<PollableAccount['kind'], ExternalService>()
  readonly #failing = new Map<string, PollableAccount['kind']>()

  constructor(context: Context) {
    this.#context = context
  }

  reportFor({ sourceUid, kind }: PollableAccount): ServiceReport {
    const [name, label] = kindNames[kind]
    const service = this.#services.get(kind) ?? this.#context.services.watch({ name, label, effect })
    this.#services.set(kind, service)
    return {
      answered: () => {
        this.#failing.delete(sourceUid)
        if (!this.#isFailing(kind)) service.answered()
      },
      failed: (error) => {
        this.#failing.set(sourceUid, kind)
        service.failed(error)
      },
      forget: () => this.forget(sourceUid),
    }
  }

  /** An account is asked no more, or by another node. */
  forget(sourceUid: string): void {
    const kind = this.#failing.get(sourceUid)
    this.#failing.delete(sourceUid)
    if (kind && !this.#isFailing(kind)) this.#services.get(kind)?.forget()
  }

  #isFailing(kind: PollableAccount['kind']): boolean {
    return [...this.#failing.values()].includes(kind)
  }
}
