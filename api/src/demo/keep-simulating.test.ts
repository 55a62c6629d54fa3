import { randomBytes } from 'node:crypto'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { markDemo } from '../console/setup/index.ts'
import { fleetOf } from '../live/players/test-fleet.ts'
import { keepSimulating } from './index.ts'

const world = await openWorld()
const { db } = world
const fleet = fleetOf(world)
const address = await fleet.openNode()

test('a simulator that cannot read its plan is logged by its name and tried again until it can', async () => {
  await markDemo(db)
  const truckUid = await fleet.addTruck({
    number: 'T-1',
    geotab_device_id: 'b1',
    home_market_uid: await fleet.addMarket(),
  })
  await sql`alter table odometer_reading rename to readings_away`.execute(db)
  const logged: unknown[] = []
  const stop = keepSimulating(
    { db, log: (error, details) => void logged.push([details?.job, (error as Error).message]) },
    { secret: randomBytes(32), address, firstMs: 20 },
  )
  try {
    await vi.waitFor(() => expect(logged.length).toBeGreaterThan(2), { timeout: 20_000 })
    expect(logged[0]).toEqual(['simulator', 'relation "odometer_reading" does not exist'])
    await sql`alter table readings_away rename to odometer_reading`.execute(db)
    const isThere = async () => {
      const found = await db.selectFrom('truck_now').select('at').where('truck_uid', '=', truckUid).executeTakeFirst()
      expect(found?.at).toBeTruthy()
    }
    await vi.waitFor(isThere, { timeout: 25_000, interval: 200 })
  } finally {
    await stop()
  }
})
