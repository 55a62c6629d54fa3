import { type Outbound, OutboundError } from '../../platform/http/outbound.ts'
import { type Trace, traceparent } from '../../platform/observability/trace.ts'
import { SourceError, waitOf } from './source-error.ts'

export class GeotabError extends SourceError {
  /** Whether the call certainly never got there, so that MyGeotab has not counted it. */
  readonly isUnsent: boolean

  constructor(
    failure: SourceError['failure'],
    message: string,
    { waitMs, isUnsent = false }: { waitMs?: number | undefined; isUnsent?: boolean } = {},
  ) {
    super(failure, message, { waitMs })
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
  /** Checks addresses that users gave; without it the address is one of the settings of the server. */
  outbound?: Outbound | undefined
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

/** An answer to a call, whoever sent it. */
interface HttpAnswer {
  status: number
  retryAfter: string | null
  text: string
  answeredAt: number
}

/** Makes one JSON-RPC call. */
export async function callGeotab(call: RpcCall): Promise<RpcAnswer> {
  const answer = await (call.outbound ? sendChecked(call, call.outbound) : send(call))
  return { result: resultOf(answer, call.method), answeredAt: answer.answeredAt }
}

const requestOf = ({ method, params, trace }: RpcCall) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', traceparent: traceparent(trace) },
  body: JSON.stringify({ method, params }),
})

const send = (call: RpcCall): Promise<HttpAnswer> =>
  fetch(`${call.base}/apiv1`, {
    ...requestOf(call),
    // Only Authenticate may name another host; credentials go nowhere else.
    redirect: 'error',
    signal: AbortSignal.any([call.signal, AbortSignal.timeout(call.timeoutMs)]),
  })
    .then(async (response) => ({
      answeredAt: performance.now(),
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }))
    .catch((error: unknown) => {
      call.signal.throwIfAborted()
      throw new GeotabError('unavailable', `Could not reach MyGeotab: ${causeOf(error)}`, {
        isUnsent: isUnsent(error as Error & { cause?: { code?: string } }),
      })
    })

/** A page of 50,000 records has some 12 MB. */
const LARGEST_ANSWER = 64 * 1024 * 1024

async function sendChecked(call: RpcCall, outbound: Outbound): Promise<HttpAnswer> {
  const { base, signal } = call
  try {
    const request = { ...requestOf(call), url: `${base}/apiv1`, signal, largestAnswer: LARGEST_ANSWER }
    const { status, headers, body } = await outbound.send(request)
    return {
      answeredAt: performance.now(),
      status,
      retryAfter: headers['retry-after'] ?? null,
      text: body.toString('utf8'),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundError)) throw error
    throw new GeotabError('unavailable', `Could not reach MyGeotab: ${error.message}`)
  }
}

/** MyGeotab sends errors with HTTP 200; proxies in between answer with pages of their own. */
function resultOf({ status, retryAfter, text }: HttpAnswer, method: string): unknown {
  const reply = parseReply(text)
  const waitMs = waitOf(retryAfter)
  if (!reply?.error && reply?.result !== undefined && status >= 200 && status < 300) return reply.result
  const type = textOf(reply?.error?.data?.type) ?? textOf(reply?.error?.errors?.[0]?.name)
  const summary = `MyGeotab answered ${method} with ${type ?? `HTTP ${status}`}.`
  if (type === 'InvalidUserException') throw new SessionEnded(summary)
  if (type === 'OverLimitException' || status === 429) throw new GeotabError('overLimit', summary, { waitMs })
  const isPassing = type === undefined || type === 'DbUnavailableException' || status >= 500
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

// No connection was made.
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

const isUnsent = ({ cause }: { cause?: { code?: string } }) => UNSENT.includes(cause?.code ?? '')

function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
