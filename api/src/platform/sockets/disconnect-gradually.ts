import { setTimeout as sleep } from 'node:timers/promises'
import type { SocketServer } from './socket-module.ts'

/** The WebSocket code for a restarting server: clients treat it as a lost connection and reconnect to another node. */
const SERVICE_RESTART = 1012
const PAUSE_MS = 100
// Small batches, but large enough that all sockets are closed within five seconds.
const MAX_BATCHES = 50
const MIN_BATCH_SIZE = 20

/** The part of the transport that is used here; the engine's types do not include it. */
interface Transport {
  socket?: { close(code: number, reason: string): void }
}

/** Closes every socket of this node in batches, so that the clients do not reconnect elsewhere all at once. */
export async function disconnectGradually(io: SocketServer): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
  const batchSize = Math.max(MIN_BATCH_SIZE, Math.ceil(sockets.length / MAX_BATCHES))
  for (let first = 0; first < sockets.length; first += batchSize) {
    if (first > 0) await sleep(PAUSE_MS)
    for (const { conn } of sockets.slice(first, first + batchSize)) {
      ;(conn.transport as unknown as Transport).socket?.close(SERVICE_RESTART, 'This server restarts.')
    }
  }
}
