// Reference player: gets the plan, shows it, and keeps each play until the server has stored it.
// Usage: player.ts http://host:3000 AA:BB:CC:01:02:03 KEY state.json [rounds [seconds]]
// Needs socket.io-client 4. docs/devices.md explains the protocol.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'

type Play = Record<'playId' | 'artworkSetUid' | 'sha256' | 'side' | 'startedAt', string> &
  Record<'sequence' | 'durationMs', number>
type Artwork = { artworkSetUid: string; files: { side: string; sha256: string }[] }
type Plan = { shifts: { startsAt: string; endsAt: string; artwork: Artwork | null }[]; serverTime: string }
type Ack = { id: string; result: 'accepted' | 'duplicate' | 'rejected' | 'later'; reason?: string }
type State = { sequence: number; outbox: Play[]; rejected: (Play & Ack)[] }

const [url = '', macAddress = '', key = '', path = 'state.json', rounds = '0', seconds = '8'] = process.argv.slice(2)
const playMs = Number(seconds) * 1000
const empty: State = { sequence: 0, outbox: [], rejected: [] }
const state = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as State) : empty

// The library answers pings, and reconnects by itself after waits that grow and are random.
const auth = { clientType: 'player', macAddress, key }
const socket = io(url, { transports: ['websocket'], auth, reconnectionDelayMax: 60_000 })
let plan: Plan | undefined
let aheadMs = 0

socket.on('connect', async () => {
  plan = (await socket.emitWithAck('get-player-data')) as Plan
  aheadMs = Date.now() - Date.parse(plan.serverTime)
})
socket.on('get-player-data', (pushed: Plan) => (plan = pushed))
socket.on('device-ended', () => process.exit(1))
socket.on('connect_error', ({ message, data }: Error & { data?: { code: string } }) => {
  process.stderr.write(`${message}\n`)
  // Pairing again helps, unless the server only asks for patience.
  if (data?.code === 'unavailable' || data?.code === 'tooMany') setTimeout(() => socket.connect(), 5000)
  else if (data) process.exit(1)
})

function save(): void {
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}

/** Writes down one play for each side of the running shift, before it is sent: a power cut loses nothing. */
function show({ shifts }: Plan): void {
  const now = Date.now() - aheadMs
  const running = shifts.find(({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt))
  const { artworkSetUid, files } = running?.artwork ?? { artworkSetUid: '', files: [] }
  const startedAt = new Date(now - playMs).toISOString()
  for (const { side, sha256 } of files) {
    const sequence = ++state.sequence
    state.outbox.push({ playId: randomUUID(), sequence, artworkSetUid, sha256, side, startedAt, durationMs: playMs })
  }
  save()
}

/** Sends the outbox in batches, and keeps what the server has not stored. */
async function flush(): Promise<boolean> {
  while (state.outbox.length > 0) {
    const batch = state.outbox.slice(0, 500)
    const answer = (await socket.timeout(15_000).emitWithAck('player-plays', batch)) as { rows?: Ack[] }
    if (!answer.rows) return false // Nothing of the batch was stored.
    const acks = new Map(answer.rows.map((ack) => [ack.id, ack]))
    const early = batch.filter(({ playId }) => (acks.get(playId)?.result ?? 'later') === 'later')
    for (const play of batch) {
      const ack = acks.get(play.playId)
      if (ack?.result === 'rejected') state.rejected.push({ ...play, ...ack })
    }
    state.outbox = [...state.outbox.slice(500), ...early]
    save()
    if (early.length === batch.length) break // They go out with the next round.
  }
  return true
}

for (let round = 0; Number(rounds) === 0 || round < Number(rounds);) {
  await sleep(playMs) // Here a real player shows the files.
  if (plan) show(plan)
  if (plan && socket.connected && (await flush().catch(() => false))) round++
}
socket.disconnect()
