import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { fleetOf } from '../src/live/players/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db } = world
const { openNode, addRunning, come, aPlay } = fleetOf(world)

interface Updates {
  name: string
  updates: number
  inPlace: number
}

/** How many rows of these tables were updated, and how many of them without new index entries. */
async function updatesOf(tables: readonly string[]): Promise<Updates[]> {
  // A connection reports its counts when it ends.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  const { rows } = await sql<Updates>`
    select relname as name, n_tup_upd as updates, n_tup_hot_upd as "inPlace" from pg_stat_user_tables
     where relname = any(${tables}::text[]) order by 1`.execute(db)
  return rows
}

test('reports of players change their rows in place: indexes do not grow with them', async () => {
  const tables = ['play_hour', 'play_sequence']
  const { art, device } = await addRunning()
  const player = await come(await openNode(), device)
  const ROUNDS = 40
  for (let round = 0; round < ROUNDS; round++) {
    await player.timeout(10_000).emitWithAck('player-plays', [aPlay(art, { playId: randomUUID() }), aPlay(art)])
  }
  player.disconnect()
  await vi.waitFor(
    async () => {
      for (const { name, updates } of await updatesOf(tables)) expect(updates, name).toBeGreaterThan(ROUNDS / 2)
    },
    { timeout: 20_000, interval: 500 },
  )
  for (const { name, updates, inPlace } of await updatesOf(tables)) {
    expect(inPlace / updates, name).toBeGreaterThan(0.9)
  }
})
