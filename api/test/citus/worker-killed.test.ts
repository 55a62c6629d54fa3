import type { ErrorBody, Play } from '@roadshow/contract'
import { createOnCluster } from '@roadshow/test-kit/citus'
import { startCitusServers } from '@roadshow/test-kit/citus-servers'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { distribute } from '../../src/live/cluster/index.ts'
import { type DeviceSocket, fleetOf, minutesAgo } from '../../src/live/players/test-fleet.ts'
import { addUids, type GetCall, getCalls } from './test-requests.ts'

const cluster = inject('cluster')

test.skipIf(cluster)('the test of a killed worker is left out: no PostgreSQL of this machine has Citus', () => {})

const PLAYERS = 8
const BATCH = 20
const KILLS = 3
/** How many batches each player sends around each of them. */
const ROUNDS = 6

const SENTENCE = /^[A-Z][^_{]*\.$/

describe.runIf(cluster)('a worker of a cluster that is killed while players send', async () => {
  // Of its own: other tests run meanwhile.
  const servers = cluster && (await startCitusServers())
  const [worker] = servers?.workers ?? []
  if (!servers || !worker) return
  afterAll(servers.stop)
  const database = await createOnCluster(servers.nodes, 'killed')
  await distribute({ url: database, workers: [], shards: 4, say: () => {} })
  const world = await openWorld({}, { url: database })
  const { app, db, people } = world
  const fleet = fleetOf(world)
  const url = await fleet.openNode()
  let isKilled = false
  const kill = async () => {
    isKilled = true
    await worker.kill()
  }
  const restart = async () => {
    await worker.start()
    isKilled = false
  }

  let players: Awaited<ReturnType<typeof fleet.addRunning>>[] = []
  let sockets: DeviceSocket[] = []
  let calls: GetCall[] = []
  beforeAll(async () => {
    players = await Promise.all(Array.from({ length: PLAYERS }, () => fleet.addRunning()))
    sockets = await Promise.all(players.map(({ device }) => fleet.come(url, device)))
    // The artwork is only named so far.
    const files = await db.selectFrom('stored_file').select('blob_name').execute()
    for (const { blob_name } of files) await app.blobs.write(blob_name, Buffer.from('pixels'), 'image/png')
    const [{ programUid: program, marketUid: market, truckUid: truck, shift, device }] = players as [
      (typeof players)[number],
    ]
    const [first, day] = [minutesAgo(7 * 1440), minutesAgo(0)].map((at) => at.slice(0, 10)) as [string, string]
    const about = { program, market, truck, shift: shift.uid, device: device.uid, address: program }
    calls = getCalls(await addUids(db, { ...about, day, first, last: day }))
  }, 120_000)
  afterAll(async () => {
    if (isKilled) await restart()
  })

  const acknowledged = new Map<string, Set<string>>()
  const refusals = new Set<string>()

  /** Sends a batch as a player does: again and again, until each row is answered. */
  async function send(index: number, round: number): Promise<void> {
    const [{ art, device }, socket] = [players[index] as (typeof players)[number], sockets[index] as DeviceSocket]
    const plays: Play[] = Array.from({ length: BATCH }, (_, n) =>
      fleet.aPlay(art, {
        playId: `${device.uid.slice(-8)} ${round} ${n}`,
        sequence: round * BATCH + n + 1,
        startedAt: minutesAgo(170 - round * 4 - n / 6),
      }),
    )
    for (;;) {
      const answer = await socket.emitWithAck('player-plays', plays)
      if ('error' in answer) {
        refusals.add(answer.error)
        continue
      }
      const known = acknowledged.get(device.uid) ?? new Set()
      for (const { id, result } of answer.rows) {
        expect(['accepted', 'duplicate']).toContain(result)
        known.add(id)
      }
      acknowledged.set(device.uid, known)
      return
    }
  }

  const headers = { authorization: `Bearer ${people.admin.token}` }
  /** How many calls got each status; an answer that is neither good nor a clear refusal fails. */
  async function askEverything(): Promise<Map<number, number>> {
    const statuses = new Map<number, number>()
    for (const { name, url, query } of calls) {
      const {
        statusCode,
        headers: answered,
        body,
      } = await app.inject({ url, query, headers }).catch((error: unknown) => {
        throw new Error(`${name} broke off`, { cause: error })
      })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      if (statusCode < 500) continue
      const { code, error } = JSON.parse(body) as ErrorBody
      expect([name, statusCode, code]).toEqual([name, 503, 'unavailable'])
      expect(error).toMatch(SENTENCE)
      expect(Number(answered['retry-after'])).toBeGreaterThan(0)
    }
    return statuses
  }

  /** A player sends its batches of a phase, one after another. */
  async function sendPhase(index: number, phase: number, onBatch: () => void): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await send(index, phase * ROUNDS + round)
      onBatch()
    }
  }

  const storedIds = async () => {
    const { rows } = await sql<{ id: string }>`select play_id as id from play order by play_id`.execute(db)
    return rows.map(({ id }) => id)
  }

  test('loses no acknowledged play and counts none twice, and calls meanwhile ask to be repeated', async () => {
    for (let phase = 0; phase < KILLS; phase++) {
      let [isUnderWay, answered] = [() => {}, 0]
      const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
      const sending = players.map((_, index) => sendPhase(index, phase, () => ++answered === PLAYERS && isUnderWay()))
      await underWay
      await kill()
      const whileAway = await askEverything()
      expect(answered).toBeLessThan(PLAYERS * ROUNDS)
      await restart()
      await Promise.all(sending)
      expect(whileAway.get(503)).toBeGreaterThan(20)
      // Calls about other tables go on.
      expect(whileAway.get(200)).toBeGreaterThan(40)
    }
    expect([...refusals]).toEqual([expect.stringMatching(SENTENCE)])
    const promised = [...acknowledged.values()].flatMap((ids) => [...ids]).toSorted()
    expect(promised).toHaveLength(PLAYERS * KILLS * ROUNDS * BATCH)
    // What was prepared on the worker when it was killed is committed within a minute.
    await expect.poll(storedIds, { timeout: 120_000, interval: 500 }).toEqual(promised)
    const [counted, kept] = await fleet.countedAndKept()
    expect(kept).toEqual(counted)
    expect((await askEverything()).get(503)).toBeUndefined()
  }, 900_000)
})
