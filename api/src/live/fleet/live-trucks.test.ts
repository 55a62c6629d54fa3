import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { type FleetChanges, liveTrucks, LiveFleetReader } from './live-trucks.ts'

const world = await openWorld()
const { db } = world
const NOW = Date.now()
const MINUTE = 60_000

beforeEach(async () => {
  await sql`delete from truck_now`.execute(db)
  await sql`update truck set state = 'retired'`.execute(db)
})

const addTrucks = (prefix: string, count: number) =>
  sql`insert into truck (number, kind, state)
      select ${prefix} || n, 'led', 'active' from generate_series(1, ${count}::int) n`.execute(db)
const hear = (prefix: string, { at = NOW, latitude = 32 } = {}) =>
  sql`insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh)
      select uid, ${new Date(at)}, ${latitude}, -96.8, 40 from truck where number like ${`${prefix}%`}
      on conflict (truck_uid) do update set at = excluded.at, latitude = excluded.latitude`.execute(db)
const retire = (number: string, state = 'retired') =>
  db.updateTable('truck').set({ state }).where('number', '=', number).execute()

const numbers = (trucks: readonly { number: string }[]) => trucks.map(({ number }) => number)

/** Follows the fleet as staff sees it. */
function followFleet() {
  const reader = new LiveFleetReader()
  const trucksOf = ({ changed }: FleetChanges) => changed.map(({ truck }) => truck)
  return {
    readAll: async (...given: Parameters<LiveFleetReader['readAll']>) => trucksOf(await reader.readAll(...given)),
    readMovement: async (...given: Parameters<LiveFleetReader['readMovement']>) =>
      trucksOf(await reader.readMovement(...given)),
  }
}

describe('the fleet that is followed', () => {
  test('is whole and in order, however many there are', async () => {
    await addTrucks('A-', 401)
    await hear('A-')
    const all = Array.from({ length: 401 }, (_, n) => `A-${n + 1}`)
    const fleet = followFleet()
    expect(numbers(await liveTrucks(db, NOW))).toEqual(all)
    expect(numbers(await fleet.readAll(db, NOW))).toEqual(all)
    await hear('A-', { latitude: 33 })
    const moved = await fleet.readMovement(db, NOW)
    expect(numbers(moved)).toEqual(all)
    expect(moved.every(({ latitude }) => latitude === 33)).toBe(true)
    expect(await liveTrucks(db, NOW)).toEqual(moved)
  })

  test('says what has changed, once', async () => {
    await addTrucks('B-', 3)
    await hear('B-')
    const fleet = followFleet()
    expect(numbers(await fleet.readAll(db, NOW))).toEqual(['B-1', 'B-2', 'B-3'])
    expect(await fleet.readAll(db, NOW)).toEqual([])
    expect(await fleet.readMovement(db, NOW)).toEqual([])
    await hear('B-2', { latitude: 34 })
    expect(await fleet.readMovement(db, NOW)).toMatchObject([{ number: 'B-2', latitude: 34 }])
    expect(await fleet.readAll(db, NOW)).toEqual([])
    await hear('B-3', { at: NOW + 1 })
    const positionAt = new Date(NOW + 1).toISOString()
    expect(await fleet.readAll(db, NOW)).toMatchObject([{ number: 'B-3', positionAt }])
  })

  test('says of a state that comes by waiting', async () => {
    await addTrucks('C-', 2)
    await hear('C-')
    await hear('C-2', { at: NOW + 10 * MINUTE })
    const fleet = followFleet()
    expect((await fleet.readAll(db, NOW)).map(({ state }) => state)).toEqual(['driving', 'driving'])
    const later = await fleet.readMovement(db, NOW + 12 * MINUTE)
    expect(later).toMatchObject([{ number: 'C-1', state: 'silent' }])
    expect(await fleet.readMovement(db, NOW + 12 * MINUTE)).toEqual([])
  })

  test('says of a truck that is gone nothing, and of one that comes back everything', async () => {
    await addTrucks('D-', 2)
    await hear('D-')
    const fleet = followFleet()
    await fleet.readAll(db, NOW)
    await retire('D-1')
    expect(await fleet.readAll(db, NOW)).toEqual([])
    await hear('D-1', { latitude: 35 })
    expect(await fleet.readMovement(db, NOW)).toEqual([])
    await retire('D-1', 'active')
    expect(await fleet.readAll(db, NOW)).toMatchObject([{ number: 'D-1', latitude: 35 }])
  })

  test('knows nothing of a truck that is no longer heard of', async () => {
    await addTrucks('E-', 1)
    await hear('E-')
    const fleet = followFleet()
    await fleet.readAll(db, NOW)
    await sql`delete from truck_now`.execute(db)
    expect(await fleet.readAll(db, NOW)).toMatchObject([{ state: 'silent', latitude: null, positionAt: null }])
  })

  test('tells of a truck off shift since when, where and whose it was', async () => {
    await addTrucks('G-', 1)
    await world.addMarket('Tulsa')
    await sql`update market set latitude = 32, longitude = -96.8, radius_m = 1000, state = 'OK' where name = 'Tulsa'`.execute(
      db,
    )
    await hear('G-')
    const since = new Date(NOW - 16 * MINUTE)
    await sql`update truck_now set off_shift_since = ${since}, off_shift_until = ${new Date(NOW)}, off_shift_m = 5000`.execute(
      db,
    )
    const fleet = followFleet()
    const offShift = { since: since.toISOString(), place: 'in Tulsa, OK', driver: null }
    expect(await fleet.readAll(db, NOW)).toMatchObject([{ state: 'offShift', offShift }])
    await sql`update truck_now set off_shift_since = null, off_shift_until = null, off_shift_m = null`.execute(db)
    expect(await fleet.readMovement(db, NOW)).toMatchObject([{ state: 'driving', offShift: null }])
  })

  test('says of a shift that begins, is started, and ends', async () => {
    await addTrucks('F-', 1)
    await hear('F-', { at: NOW + 90 * MINUTE })
    const market = await world.addMarket('Dallas')
    const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
    const driver = await world.addUser('driver')
    const [starts, ends] = [60, 120].map((minutes) =>
      new Date(Math.floor(NOW / MINUTE + minutes) * MINUTE).toISOString(),
    )
    const startsAt = String(starts)
    const { rows } = await sql<{ uid: string }>`
      insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at,
                         ends_at, status)
      select uid, ${driver.uid}, ${program.uid}, ${market.uid}, ${startsAt.slice(0, 10)}, ${startsAt.slice(11, 16)},
             ${ends?.slice(11, 16)}, 'UTC', ${startsAt}, ${ends}, 'planned'
        from truck where number = 'F-1' returning uid`.execute(db)
    const fleet = followFleet()
    expect(await fleet.readAll(db, NOW)).toMatchObject([{ shift: null }])
    const at = NOW + 61 * MINUTE
    const shift = { uid: rows[0]?.uid, market: 'Dallas', startsAt }
    expect(await fleet.readAll(db, at)).toMatchObject([{ shift: { ...shift, startedAt: null } }])
    expect(await fleet.readAll(db, at)).toEqual([])
    await sql`update shift set status = 'out', started_at = ${new Date(at)}`.execute(db)
    expect(await fleet.readAll(db, at)).toMatchObject([{ shift: { ...shift, startedAt: new Date(at).toISOString() } }])
    await hear('F-', { at: NOW + 121 * MINUTE })
    expect(await fleet.readAll(db, NOW + 121 * MINUTE)).toMatchObject([{ shift, state: 'runningOver' }])
    await sql`update shift set status = 'completed', stopped_at = ${new Date(NOW + 122 * MINUTE)}`.execute(db)
    expect(await fleet.readAll(db, NOW + 122 * MINUTE)).toMatchObject([{ shift: null }])
  })

  test('gives a truck to a client at the start of a shift and takes it back at its end, by time alone', async () => {
    await addTrucks('H-', 1)
    await hear('H-', { at: NOW })
    const market = await world.addMarket('Houston')
    const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
    const driver = await world.addUser('driver')
    const [from, to] = [60, 120].map((minutes) => Math.floor(NOW / MINUTE + minutes) * MINUTE) as [number, number]
    const [starts, ends] = [new Date(from).toISOString(), new Date(to).toISOString()]
    await sql`
      insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at)
      select uid, ${driver.uid}, ${program.uid}, ${market.uid}, ${starts.slice(0, 10)}, ${starts.slice(11, 16)},
             ${ends.slice(11, 16)}, 'UTC', ${starts}, ${ends} from truck where number = 'H-1'`.execute(db)
    const reader = new LiveFleetReader()
    const clientsOf = ({ changed }: FleetChanges) => changed.map(({ clientUid }) => clientUid)
    expect(clientsOf(await reader.readAll(db, from - 1))).toEqual([null])
    const begun = await reader.readAll(db, from)
    expect([clientsOf(begun), begun.left, reader.nextEnd(from)]).toEqual([[program.client.uid], [], to])
    expect((await reader.readMovement(db, to - 1)).left).toEqual([])
    const { left } = await reader.readMovement(db, to)
    expect(left).toEqual([{ truckUid: begun.changed[0]?.truck.uid, clientUid: program.client.uid }])
    expect((await reader.readAll(db, to)).left).toEqual([])
  })
})
