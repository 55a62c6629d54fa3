import { replays } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { regrade } from '../plays/index.ts'
import { PHONE_SOURCE, PLAYER_SOURCE, storePlaces, storeTelemetry } from '../telemetry/index.ts'
import { DALLAS, fleetOf, minutesAgo, northOf } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addArtwork, addDevice, addMarket, addShift, addTruck, aPlay, come, openNode } = fleetOf(world)
const url = await openNode()
const MINUTE = 60_000

/** A truck on a shift, its connected player, and six plays that it begins each minute on its way north, sent. */
async function drivePlayer({ gpsFix, geotabId = '' }: { gpsFix: boolean | undefined; geotabId?: string }) {
  const truckUid = await addTruck()
  await db.updateTable('truck').set({ geotab_device_id: geotabId }).where('uid', '=', truckUid).execute()
  const program = await world.addProgram()
  const art = await addArtwork(program.uid)
  const at = Date.now()
  await addShift({
    truckUid,
    programUid: program.uid,
    marketUid: await addMarket(),
    from: at - 90 * MINUTE,
    to: at + 90 * MINUTE,
    artwork_set_uid: art.uid,
  })
  const socket = await come(url, await addDevice(truckUid))
  const player = socket.timeout(10_000)
  if (gpsFix !== undefined) await player.emitWithAck('device-health', { at: minutesAgo(0), gpsFix })
  const plays = Array.from({ length: 6 }, (_, n) =>
    aPlay(art, { startedAt: minutesAgo(30 - n), place: northOf(DALLAS, n * 500) }),
  )
  expect(await player.emitWithAck('player-plays', plays)).toMatchObject({
    rows: plays.map(() => ({ result: 'accepted' })),
  })
  return { truckUid, plays, again: () => player.emitWithAck('player-plays', plays), shiftAt: at }
}

const waitingOf = (truck: string) =>
  db.selectFrom('position_waiting').selectAll().where('truck_uid', '=', truck).orderBy('at').execute()
const latitudesOf = async (truck: string) =>
  (await db.selectFrom('position').select('latitude').where('truck_uid', '=', truck).orderBy('at').execute()).map(
    ({ latitude }) => latitude,
  )

/** The grades of a truck's plays, by all that is known now. */
async function gradesOf(truckUid: string) {
  await regrade(db, { truckUid, from: Date.now() - 60 * MINUTE, to: Date.now() })
  const plays = db.selectFrom('play').select(['grade', 'reason']).where('truck_uid', '=', truckUid)
  return (await plays.orderBy('started_at').execute()).map(({ grade, reason }) => reason ?? grade)
}

test('the places of plays are the track of a truck without a tracker, and verify none of its plays', async () => {
  const { truckUid, plays, again } = await drivePlayer({ gpsFix: true })
  await storePlaces(db)
  const track = plays.map(({ place }) => place?.latitude)
  expect(await latitudesOf(truckUid)).toEqual(track)
  expect(await waitingOf(truckUid)).toEqual([])
  await again()
  await storePlaces(db)
  expect(await latitudesOf(truckUid)).toEqual(track)
  const minutes = db.selectFrom('position_minute').select('source_uid').where('truck_uid', '=', truckUid)
  expect(new Set((await minutes.execute()).map(({ source_uid }) => source_uid))).toEqual(new Set([PLAYER_SOURCE]))
  const { body } = await world.call(replays.get, { query: { truck: truckUid, at: minutesAgo(28) } })
  expect(body.data.sources).toMatchObject([{ name: 'Player', kind: 'player' }])
  expect(await gradesOf(truckUid)).toEqual(plays.map(() => 'noTrack'))
})

test('a place of the driver’s phone verifies the plays around it', async () => {
  const { truckUid, plays } = await drivePlayer({ gpsFix: true })
  await storePlaces(db)
  const { place, startedAt = '' } = plays[3] ?? {}
  const fix = { truck: truckUid, at: Date.parse(startedAt) + 2000, speedKmh: null, ...(place ?? DALLAS) }
  const batch = { fixes: [fix], statuses: [], readings: [], areUids: true as const, now: Date.now() }
  await storeTelemetry(db, { source: PHONE_SOURCE, ...batch })
  const grades = await gradesOf(truckUid)
  expect([grades[0], grades[3]]).toEqual(['noTrack', 'verified'])
})

test.each([
  ['says that it has no fix of its own', false],
  ['has said nothing of its health', undefined],
])('a player that %s places nothing: it may repeat what it got from here', async (_, gpsFix) => {
  const { truckUid } = await drivePlayer({ gpsFix })
  await storePlaces(db)
  expect([await latitudesOf(truckUid), await waitingOf(truckUid)]).toEqual([[], []])
})

test('for a truck with a tracker places wait 15 minutes, and count where it stayed silent', async () => {
  const { truckUid, plays } = await drivePlayer({ gpsFix: true, geotabId: `own-${Date.now()}` })
  // The plays of half an hour ago are due; the tracker has spoken in the minute of the second one.
  const [, second] = plays
  const heard = new Date(Math.floor(Date.parse(second?.startedAt ?? '') / MINUTE) * MINUTE + 30_500)
  await sql`insert into position (truck_uid, at, latitude, longitude) values (${truckUid}, ${heard}, 1, 1)`.execute(db)
  await storePlaces(db, Date.now() - 40 * MINUTE)
  expect(await latitudesOf(truckUid)).toEqual([1])
  await storePlaces(db)
  const found = await latitudesOf(truckUid)
  expect(found).toContain(1)
  expect(found).toContain(plays[5]?.place?.latitude)
  expect(found).not.toContain(second?.place?.latitude)
  expect(await waitingOf(truckUid)).toEqual([])
  const fresh = await db.selectFrom('position_spare').select('at').where('truck_uid', '=', truckUid).execute()
  expect(fresh).toEqual([])
})
