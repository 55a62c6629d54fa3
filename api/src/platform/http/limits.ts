import { API_BASE } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../runtime/app-error.ts'
import { networkOf } from './address.ts'
import type { App } from './app.ts'
import { type Counters, secondsLeft } from './counters.ts'

const WINDOW_MS = 60_000

/**
 * How much of each kind an address may ask for, as a share of what an account may. An office sits behind one address,
 * and a page of photos asks for each of them; a password is set anew once.
 */
const kinds: { name: string; path: RegExp; share: number }[] = [
  { name: 'reset', path: /^authentication\/(password-reset|forgot-password-mail)/, share: 0.02 },
  { name: 'reports', path: /^web-log\/?(\?|$)/, share: 0.02 },
  { name: 'uploads', path: /^blob-storage\//, share: 1 },
  { name: 'pictures', path: /^(files\/|client-pop\/pictures\/|public\/pop\/[^/]+\/pictures\/)/, share: 4 },
  { name: 'public', path: /^public\//, share: 0.4 },
  { name: 'calls', path: /^/, share: 4 },
]

const PUBLIC_PAGE = /^\/(pop|programs)\/./

/** What an address is asking for, if that is counted at all: files of the web app and the health of the node are not. */
function kindOf(url: string) {
  if (url.startsWith(`${API_BASE}/`)) {
    const path = url.slice(API_BASE.length + 1)
    return kinds.find((kind) => kind.path.test(path))
  }
  return PUBLIC_PAGE.test(url) ? kinds.find(({ name }) => name === 'public') : undefined
}

/** A file of many rows: it costs what hundreds of pages cost, and holds a connection to the database while it is read. */
const isExport = ({ query, url }: FastifyRequest) =>
  (query as { format?: unknown } | undefined)?.format !== undefined || url.startsWith(`${API_BASE}/payroll/file`)

const EXPORT_SHARE = 0.02
const EXPORTS_AT_ONCE = 3

interface Limits {
  counters: Counters
  /** Calls a minute of one account; the other limits follow from it. */
  perMinute: number
}

/**
 * Refuses who asks for too much, by address before anything else is done and by account once it is known. What counts
 * for the safety of passwords is counted in the database instead, on every node the same; here each node counts for
 * itself unless the counters are shared.
 */
export function limitCalls(app: App, { counters, perMinute }: Limits): void {
  async function count(key: string, share: number): Promise<void> {
    if ((await counters.hit(key, WINDOW_MS)) <= Math.max(1, perMinute * share)) return
    throw new AppError('tooMany', { retryAfter: secondsLeft(WINDOW_MS) })
  }

  app.addHook('onRequest', async (request) => {
    const kind = kindOf(request.url)
    if (kind) await count(`${kind.name} ${networkOf(request.ip)}`, kind.share)
  })

  const underWay = new Map<string, number>()

  // Who calls is known by now, and nothing of the body is read yet.
  app.addHook('preParsing', async (request, reply) => {
    if (!request.scope) return
    const { uid } = request.scope.actor
    await count(`account ${uid}`, 1)
    if (!isExport(request)) return
    await count(`exports ${uid}`, EXPORT_SHARE)
    const running = (underWay.get(uid) ?? 0) + 1
    if (running > EXPORTS_AT_ONCE) {
      const text = 'Some of your exports are still under way. Please wait until one of them is done.'
      throw new AppError('tooMany', { text, retryAfter: 10 })
    }
    underWay.set(uid, running)
    reply.raw.once('close', () => {
      const left = (underWay.get(uid) ?? 1) - 1
      if (left > 0) underWay.set(uid, left)
      else underWay.delete(uid)
    })
  })
}
