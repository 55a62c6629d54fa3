import type { Endpoint, InputOf, ReplyOf } from '@roadshow/contract/platform/endpoint'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { API_BASE, DATA_PART, DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import { isTransientStatus, MAX_ATTEMPTS, retryDelayMs } from '@roadshow/contract/platform/retries'
import { endLocalSession, goToEnrollment, readToken } from './session.ts'

/** An error whose message is a sentence for its user. */
export class ReadableError extends Error {}

/** An answer that is not a success, with its sentence as message. */
export class ApiError extends ReadableError {
  readonly status: number
  readonly code: ErrorBody['code'] | undefined
  readonly fields: Record<string, string>
  /** The record in the way. */
  readonly conflict: ErrorBody['conflict']
  /** What is in the way, with what can be done about it. */
  readonly inTheWay: ErrorBody['inTheWay']
  /** What the second step of signing in needs. */
  readonly secondFactor: ErrorBody['secondFactor']

  constructor(status: number, body: Partial<ErrorBody> | undefined) {
    super(body?.error || DEFAULT_ERROR)
    this.name = 'ApiError'
    this.status = status
    this.code = body?.code
    this.fields = body?.fields ?? {}
    this.conflict = body?.conflict
    this.inTheWay = body?.inTheWay
    this.secondFactor = body?.secondFactor
  }
}

/** Whether a save was refused because someone else has changed the record since it was loaded. */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'staleVersion'

/** Called after every answer and every try without one. The console replaces these to know whether the server is away. */
export const contact = { heard: (): void => undefined, missed: (): void => undefined }

// The messages of fetch are written for engineers. An abort is our own and passes unchanged.
function unreachable(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') throw error
  contact.missed()
  throw new ApiError(0, { error: 'We can’t reach the server. Check your connection and try again.' })
}

/** The sentence to show for an error: its own, or the default one. */
export const errorMessage = (error: unknown): string => (error instanceof ReadableError ? error.message : DEFAULT_ERROR)

interface Options {
  /** The same key for the same intent, however often it is sent. Without one a write gets its own. */
  idempotencyKey?: string
  /** Sent once: the caller retries by itself, or cannot wait. */
  isOnce?: true
  signal?: AbortSignal
  /** An ended session does not lead to the login page: the caller says so where the user is. */
  staysOnPage?: true
  /** Sends in another way than fetch, such as with progress. */
  by?: (url: string, request: RequestInit) => Promise<Response>
}

type Query = Record<string, string | number | readonly (string | number)[] | undefined | null>

/** `{ state: ['a', 'b'], page: 2 }` as `state=a&state=b&page=2`; what is empty is left out. */
export function queryString(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value !== undefined && value !== null && value !== '') params.append(name, String(value))
    }
  }
  return params.toString()
}

function address(endpoint: Endpoint, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = queryString((input.query ?? {}) as Query)
  return `${API_BASE}/${path}${query && `?${query}`}`
}

function formOf(body: unknown, files: Record<string, Blob[]> = {}): FormData {
  const form = new FormData()
  form.append(DATA_PART, JSON.stringify(body))
  for (const [part, given] of Object.entries(files)) for (const file of given) form.append(part, file)
  return form
}

const OFFLINE_MS = 30_000

/** Waits until the next try is due; a browser without a network waits until it has one again. */
function untilNextTry(tries: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      removeEventListener('online', tryAgain)
      signal?.removeEventListener('abort', abort)
    }
    const tryAgain = () => {
      stop()
      resolve()
    }
    const abort = () => {
      stop()
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(tryAgain, navigator.onLine ? retryDelayMs(tries) : OFFLINE_MS)
    addEventListener('online', tryAgain)
    signal?.addEventListener('abort', abort)
  })
}

/** A key for one intent. Not randomUUID, which browsers give to https pages only. */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keys of changes whose outcome is unknown, by the request that was sent. */
const unanswered = new Map<string, string>()

/**
 * Identifies a change that is saved again because no answer came. Only changes that name the version they change have
 * one: any other, such as deleting a user who was restored since, may be a new intent.
 */
function intentOf({ method, path }: Endpoint, { body, files = {} }: { body?: unknown; files?: object | undefined }) {
  if (typeof body !== 'object' || body === null || !('version' in body)) return undefined
  const sent = Object.values(files as Record<string, File[]>).flat()
  return JSON.stringify([method, path, body, sent.map(({ name, size }) => [name, size])])
}

/** Whether a key makes a write repeatable: the server keeps answers of signed-in users only, and never secrets. */
const mayHaveKey = ({ access, secret }: Endpoint) => access !== 'public' && !secret

/**
 * Sends one call and returns the raw response of a success; anything else is thrown as an ApiError. Reads, and writes
 * with a key, are retried while the server is away for a moment.
 */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
): Promise<Response> {
  const isRead = endpoint.method === 'GET'
  // A caller that sends in its own way retries by itself.
  if (options.by || options.isOnce || !(isRead || mayHaveKey(endpoint))) return sendOnce(endpoint, input, options)
  if (isRead) return persist(endpoint, input, options)
  const intent = options.idempotencyKey === undefined ? intentOf(endpoint, input) : undefined
  const idempotencyKey = options.idempotencyKey ?? unanswered.get(intent ?? '') ?? newIdempotencyKey()
  if (intent) unanswered.set(intent, idempotencyKey)
  try {
    const response = await persist(endpoint, input, { ...options, idempotencyKey })
    if (intent) unanswered.delete(intent)
    return response
  } catch (error) {
    if (intent && error instanceof ApiError && !isTransientStatus(error.status)) unanswered.delete(intent)
    throw error
  }
}

/** Retries while the failure is transient. */
async function persist<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: Options): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(endpoint, input, options)
    } catch (error) {
      const isWorthIt = error instanceof ApiError && isTransientStatus(error.status)
      if (!isWorthIt || tries === MAX_ATTEMPTS || options.signal?.aborted) throw error
      await untilNextTry(tries, options.signal)
    }
  }
}

function leaveFor(error: ApiError, { access }: Endpoint): void {
  if (error.status === 401 && access !== 'public') endLocalSession(error.message)
  if (error.code === 'secondFactorNeeded') goToEnrollment()
}

async function sendOnce<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: Options): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json', 'Cache-Control': 'no-cache', Pragma: 'no-cache' })
  const token = readToken()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey)
  const { body, files } = input as { body?: unknown; files?: Record<string, Blob[]> }
  // The browser sets the content type of a form: only it knows the boundary.
  if (body !== undefined && !endpoint.files) headers.set('Content-Type', 'application/json')
  const response = await (options.by ?? fetch)(address(endpoint, input), {
    method: endpoint.method,
    headers,
    ...(body !== undefined && { body: endpoint.files ? formOf(body, files) : JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  }).catch(unreachable)
  if (isTransientStatus(response.status)) contact.missed()
  else contact.heard()
  if (response.ok && endpoint.method === 'GET') return response
  // A response whose body was cut off counts as lost, and the write is retried.
  if (response.ok) return new Response((await response.text().catch(unreachable)) || null, response)
  const error = new ApiError(response.status, (await response.json().catch(() => undefined)) as ErrorBody | undefined)
  if (!options.staysOnPage) leaveFor(error, endpoint)
  throw error
}

/**
 * An endpoint as sending needs it, for pages too light to carry schemas: written out, and held to the contract by its
 * type. `call` reads nothing else of it; what needs a module leaves out who may call it.
 */
export const endpointWithoutSchemas = <E extends Endpoint>(
  address: Pick<E, 'method' | 'path'> &
    Partial<Pick<E, 'access' | 'follows' | 'atLeastEvery' | 'atMostEvery'>> & {
      files?: object
      keys?: boolean
      secret?: true
    },
): E => address as E

/** Makes one call of the contract. */
export async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: Options): Promise<ReplyOf<E>> {
  const response = await send(endpoint, input, options)
  return (await response.json()) as ReplyOf<E>
}
