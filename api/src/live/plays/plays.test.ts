import { type Play, type RowAck, settings, truckSides } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { seeded } from '@roadshow/test-kit/random'
import { openWorld } from '@roadshow/test-kit/world'
import { dropPartitionsBefore } from '../../platform/db/partitions.ts'
import { accountOfDevice, regrade, storePlays } from './index.ts'
import { multirangeOf } from './sequences.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { regradeSince } from './regrade-job.ts'
import { DALLAS, type DeviceSocket, fleetOf, minutesAgo, northOf } from '../players/test-fleet.ts'

const world = await openWorld()
const { db } = world
const fleet = fleetOf(world)
const { addPosition, addRunning, aPlay, come, countedAndKept } = fleet
const [first, second] = [await fleet.openNode(), await fleet.openSecondNode()]

const send = async (socket: DeviceSocket, plays: unknown): Promise<RowAck[]> => {
  const answer = await socket.timeout(20_000).emitWithAck('player-plays', plays as Play[])
  if ('error' in answer) throw new Error(answer.error)
  return answer.rows
}
const results = (rows: RowAck[]) => rows.map(({ result }) => result)

/** Missing numbers, oldest first. */
const missingPlays = async (deviceUid: string) => (await accountOfDevice(db, deviceUid)).gaps.toReversed()

const rowOf = (playId: string) =>
  db.selectFrom('play').selectAll().where('play_id', '=', playId).executeTakeFirstOrThrow()
const gradeOf = async (playId: string) => (await rowOf(playId)).grade

async function expectHoursRight() {
  const [counted, kept] = await countedAndKept()
  expect(kept).toEqual(counted)
}

describe('a batch of plays', () => {
  test('is stored with its shift, program and market, and counted by the hour', async () => {
    const { art, device, shift, programUid, marketUid, truckUid } = await addRunning()
    const player = await come(first, device)
    const plays = [aPlay(art), aPlay(art, { side: 'driverSide' }), aPlay(art, { startedAt: minutesAgo(60 * 24 * 3) })]
    expect(await send(player, plays)).toEqual(plays.map(({ playId }) => ({ id: playId, result: 'accepted' })))
    expect(await rowOf(plays[0]?.playId ?? '')).toMatchObject({
      shift_uid: shift.uid,
      program_uid: programUid,
      market_uid: marketUid,
      truck_uid: truckUid,
      device_uid: device.uid,
      grade: 'unverified',
      duration_ms: 8e3,
    })
    expect(await rowOf(plays[2]?.playId ?? '')).toMatchObject({
      shift_uid: null,
      program_uid: programUid,
      market_uid: null,
      reason: 'noShift',
    })
    const now = () => db.selectFrom('truck_now').selectAll().where('truck_uid', '=', truckUid).executeTakeFirst()
    const newest = Math.max(...plays.map(({ startedAt }) => Date.parse(startedAt)))
    await vi.waitFor(async () => expect(Date.parse((await now())?.played_at ?? '')).toBe(newest), { timeout: 15_000 })
    expect((await now())?.player_seen_at).not.toBeNull()
    await expectHoursRight()
  })

  test('counts once, however often and in whatever order it is sent', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const plays = [aPlay(art), aPlay(art), aPlay(art)]
    expect(results(await send(player, [...plays, plays[1]]))).toEqual(['accepted', 'accepted', 'accepted', 'duplicate'])
    expect(results(await send(player, plays.toReversed()))).toEqual(['duplicate', 'duplicate', 'duplicate'])
    expect(results(await send(player, [aPlay(art), plays[0]]))).toEqual(['accepted', 'duplicate'])
    await expectHoursRight()
  })

  test('is rejected under the number of another one, stored or of the same batch', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const [one, other] = [aPlay(art), aPlay(art)]
    const under = ({ sequence }: typeof one) => ({ ...aPlay(art), sequence })
    const rejected = { result: 'rejected', reason: 'Another play has this sequence number.' }
    expect(await send(player, [one, under(one)])).toMatchObject([{ result: 'accepted' }, rejected])
    expect(await send(player, [under(one), other])).toMatchObject([rejected, { result: 'accepted' }])
    await expectHoursRight()
  })

  test('rejects single rows with the reason, in place, and keeps the others', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const nowhere = '01900000-0000-7000-8000-000000000000'
    const good = aPlay(art)
    const rows = await send(player, [
      aPlay(art, { startedAt: minutesAgo(-10) }),
      aPlay(art, { startedAt: '2020-01-01T00:00:00Z' }),
      aPlay({ uid: nowhere, sha256: art.sha256 }),
      good,
      { ...aPlay(art), side: 'roof' },
      { ...aPlay(art), startedAt: '0001-01-01T00:00:00Z' },
      null,
      { ...aPlay(art), playId: 'half \ud800' },
      aPlay(art, { startedAt: minutesAgo(-4) }),
    ])
    expect(rows.map(({ result, reason }) => reason ?? result)).toEqual([
      "This time is in the future. Check the device's clock.",
      'This time is older than the data that is kept.',
      'Artwork set not found.',
      'accepted',
      expect.stringContaining('side'),
      'This time is older than the data that is kept.',
      expect.any(String),
      'playId: Contains characters that cannot be stored.',
      'accepted',
    ])
    expect(rows[3]?.id).toBe(good.playId)
    await expectHoursRight()
  })

  test('with a field name that cannot be stored rejects its row alone, with a short reason', async () => {
    const { art, device, truckUid } = await addRunning()
    const odd = ['\0', 'half \ud800', `${'long '.repeat(100)}😀`]
    const plays = [aPlay(art), ...odd.map((name) => ({ ...aPlay(art), [name]: 1 }))]
    const { answer } = await storePlays(db, { uid: device.uid, truckUid }, plays)
    if (!('rows' in answer)) throw new Error(answer.error)
    expect(results(answer.rows)).toEqual(['accepted', 'rejected', 'rejected', 'rejected'])
    const stored = await db
      .selectFrom('play_rejection')
      .select('reason')
      .where('device_uid', '=', device.uid)
      .orderBy('sequence')
      .execute()
    expect(stored.map(({ reason }) => reason)).toEqual(answer.rows.slice(1).map(({ reason }) => reason))
    expect(stored.map(({ reason }) => reason.slice(0, 25))).toEqual([
      'Unknown field: \ufffd.',
      'Unknown field: half \ufffd.',
      'Unknown field: long long ',
    ])
    expect(stored[2]?.reason).toHaveLength(300)
    await expectHoursRight()
  })

  test('that is no batch is answered with an error, and the player goes on', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const answers = []
    for (const odd of [null, 7, 'x', {}, Buffer.from('x'), Array.from({ length: 1001 }, () => ({}))]) {
      answers.push(await player.timeout(5000).emitWithAck('player-plays', odd as never))
    }
    for (const answer of answers)
      expect(answer).toEqual({ error: expect.any(String) as string, code: expect.any(String) as string })
    player.emit('player-plays', [aPlay(art)] as never, undefined as never)
    expect(results(await send(player, [aPlay(art)]))).toEqual(['accepted'])
    const full = Array.from({ length: 1000 }, () => aPlay(art, { place: DALLAS }))
    expect(results(await send(player, full))).toEqual(full.map(() => 'accepted'))
    await expectHoursRight()
  })

  test('of artwork that is not the program’s belongs to no shift', async () => {
    const { device } = await addRunning()
    const other = await fleet.addArtwork((await world.addProgram()).uid)
    const play = aPlay(other)
    await send(await come(first, device), [play])
    expect(await rowOf(play.playId)).toMatchObject({
      shift_uid: null,
      market_uid: null,
      grade: 'unverified',
      reason: 'otherProgram',
    })
  })

  test('shows which numbers are missing', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const numbered = (...numbers: number[]) => numbers.map((sequence) => aPlay(art, { sequence }))
    expect(await missingPlays(device.uid)).toEqual([])
    await send(player, numbered(5, 3, 4, 9))
    expect(await missingPlays(device.uid)).toEqual([
      { from: 1, to: 2 },
      { from: 6, to: 8 },
    ])
    await send(player, numbered(1, 2, 7))
    expect(await missingPlays(device.uid)).toEqual([
      { from: 6, to: 6 },
      { from: 8, to: 8 },
    ])
    await send(player, numbered(6, 8))
    expect(await missingPlays(device.uid)).toEqual([])
  })

  test('with numbers at random does not fill the disk with holes', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    for (const start of [0, 1, 2]) {
      const plays = Array.from({ length: 1000 }, (_, index) => aPlay(art, { sequence: 1 + 3 * (1000 * start + index) }))
      await send(player, plays)
    }
    const { used, stored, missing, gaps } = await accountOfDevice(db, device.uid)
    expect({ used, stored, missing }).toEqual({ used: 8998, stored: 3000, missing: 5998 })
    expect(gaps[0]).toEqual({ from: 8996, to: 8997 })
    const { rows } = await sql<{ parts: number }>`
      select count(*)::int as parts from play_sequence q, unnest(q.received) where q.device_uid = ${device.uid}`.execute(
      db,
    )
    expect(rows[0]?.parts).toBeLessThanOrEqual(2000)
    // A number that was forgotten may still come.
    expect(results(await send(player, [aPlay(art, { sequence: 5 })]))).toEqual(['accepted'])
    expect(await accountOfDevice(db, device.uid)).toMatchObject({ used: 8998, stored: 3001, missing: 5997 })
  })
})

test('numbers are written as ranges', () => {
  expect(multirangeOf([3, 1, 2, 9, 9, 7])).toBe('{[1,4),[7,8),[9,10)}')
  expect(multirangeOf([])).toBe('{}')
})

describe('the track of the truck', () => {
  test('proves a play inside of the market, contradicts one outside, and cannot tell without fixes', async () => {
    const { art, device, truckUid } = await addRunning()
    const fixes: [number, typeof DALLAS][] = [
      [100, DALLAS],
      [80, northOf(DALLAS, 25_000)],
      [60, northOf(DALLAS, 20_500)],
      // Between these two it was near the center.
      [40.5, northOf(DALLAS, -800)],
      [39.5, northOf(DALLAS, 800)],
    ]
    for (const [minutes, place] of fixes) await addPosition(truckUid, minutesAgo(minutes), place)
    const cases: [grade: string, Partial<Play>][] = [
      ['verified', { startedAt: minutesAgo(100.5) }],
      ['unverified', { startedAt: minutesAgo(102) }],
      ['verified', { startedAt: minutesAgo(100), place: northOf(DALLAS, 400) }],
      ['unverified', { startedAt: minutesAgo(100), place: northOf(DALLAS, 1500), side: 'driverSide' }],
      ['conflict', { startedAt: minutesAgo(100), place: northOf(DALLAS, 2500), side: 'passengerSide' }],
      ['conflict', { startedAt: minutesAgo(80) }],
      // Outside, but by less than the setting says.
      ['unverified', { startedAt: minutesAgo(60) }],
      ['verified', { startedAt: minutesAgo(40), place: DALLAS }],
    ]
    const plays = cases.map(([, more]) => aPlay(art, more))
    await send(await come(first, device), plays)
    const grades = []
    for (const { playId } of plays) grades.push(await gradeOf(playId))
    expect(grades).toEqual(cases.map(([grade]) => grade))
    await expectHoursRight()
  })

  test('that comes later proves what came before it, and the hours follow', async () => {
    const { art, device, truckUid, shift } = await addRunning()
    const plays = [aPlay(art, { startedAt: minutesAgo(70) }), aPlay(art, { startedAt: minutesAgo(20) })]
    await send(await come(first, device), plays)
    await addPosition(truckUid, minutesAgo(70), DALLAS)
    expect(await regrade(db, { truckUid, from: Date.now() - 3_600_000 * 2, to: Date.now() })).toBe(1)
    expect(await regrade(db, { truckUid, from: Date.now() - 3_600_000 * 2, to: Date.now() })).toBe(0)
    expect([await gradeOf(plays[0]?.playId ?? ''), await gradeOf(plays[1]?.playId ?? '')]).toEqual([
      'verified',
      'unverified',
    ])
    await expectHoursRight()
    await addPosition(truckUid, minutesAgo(20), northOf(DALLAS, 30_000))
    // A node that stops leaves it to the next.
    await regradeSince(
      { db, parquet: parquetOf(world.app), signal: AbortSignal.abort(), timeUp: AbortSignal.abort() },
      minutesAgo(1),
    )
    expect(await gradeOf(plays[1]?.playId ?? '')).toBe('unverified')
    await regradeSince({ db, parquet: parquetOf(world.app) }, minutesAgo(1))
    expect(await gradeOf(plays[1]?.playId ?? '')).toBe('conflict')
    await expectHoursRight()
    // A shift that did not take place takes its plays with it.
    await sql`update shift set status = 'cancelled', reason = 'Rain' where uid = ${shift.uid}`.execute(db)
    expect(await regrade(db, { truckUid, from: Date.now() - 3_600_000 * 2, to: Date.now() })).toBe(2)
    expect(await rowOf(plays[0]?.playId ?? '')).toMatchObject({
      shift_uid: null,
      market_uid: null,
      grade: 'unverified',
      reason: 'noShift',
    })
    await expectHoursRight()
  })

  test('counts for the hours that the truck really was on a shift, also when those are told later', async () => {
    const { art, device, shift } = await addRunning()
    const early = aPlay(art, { startedAt: minutesAgo(200) })
    await send(await come(first, device), [early, aPlay(art)])
    expect((await rowOf(early.playId)).shift_uid).toBeNull()
    await db
      .updateTable('shift')
      .set({ status: 'out', started_at: minutesAgo(210) })
      .where('uid', '=', shift.uid)
      .execute()
    await regradeSince({ db, parquet: parquetOf(world.app) }, minutesAgo(1))
    expect((await rowOf(early.playId)).shift_uid).toBe(shift.uid)
    await expectHoursRight()
    // Another truck had driven it after all.
    const other = await fleet.addTruck()
    await db.updateTable('shift').set({ truck_uid: other }).where('uid', '=', shift.uid).execute()
    await regradeSince({ db, parquet: parquetOf(world.app) }, minutesAgo(1))
    expect((await rowOf(early.playId)).shift_uid).toBeNull()
    await expectHoursRight()
  })

  test('is judged again when the distance outside of a market that contradicts is set to another one', async () => {
    const { art, device, truckUid } = await addRunning()
    await addPosition(truckUid, minutesAgo(30), northOf(DALLAS, 20_500))
    const play = aPlay(art, { startedAt: minutesAgo(30) })
    await send(await come(first, device), [play])
    expect(await gradeOf(play.playId)).toBe('unverified')
    const { version, values } = (await world.call(settings.get, {})).body.data
    const since = minutesAgo(0)
    await world.call(settings.update, { body: { ...values, version, outsideMarketByMetres: 100 } })
    await regradeSince({ db, parquet: parquetOf(world.app) }, since)
    expect(await gradeOf(play.playId)).toBe('conflict')
    await expectHoursRight()
    const changed = (await world.call(settings.get, {})).body.data.version
    await world.call(settings.update, { body: { ...values, version: changed } })
  })

  test('judged at once by several counts once', async () => {
    const { art, device, truckUid } = await addRunning()
    const plays = Array.from({ length: 200 }, (_, index) => aPlay(art, { startedAt: minutesAgo(70 + index / 4) }))
    await send(await come(first, device), plays)
    for (let minutes = 69; minutes < 122; minutes++) await addPosition(truckUid, minutesAgo(minutes), DALLAS)
    const counts = await Promise.all(
      [1, 2, 3, 4].map(() => regrade(db, { truckUid, from: Date.now() - 3_600_000 * 3, to: Date.now() })),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200)
    await expectHoursRight()
  })
})

describe('nothing is lost and nothing counts twice', () => {
  test.each([1, 2, 3])('when batches come twice, shuffled, on two nodes at once (%i)', async (seed) => {
    const random = seeded(seed)
    const { art, device, truckUid } = await addRunning()
    for (let minutes = 0; minutes < 300; minutes += 1 + random(5)) {
      await addPosition(truckUid, minutesAgo(minutes), northOf(DALLAS, random(30_000)))
    }
    const all = Array.from({ length: 1500 }, (_, index) =>
      aPlay(art, {
        sequence: index + 1,
        startedAt: minutesAgo(random(60 * 8), Date.now() - random(60_000)),
        side: truckSides[random(3)] ?? 'rear',
        durationMs: random(20_000),
        addressUid: random(4) === 0 ? art.uid : null,
        place: random(2) === 0 ? northOf(DALLAS, random(30_000)) : null,
      }),
    )
    const shuffled = (plays: Play[]) =>
      plays
        .map((play) => [random(1_000_000), play] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, play]) => play)
    const batches = [...shuffled(all), ...shuffled(all)]
    const sockets = [await come(first, device), await come(second, device), await come(second, device, 'player-web')]
    const sending = []
    while (batches.length > 0) {
      const batch = batches.splice(0, 1 + random(400))
      sending.push(send(sockets[random(3)] as DeviceSocket, batch))
    }
    const answered = (await Promise.all(sending)).flat()
    expect(answered.filter(({ result }) => result === 'accepted').length).toBe(1500)
    expect(answered.filter(({ result }) => result === 'duplicate').length).toBe(1500)
    const { count } = await db
      .selectFrom('play')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('device_uid', '=', device.uid)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1500)
    expect(await missingPlays(device.uid)).toEqual([])
    await expectHoursRight()
  })

  test('when the server dies between storing and committing', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    await send(player, [aPlay(art)])
    const plays = [aPlay(art), aPlay(art)]
    // Someone holds a row that the statement needs: its plays are written and not yet committed.
    await db.transaction().execute(async (held) => {
      await sql`select 1 from play_sequence where device_uid = ${device.uid} for update`.execute(held)
      const sent = player.timeout(10_000).emitWithAck('player-plays', plays)
      const waiting = sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%insert into play_sequence %'`
      await vi.waitFor(async () => expect((await waiting.execute(db)).rows.length).toBe(1), { timeout: 5000 })
      const { rows } = await waiting.execute(db)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(db)
      expect(await sent).toHaveProperty('error')
    })
    expect(
      await db
        .selectFrom('play')
        .select('play_id')
        .where('play_id', '=', plays[0]?.playId ?? '')
        .execute(),
    ).toEqual([])
    const elsewhere = await come(second, device)
    expect(results(await send(elsewhere, plays))).toEqual(['accepted', 'accepted'])
    expect(results(await send(player, plays))).toEqual(['duplicate', 'duplicate'])
    await expectHoursRight()
  })

  test('when a week of plays is gone that was there before', async () => {
    const { art, device } = await addRunning()
    const player = await come(first, device)
    const startedAt = minutesAgo(60 * 24 * 40)
    await send(player, [aPlay(art, { startedAt })])
    await sql`delete from play_hour where hour < now() - interval '30 days'`.execute(db)
    await dropPartitionsBefore(db, 'play', { before: Date.parse(minutesAgo(60 * 24 * 30)) })
    expect(results(await send(player, [aPlay(art, { startedAt })]))).toEqual(['accepted'])
    await expectHoursRight()
  })
})
