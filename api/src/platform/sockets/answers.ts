import { errors, MAX_BATCH } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { App } from '../http/app.ts'
import type { ClientSocket, Handler } from './part.ts'

/** Messages of one client that wait for their turn; more than this is no client of ours. */
const MAX_WAITING = 64
/**
 * Messages that are worked on at once, of devices and of pages: while a whole fleet sends what it has kept, pages are
 * answered, and calls over HTTP find connections to the database.
 */
const AT_ONCE = 6

/**
 * Rows that wait for their turn on this node, of all devices together: as many as fifty full batches. Whoever cannot
 * be served soon sends it again, and another time, until the node is full of copies: better that it hears at once.
 */
const MOST_ROWS = 50 * MAX_BATCH

const rowsIn = (payload: unknown) => (Array.isArray(payload) ? Math.min(Math.max(payload.length, 1), MAX_BATCH) : 1)

/** Lets so many pieces of work run at once; the others wait in line, which is only so long. */
class WorkLine {
  readonly #waiting: (() => void)[] = []
  #running = 0
  #rows = 0

  /** Whether there is room for what was sent; whoever is told so gives it back when it is done. */
  take(rows: number): boolean {
    const hasRoom = this.#rows === 0 || this.#rows + rows <= MOST_ROWS
    if (hasRoom) this.#rows += rows
    return hasRoom
  }

  giveBack(rows: number): void {
    this.#rows -= rows
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // Whoever waits longest takes the place over.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

function problem(app: App, error: unknown): { error: string; code: string } {
  if (error instanceof AppError) return { error: sentence(error), code: error.code }
  app.log.error(error)
  return { error: errors.internal[1], code: 'internal' }
}

function sentence({ message, fields }: AppError): string {
  const [first] = Object.entries(fields ?? {})
  return first ? `${first[0]}: ${first[1]}` : message
}

type Reply = (answer: object) => void

interface Answering {
  /** Answers this client from now on. */
  attend(socket: ClientSocket): void
  /** Takes nothing more; settles once everything that was taken is answered. */
  finish(): Promise<void>
}

/**
 * Answers what a client sends: its messages one after the other, whatever it sent, and never with a crash. Without a
 * function to answer to, the work is done all the same.
 */
export function answering(app: App, handlersOf: (socket: ClientSocket) => ReadonlyMap<string, Handler>): Answering {
  const [pages, devices] = [new WorkLine(), new WorkLine()]
  const underWay = new Set<Promise<void>>()
  let isFinishing = false

  function attend(socket: ClientSocket): void {
    const handlers = handlersOf(socket)
    const line = socket.data.clientType === 'web' ? pages : devices
    let waiting = 0
    let last: Promise<void> = Promise.resolve()

    async function work(handler: Handler, payload: unknown, reply: Reply | undefined): Promise<void> {
      try {
        await line.run(async () => {
          // Who has gone without an answer sends it again.
          if (reply && socket.conn.readyState !== 'open') return
          const answer = await handler(payload, socket)
          reply?.(answer)
        })
      } catch (error) {
        reply?.(problem(app, error))
      }
    }

    socket.onAny((event: unknown, ...sent: unknown[]) => {
      // Whoever is not answered sends it again, to a node that stays.
      if (isFinishing) return
      const reply = typeof sent.at(-1) === 'function' ? (sent.pop() as Reply) : undefined
      const handler = handlers.get(String(event))
      if (!handler) return reply?.({ error: 'Event not found on this channel.', code: 'noSuchCall' })
      if (waiting >= MAX_WAITING) return reply?.({ error: errors.tooMany[1], code: 'tooMany' })
      const rows = rowsIn(sent[0])
      if (!line.take(rows)) return reply?.({ error: errors.unavailable[1], code: 'unavailable' })
      waiting++
      last = last.then(() => work(handler, sent[0], reply))
      const taken = last.finally(() => {
        waiting--
        line.giveBack(rows)
        underWay.delete(taken)
      })
      underWay.add(taken)
      app.kernel.inBackground(taken)
    })
  }

  return {
    attend,
    async finish() {
      isFinishing = true
      await Promise.all(underWay)
    },
  }
}
