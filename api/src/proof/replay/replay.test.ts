import { randomBytes } from 'node:crypto'
import { API_BASE, fromSteps, replays, type Replay, unpackTrack } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { storePlays } from '../../live/plays/index.ts'
import { archiveOf, dayAgo, daysAgo } from '../../live/plays/archive/test-archive.ts'
import { DALLAS, northOf } from '../../live/players/test-fleet.ts'

const world = await openWorld()
const { call, db, people } = world
const past = archiveOf(world)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
type Query = Parameters<typeof call<typeof replays.get>>[1]['query']

const ask = (query: Query, token = people.admin.token) => call(replays.get, { query }, { token })
const replayOf = async (query: Query, token?: string): Promise<Replay> => {
  const { body, status } = await ask(query, token)
  expect(status).toBe(200)
  return body.data
}
const timesOf = ({ track }: Replay) => unpackTrack(track).map(({ at }) => at)
const playsOf = ({ plays, pictures }: Replay) =>
  plays.flatMap(({ side, startedAt, picture }) =>
    fromSteps(startedAt).map((at, index) => ({ side, at, program: pictures[picture[index] ?? -1]?.program })),
  )
const utc = (at: number) => new Date(at).toISOString()

/** One truck that drives for Acme from noon to 2 PM and then for Zyx until 4 PM (UTC), two days ago, with a play each minute. */
async function addSharedDay() {
  const noon = daysAgo(2) + 12 * HOUR
  const { truckUid, marketUid, device } = await past.addTruck([])
  const parties = []
  for (const [index, name] of (['Acme bikes', 'Zyx boats'] as const).entries()) {
    const program = await world.addProgram({ name: `${name} ${truckUid}` })
    const art = await past.addArtwork(program.uid)
    const from = noon + index * 2 * HOUR
    const shift = await past.addShift({
      truckUid,
      programUid: program.uid,
      marketUid,
      artwork_set_uid: art.uid,
      from,
      to: from + 2 * HOUR,
    })
    const client = await world.addUser('client', ['overview'], program.client.uid)
    parties.push({ program, art, from, shift, client })
  }
  const [acme, zyx] = parties
  if (!acme || !zyx) throw new Error('There are two.')
  for (let minute = -30; minute <= 270; minute += 1)
    await past.addPosition(truckUid, utc(noon + minute * MINUTE), northOf(DALLAS, (minute + 30) * 200))
  const plays = [acme, zyx].flatMap(({ art, from }) =>
    Array.from({ length: 20 }, (_, n) => past.aPlay(art, { startedAt: utc(from + n * MINUTE), durationMs: 8000 })),
  )
  // Acme's artwork in an hour of Zyx belongs to no shift.
  const astray = past.aPlay(acme.art, { startedAt: utc(zyx.from + HOUR), side: 'driverSide' })
  await storePlays(db, device, [...plays, astray])
  return { truck: truckUid, noon, acme, zyx, astray }
}

const shared = await addSharedDay()
const { truck, noon, acme, zyx } = shared

describe('a replay', () => {
  test('of a shift has its hours, positions, and plays with their pictures', async () => {
    const replay = await replayOf({ shift: acme.shift.uid })
    expect(replay).toMatchObject({ from: noon, to: noon + 2 * HOUR, day: dayAgo(2), zone: 'UTC', playLog: 'kept' })
    expect(timesOf(replay)).toEqual(Array.from({ length: 120 }, (_, n) => noon + n * MINUTE))
    const plays = playsOf(replay)
    expect(plays.map(({ at, side }) => [at, side])).toEqual(
      Array.from({ length: 20 }, (_, n) => [noon + n * MINUTE, 'rear']),
    )
    expect(replay.pictures).toEqual([
      {
        artwork: expect.any(String),
        program: acme.program.name,
        isVideo: false,
        url: expect.stringContaining('/files/'),
      },
    ])
    expect(replay.plays.map(({ side }) => side)).toEqual(['driverSide', 'passengerSide', 'rear'])
  })

  test('of a truck’s day has all its shifts, the hours between them, and plays that belong to none', async () => {
    const replay = await replayOf({ truck, day: dayAgo(2) })
    expect([replay.from, replay.to]).toEqual([daysAgo(2), daysAgo(1)])
    expect(replay.shifts.map(({ uid }) => uid)).toEqual([acme.shift.uid, zyx.shift.uid])
    expect(timesOf(replay)).toHaveLength(301)
    expect(playsOf(replay)).toHaveLength(41)
    expect(replay.plays[0]).toMatchObject({ side: 'driverSide', startedAt: [zyx.from + HOUR], mark: [3] })
    // A moment names its day.
    expect(await replayOf({ truck, at: utc(noon + 90 * MINUTE) })).toEqual(replay)
  })

  test('shows the photos that were taken in its hours to readers of photos, and the planned stops', async () => {
    const size = { width: 4, height: 3, bytes: 10, sha256: 'b'.repeat(64) }
    const photo = (caption: string, given: object) => ({
      program_uid: acme.program.uid,
      shift_uid: acme.shift.uid,
      key: randomBytes(16).toString('hex'),
      original_name: 'a.jpg',
      place_source: 'exif',
      time_source: 'exif',
      original_sha256: randomBytes(32).toString('hex'),
      caption,
      sizes: JSON.stringify({ small: size, medium: size, large: size }),
      blur: '',
      position: 1,
      taken_at: utc(noon + HOUR),
      ...DALLAS,
      ...given,
    })
    await db
      .insertInto('pop_photo')
      .values([
        photo('On Main Street', { status: 'approved' }),
        photo('Blurred', { status: 'waiting' }),
        photo('On another day', { status: 'approved', taken_at: utc(noon - 13 * HOUR) }),
      ])
      .execute()
    const stop = { name: 'Stadium', ...DALLAS, radiusM: 500, from: '12:30', to: '13:30', minMinutes: null, note: '' }
    await db
      .updateTable('shift')
      .set({ stops: JSON.stringify([stop]) })
      .where('uid', '=', acme.shift.uid)
      .execute()
    const told = async (token?: string) => {
      const { photos, stops } = await replayOf({ truck, day: dayAgo(2) }, token)
      return [photos.map(({ caption }) => caption).toSorted(), stops.map(({ name, state }) => [name, state])]
    }
    const stops = [['Stadium', expect.any(String)]]
    expect(await told()).toEqual([['Blurred', 'On Main Street'], stops])
    expect(await told(acme.client.token)).toEqual([['On Main Street'], stops])
    expect(await told(zyx.client.token)).toEqual([[], []])
    const planner = await world.addUser('sales', ['schedule'])
    expect(await told(planner.token)).toEqual([[], stops])
  })

  test('of a truck without positions and plays is empty, and says why where it knows', async () => {
    const silent = await past.addTruck([])
    const printed = await past.addTruck([])
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', printed.truckUid).execute()
    const empty = { track: { at: [] }, pictures: [], photos: [], stops: [], shifts: [] }
    expect(await replayOf({ truck: silent.truckUid, day: dayAgo(3) })).toMatchObject({ ...empty, playLog: 'kept' })
    expect(await replayOf({ truck: printed.truckUid, day: dayAgo(3) })).toMatchObject({ ...empty, playLog: 'printed' })
    // Plays of that year would have been deleted long ago.
    expect(await replayOf({ truck: silent.truckUid, day: '2019-07-01' })).toMatchObject({ ...empty, playLog: 'old' })
    const future = await replayOf({ truck: silent.truckUid, day: '2199-07-01' })
    expect(future.from).toBe(future.to)
  })

  test.each([
    ['2026-03-08', 23],
    ['2025-11-02', 25],
    ['2026-06-10', 24],
  ])('of %s in Chicago lasts %i hours', async (day, hours) => {
    const market = await world.addMarket(`Chicago ${day}`)
    await db.updateTable('market').set({ zone: 'America/Chicago' }).where('uid', '=', market.uid).execute()
    const { truckUid } = await past.addTruck([])
    await db.updateTable('truck').set({ home_market_uid: market.uid }).where('uid', '=', truckUid).execute()
    const replay = await replayOf({ truck: truckUid, day })
    expect([replay.zone, (replay.to - replay.from) / HOUR]).toEqual(['America/Chicago', hours])
  })

  test('goes by the zone that the market had on that day', async () => {
    const old = await past.addTruck([60])
    await db
      .updateTable('market')
      .set({ zone: 'Etc/GMT+5', earlier_zones: JSON.stringify([{ zone: 'UTC', until: dayAgo(55) }]) })
      .where('uid', '=', old.marketUid)
      .execute()
    await db.updateTable('truck').set({ home_market_uid: old.marketUid }).where('uid', '=', old.truckUid).execute()
    const neverOut = await past.addTruck([])
    await db.updateTable('truck').set({ home_market_uid: old.marketUid }).where('uid', '=', neverOut.truckUid).execute()
    const zoneOf = async (truckUid: string, days: number) => {
      const { zone, from } = await replayOf({ truck: truckUid, day: dayAgo(days) })
      return [zone, (from - daysAgo(days)) / HOUR]
    }
    expect(await zoneOf(neverOut.truckUid, 60)).toEqual(['UTC', 0])
    expect(await zoneOf(neverOut.truckUid, 50)).toEqual(['Etc/GMT+5', 5])
    expect(await zoneOf(old.truckUid, 60)).toEqual(['UTC', 0])
    // The night shift of the 60th day ends at four in the morning of the next.
    expect(await zoneOf(old.truckUid, 59)).toEqual(['UTC', 4])
  })

  test('reads archived plays as it reads the others', async () => {
    const old = await past.addTruck([60])
    await past.store(old, past.playsOf(old, 60))
    await past.grade()
    const query = { truck: old.truckUid, day: dayAgo(60) }
    const before = await replayOf(query)
    expect(playsOf(before).length).toBeGreaterThan(30)
    await past.archive()
    expect(past.errors).toEqual([])
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from play where truck_uid = ${old.truckUid}`.execute(db)
    expect(rows[0]?.left).toBe(0)
    expect(await replayOf(query)).toEqual(before)
  })

  test('of neither truck nor shift, of both and of an impossible day is refused with a sentence', async () => {
    const refusedFor = async (query: object) => {
      const { body, status } = (await ask(query)) as { body: unknown; status: number }
      return [status, (body as { fields: object }).fields]
    }
    expect(await refusedFor({})).toEqual([400, { truck: 'Name a truck or a shift.' }])
    expect(await refusedFor({ truck, shift: acme.shift.uid })).toEqual([400, { truck: 'Name a truck or a shift.' }])
    expect((await refusedFor({ truck, day: '2026-02-30' }))[0]).toBe(400)
    expect((await refusedFor({ truck, at: 'noon' }))[0]).toBe(400)
    expect((await ask({ truck: crypto.randomUUID() })).status).toBe(404)
    expect((await ask({ shift: crypto.randomUUID() })).status).toBe(404)
  })
})

describe('who sees a replay', () => {
  test('a client sees the hours of its own shifts, and nothing of the other client on the truck', async () => {
    for (const query of [
      { shift: acme.shift.uid },
      { truck, at: utc(noon + HOUR) },
      { truck, day: dayAgo(2) },
      // Asked for an hour of the other client on the same day, it gets its own hours.
      { truck, at: utc(zyx.from + HOUR) },
    ]) {
      const replay = await replayOf(query, acme.client.token)
      expect([replay.from, replay.to]).toEqual([noon, noon + 2 * HOUR])
      expect(timesOf(replay)).toHaveLength(120)
      expect(Math.max(...timesOf(replay))).toBeLessThan(zyx.from)
      expect(playsOf(replay)).toHaveLength(20)
      expect(JSON.stringify(replay)).not.toMatch(new RegExp(`Zyx|${zyx.shift.uid}|${zyx.program.uid}`))
    }
    expect((await ask({ shift: zyx.shift.uid }, acme.client.token)).status).toBe(404)
    expect((await ask({ truck, day: dayAgo(3) }, acme.client.token)).status).toBe(404)
    expect((await ask({ truck }, acme.client.token)).status).toBe(404)
    const { token } = await world.addUser('client', ['overview'], (await world.addClient()).uid)
    expect((await ask({ truck, day: dayAgo(2) }, token)).status).toBe(404)
  })

  test('a driver sees the shifts that they drove', async () => {
    const { token } = acme.shift.driver
    const replay = await replayOf({ truck, day: dayAgo(2) }, token)
    expect(replay.shifts.map(({ uid }) => uid)).toEqual([acme.shift.uid])
    expect([replay.from, replay.to]).toEqual([noon, noon + 2 * HOUR])
    expect((await ask({ shift: zyx.shift.uid }, token)).status).toBe(404)
    expect((await ask({ truck, day: dayAgo(2) }, people.driver.token)).status).toBe(404)
  })

  test('sales sees all by any of the modules, and others nothing', async () => {
    for (const module of ['overview', 'schedule', 'clients', 'pop', 'trucks'] as const) {
      const { token } = await world.addUser('sales', [module])
      expect((await replayOf({ truck, day: dayAgo(2) }, token)).shifts).toHaveLength(2)
    }
    const { token } = await world.addUser('sales', ['programByClient'])
    expect((await ask({ truck }, token)).status).toBe(403)
    const ended = await world.addUser('sales', ['overview'])
    await db.deleteFrom('session').where('user_uid', '=', ended.uid).execute()
    expect((await ask({ truck }, ended.token)).status).toBe(401)
  })

  test('the trucks to choose from are those of own shifts', async () => {
    const offered = async (token: string) =>
      (await call(replays.trucks, { query: {} }, { token })).body.data.map(({ uid }) => uid)
    expect(await offered(acme.client.token)).toEqual([truck])
    expect(await offered(acme.shift.driver.token)).toEqual([truck])
    expect(await offered(people.driver.token)).toEqual([])
    expect((await offered(people.admin.token)).length).toBeGreaterThan(1)
  })
})

describe('the track as a file', () => {
  const fileOf = (query: object, token = people.admin.token) =>
    world.app.inject({
      url: `${API_BASE}/${replays.track.path}`,
      query: query as Record<string, string>,
      headers: { authorization: `Bearer ${token}` },
    })

  test('has every position of the hours that its reader may see, and a name that says what it is', async () => {
    const gpx = await fileOf({ truck, day: dayAgo(2), as: 'gpx' })
    expect(gpx.headers['content-type']).toContain('gpx')
    expect(gpx.headers['content-disposition']).toMatch(new RegExp(`filename="track_t-.*_${dayAgo(2)}\\.gpx"`))
    expect(gpx.body.match(/<trkpt/g)).toHaveLength(301)
    const own = await fileOf({ truck, day: dayAgo(2), as: 'gpx' }, acme.client.token)
    expect(own.body.match(/<trkpt/g)).toHaveLength(120)
    const shift = await fileOf({ shift: acme.shift.uid, as: 'geojson' }, acme.client.token)
    expect(shift.headers['content-disposition']).toContain('acme-bikes')
    const { features } = shift.json<{ features: { geometry: { coordinates: unknown[] } }[] }>()
    expect(features.flatMap(({ geometry }) => geometry.coordinates)).toHaveLength(120)
    expect((await fileOf({ shift: zyx.shift.uid, as: 'gpx' }, acme.client.token)).statusCode).toBe(404)
  })

  test('is refused with a sentence where there is no GPS data, and for unknown formats', async () => {
    const silent = await past.addTruck([])
    const none = await fileOf({ truck: silent.truckUid, day: dayAgo(3), as: 'gpx' })
    expect([none.statusCode, none.json<{ error: string }>().error]).toEqual([
      404,
      'No GPS data from this truck in these hours, so there is no track to export.',
    ])
    expect((await fileOf({ truck, as: 'kml' })).json()).toMatchObject({ fields: { as: 'Choose gpx or geojson.' } })
  })
})
