import { setTimeout as sleep } from 'node:timers/promises'
import { NO_ANSWER, type Reply, TestClient } from '@roadshow/test-kit/client'
import {
  type Endpoint,
  type InputOf,
  isTransientStatus,
  MAX_ATTEMPTS,
  type ReplyOf,
  retryDelayMs,
} from '@roadshow/contract'
import type { Findings } from './findings.ts'

/** Calls as the web app makes them: what may be done twice is tried again while the server is away for a moment. */
export class RetryingCaller {
  readonly #client: TestClient
  readonly #findings: Findings

  constructor(url: string, localAddress: string, findings: Findings) {
    this.#client = new TestClient(url, { localAddress })
    this.#findings = findings
  }

  set token(token: string) {
    this.#client.token = token
  }

  close(): void {
    this.#client.close()
  }

  /** With a key, or as a read, it is tried again. */
  async call<E extends Endpoint>(endpoint: E, input: InputOf<E>, key?: string): Promise<Reply<ReplyOf<E>>> {
    const begun = performance.now()
    const { reply, tries } = await this.#tryCall(endpoint, input, key)
    this.#findings.noteOutcome({
      name: `${endpoint.method} ${endpoint.path}`,
      status: reply.status,
      isAnswered: !isTransientStatus(reply.status) && reply.status < 500,
      tookMs: performance.now() - begun,
      tries,
    })
    return reply
  }

  async #tryCall<E extends Endpoint>(endpoint: E, input: InputOf<E>, key?: string) {
    for (let tries = 1; ; tries++) {
      const reply: Reply<ReplyOf<E>> = await this.#client.call(endpoint, input, key === undefined ? {} : { key })
      this.#findings.calls++
      if (reply.text === NO_ANSWER) this.#findings.hung.push(`${endpoint.method} ${endpoint.path}: ${NO_ANSWER}`)
      if (reply.status === 500) this.#findings.internal.push(`${endpoint.method} ${endpoint.path}: ${reply.text}`)
      const mayRepeat = endpoint.method === 'GET' || key !== undefined
      if (!isTransientStatus(reply.status) || !mayRepeat || tries === MAX_ATTEMPTS) return { reply, tries }
      this.#findings.retried++
      await sleep(retryDelayMs(tries))
    }
  }
}
