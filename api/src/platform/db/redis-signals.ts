import { setTimeout as sleep } from 'node:timers/promises'
import type { Subscription } from './listen.ts'
import { succeeds } from '../runtime/promises.ts'
import type { Signals } from './signals.ts'
import { type Redis, waitOf } from './redis.ts'

/** A stream, so that a node that was disconnected continues where it stopped. Older entries are not needed. */
const STREAM = 'roadshow:news'
const KEPT = 1000
const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT } as const
const BLOCK_MS = 5000
const ANSWER_MS = 1000

/**
 * Frequent signals go through Redis, because commits with a NOTIFY wait for each other. Without Redis they go
 * through the database; nodes listen to both.
 */
export const redisSignals = (redis: Redis, database: Signals): Signals => ({
  async publish(channel) {
    const id = await redis.ask((client) => client.xAdd(STREAM, '*', { channel }, { TRIM }), ANSWER_MS)
    if (id === undefined) await database.publish(channel)
  },
  async subscribe(hearing) {
    const listener = await database.subscribe(hearing)
    const stop = follow(redis.open(), hearing)
    return {
      async close() {
        stop()
        await listener.close()
      },
    }
  },
})

/** The client's type covers the replies of all protocol versions. */
type Streams = { messages: { id: string; message: Record<string, string> }[] }[]

/** Reads the stream from its end on until stopped. */
function follow(reader: ReturnType<Redis['open']>, { channels, log }: Subscription): () => void {
  const stopping = new AbortController()
  let last: string | undefined

  async function read(): Promise<void> {
    last ??= (await reader.xRevRange(STREAM, '+', '-', { COUNT: 1 }))?.[0]?.id ?? '0-0'
    const streams = (await reader.xRead({ key: STREAM, id: last }, { BLOCK: BLOCK_MS, COUNT: KEPT })) as Streams | null
    const messages = streams?.[0]?.messages ?? []
    last = messages.at(-1)?.id ?? last
    // Repeated signals are delivered once.
    for (const channel of new Set(messages.map(({ message }) => message['channel'] ?? ''))) channels[channel]?.('')
  }

  async function run(): Promise<void> {
    for (let tries = 0; !stopping.signal.aborted;) {
      const isRead = reader.isReady && (await succeeds(read()))
      tries = isRead ? 0 : tries + 1
      if (!isRead) await sleep(waitOf(tries), undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }

  run().catch(log)
  return () => {
    stopping.abort()
    if (reader.isOpen) reader.destroy()
  }
}
