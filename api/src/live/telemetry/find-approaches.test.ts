import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { saveShifts } from '../../planning/shifts/index.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { findApproaches } from './find-approaches.ts'

const world = await openWorld()
const { db } = world
const NOW = Date.now()
const METER = 1 / 111_195
const START = new Date(Math.floor((NOW - 3 * 3_600_000) / 60_000) * 60_000)
let shiftUid = ''
let truckUid = ''

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)
const positions = (from: number, to: number, since: number) =>
  Array.from({ length: Math.abs(to - from) / 100 + 1 }, (_, n) => ({
    truck_uid: truckUid,
    at: at(since + n * 10),
    longitude: -96.8,
    speed_kmh: 36,
    latitude: 32.78 + (from + Math.sign(to - from) * n * 100) * METER,
  }))
const drive = async (from: number, to: number, since: number) => {
  const rows = positions(from, to, since)
  await db.insertInto('position').values(rows).execute()
  const row = {
    gps_metres: 0,
    metres: 0,
    source: 'gps',
    coverage: 1,
    algorithm: 1,
    heard_ms: since + rows.length,
  }
  await db
    .insertInto('shift_track')
    .values({ shift_uid: shiftUid, truck_uid: truckUid, starts_at: START, ends_at: at(8 * 3600), ...row })
    .onConflict((conflict) => conflict.column('shift_uid').doUpdateSet({ heard_ms: row.heard_ms }))
    .execute()
}
const visits = () =>
  db.selectFrom('shift_approach').select(['entered_at', 'left_at', 'nearest_m']).orderBy('entered_at').execute()

beforeAll(async () => {
  for (const day of [0, 1])
    await sql`call ensure_week('position', ${new Date(START.getTime() + day * DAY_MS)}::date)`.execute(db)
  const market = await world.addMarket('Dallas')
  await sql`update market set zone = 'UTC'`.execute(db)
  const program = await world.addProgram({
    startsOn: '2020-01-01',
    endsOn: '2099-12-31',
    markets: [{ marketUid: market.uid }],
  })
  const one = async (query: { executeTakeFirstOrThrow(): Promise<{ uid: string }> }) =>
    (await query.executeTakeFirstOrThrow()).uid
  truckUid = await one(db.insertInto('truck').values({ number: 'T-1', kind: 'led', state: 'active' }).returning('uid'))
  const addressSetUid = await one(
    db.insertInto('address_set').values({ program_uid: program.uid, name: 'Shops' }).returning('uid'),
  )
  const place = { label: 'Shop', latitude: 32.78, longitude: -96.8, radius_m: 1040, located_by: 'given' }
  await db
    .insertInto('sd_address')
    .values({ set_uid: addressSetUid, ...place, position: 0 })
    .execute()
  const hours = {
    date: START.toISOString().slice(0, 10),
    start: START.toISOString().slice(11, 16),
    end: at(8 * 3600)
      .toISOString()
      .slice(11, 16),
  }
  await saveShifts(db, await world.adminScope(), [
    {
      truckUid,
      driverUid: (await world.addUser('driver')).uid,
      programUid: program.uid,
      marketUid: market.uid,
      ...hours,
      artworkSetUid: null,
      addressSetUid,
      payOption: null,
      note: '',
    },
  ])
  shiftUid = await one(db.selectFrom('shift').select('uid'))
})

test('a truck’s visits are found along its track, and found again when the track grows', async () => {
  await drive(-2000, 2000, 0)
  expect(await findApproaches(db)).toBe(false)
  const first = await visits()
  expect(first.map(({ entered_at, nearest_m }) => [Date.parse(entered_at), Math.round(nearest_m)])).toEqual([
    [at(100).getTime(), 0],
  ])
  await drive(2000, -2000, 600)
  await findApproaches(db)
  expect(await visits()).toHaveLength(2)
  const known = await db.selectFrom('shift_approaches_known').select('computed_at').executeTakeFirstOrThrow()
  await findApproaches(db)
  expect(await db.selectFrom('shift_approaches_known').select('computed_at').executeTakeFirstOrThrow()).toEqual(known)
})

test('visits of a shift that ended long ago are found when all are looked at', async () => {
  await sql`delete from shift_approaches_known`.execute(db)
  await sql`update shift_track set ends_at = now() - interval '9 days'`.execute(db)
  await findApproaches(db)
  expect(await db.selectFrom('shift_approaches_known').select('shift_uid').execute()).toEqual([])
  await findApproaches(db, true)
  expect(await db.selectFrom('shift_approaches_known').select('shift_uid').execute()).toHaveLength(1)
})
