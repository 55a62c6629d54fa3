import { setTimeout as sleep } from 'node:timers/promises'
import type { SocketServer } from './socket-module.ts'

/** What WebSockets call a server that restarts: clients take it for a lost connection and come back, to another node. */
const SERVICE_RESTART = 1012
const PAUSE_MS = 100
// Few go at once; of many each lot is as large as it takes to be done within five seconds.
const LOTS = 50
const SMALL_LOT = 20

/** As far as it is used here; the engine does not describe what it sends by. */
interface Transport {
  socket?: { close(code: number, reason: string): void }
}

/** Closes every socket of this node and says why: not all at once, so that they do not arrive elsewhere all at once. */
export async function disconnectGradually(io: SocketServer): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
  const lot = Math.max(SMALL_LOT, Math.ceil(sockets.length / LOTS))
  for (let first = 0; first < sockets.length; first += lot) {
    if (first > 0) await sleep(PAUSE_MS)
    for (const { conn } of sockets.slice(first, first + lot)) {
      ;(conn.transport as unknown as Transport).socket?.close(SERVICE_RESTART, 'This server restarts.')
    }
  }
}
