import { errors } from '@roadshow/contract'
import { AppError } from '../app-error.ts'
import type { App } from '../http/app.ts'
import type { ClientSocket, Handler } from './part.ts'

/** Messages of one client that wait for their turn; more than this is no client of ours. */
const MAX_WAITING = 64
/**
 * Messages that are worked on at once, of devices and of pages: while a whole fleet sends what it has kept, pages are
 * answered, and calls over HTTP find connections to the database.
 */
const AT_ONCE = 6

/** Lets so many pieces of work run at once; the others wait in line. */
function workLine(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // Whoever waits longest takes the place over.
      const next = waiting.shift()
      if (next) next()
      else running--
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
  const [pages, devices] = [workLine(AT_ONCE), workLine(AT_ONCE)]
  const underWay = new Set<Promise<void>>()
  let isFinishing = false

  function attend(socket: ClientSocket): void {
    const handlers = handlersOf(socket)
    const inLine = socket.data.clientType === 'web' ? pages : devices
    let waiting = 0
    let last: Promise<void> = Promise.resolve()

    async function work(handler: Handler, payload: unknown, reply: (answer: object) => void): Promise<void> {
      try {
        reply(await inLine(() => handler(payload, socket)))
      } catch (error) {
        reply(problem(app, error))
      } finally {
        waiting--
      }
    }

    socket.onAny((event: unknown, ...sent: unknown[]) => {
      // Whoever is not answered sends it again, to a node that stays.
      if (isFinishing) return
      const answer = typeof sent.at(-1) === 'function' ? (sent.pop() as (answer: object) => void) : () => {}
      const handler = handlers.get(String(event))
      if (!handler) return answer({ error: 'There is no such event on this channel.', code: 'noSuchCall' })
      if (waiting >= MAX_WAITING) return answer({ error: errors.tooMany[1], code: 'tooMany' })
      waiting++
      last = last.then(() => work(handler, sent[0], answer))
      const taken = last.finally(() => underWay.delete(taken))
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
