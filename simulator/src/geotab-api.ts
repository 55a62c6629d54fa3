import { DAY_MS } from '@roadshow/contract'
import { randomBytes } from 'node:crypto'
import { GeotabCalls, GeotabFailure, type GeotabParams, textOrEmpty } from './geotab-calls.ts'
import { GeotabRateLimits } from './geotab-limits.ts'
import type { SimulatedFleet } from './fleet.ts'

export type GeotabRequest = { method: string; params: GeotabParams }
export type GeotabResponse = { body: object; headers?: Record<string, string> }

const MAX_SESSIONS = 100
const SESSION_MS = 14 * DAY_MS
export const SIMULATED_DATABASE = 'simulated'
export const SIMULATED_USER = 'fleet@simulator.example'

const isObject = (value: unknown): value is GeotabParams => typeof value === 'object' && value !== null

export const invalidUser = () => new GeotabFailure('InvalidUserException', 'Incorrect login credentials')

export class OverLimit extends GeotabFailure {
  readonly retryS: number

  constructor(retryS: number) {
    super('OverLimitException', 'API calls quota exceeded.')
    this.retryS = retryS
  }
}

interface GeotabApiOptions {
  fleet: SimulatedFleet
  password: string
  /** The clock of limits and sessions, not of the trucks. */
  now: () => number
}

/** Answers the calls of MyGeotab, with its sessions and its limits. */
export class GeotabApi {
  readonly #calls: GeotabCalls
  readonly #limits: GeotabRateLimits
  readonly #password: string
  readonly #now: () => number
  readonly #sessions = new Map<string, number>()

  constructor({ fleet, password, now }: GeotabApiOptions) {
    this.#calls = new GeotabCalls(fleet)
    this.#limits = new GeotabRateLimits(now)
    this.#password = password
    this.#now = now
  }

  respond(request: GeotabRequest): GeotabResponse {
    const headers = this.#countCall(request)
    const { method, params } = request
    if (method === 'Authenticate') return { body: { result: this.#authenticate(params) }, headers }
    this.#checkSession(params)
    const result = method === 'ExecuteMultiCall' ? this.#multiCall(params) : this.#calls.result(method, params)
    return { body: { result }, headers }
  }

  endSessions(): void {
    this.#sessions.clear()
  }

  #authenticate({ database, userName, password }: GeotabParams): object {
    if (database !== SIMULATED_DATABASE || userName !== SIMULATED_USER || password !== this.#password)
      throw invalidUser()
    const sessionId = randomBytes(16).toString('base64url')
    this.#sessions.set(sessionId, this.#now())
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MAX_SESSIONS && oldest) this.#sessions.delete(oldest)
    const credentials = { database: SIMULATED_DATABASE, sessionId, userName: SIMULATED_USER }
    return { credentials, path: 'ThisServer' }
  }

  #checkSession({ credentials }: GeotabParams): void {
    const sessionId = isObject(credentials) ? textOrEmpty(credentials['sessionId']) : ''
    if (this.#now() - (this.#sessions.get(sessionId) ?? -Infinity) > SESSION_MS) throw invalidUser()
  }

  #countCall({ method, params }: GeotabRequest): Record<string, string> {
    const { remaining, resetS } = this.#limits.count(method, textOrEmpty(params['typeName']), SIMULATED_USER)
    if (remaining < 0) throw new OverLimit(resetS)
    return {
      'X-Rate-Limit-Limit': '1m',
      'X-Rate-Limit-Remaining': String(remaining),
      'X-Rate-Limit-Reset': new Date(this.#now() + resetS * 1000).toISOString(),
    }
  }

  #multiCall({ calls: parts }: GeotabParams): unknown[] {
    if (!Array.isArray(parts)) throw new GeotabFailure('ArgumentException', 'There are no calls.')
    return parts.map((part: unknown, requestIndex) => {
      try {
        const request = parseRequest(part)
        this.#countCall(request)
        return this.#calls.result(request.method, request.params)
      } catch (error) {
        throw Object.assign(error as Error, { requestIndex })
      }
    })
  }
}

export function parseRequest(body: unknown): GeotabRequest {
  if (!isObject(body) || typeof body['method'] !== 'string')
    throw new GeotabFailure('ArgumentException', 'The request has no method.')
  return { method: body['method'], params: isObject(body['params']) ? body['params'] : {} }
}

/** The response to a failed call. MyGeotab sends errors with HTTP status 200. */
export function failureResponse(error: unknown): GeotabResponse {
  const failure = error instanceof GeotabFailure ? error : new GeotabFailure('Exception', String(error))
  const { type, message, code } = failure
  const { requestIndex = 0 } = error as { requestIndex?: number }
  const data = { id: randomBytes(16).toString('hex'), type, requestIndex }
  return {
    body: { error: { message, code, data, name: 'JSONRPCError', errors: [{ message, name: type }] }, requestIndex },
    ...(failure instanceof OverLimit && { headers: { 'Retry-After': String(failure.retryS) } }),
  }
}
