import { DAY_MS, settings } from '@roadshow/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { listPartitions, type PartitionedTable } from '../../platform/db/partitions.ts'
import { createPartitions } from './partitions.ts'
import { at, DAY, drive, openFleet, saidBy } from './test-fleet.ts'

const world = await openWorld()
const { db, call } = world
const { addTruck, hear } = await openFleet(world)
const NOW = at('23:59:59')

const now = (uid: string) => db.selectFrom('truck_now').selectAll().where('truck_uid', '=', uid).executeTakeFirst()
const positions = (uid: string) =>
  db.selectFrom('position').select(['at', 'latitude', 'speed_kmh']).where('truck_uid', '=', uid).orderBy('at').execute()
const fix = (time: string, latitude = 32.78) => ({ at: at(time), latitude, longitude: -96.8, speedKmh: 54.123456789 })

describe('positions', () => {
  test('are stored once, exactly as heard; what is twice in a page or in two pages counts once', async () => {
    const truck = await addTruck()
    const given = [fix('08:00:00.123'), fix('08:00:10'), fix('08:00:10')]
    await hear({ fixes: saidBy(truck.device, given) })
    await hear({ fixes: saidBy(truck.device, [...given, fix('08:00:05')]) })
    expect(await positions(truck.uid)).toEqual(
      ['08:00:00.123', '08:00:05', '08:00:10'].map((time) => ({
        at: `${DAY}T${time}Z`,
        latitude: 32.78,
        speed_kmh: 54.123456789,
      })),
    )
  })

  test('of trackers that no truck has, and those that cannot be, are left out', async () => {
    const truck = await addTruck()
    await hear({
      fixes: [
        ...saidBy('someone else’s', [fix('08:00:00')]),
        ...saidBy(truck.device, [
          { ...fix('08:00:00'), latitude: 0, longitude: 0 },
          { ...fix('08:00:00'), latitude: 91 },
          { ...fix('08:00:00'), at: NOW + 600_000 },
          { ...fix('08:00:00'), at: NOW - 402 * DAY_MS },
        ]),
      ],
      readings: [{ truck: truck.device, at: at('08:00:00'), metres: -1 }],
    })
    expect(await positions(truck.uid)).toEqual([])
    expect(await now(truck.uid)).toBeUndefined()
  })

  test('of any day find their day', async () => {
    const truck = await addTruck()
    const days = ['2026-05-30', '2026-06-01', '2026-06-30']
    await hear({
      fixes: saidBy(
        truck.device,
        days.map((day) => ({ ...fix('00:00:00'), at: at('00:00:00', day) })),
      ),
    })
    expect(await positions(truck.uid)).toHaveLength(3)
  })
})

describe('the newest of a truck', () => {
  test('is never overwritten by something late, whatever it comes with', async () => {
    const truck = await addTruck()
    await hear({ fixes: saidBy(truck.device, [fix('09:00:00', 33), fix('08:00:00', 32)]) })
    expect(await now(truck.uid)).toMatchObject({ at: `${DAY}T09:00:00Z`, latitude: 33, heading: null })
    await hear({ fixes: saidBy(truck.device, [fix('08:30:00', 32.5)]) })
    const status = { truck: truck.device, heading: 90, isDriving: true }
    await hear({ statuses: [{ ...fix('08:45:00', 32.7), ...status }] })
    // Its position is late, its heading is the newest there is.
    expect(await now(truck.uid)).toMatchObject({ at: `${DAY}T09:00:00Z`, latitude: 33, heading: 90 })
    await hear({ statuses: [{ ...fix('08:40:00', 32.7), ...status, heading: 10 }] })
    expect(await now(truck.uid)).toMatchObject({ latitude: 33, heading: 90 })
    await hear({ statuses: [{ ...fix('09:00:00', 33), ...status, isDriving: false }] })
    expect(await now(truck.uid)).toMatchObject({ at: `${DAY}T09:00:00Z`, heading: 90, is_driving: false })
    expect(await positions(truck.uid)).toHaveLength(3)
  })

  test('has the newest reading of the odometer', async () => {
    const truck = await addTruck()
    const reading = (time: string, metres: number) => ({ truck: truck.device, at: at(time), metres })
    await hear({ readings: [reading('09:00:00', 2000), reading('08:00:00', 1000)] })
    await hear({ readings: [reading('08:30:00', 1500)] })
    expect(await now(truck.uid)).toMatchObject({ odometer_m: 2000, at: null })
  })

  test('is told to every node once it is stored', async () => {
    const truck = await addTruck()
    const client = new pg.Client({ connectionString: world.url })
    await client.connect()
    await client.query('listen trucks_moved')
    const heard: unknown[] = []
    client.on('notification', ({ channel }) => heard.push(channel))
    await hear({ fixes: saidBy(truck.device, [fix('08:00:00')]) })
    await vi.waitFor(() => expect(heard).toEqual(['trucks_moved']), { timeout: 10_000 })
    await hear({ fixes: saidBy(truck.device, [fix('08:00:00')]) })
    await hear({ fixes: saidBy(truck.device, [fix('08:00:01')]) })
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 10_000 })
    await client.end()
  })
})

describe('a batch', () => {
  test('is stored as a whole or not at all', async () => {
    const truck = await addTruck()
    const cursor = { entity: 'LogRecord', from: 'gone', to: '1' }
    await expect(hear({ fixes: saidBy(truck.device, [fix('08:00:00')]), cursor })).rejects.toThrow('Another poller')
    expect(await positions(truck.uid)).toEqual([])
    expect(await now(truck.uid)).toBeUndefined()
  })

  test('of 50,000 positions of 500 trucks is stored in one go', async () => {
    const trucks = await Promise.all(Array.from({ length: 500 }, () => addTruck()))
    const fixes = trucks.flatMap(({ device }) => saidBy(device, drive(at('08:00:00'), at('08:16:30'))))
    await hear({ fixes })
    const { count } = await db
      .selectFrom('position')
      .where('truck_uid', '=', sql<string>`any(${trucks.map(({ uid }) => uid)}::uuid[])`)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect([fixes.length, count]).toEqual([50_000, 50_000])
  })
})

describe('the weeks of positions and plays', () => {
  const parts = async (table: PartitionedTable) => (await listPartitions(db, table)).map(({ name }) => name)
  const later = (days: number) => NOW + days * DAY_MS
  const sweepAt = (now: number) => world.sweep(['position', 'play', 'odometer_reading'], { now })

  test('are there before anything comes, and go when all of them is older than the retention', async () => {
    const truck = await addTruck()
    await hear({
      fixes: saidBy(truck.device, [fix('12:00:00')]),
      readings: [{ truck: truck.device, at: NOW, metres: 1 }],
    })
    await createPartitions(db, NOW)
    expect(await parts('play')).toEqual(['play_week_20260622', 'play_week_20260629'])
    expect((await parts('position')).slice(-2)).toEqual(['position_week_20260622', 'position_week_20260629'])

    const { version, values } = (await call(settings.get, {})).body.data
    await call(settings.update, { body: { ...values, keepPositionsDays: 30, keepPlaysDays: 60, version } })
    // The week of July 1 ends on July 5: it is dropped when July 5 is 30 days ago.
    await sweepAt(later(30))
    expect(await parts('position')).toEqual(['position_week_20260629'])
    await sweepAt(later(34))
    expect(await positions(truck.uid)).toHaveLength(1)
    await Promise.all([sweepAt(later(35)), sweepAt(later(35))])
    expect(await positions(truck.uid)).toEqual([])
    const left = await db.selectFrom('odometer_reading').selectAll().where('truck_uid', '=', truck.uid).execute()
    expect(left).toEqual([])
    expect(await parts('play')).toContain('play_week_20260629')
    await sweepAt(later(65))
    expect(await parts('play')).toEqual([])
  })
})
