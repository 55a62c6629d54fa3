import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../platform/db/connection.ts'
import { watchFleet } from '../live/fleet/index.ts'
import { fleetOf } from '../live/players/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { sweep } from './sweep.ts'

const world = await openWorld()
const { app, db } = world
const other = connect(world.url)
afterAll(() => other.close())

/** What two nodes do at the same moment, a few times over. */
const onBoth = async (work: (node: typeof db) => Promise<unknown>) => {
  for (let round = 0; round < 5; round++) await Promise.all([work(db), work(other.db)])
}

test('an issue that two nodes see is raised once', async () => {
  const { truckUid } = await fleetOf(world).addRunning()
  await sql`update shift set status = 'out', started_at = starts_at where truck_uid = ${truckUid}`.execute(db)
  const watchAfter = (minutes: number) => onBoth((node) => watchFleet(node, Date.now() + minutes * 60_000))
  await watchAfter(0)
  await watchAfter(60)
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from truck_issue where truck_uid = ${truckUid} group by kind`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ count }) => count === 1)).toBe(true)
})

test('what two nodes sweep is gone, and neither fails', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  const names = Array.from({ length: 30 }, () => randomUUID())
  for (const name of names) await app.blobs.write(name, Buffer.from('bytes'), 'image/png')
  const file = { purpose: 'artwork', original_name: 'art.png', content_type: 'image/png', size_bytes: 5 }
  await db
    .insertInto('stored_file')
    .values(names.map((blob_name) => ({ ...file, blob_name, announced_at: old, stored_at: old })))
    .execute()
  await onBoth((node) => sweep(node, app.blobs))
  expect(await db.selectFrom('stored_file').select('uid').where('blob_name', 'in', names).execute()).toEqual([])
  expect(await Promise.all(names.map((name) => app.blobs.size(name)))).toEqual(names.map(() => undefined))
})
