import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Listener {
  close(): Promise<void>
}

export interface Subscription {
  channels: Record<string, (payload: string) => void>
  /** Signals sent while the connection was away are lost: the listener must read the current state. */
  onReconnect: () => void
  log: (error: unknown) => void
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

  async function reopen(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        client = await open()
        if (closing.signal.aborted) await client.end()
        else onReconnect()
        return
      } catch (error) {
        log(error)
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
