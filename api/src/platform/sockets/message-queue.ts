import { errors, MAX_BATCH } from '@roadshow/contract'
import type { AppError } from '../runtime/app-error.ts'
import { semaphore } from '../runtime/semaphore.ts'
import type { App } from '../http/app.ts'
import { recognizeError } from '../http/error-reply.ts'
import type { ClientSocket, EventHandler } from './socket-module.ts'

/** Messages of one client that may wait for their turn. Our own clients never send more. */
const MAX_WAITING_PER_CLIENT = 64
/**
 * Messages that run at once, counted separately for devices and web pages. While every device sends its backlog, pages
 * still get answers and HTTP calls still get database connections.
 */
const MAX_RUNNING = 6

/**
 * Rows that may wait on this node, for all devices together: fifty full batches. Clients resend what is not answered in
 * time, so an unlimited queue would fill up with copies; an immediate refusal is better.
 */
const MAX_WAITING_ROWS = 50 * MAX_BATCH

const countRows = (payload: unknown) => (Array.isArray(payload) ? Math.min(Math.max(payload.length, 1), MAX_BATCH) : 1)

/** Runs a limited number of tasks at once. The others wait in order of arrival, up to a number of rows. */
class WorkQueue {
  readonly run = semaphore(MAX_RUNNING)
  #rows = 0

  /** Returns whether the queue has room for the rows. The caller releases them when they are done. */
  reserve(rows: number): boolean {
    const hasRoom = this.#rows === 0 || this.#rows + rows <= MAX_WAITING_ROWS
    if (hasRoom) this.#rows += rows
    return hasRoom
  }

  release(rows: number): void {
    this.#rows -= rows
  }
}

interface SocketError {
  error: string
  code: string
  /** Seconds after which sending again makes sense. */
  retryAfter?: number
}

/** Shapes every error as HTTP calls do: a database that is away is answered "try again", not as a defect. */
function errorReply(app: App, error: unknown): SocketError {
  const refusal = recognizeError(error)
  if (!refusal || refusal.status >= 500) app.kernel.log(error)
  if (!refusal) return { error: errors.internal[1], code: 'internal' }
  const { code, retryAfter } = refusal
  return { error: firstMessage(refusal), code, ...(retryAfter !== undefined && { retryAfter }) }
}

function firstMessage({ message, fields }: AppError): string {
  const [first] = Object.entries(fields ?? {})
  return first ? `${first[0]}: ${first[1]}` : message
}

type Reply = (answer: object) => void

/**
 * Answers the messages of each client one after the other. Invalid messages never crash the node. A message without a
 * reply function is processed all the same.
 */
export function messageQueue(app: App, handlersFor: (socket: ClientSocket) => ReadonlyMap<string, EventHandler>) {
  const [pages, devices] = [new WorkQueue(), new WorkQueue()]
  const running = new Set<Promise<void>>()
  let isFinishing = false

  /** Answers the messages of this client from now on. */
  function serve(socket: ClientSocket): void {
    const handlers = handlersFor(socket)
    const queue = socket.data.clientType === 'web' ? pages : devices
    let waiting = 0
    let last: Promise<void> = Promise.resolve()

    async function work(handler: EventHandler, payload: unknown, reply: Reply | undefined): Promise<void> {
      try {
        await queue.run(1, async () => {
          // A client that disconnected without an answer sends the message again.
          if (reply && socket.conn.readyState !== 'open') return
          const answer = await handler(payload, socket)
          reply?.(answer)
        })
      } catch (error) {
        reply?.(errorReply(app, error))
      }
    }

    socket.onAny((event: unknown, ...sent: unknown[]) => {
      // A client that gets no answer sends the message again, to a node that keeps running.
      if (isFinishing) return
      const reply = typeof sent.at(-1) === 'function' ? (sent.pop() as Reply) : undefined
      const handler = handlers.get(String(event))
      if (!handler) return reply?.({ error: 'Event not found on this channel.', code: 'noSuchCall' })
      if (waiting >= MAX_WAITING_PER_CLIENT) return reply?.({ error: errors.tooMany[1], code: 'tooMany' })
      const rows = countRows(sent[0])
      if (!queue.reserve(rows)) return reply?.({ error: errors.unavailable[1], code: 'unavailable' })
      waiting++
      last = last.then(() => work(handler, sent[0], reply))
      const accepted = last.finally(() => {
        waiting--
        queue.release(rows)
        running.delete(accepted)
      })
      running.add(accepted)
      app.kernel.inBackground(accepted)
    })
  }

  return {
    serve,
    /** Accepts no more messages, and settles once every accepted message is answered. */
    async finish(): Promise<void> {
      isFinishing = true
      await Promise.all(running)
    },
  }
}
