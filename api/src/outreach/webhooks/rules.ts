import { DAY_MS } from '@roadshow/contract'

const HOUR = 3_600_000

/** How often an endpoint fails in a row, and since when. */
export interface Failing {
  failures: number
  /** How long it has accepted nothing, in milliseconds. */
  failingMs: number
}

const MOST_FAILURES = 50

/** Whether an endpoint counts as dead: many failures in a row for at least an hour, or nothing but failures for two days. */
export const isDead = ({ failures, failingMs }: Failing): boolean =>
  (failures >= MOST_FAILURES && failingMs >= HOUR) || failingMs >= 2 * DAY_MS

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

const canceled = (reason: string): Stop => ({ outcome: 'cancelled', reason })

/** Why a message must not leave at this moment; undefined if it may. */
export function stopOf(endpoint: EndpointNow | undefined, message: MessageFacts): Stop | undefined {
  if (!endpoint || endpoint.state === 'ended') return canceled('The endpoint has ended.')
  if (message.isTest) return undefined
  if (!endpoint.events.includes(message.event)) return canceled('The endpoint no longer gets events of this kind.')
  if (endpoint.clientUid !== null) {
    const now = message.programClientUid ?? message.clientUid
    if (message.clientUid !== endpoint.clientUid || now !== endpoint.clientUid)
      return canceled("It doesn't concern the client of the endpoint.")
  }
  return endpoint.state === 'paused' ? { outcome: 'held', reason: 'The endpoint is paused.' } : undefined
}

/** Fields that name a driver, or hold what staff and drivers wrote for each other. */
const STAFF_ONLY = new Set(['driver', 'driverUid', 'driverName', 'raisedBy', 'text', 'note', 'reason'])

/** What a client may read of a part of an event. */
function withoutStaffFields(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutStaffFields)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => !STAFF_ONLY.has(name))
      .map(([name, value]) => [name, withoutStaffFields(value)]),
  )
}

/** The state of a record before or after a change. */
interface ChangedState {
  client?: { uid: string }
  program?: { uid: string }
}

type EventData = Record<string, unknown> & {
  programUid?: string
  program?: unknown
  before?: ChangedState | null
  after?: ChangedState | null
}

export interface Happening {
  type: string
  at: string
  clientUid: string | null
  data: EventData
}

/** The clients that an event concerns: a shift that moves from one to another concerns both. */
export const clientsOf = ({ clientUid, data: { before, after } }: Happening): string[] => [
  ...new Set([clientUid, before?.client?.uid, after?.client?.uid].filter((uid) => typeof uid === 'string')),
]

/** The program that an event is about; null for none. */
export function programOf({ programUid, program, before, after }: EventData): string | null {
  const named = typeof program === 'object' && program !== null && 'uid' in program ? program.uid : undefined
  const uid = programUid ?? named ?? after?.program?.uid ?? before?.program?.uid
  return typeof uid === 'string' ? uid : null
}

/** What one client may read of an event: for it, a shift that comes from another client is new, and one that goes to it is removed. */
export function dataForClient({ data }: Happening, clientUid: string): EventData {
  const isOwn = (state: ChangedState | null | undefined) => state?.client?.uid === clientUid
  if (!data.before && !data.after) return withoutStaffFields(data) as EventData
  const [before, after] = [data.before, data.after].map((state) => (isOwn(state) ? state : null))
  const change = before && !after ? 'removed' : !before && after ? 'added' : data['change']
  return withoutStaffFields({ ...data, change, before, after }) as EventData
}

/** The body of a message in the shape of Standard Webhooks. Its bytes stay the same over all attempts. */
export const bodyOf = ({ type, at }: Happening, data: EventData, clientUid: string | null): string =>
  JSON.stringify({ type, timestamp: at, data: { ...data, clientUid } })
