import { type Trace, traceparent } from '../../platform/observability/trace.ts'

/**
 * What went wrong, by what to do about it.
 * refused: user or password are wrong; retrying does not help.
 * overLimit: too many calls; retry after the given time.
 * unavailable: passes by itself; retry later.
 * rejected: the call itself is wrong; retrying does not help.
 */
type Failure = 'refused' | 'overLimit' | 'unavailable' | 'rejected'

export class GeotabError extends Error {
  /** How long MyGeotab asks us to wait, if it says so. */
  readonly waitMs: number | undefined
  /** Whether the call certainly never got there, so that MyGeotab has not counted it. */
  readonly isUnsent: boolean

  constructor(
    readonly failure: Failure,
    message: string,
    { waitMs, isUnsent = false }: { waitMs?: number | undefined; isUnsent?: boolean } = {},
  ) {
    super(message)
    this.waitMs = waitMs
    this.isUnsent = isUnsent
  }
}

/** MyGeotab does not know the credentials, or no longer. */
export class SessionEnded extends Error {}

interface RpcCall {
  /** The server to call. */
  base: string
  method: string
  params: object
  signal: AbortSignal
  timeoutMs: number
  trace: Trace
}

export interface RpcAnswer {
  result: unknown
  /** When the answer began to arrive: MyGeotab has counted the call by then, however slow the connection. */
  answeredAt: number
}

interface Reply {
  result?: unknown
  error?: { message?: unknown; data?: { type?: unknown }; errors?: { name?: unknown }[] }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Makes one JSON-RPC call. */
export async function callGeotab({ base, method, params, signal, timeoutMs, trace }: RpcCall): Promise<RpcAnswer> {
  const { response, text, answeredAt } = await fetch(`${base}/apiv1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: traceparent(trace) },
    body: JSON.stringify({ method, params }),
    // Only Authenticate may name another host; credentials go nowhere else.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
    .then(async (answered) => ({ answeredAt: performance.now(), response: answered, text: await answered.text() }))
    .catch((error: unknown) => {
      signal.throwIfAborted()
      throw new GeotabError('unavailable', `Could not reach MyGeotab: ${causeOf(error)}`, {
        isUnsent: isUnsent(error as Error & { cause?: { code?: string } }),
      })
    })
  return { result: resultOf(response, text, method), answeredAt }
}

/** MyGeotab sends errors with HTTP 200; proxies in between answer with pages of their own. */
function resultOf(response: Response, text: string, method: string): unknown {
  const reply = parseReply(text)
  const waitMs = retryAfter(response)
  if (!reply?.error && reply?.result !== undefined && response.ok) return reply.result
  const type = textOf(reply?.error?.data?.type) ?? textOf(reply?.error?.errors?.[0]?.name)
  const summary = `MyGeotab answered ${method} with ${type ?? `HTTP ${response.status}`}.`
  if (type === 'InvalidUserException') throw new SessionEnded(summary)
  if (type === 'OverLimitException' || response.status === 429) throw new GeotabError('overLimit', summary, { waitMs })
  const isPassing = type === undefined || type === 'DbUnavailableException' || response.status >= 500
  // The message may quote the call. Only Authenticate carries the password, so its message is left out.
  const detail = method === 'Authenticate' ? '' : ` ${textOf(reply?.error?.message) ?? ''}`
  throw new GeotabError(isPassing ? 'unavailable' : 'rejected', `${summary}${detail}`, { waitMs })
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function parseReply(text: string): Reply | undefined {
  try {
    const reply: unknown = JSON.parse(text)
    return isObject(reply) ? reply : undefined
  } catch {
    return undefined
  }
}

function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

// No connection was made.
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

const isUnsent = ({ cause }: { cause?: { code?: string } }) => UNSENT.includes(cause?.code ?? '')

function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
