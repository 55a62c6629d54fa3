import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { fleetOf } from '../live/players/test-fleet.ts'
import { startPoller } from '../live/telemetry/index.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { simulateFleet } from './index.ts'

const world = await openWorld()
const { db } = world
const fleet = fleetOf(world)
const url = await fleet.openNode()
const HOUR = 3_600_000

/** A truck on a shift that runs from two hours ago until in two hours, with a player and a driver app. */
async function addTruck(number: string, keyed: boolean) {
  const truckUid = await fleet.addTruck({ number, geotab_device_id: `b ${number}` })
  const marketUid = await fleet.addMarket()
  const { uid: programUid } = await world.addProgram()
  const art = await fleet.addArtwork(programUid)
  const span = { from: Date.now() - 2 * HOUR, to: Date.now() + 2 * HOUR }
  const shift = await fleet.addShift({ truckUid, programUid, marketUid, ...span, artwork_set_uid: art.uid })
  const player = await fleet.addDevice(truckUid)
  const driver = await fleet.addDevice(truckUid, 'driver')
  if (!keyed)
    await db.updateTable('device').set({ key_hash: null, paired_at: null }).where('truck_uid', '=', truckUid).execute()
  return { truckUid, shift, player, driver }
}

const living = await addTruck('T-1', false)
const real = await addTruck('T-2', true)
// Now and then a driver forgets to start; never do three at once.
const starting = [living, await addTruck('T-3', false), await addTruck('T-4', false)]

/** What someone would have to mend; that no one answers for a moment is made up for. */
const refusals: unknown[] = []
const log = (error: unknown) => {
  if ((error as { failure?: string }).failure !== 'unavailable') refusals.push(error)
}
const secret = randomBytes(32)

/** One that is stopped while its devices still connect. */
const early = await simulateFleet(db, { secret, log })
early.connect(url)
const earlyEnd = await Promise.race([early.stop().then(() => 'stopped'), sleep(10_000, 'still connected')])

const simulated = await simulateFleet(db, { secret, log })
const poller = startPoller({ db, account: simulated.account, seedMs: simulated.pastMs, log })
simulated.connect(url)
afterAll(async () => {
  await poller.stop()
  await simulated.stop()
})

const soon = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 25_000, interval: 250 })
const devicesOf = (truckUid: string) =>
  db.selectFrom('device').select(['uid', 'key_hash']).where('truck_uid', '=', truckUid).orderBy('uid').execute()
const countOf = async (table: 'play' | 'position' | 'odometer_reading', truckUid: string) =>
  Number(
    (await sql<{ n: string }>`select count(*) n from ${sql.table(table)} where truck_uid = ${truckUid}`.execute(db))
      .rows[0]?.n,
  )

describe('a simulated fleet', () => {
  test('stops at any moment', () => {
    expect(earlyEnd).toBe('stopped')
  })

  test('tells where its trucks are, by the way that real ones take', () =>
    soon(async () => {
      expect(await countOf('position', living.truckUid)).toBeGreaterThan(100)
      expect(await countOf('odometer_reading', living.truckUid)).toBeGreaterThan(5)
      const track = await db
        .selectFrom('shift_track')
        .select(['metres', 'source'])
        .where('shift_uid', '=', living.shift.uid)
        .executeTakeFirstOrThrow()
      expect(track.metres).toBeGreaterThan(10_000)
    }))

  test('plays the last hour and goes on, numbered without a hole', () =>
    soon(async () => {
      const { rows } = await sql<{ plays: number; numbered: number; sides: number; strangers: number }>`
        select count(*)::int plays, max(sequence)::int numbered, count(distinct side)::int sides,
               (count(*) filter (where shift_uid is distinct from ${living.shift.uid}))::int strangers
          from play where truck_uid = ${living.truckUid}`.execute(db)
      const [found] = rows
      expect(found?.plays).toBeGreaterThan(500)
      expect(found).toMatchObject({ numbered: found?.plays, sides: 3, strangers: 0 })
    }))

  test('has drivers who start their shifts', () =>
    soon(async () => {
      const started = await db
        .selectFrom('shift')
        .select(['starts_at', 'started_at'])
        .where('status', '=', 'out')
        .where(
          'uid',
          'in',
          starting.map(({ shift }) => shift.uid),
        )
        .execute()
      expect(started.length).toBeGreaterThan(0)
      for (const { starts_at, started_at } of started)
        expect(Math.abs(Date.parse(String(started_at)) - Date.parse(starts_at))).toBeLessThan(6 * 60_000)
    }))

  test('leaves devices alone that someone has paired', async () => {
    expect(await countOf('play', real.truckUid)).toBe(0)
    expect(
      await fleet.knock(url, { clientType: 'player', macAddress: real.player.macAddress, key: real.player.key }),
    ).toBe('let in')
  })

  test('has the same keys after another start, and its devices on one node only', async () => {
    const before = await devicesOf(living.truckUid)
    const errors: unknown[] = []
    const second = await simulateFleet(db, { secret, log: (error) => errors.push(error) })
    second.connect(url)
    await second.stop()
    expect(errors).toEqual([])
    expect(before.every(({ key_hash }) => key_hash !== null)).toBe(true)
    expect(await devicesOf(living.truckUid)).toEqual(before)
  })

  test('needed no one to mend anything meanwhile', () => {
    expect(refusals).toEqual([])
  })
})
