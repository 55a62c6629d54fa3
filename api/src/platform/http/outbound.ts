import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { newTrace, type Trace, traceparent } from '../observability/trace.ts'
import { withSignal } from '../runtime/promises.ts'
import {
  type AllowedNetworks,
  allowedNetworks,
  type OutboundTarget,
  readOutboundUrl,
  refusalOf,
} from './outbound-address.ts'

/** The longest that a request takes, from the lookup of the name to the end of the answer. */
const OUTBOUND_TIMEOUT_MS = 15_000
const LARGEST_ANSWER = 64 * 1024

interface OutboundRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
  /** How much of the answer is read; 64 kB unless given. */
  largestAnswer?: number
  /** The trace that the request continues; its own if none is given. */
  trace?: Trace
}

export interface OutboundAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** The first part of the answer; the rest is not read. */
  body: Buffer
}

/** The wait that an answer asks for, as seconds or as a date; undefined without one. It is bounded: messages expire. */
export function retryAfterMs({ headers }: OutboundAnswer, now: number, longestMs: number): number | undefined {
  const header = headers['retry-after']?.trim()
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestMs)
}

/** No answer came, or one that counts as none. The message is a sentence for people. */
export class OutboundError extends Error {
  /** The answer, where one came and was not taken, such as a redirect. */
  readonly answer: OutboundAnswer | undefined
  constructor(message: string, answer?: OutboundAnswer) {
    super(message)
    this.answer = answer
  }
}

/** Sends requests to addresses that users gave. */
export interface Outbound {
  /** Why nothing can be sent to a URL; undefined if its host may be looked up. For forms. */
  problemOf(url: string): string | undefined
  send(request: OutboundRequest): Promise<OutboundAnswer>
}

const resolveAll = promisify(resolveName)

const NO_ANSWER = 'No answer came in time.'

const SENTENCES: Record<string, string> = {
  ABORT_ERR: NO_ANSWER,
  ENOTFOUND: "The host name can't be found.",
  EAI_AGAIN: "The host name can't be looked up at the moment.",
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ETIMEDOUT: "The host doesn't answer.",
  EHOSTUNREACH: "The host can't be reached.",
  ENETUNREACH: "The host can't be reached.",
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The TLS certificate's issuer isn't known.",
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host.',
}

function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  const { code = '', message } = error as NodeJS.ErrnoException
  return SENTENCES[code] ?? `The request failed: ${message}.`
}

/** The addresses of a target. Each is allowed, or the request is refused: a name that mixes them is not to be trusted. */
async function checkedAddresses(target: OutboundTarget, allowed: AllowedNetworks) {
  const { host } = target
  const found: LookupAddress[] =
    isIP(host) === 0 ? await resolveAll(host, { all: true }) : [{ address: host, family: isIP(host) }]
  for (const { address } of found) {
    const refusal = refusalOf(target, address, allowed)
    if (refusal !== undefined) throw new OutboundError(refusal)
  }
  return found
}

/** Answers with the addresses that were checked, so that a name can't lead elsewhere when the connection is opened. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family ?? 0)
  }

/** The first part of an answer. One that breaks off or takes too long ends with what came: its status has arrived. */
function readBody(message: IncomingMessage, signal: AbortSignal, largest: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = () => {
      signal.removeEventListener('abort', finish)
      message.destroy()
      resolve(Buffer.concat(chunks).subarray(0, largest))
    }
    signal.addEventListener('abort', finish)
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= largest) finish()
    })
    for (const end of ['end', 'close', 'error']) message.on(end, finish)
  })
}

function open({ url, host }: OutboundTarget, addresses: readonly LookupAddress[], request: OutboundRequest) {
  const { method = 'POST', headers = {}, body, signal, trace = newTrace() } = request
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  const opened = start({
    host,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      host: url.host,
      traceparent: traceparent(trace),
      ...headers,
      // Answers are kept for people to read.
      'accept-encoding': 'identity',
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    lookup: lookupOf(addresses),
    ...(signal && { signal }),
    // A connection of its own for each request: a kept one would go to an address that was checked earlier.
    agent: false,
    ...(isIP(host) === 0 && url.protocol === 'https:' && { servername: host.replace(/\.$/, '') }),
  })
  opened.end(body)
  return opened
}

const abortedBefore = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new OutboundError(NO_ANSWER)))
  })

async function sendTo(
  target: OutboundTarget,
  request: OutboundRequest & { signal: AbortSignal },
  allowed: AllowedNetworks,
) {
  const { signal, largestAnswer = LARGEST_ANSWER } = request
  const lateness = abortedBefore(signal)
  lateness.catch(() => {})
  const addresses = await Promise.race([checkedAddresses(target, allowed), lateness])
  const opened = open(target, addresses, request)
  // A late error of a request that was answered already changes nothing.
  opened.on('error', () => {})
  const [message] = (await once(opened, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers } = message
  const answer = { status, headers, body: await readBody(message, signal, largestAnswer) }
  if (status >= 300 && status < 400)
    throw new OutboundError(
      `It answers ${status} and redirects to another address. Redirects are not followed: use the final address.`,
      answer,
    )
  return answer
}

export interface OutboundOptions {
  /** Private networks and hosts that may be reached all the same. */
  privateNetworks?: readonly string[] | undefined
  timeoutMs?: number
}

/**
 * Requests to addresses that users gave: only to the public internet by HTTPS, unless the operator allows more; to the very
 * address that was checked; without following redirects; bounded in time and size.
 */
export function outboundRequests({
  privateNetworks = [],
  timeoutMs = OUTBOUND_TIMEOUT_MS,
}: OutboundOptions = {}): Outbound {
  const allowed = allowedNetworks(privateNetworks)
  return {
    problemOf(url) {
      const target = readOutboundUrl(url, allowed)
      return typeof target === 'string' ? target : undefined
    },
    async send(request) {
      const target = readOutboundUrl(request.url, allowed)
      if (typeof target === 'string') throw new OutboundError(target)
      const signals = request.signal ? [request.signal] : []
      const send = (signal: AbortSignal) => sendTo(target, { ...request, signal }, allowed)
      try {
        return await withSignal(send, { signals, afterMs: timeoutMs })
      } catch (error) {
        throw error instanceof OutboundError ? error : new OutboundError(sentenceOf(error))
      }
    },
  }
}
