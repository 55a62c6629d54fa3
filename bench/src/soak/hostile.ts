import { randomBytes, createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestSocket } from '@roadshow/test-kit/client'
import type { Findings } from './findings.ts'
import type { SoakWorld } from './world.ts'

/** Longer than every timeout of the server: a connection that is still open hangs. */
const PATIENCE_MS = 90_000
const PAUSE_MS = 3000

/** What strangers send to a port, and how. */
const attacks: Record<string, (socket: Socket, over: AbortSignal) => Promise<void>> = {
  'sends a byte of its headers now and then': async (socket, over) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
    while (!socket.destroyed && !over.aborted) {
      socket.write('X-A: b\r\n')
      await sleep(1000)
    }
  },
  'sends a body slower than it said': async (socket, over) => {
    socket.write('POST /api/v1/authentication/authenticate HTTP/1.1\r\nHost: x\r\n')
    socket.write('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{')
    while (!socket.destroyed && !over.aborted) {
      socket.write(' ')
      await sleep(1000)
    }
  },
  'sends what is no HTTP': async (socket) => void socket.write(randomBytes(2000)),
  'sends headers without an end': async (socket) => void socket.write(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n`),
  'says two lengths': async (socket) =>
    void socket.write(
      'POST /api/v1/trucks/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ),
  'asks for a socket and says nothing': async (socket) =>
    void socket.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ),
  'goes away in the middle': async (socket) => {
    socket.write('GET /api/v1/trucks/run HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.destroy()
  },
}

/** Runs hostile clients one after the other, several of each at a time; none may be left hanging. */
export async function attackWithHostileClients(
  { proxy }: SoakWorld,
  findings: Findings,
  over: AbortSignal,
): Promise<void> {
  const each = Object.entries(attacks).map(async ([name, send]) => {
    while (!over.aborted) {
      const socket = connect(proxy.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)))
      const [isClosed] = await Promise.all([
        Promise.race([closed, sleep(PATIENCE_MS, false, { ref: false }), aborted(over)]),
        send(socket, over),
      ])
      if (!isClosed) findings.hung.push(name)
      socket.destroy()
      await sleep(PAUSE_MS, undefined, { signal: over }).catch(() => {})
    }
  })
  await Promise.all(each)
}

const aborted = (signal: AbortSignal) =>
  new Promise<true>((resolve) => signal.addEventListener('abort', () => resolve(true), { once: true }))

/** A player whose clock is wrong by days: the server says so and refuses its plays. */
export async function playWithWrongClock(
  { proxy, sql }: SoakWorld,
  findings: Findings,
  over: AbortSignal,
): Promise<void> {
  const [key, mac] = [randomBytes(32).toString('base64url'), '02:57:00:00:00:01']
  await sql(
    `insert into device (truck_uid, kind, mac_address, key_hash, paired_at)
     select uid, 'player', $1, $2, now() from truck where deleted_at is null and number like 'L-%' limit 1`,
    [mac, createHash('sha256').update(key).digest()],
  )
  const [art] = await sql<{ uid: string }>(`select uid from artwork_set where deleted_at is null limit 1`)
  const socket = openTestSocket(proxy.url, { clientType: 'player', macAddress: mac, key })
  for (let sequence = 1; !over.aborted; sequence++) {
    const days = sequence % 2 === 0 ? 3 : -30_000
    const play = {
      playId: `wrong-${sequence}`,
      sequence,
      artworkSetUid: art?.uid,
      sha256: '0'.repeat(64),
      side: 'rear',
      durationMs: 8e3,
      startedAt: new Date(Date.now() + days * 864e5).toISOString(),
    }
    const answer = (await socket
      .timeout(20_000)
      .emitWithAck('player-plays', [play])
      .catch(() => undefined)) as { rows?: { result: string }[] } | undefined
    // One of the future may come later; one of a long time ago never.
    const expected = days > 0 ? 'later' : 'rejected'
    const results = answer?.rows?.map(({ result }) => result) ?? [expected]
    if (results.some((result) => result !== expected))
      findings.fail(`a play of ${play.startedAt} was ${results.join()}`)
    await sleep(PAUSE_MS, undefined, { signal: over }).catch(() => {})
  }
  socket.disconnect()
}
