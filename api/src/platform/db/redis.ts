import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { redisCommands } from '../observability/metrics.ts'
import type { ExternalServices } from '../runtime/external-services.ts'

type Client = ReturnType<typeof createClient>

const CONNECT_MS = 2000
const LONGEST_WAIT_MS = 2000
const PING_MS = 5000
const SILENCE_MS = 20_000
const LATE = Symbol('no answer in time')

/** How long to wait before trying again; never the same for all nodes. */
export const waitOf = (tries: number) =>
  Math.min(50 * 2 ** Math.min(tries, 10), LONGEST_WAIT_MS) * (0.5 + Math.random())

/** An optional Redis: no work waits for it, and it holds no data that matters. */
export interface Redis {
  /** Runs a command; undefined if Redis is unreachable or does not answer in time. */
  ask<T>(question: (client: Client) => Promise<T>, withinMs: number): Promise<T | undefined>
  /** A separate connection, for commands that block. */
  open(): Client
  close(): void
}

export function openRedis(url: string, log: (error: unknown) => void, services?: ExternalServices): Redis {
  const clients: Client[] = []
  const server = services?.watch({
    name: 'redis',
    label: 'Redis',
    effect: 'Nodes notify each other through the database, and each counts its own calls.',
  })
  const shared = open()
  shared.on('ready', () => server?.answered())
  shared.on('error', (error: unknown) => server?.failed(error))

  function open(): Client {
    const client: Client = createClient({
      url,
      // A command that cannot be sent now fails at once: its caller has another way.
      disableOfflineQueue: true,
      socket: { reconnectStrategy: waitOf, connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
      pingInterval: PING_MS,
    }) as Client
    let isAway = false
    client.on('ready', () => (isAway = false))
    // Every attempt to reconnect fails; the first one is logged.
    client.on('error', (error: unknown) => {
      if (!isAway && !server) log(error)
      isAway = true
    })
    client.connect().catch(() => {})
    clients.push(client)
    return client
  }

  return {
    async ask<T>(question: (client: Client) => Promise<T>, withinMs: number): Promise<T | undefined> {
      if (!shared.isReady) {
        redisCommands.inc({ outcome: 'away' })
        return undefined
      }
      const answer = await Promise.race([question(shared), sleep(withinMs, LATE, { ref: false })]).catch(() => LATE)
      redisCommands.inc({ outcome: answer === LATE ? 'failed' : 'answered' })
      return answer === LATE ? undefined : (answer as T)
    },
    open,
    close() {
      for (const client of clients) if (client.isOpen) client.destroy()
    },
  }
}
