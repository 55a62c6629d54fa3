import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  id: string
  headers: Record<string, string>
  body: string
  /** The parsed body. */
  event: { type: string; timestamp: string; data: Record<string, unknown> }
}

type Answer = (received: Received, reply: ServerResponse, request: IncomingMessage) => void

export const accept: Answer = (_received, reply) => void reply.writeHead(204).end()
export const answerWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_received, reply) =>
    void reply.writeHead(status, headers).end(`Answer ${status}`)

/** An endpoint of a partner on loopback. It keeps what it got and answers as the test wants. */
export class Receiver {
  readonly received: Received[] = []
  answer: Answer = accept
  readonly #server: Server
  url = ''

  constructor() {
    this.#server = createServer((request, reply) => void this.#take(request, reply))
  }

  async #take(request: IncomingMessage, reply: ServerResponse) {
    const body = await text(request)
    const headers = request.headers as Record<string, string>
    const received = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body) as Received['event'] }
    this.received.push(received)
    this.answer(received, reply, request)
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
