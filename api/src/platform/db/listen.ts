import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { NodeLog } from '../observability/log.ts'
import { reasonOf } from '../runtime/reason.ts'

export interface Listener {
  close(): Promise<void>
}

export interface Subscription {
  channels: Record<string, (payload: string) => void>
  /** Signals sent while the connection was away are lost: the listener must read the current state. */
  onReconnect: () => void
  log: NodeLog
}

const RETRY_MS = 500

/** Listens to the database's signals on a connection of its own, and reconnects when it breaks. */
export async function listen({ url, channels, onReconnect, log }: Subscription & { url: string }): Promise<Listener> {
  const closing = new AbortController()
  let client = await open()

  async function open(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })
    fresh.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
    // The end of the connection is handled; without this listener an error would end the process.
    fresh.on('error', () => {})
    await fresh.connect()
    for (const channel of Object.keys(channels)) await fresh.query(`listen ${channel}`)
    fresh.on('end', () => void reopen())
    return fresh
  }

  /** Tries until it has a connection. The first failure is logged, and the return after it. */
  async function reopen(): Promise<void> {
    const lostAt = Date.now()
    let hasFailed = false
    while (!closing.signal.aborted) {
      try {
        client = await open()
        if (closing.signal.aborted) return await client.end()
        if (hasFailed) log(`Signals of the database arrive again after ${Math.round((Date.now() - lostAt) / 1000)} s.`)
        return onReconnect()
      } catch (error) {
        if (!hasFailed) log(`No signals of the database arrive: ${reasonOf(error)}.`, { level: 'warn' })
        hasFailed = true
        await sleep(RETRY_MS)
      }
    }
  }

  return {
    async close() {
      closing.abort()
      await client.end()
    },
  }
}
