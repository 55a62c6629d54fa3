import { type WebhookEvent, webhookEvents } from '@roadshow/contract'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How often an endpoint fails in a row, and since when. */
export interface Failing {
  failures: number
  /** How long it has accepted nothing, in milliseconds. */
  failingMs: number
}

const MOST_FAILURES = 50

/** Whether an endpoint counts as dead: many failures in a row for at least an hour, or nothing but failures for two days. */
export const isDead = ({ failures, failingMs }: Failing): boolean =>
  (failures >= MOST_FAILURES && failingMs >= HOUR) || failingMs >= 2 * DAY

const LONGEST_WAIT = 12 * HOUR

/** The wait that a receiver asks for, as seconds or as a date; undefined without one. It is bounded: messages expire. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT)
}

/** What became of an attempt, by the status of the answer. */
export function verdictOf(status: number): 'accepted' | 'gone' | 'failed' {
  if (status >= 200 && status < 300) return 'accepted'
  return status === 410 ? 'gone' : 'failed'
}

/** An endpoint as it is when a message is about to leave. */
export interface EndpointNow {
  state: string
  events: readonly string[]
  clientUid: string | null
}

/** A message as it was made. */
export interface MessageFacts {
  event: string
  isTest: boolean
  /** The client whose affair it is; null for none. */
  clientUid: string | null
  /** The client that its program belongs to now; null if it concerns no program. */
  programClientUid: string | null
}

export interface Stop {
  outcome: 'cancelled' | 'held'
  reason: string
}

const cancelled = (reason: string): Stop => ({ outcome: 'cancelled', reason })

/** Why a message must not leave at this moment; undefined if it may. */
export function stopOf(endpoint: EndpointNow | undefined, message: MessageFacts): Stop | undefined {
  if (!endpoint || endpoint.state === 'ended') return cancelled('The endpoint has ended.')
  if (message.isTest) return undefined
  if (!endpoint.events.includes(message.event)) return cancelled('The endpoint no longer gets events of this kind.')
  if (endpoint.clientUid !== null) {
    const now = message.programClientUid ?? message.clientUid
    if (message.clientUid !== endpoint.clientUid || now !== endpoint.clientUid)
      return cancelled("It doesn't concern the client of the endpoint.")
  }
  return endpoint.state === 'paused' ? { outcome: 'held', reason: 'The endpoint is paused.' } : undefined
}

/** Fields that name a driver or are for staff only, wherever they are in an event. */
const STAFF_ONLY = /^(driver|reported|acknowledged|note|reason|pay)/i

/** What a client may read of an event. */
export function forClient(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(forClient)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => !STAFF_ONLY.test(name))
      .map(([name, value]) => [name, forClient(value)]),
  )
}

export const isWebhookEvent = (type: string): type is WebhookEvent => (webhookEvents as string[]).includes(type)

interface Happening {
  type: string
  at: string
  clientUid: string | null
  data: Record<string, unknown>
}

/** The body of a message in the shape of Standard Webhooks. Its bytes stay the same over all attempts. */
export function bodyOf({ type, at, clientUid, data }: Happening, isForClient: boolean): string {
  const told = { ...data, clientUid }
  return JSON.stringify({ type, timestamp: at, data: isForClient ? forClient(told) : told })
}
