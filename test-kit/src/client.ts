import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { API_BASE, type Endpoint, type ErrorBody, type InputOf, type ReplyOf } from '@roadshow/contract'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'

/** What stands in place of an answer that did not come: longer than any call may take. */
export const NO_ANSWER = 'no answer for two minutes'
const PATIENCE_MS = 120_000

export interface Reply<T> {
  /** 0 when the server did not answer, or the answer broke off. */
  status: number
  body: T
  error: ErrorBody | undefined
  headers: IncomingHttpHeaders
  text: string
}

interface Raw {
  method: string
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
}

interface Given {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: object
}

/** A query as it stands in an address. */
function searchOf(query: Record<string, unknown> = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) params.append(name, String(each))
  }
  return params.size > 0 ? `?${params.toString()}` : ''
}

export type TestSocket = Socket

/** A socket as pages and devices open them: it comes back by itself. */
export const openTestSocket = (url: string, auth: object, more: Partial<ManagerOptions & SocketOptions> = {}): Socket =>
  io(url, { transports: ['websocket'], forceNew: true, auth, ...more })

/** Calls over a real connection that is kept, from an address of one's own if need be. It tries nothing twice. */
export class TestClient {
  readonly #url: string
  readonly #agent: Agent
  token: string | undefined

  constructor(url: string, { token, localAddress }: { token?: string; localAddress?: string } = {}) {
    this.#url = url
    this.token = token
    this.#agent = new Agent({ keepAlive: true, maxSockets: 4, ...(localAddress && { localAddress }) })
  }

  close(): void {
    this.#agent.destroy()
  }

  async call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { key }: { key?: string } = {},
  ): Promise<Reply<ReplyOf<E>>> {
    const { params = {}, query, body } = input as unknown as Given
    const named = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const sent = await this.raw({
      method: endpoint.method,
      path: `${API_BASE}/${named}${searchOf(query)}`,
      ...(body && { body: JSON.stringify(body) }),
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(key && { 'idempotency-key': key }),
      },
    })
    const isJson = String(sent.headers['content-type']).includes('json')
    const json: unknown = isJson ? JSON.parse(sent.text) : undefined
    return { ...sent, body: json as ReplyOf<E>, error: sent.status === 200 ? undefined : (json as ErrorBody) }
  }

  /** Anything else, whole in one go. */
  raw({ method, path, body, headers }: Raw): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    return new Promise((resolve) => {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const broken = () => resolve({ status: 0, headers: {}, text: signal.aborted ? NO_ANSWER : '' })
      const sending = request(new URL(path, this.#url), { method, agent: this.#agent, headers, signal }, (answer) => {
        text(answer).then(
          (said) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: said }),
          broken,
        )
      })
      sending.on('error', broken)
      sending.end(body)
    })
  }
}
