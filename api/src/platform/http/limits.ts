import { API_BASE, type Endpoint, type RateClass } from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerUid } from '../db/records/scope.ts'
import { AppError } from '../runtime/app-error.ts'
import { networkOf } from './address.ts'
import type { App, Kernel } from './app.ts'
import { type Counters, secondsLeft } from './counters.ts'
import { limited } from '../observability/metrics.ts'
import { routeOrPathname } from './request-path.ts'

const WINDOW_MS = 60_000

/**
 * How much of each class one address may ask for, as a share of one account's limit. An office sits behind one address,
 * and a page of photos loads each of them; a password is set once.
 */
const shares: Record<RateClass | 'usual', number> = {
  reset: 0.02,
  report: 0.02,
  upload: 1,
  picture: 4,
  public: 0.4,
  usual: 4,
}

/** What drivers and devices report a minute: a phone that was offline for weeks sends no more. */
const REPORT_SHARE = 0.04

/** The positions of one source a minute: with the usual limit those of 2,000 trucks that send each second. */
export const FIX_SHARE = 40

const EXPORT_SHARE = 0.02
const EXPORTS_AT_ONCE = 3

/** A file of many rows costs as much as hundreds of pages, and holds a database connection while it is read. */
export const isExport = (endpoint: Endpoint | undefined, { query }: Pick<FastifyRequest, 'query'>): boolean =>
  (query as { format?: unknown } | undefined)?.format !== undefined || endpoint?.isExport === true

interface Limits {
  counters: Counters
  /** Calls a minute of one account or API key; the other limits follow from it. */
  perMinute: number
  /** Pages that count as public data. */
  isPublicPage: (pathname: string) => boolean
}

export type TakeReports = Kernel['takeReports']

/** Without limits every row is taken. */
export const takeAllReports: TakeReports = async (_sender, rows) => rows

/** Takes as many rows a minute as the limits allow. The others are not refused: their sender keeps them and sends them again. */
export const limitReports =
  ({ counters, perMinute }: Pick<Limits, 'counters' | 'perMinute'>, share = REPORT_SHARE): TakeReports =>
  async (sender, rows) => {
    const most = Math.max(1, perMinute * share)
    const before = (await counters.hit(`reports ${sender}`, WINDOW_MS, rows)) - rows
    const taken = Math.max(0, Math.min(rows, most - before))
    if (taken < rows) limited.inc({ limit: 'reports' }, rows - taken)
    return taken
  }

async function goOnAfter(work: Promise<void> | undefined, next: (error?: Error) => void): Promise<void> {
  try {
    await work
  } catch (error) {
    return next(error as Error)
  }
  next()
}

/**
 * Refuses more calls than the limits allow, by address before anything else is done and by account or API key
 * once it is known.
 * Attempts on passwords are counted in the database instead. Each node counts its own calls unless the counters are shared.
 */
export function limitCalls(app: App, { counters, perMinute, isPublicPage }: Limits): void {
  function refuseMany(limit: string, counted: number, share: number): void {
    if (counted <= Math.max(1, perMinute * share)) return
    limited.inc({ limit })
    throw new AppError('tooMany', { retryAfter: secondsLeft(WINDOW_MS) })
  }

  /** Counts at once where the counters are in memory, so that a call need not wait for a promise. */
  function count(limit: string, caller: string, share: number): Promise<void> | undefined {
    const counted = counters.hit(`${limit} ${caller}`, WINDOW_MS)
    if (typeof counted !== 'number') return counted.then((counted) => refuseMany(limit, counted, share))
    refuseMany(limit, counted, share)
    return undefined
  }

  /** Undefined for what is not counted: files of the web app and the health of the node. */
  function rateOf(request: FastifyRequest): RateClass | 'usual' | undefined {
    const path = routeOrPathname(request)
    if (path.startsWith(`${API_BASE}/`)) return request.routeOptions.config.endpoint?.rate ?? 'usual'
    // The name of a parameter stands for its value: the route of a page's password is as public as the page.
    return isPublicPage(path.replaceAll('/:', '/')) ? 'public' : undefined
  }

  app.addHook('onRequest', (request, _reply, next) => {
    const rate = rateOf(request)
    const counting = rate && count(rate, networkOf(request.ip), shares[rate])
    if (counting) void goOnAfter(counting, next)
    else next()
  })

  const underWay = new Map<string, number>()

  // The account is known by now, and the body is not read yet.
  app.addHook('preParsing', (request, reply, _payload, next) => {
    if (!request.scope) return next()
    const uid = callerUid(request.scope.actor)
    const counting = count('account', uid, 1)
    const isOfExport = isExport(request.routeOptions.config.endpoint, request)
    if (!counting && !isOfExport) return next()
    void goOnAfter(isOfExport ? countExport(uid, reply, counting) : counting, next)
  })

  async function countExport(uid: string, reply: FastifyReply, counting: Promise<void> | undefined): Promise<void> {
    await counting
    await count('exports', uid, EXPORT_SHARE)
    const running = (underWay.get(uid) ?? 0) + 1
    if (running > EXPORTS_AT_ONCE) {
      const text = 'Some of your exports are still running. Please wait until one of them is done.'
      throw new AppError('tooMany', { text, retryAfter: 10 })
    }
    underWay.set(uid, running)
    reply.raw.once('close', () => {
      const left = (underWay.get(uid) ?? 1) - 1
      if (left > 0) underWay.set(uid, left)
      else underWay.delete(uid)
    })
  }
}
