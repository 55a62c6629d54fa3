import {
  adLog,
  artworkSets,
  type Play,
  type PlayerData,
  type PlaysOfShift,
  programs,
  rotations,
  shiftPlays,
  toLoopLine,
  truckSides,
  type TruckSide,
} from '@roadshow/contract'
import { compareLoop, differenceOf } from '@roadshow/contract/planning/loop-delivery'
import { type Loop, spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import { turnsBetween } from '@roadshow/contract/planning/loop-rules'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { archiveOf, daysAgo } from '../../live/plays/archive/test-archive.ts'
import type { TestDevice } from '../../live/players/test-fleet.ts'

const world = await openWorld()
const { call, db, people } = world
const fleet = archiveOf(world)
const node = await fleet.openNode()

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Equals no share of a line. */
const NOTHING = { expected: NaN, delivered: [NaN] }
const utc = (at: number) => new Date(at).toISOString()
const read = (uid: string, token = people.admin.token) => call(shiftPlays.byHour, { params: { uid } }, { token })
const playsOf = async (uid: string): Promise<PlaysOfShift> => {
  const { status, body } = await read(uid)
  expect(status).toBe(200)
  return body.data
}

/** A truck on a shift since three whole clock hours, with a rotation of two sets, by weight and by plays. */
async function addRotating() {
  const truck = await fleet.addTruck([])
  const { truckUid, programUid, marketUid, art: breakfast } = truck
  await db.updateTable('client_program').set({ spot_seconds: 30 }).where('uid', '=', programUid).execute()
  await db.updateTable('market').set({ zone: 'UTC' }).where('uid', '=', marketUid).execute()
  const dinner = await fleet.addArtwork(programUid)
  const from = Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR
  const shift = await fleet.addShift({ truckUid, programUid, marketUid, from, to: from + 8 * HOUR })
  const byPlays = { artworkSetUid: dinner.uid, share: 'playsAnHour' as const, amount: 25 }
  await save(programUid, [{ artworkSetUid: breakfast.uid, amount: 2 }, byPlays])
  const program = (await call(programs.get, { params: { uid: programUid } })).body.data
  return { truck, program, breakfast, dinner, shift, from }
}

async function save(uid: string, lines: Parameters<typeof call<typeof rotations.save>>[1]['body']['lines']) {
  const { version } = (await call(programs.get, { params: { uid } })).body.data
  expect((await call(rotations.save, { params: { uid }, body: { lines, version } })).status).toBe(200)
}

const loopOf = ({ uid, loop }: PlayerData['shifts'][number]): Loop => ({
  lines: (loop?.lines ?? []).map(({ spotMs, artwork, ...line }) => ({
    ...line,
    spotMs: spotLengthMs(spotMs, artwork),
  })),
  restMs: spotLengthMs(null, null),
  zone: loop?.zone ?? '',
  seed: uid,
})

/** Plays what its player is told to, on all sides, and sends it. */
async function playOn(device: TestDevice, span: { from: number; to: number }): Promise<number> {
  const socket = await fleet.come(node, device)
  const answer = await socket.timeout(5000).emitWithAck('get-player-data')
  if ('error' in answer) throw new Error(answer.error)
  const [shift] = (answer as PlayerData).shifts
  if (!shift) throw new Error('The player has no shift.')
  const artwork = new Map((shift.loop?.lines ?? []).map((line) => [line.uid, line.artwork] as const))
  const plays = [...turnsBetween(loopOf(shift), span)].flatMap(({ line, startsAt, endsAt }): Play[] => {
    const set = line && artwork.get(line.uid)
    if (!set || endsAt > span.to) return []
    return set.files.map(({ side, sha256 }) =>
      fleet.aPlay(
        { uid: set.artworkSetUid, sha256 },
        { side, startedAt: utc(startsAt), durationMs: endsAt - startsAt },
      ),
    )
  })
  for (let sent = 0; sent < plays.length; sent += 200) {
    const ack = await socket.timeout(10_000).emitWithAck('player-plays', plays.slice(sent, sent + 200))
    if ('error' in ack) throw new Error(String(ack.error))
  }
  socket.disconnect()
  return plays.length
}

describe('the plays of a shift by hour', () => {
  test('are what its rotation leads to expect, and in all what the ad log lists', async () => {
    const { program, shift, from, truck, dinner } = await addRotating()
    const sent = await playOn(truck.device, { from, to: from + 3 * HOUR })
    const found = await playsOf(shift.uid)
    expect(found).toMatchObject({ isRunning: true, playLog: 'kept', runs: [{ from, to: from + 3 * HOUR }] })
    const rotation = (await call(rotations.get, { params: { uid: program.uid } })).body.data
    const { hours, lines, sides, over } = compareLoop<TruckSide>({
      loop: { lines: rotation.lines.map(toLoopLine), restMs: rotation.restMs, zone: 'UTC', seed: shift.uid },
      shown: rotation.lines.map(({ uid, artworkSet }) => ({ uid, setUid: artworkSet.uid, isMissing: false })),
      sides: truckSides,
      delivered: {
        hours: found.hours.map(({ artwork, ...each }) => ({ ...each, setUid: artwork.uid })),
        runs: found.runs,
        countedAt: Date.parse(found.countedAt),
      },
      from: Date.parse(shift.startsAt),
      to: Date.parse(shift.endsAt),
    })
    expect(sides).toEqual(truckSides)
    const differences = hours
      .slice(0, 3)
      .flatMap((hour) => lines.map((line, index) => differenceOf(hour, line, hour.shares[index] ?? NOTHING)))
    expect(differences).toEqual([0, 0, 0, 0, 0, 0])
    expect(over.shares[1]).toEqual({ expected: 75, delivered: [75, 75, 75] })
    const log = await call(adLog.list, { query: { program: program.uid, shift: shift.uid } })
    expect([over.plays, log.body.total]).toEqual([sent, sent])
    const clock = String(new Date(from).getUTCHours())
    const ofHour = await call(adLog.list, {
      query: { program: program.uid, shift: shift.uid, fromHour: clock, toHour: String(Number(clock) + 1) },
    })
    expect(hours[0]?.plays).toBe(ofHour.body.total)
    expect(found.hours.find(({ artwork }) => artwork.uid === dinner.uid)?.artwork.name).toMatch(/^Art /)
  })

  test('have the pauses of the screen, and tell artwork of SD addresses apart', async () => {
    const { truck, program, breakfast, dinner, shift, from } = await addRotating()
    const set = await db
      .insertInto('address_set')
      .values({ program_uid: program.uid, name: 'Shops' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const shops = await db
      .insertInto('sd_address')
      .values(
        [dinner.uid, null].map((artwork_set_uid, position) => ({
          set_uid: set.uid,
          label: `Shop ${position}`,
          located_by: 'given',
          position,
          radius_m: 500,
          latitude: 32.78 + position,
          longitude: -96.8,
          artwork_set_uid,
        })),
      )
      .returning('uid')
      .execute()
    const at = (minutes: number) => ({ startedAt: utc(from + minutes * MINUTE), durationMs: 30_000 })
    await fleet.store(truck, [
      fleet.aPlay(breakfast, at(0)),
      fleet.aPlay(breakfast, at(3)),
      fleet.aPlay(dinner, { ...at(20), addressUid: shops[0]?.uid ?? null }),
      fleet.aPlay(dinner, { ...at(21), addressUid: shops[1]?.uid ?? null }),
    ])
    const { hours, runs } = await playsOf(shift.uid)
    expect(runs.map((run) => [run.from - from, run.to - from])).toEqual([
      [0, 3.5 * MINUTE],
      [20 * MINUTE, 21.5 * MINUTE],
    ])
    expect(hours.map(({ artwork, plays, isForAddress }) => [artwork.uid, plays, isForAddress])).toEqual([
      [breakfast.uid, 2, false],
      [dinner.uid, 1, true],
      [dinner.uid, 1, false],
    ])
  })

  test('are read by staff, the driver and the client of the shift alone', async () => {
    const { program, shift } = await addRotating()
    const own = await world.addUser('client', ['clients'], program.client.uid)
    const other = await world.addUser('client', ['clients'], (await world.addClient()).uid)
    const without = await world.addUser('sales', ['pop', 'overview'])
    const elsewhere = await world.addUser('client', ['overview', 'pop'], program.client.uid)
    const { uid } = shift.driver
    await db
      .updateTable('user_account')
      .set({ modules: ['schedule'] })
      .where('uid', '=', uid)
      .execute()
    const all = [people.admin, people.sales, own, shift.driver, other, people.driver, without, elsewhere]
    const answers = await Promise.all(all.map(({ token }) => read(shift.uid, token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404, 403, 403])
    expect((await read(program.uid)).status).toBe(404)
  })

  test('say when what the shift shows in turn changed after it began', async () => {
    const running = await addRotating()
    const { truckUid, programUid, marketUid } = await fleet.addTruck([])
    const coming = { from: running.from + 5 * HOUR, to: running.from + 8 * HOUR }
    const later = await fleet.addShift({ truckUid, programUid, marketUid, ...coming })
    await save(programUid, [])
    expect((await playsOf(later.uid)).rotationChangedAt).toBeNull()
    const changedAt = async () => Date.parse((await playsOf(running.shift.uid)).rotationChangedAt ?? '')
    const first = await changedAt()
    expect(first).toBeGreaterThan(running.from)
    // What has nothing to do with its turns changes nothing.
    await db.updateTable('client_program').set({ note: 'New.' }).where('uid', '=', running.program.uid).execute()
    expect(await changedAt()).toBe(first)
    await save(running.program.uid, [{ artworkSetUid: running.breakfast.uid }, { artworkSetUid: running.dinner.uid }])
    const second = await changedAt()
    expect(second).toBeGreaterThan(first)
    await call(artworkSets.withdraw, { body: { uid: running.dinner.uid } })
    const third = await changedAt()
    expect(third).toBeGreaterThan(second)
    await db
      .updateTable('shift')
      .set({ artwork_set_uid: running.breakfast.uid })
      .where('uid', '=', running.shift.uid)
      .execute()
    expect(await changedAt()).toBeGreaterThan(third)
  })

  test('are the same after they were archived, and are no longer there for years ago and printed trucks', async () => {
    const truck = await fleet.addTruck([60])
    await fleet.store(truck, fleet.playsOf(truck, 60))
    await fleet.grade()
    const { uid } = await db
      .selectFrom('shift')
      .select('uid')
      .where('truck_uid', '=', truck.truckUid)
      .executeTakeFirstOrThrow()
    const { countedAt: _, ...before } = await playsOf(uid)
    expect(before.hours.length).toBeGreaterThan(5)
    expect(before.hours[0]?.hour).toBe(daysAgo(60) + 18 * HOUR)
    await fleet.archive()
    expect(await db.selectFrom('play').select('play_id').where('shift_uid', '=', uid).execute()).toEqual([])
    const { countedAt: _then, ...after } = await playsOf(uid)
    expect(after).toEqual(before)
    const past = { ...truck, from: Date.parse('2019-07-01T12:00:00Z'), to: Date.parse('2019-07-01T20:00:00Z') }
    const { device: _device, art: _art, ...plain } = past
    const old = await fleet.addShift({ ...plain, status: 'completed' })
    expect(await playsOf(old.uid)).toMatchObject({ playLog: 'old', hours: [], runs: [], isRunning: false })
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', truck.truckUid).execute()
    expect(await playsOf(uid)).toMatchObject({ playLog: 'printed', hours: [] })
  })
})
