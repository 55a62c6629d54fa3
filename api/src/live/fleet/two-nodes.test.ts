import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from '../../platform/db/connection.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { fleetOf } from '../players/test-fleet.ts'
import { watchFleetJob } from './alerts.ts'

const world = await openWorld()
const { app, db } = world
const other = connect(world.url)
afterAll(() => other.close())

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const { signal } = new AbortController()

/** Both nodes watch the fleet at the same moment, a few times over. */
async function watchOnBoth(minutesLater: number): Promise<void> {
  const now = Date.now() + minutesLater * 60_000
  const watch = (node: typeof db) =>
    runJob(watchFleetJob, { db: node, blobs: app.blobs, env, log: () => {} }, { signal, now })
  for (let round = 0; round < 5; round++) await Promise.all([watch(db), watch(other.db)])
}

test('an issue that two nodes see is raised once', async () => {
  const { truckUid } = await fleetOf(world).addRunning()
  await sql`update shift set status = 'out', started_at = starts_at where truck_uid = ${truckUid}`.execute(db)
  await watchOnBoth(0)
  await watchOnBoth(60)
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from truck_issue where truck_uid = ${truckUid} group by kind`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ count }) => count === 1)).toBe(true)
})
