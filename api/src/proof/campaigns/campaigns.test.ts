import { addDays, campaigns, DAY_MS } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DALLAS, fleetOf, northOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'
import { openPops } from '../pop/test-pop.ts'

const world = await openWorld()
const { db, call, people } = world
const fleet = fleetOf(world)
const pops = await openPops(world)

const HOUR = 3_600_000
const now = Date.now()
// Shifts around now are today's, whatever the hour.
const zone = zoneWhereItIs(12)
const today = zone.localTime(now).slice(0, 10)

async function addMarket(name: string, depots: object[] = []) {
  const uid = await pops.addMarket(name, depots)
  await db.updateTable('market').set({ zone: zone.name }).where('uid', '=', uid).execute()
  return uid
}

const dallas = await addMarket('Campaign Dallas', [{ name: 'Secret yard', ...DALLAS, radiusM: 400 }])

async function addCampaign(name: string, given: object = {}) {
  const client = await world.addClient(`${name} Inc`)
  const program = await world.addProgram({
    name,
    clientUid: client.uid,
    startsOn: addDays(today, -30),
    endsOn: addDays(today, 30),
    markets: [{ marketUid: dallas }],
    ...given,
  })
  const user = await world.addUser('client', ['pop'], client.uid)
  return { client, programUid: program.uid, token: user.token }
}

const listOf = async (token: string, query: object = {}) =>
  (await call(campaigns.list, { query: { pageSize: '200', ...query } }, { token })).body.data

let trucks = 0

async function addRunning(programUid: string, more: object = {}) {
  const truckUid = await fleet.addTruck({ number: `PLATE-77 ${++trucks}` })
  const span = { from: now - 3 * HOUR, to: now + 3 * HOUR, fixedZone: zone }
  const shift = await fleet.addShift({ truckUid, programUid, marketUid: dallas, ...span, ...more })
  return { truckUid, shift }
}

/** What the tracker of a truck says now. */
const setPosition = (truckUid: string, place: typeof DALLAS, at = new Date(Date.now() - 30_000)) =>
  sql`insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh, heading, is_driving)
      values (${truckUid}, ${at}, ${place.latitude}, ${place.longitude}, 40, 90, true)
      on conflict (truck_uid) do update set at = excluded.at, latitude = excluded.latitude,
        longitude = excluded.longitude`.execute(db)

const acme = await addCampaign('Acme Tour')
const other = await addCampaign('Other Tour')

describe('a campaign', () => {
  test('is seen by its own client and by staff, never by drivers or another client', async () => {
    expect((await listOf(acme.token)).map(({ uid }) => uid)).toEqual([acme.programUid])
    expect((await listOf(other.token)).map(({ uid }) => uid)).toEqual([other.programUid])
    const all = (await listOf(people.sales.token)).map(({ uid }) => uid)
    expect(all).toEqual(expect.arrayContaining([acme.programUid, other.programUid]))
    expect(await listOf(people.sales.token, { client: acme.client.uid })).toHaveLength(1)
    expect((await call(campaigns.list, { query: {} }, { token: people.driver.token })).status).toBe(403)
    // The filter of another client reveals nothing.
    expect(await listOf(other.token, { client: acme.client.uid })).toEqual([])
    expect(await listOf(other.token, { uid: acme.programUid })).toEqual([])
  })

  test('running ones come first, then upcoming ones, then ended ones; drafts are none', async () => {
    const { client, token } = await addCampaign('Order 1', { startsOn: addDays(today, -9), endsOn: addDays(today, -5) })
    const clientUid = client.uid
    const add = async (name: string, startsOn: number, endsOn: number, status: 'active' | 'draft' = 'active') =>
      world.addProgram({ name, clientUid, startsOn: addDays(today, startsOn), endsOn: addDays(today, endsOn), status })
    await add('Order 2', -20, -15)
    await add('Order 3', 5, 9)
    await add('Order 4', -2, 20)
    await add('Order 5', -2, 2)
    await add('Order 6', -2, 2, 'draft')
    const found = await listOf(token)
    expect(found.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'Order 5 running',
      'Order 4 running',
      'Order 3 upcoming',
      'Order 1 ended',
      'Order 2 ended',
    ])
    expect((await listOf(token, { phase: 'upcoming' })).map(({ name }) => name)).toEqual(['Order 3'])
    expect((await listOf(token, { search: 'order 2' })).map(({ name }) => name)).toEqual(['Order 2'])
  })

  test('has the miles and plays of this week, by the day on which the shift started', async () => {
    const { programUid, token } = await addCampaign('Week Tour')
    const { truckUid, shift } = await addRunning(programUid)
    await db
      .insertInto('shift_track')
      .values({
        shift_uid: shift.uid,
        truck_uid: truckUid,
        starts_at: shift.startsAt,
        ends_at: shift.endsAt,
        heard_ms: 1,
        gps_metres: 16_093,
        metres: 16_093,
        source: 'gps',
        coverage: 1,
        algorithm: 1,
      })
      .execute()
    const hour = new Date(Math.floor(now / HOUR) * HOUR - HOUR).toISOString()
    await pops.addPlays({ programUid, marketUid: dallas, truckUid, shiftUid: shift.uid, hour, plays: 120 })
    const [found] = await listOf(token)
    expect(found?.week).toMatchObject({
      today,
      figures: { metres: 16_093, plays: 120, shifts: 1 },
      before: null,
      days: [{ day: today, metres: 16_093, plays: 120 }],
    })
    expect(found?.trucksOut).toBe(1)
  })

  test('shows approved photos only, newest first, and upcoming shifts without names', async () => {
    const { programUid, token } = await addCampaign('Photo Tour')
    const taken = (hours: number) => ({ taken_at: new Date(now - hours * HOUR), time_source: 'exif' })
    const old = await pops.addPhoto(programUid, dallas, taken(9))
    const newest = await pops.addPhoto(programUid, dallas, taken(1))
    await pops.addPhoto(programUid, dallas, { ...taken(0), status: 'waiting' })
    const truckUid = await fleet.addTruck({ number: 'PLATE-88' })
    await fleet.addShift({
      truckUid,
      programUid,
      marketUid: dallas,
      from: now + DAY_MS,
      to: now + 30 * HOUR,
      fixedZone: zone,
    })
    const answer = await call(campaigns.list, { query: {} }, { token })
    const [found] = answer.body.data
    expect(found?.photos.map(({ uid }) => uid)).toEqual([newest.uid, old.uid])
    expect(found).toMatchObject({ photosTotal: 2, upcomingTotal: 1, upcoming: [{ market: 'Campaign Dallas' }] })
    for (const secret of ['PLATE-88', 'The driver', 'Secret yard']) expect(answer.text).not.toContain(secret)
  })
})

describe('the trucks of a campaign', () => {
  const trucksOf = (program: string | string[], token: string) =>
    call(campaigns.trucks, { query: { program } }, { token })

  test('are those on its shifts right now, for its own client only, without number and driver', async () => {
    const { programUid, token } = await addCampaign('Truck Tour')
    const { truckUid, shift } = await addRunning(programUid)
    await setPosition(truckUid, northOf(DALLAS, 5000))
    const mine = await trucksOf([programUid, other.programUid], token)
    expect(mine.body.data).toMatchObject([
      { uid: shift.uid, programUid, market: 'Campaign Dallas', longitude: DALLAS.longitude },
    ])
    for (const secret of ['PLATE-77', 'The driver', truckUid]) expect(mine.text).not.toContain(secret)
    expect((await trucksOf(programUid, other.token)).body.data).toEqual([])
    expect((await trucksOf(programUid, people.sales.token)).body.data).toHaveLength(1)
    // The shift is over: so is the view of the truck.
    await db
      .updateTable('shift')
      .set({ status: 'completed', started_at: shift.startsAt, stopped_at: new Date(now - HOUR) })
      .where('uid', '=', shift.uid)
      .execute()
    expect((await trucksOf(programUid, token)).body.data).toEqual([])
  })

  test('have no position near a depot, nor one from before the shift', async () => {
    const { programUid, token } = await addCampaign('Depot Tour')
    const { truckUid } = await addRunning(programUid)
    await setPosition(truckUid, northOf(DALLAS, 300))
    expect((await trucksOf(programUid, token)).body.data).toMatchObject([{ latitude: null, positionAt: null }])
    await setPosition(truckUid, northOf(DALLAS, 5000), new Date(now - 4 * HOUR))
    expect((await trucksOf(programUid, token)).body.data).toMatchObject([{ latitude: null, positionAt: null }])
  })
})

test('the ad log of a campaign is for its client, without the module of the report', async () => {
  const mine = await call(campaigns.adLog, { params: { uid: acme.programUid } }, { token: acme.token })
  expect([mine.status, String(mine.headers['content-disposition'])]).toEqual([
    200,
    expect.stringMatching(/ad-log_acme-tour.*csv/),
  ])
  expect((await call(campaigns.adLog, { params: { uid: acme.programUid } }, { token: other.token })).status).toBe(404)
})
