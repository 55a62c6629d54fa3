import type { Play } from '@roadshow/contract'
import { onDatabase, runOn } from '@roadshow/test-kit/citus'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { fleetOf, minutesAgo } from '../../src/live/players/test-fleet.ts'
import { storePlays } from '../../src/live/plays/index.ts'
import { recognizeError } from '../../src/platform/http/error-reply.ts'

const cluster = inject('cluster')

test.skipIf(cluster)('tests of a worker that goes away are left out: no PostgreSQL of this machine has Citus', () => {})

describe.runIf(cluster)('a worker of the cluster', async () => {
  if (!cluster) return
  const world = await openWorld()
  const { db } = world
  const fleet = fleetOf(world)
  const database = new URL(world.url).pathname.slice(1)

  /** Ends every connection of the world to a worker, and lets none in again until told so. */
  async function setWorker(isAway: boolean): Promise<void> {
    const worker = onDatabase(cluster?.nodes[1] ?? '', 'postgres')
    await runOn(worker, `alter database ${database} allow_connections ${String(!isAway)}`)
    if (isAway)
      await runOn(worker, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  }

  const PLAYERS = 8
  const ROUNDS = 12

  test(
    'that goes away and comes back loses no acknowledged play, and counts none twice',
    { timeout: 600_000 },
    async () => {
      const players = await Promise.all(Array.from({ length: PLAYERS }, () => fleet.addRunning()))
      const acknowledged = new Map<string, Set<string>>()
      const refusals = new Set<string | undefined>()

      /** Sends a batch as a player does: again and again, until each row is answered. */
      async function send({ art, device }: (typeof players)[number], round: number, isOnce: boolean): Promise<boolean> {
        const plays: Play[] = [1, 2, 3].map((n) =>
          fleet.aPlay(art, {
            playId: `${device.uid.slice(-8)} ${round} ${n}`,
            sequence: round * 3 + n,
            startedAt: minutesAgo(100 - round * 3 - n),
          }),
        )
        for (;;) {
          try {
            const { answer } = await storePlays(db, device, plays)
            if ('error' in answer) throw new Error(answer.error)
            const known = acknowledged.get(device.uid) ?? new Set()
            for (const [index, { result }] of answer.rows.entries()) {
              expect(['accepted', 'duplicate']).toContain(result)
              known.add(plays[index]?.playId ?? '')
            }
            acknowledged.set(device.uid, known)
            return true
          } catch (error) {
            refusals.add(recognizeError(error)?.code ?? String(error))
            if (isOnce) return false
          }
        }
      }

      let rounds = ROUNDS
      for (let round = 0; round < ROUNDS; round++) {
        const isAway = round % 4 === 2
        const sending = players.map((player) => send(player, round, isAway))
        if (isAway) await setWorker(true)
        const sent = await Promise.all(sending)
        if (!isAway) continue
        // Other plays: those of this round may have been stored before the worker went.
        const whileAway = await Promise.all(players.map((player) => send(player, ROUNDS + round, true)))
        expect(whileAway).toContain(false)
        expect(sent).toHaveLength(PLAYERS)
        await setWorker(false)
        await Promise.all(players.map((player) => send(player, round, false)))
        await Promise.all(players.map((player) => send(player, ROUNDS + round, false)))
        rounds++
      }

      expect([...refusals]).toEqual(['unavailable'])
      for (const { device } of players) {
        const { rows } = await sql<{ id: string }>`
        select play_id as id from play where truck_uid = ${device.truckUid} order by play_id`.execute(db)
        expect(rows.map(({ id }) => id)).toEqual([...(acknowledged.get(device.uid) ?? [])].toSorted())
        expect(rows).toHaveLength(rounds * 3)
      }
      const [counted, kept] = await fleet.countedAndKept()
      expect(kept).toEqual(counted)
    },
  )
})
