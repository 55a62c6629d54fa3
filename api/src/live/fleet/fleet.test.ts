import { fleet, type LiveState, type Shift, shifts, type ShiftStage } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetWatch, liveTrucks, trucksOfClient } from './index.ts'

const world = await openWorld()
const { call, db, people } = world
const NOW = Date.now()
const minutes = (count: number) => count * 60_000

let market = ''
let program = ''
let clientUid = ''
beforeAll(async () => {
  market = (await world.addMarket('Dallas')).uid
  await db.updateTable('market').set({ latitude: 32.78, longitude: -96.8, radius_m: 20_000, zone: 'UTC' }).execute()
  const added = await world.addProgram({
    name: 'Summer',
    startsOn: '2020-01-01',
    endsOn: '2099-12-31',
    markets: [{ marketUid: market }],
  })
  program = added.uid
  clientUid = added.client.uid
})

let numbers = 0
async function addTruck(kind = 'led'): Promise<string> {
  const truck = { number: `T-${++numbers}`, kind, state: 'active' }
  return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
}

/** A shift that began two hours ago and ends in six, in the zone UTC. */
async function addShift(truckUid: string, of = program): Promise<Shift> {
  const at = new Date(NOW - minutes(120)).toISOString()
  const end = new Date(NOW + minutes(360)).toISOString()
  const body = {
    truckUid,
    driverUid: (await world.addUser('driver')).uid,
    programUid: of,
    marketUid: market,
    date: at.slice(0, 10),
    start: at.slice(11, 16),
    end: end.slice(11, 16),
  }
  const { status, body: reply, error } = await call(shifts.create, { body })
  expect([status, error]).toEqual([200, reply])
  return reply.data
}

async function startOf(shift: Shift): Promise<Shift> {
  await db
    .updateTable('shift')
    .set({ status: 'out', started_at: new Date(NOW - minutes(110)) })
    .where('uid', '=', shift.uid)
    .execute()
  return shift
}

interface Heard {
  ago?: number
  speed?: number
  played?: number | null
  place?: { latitude: number; longitude: number }
}
async function hear(
  truck_uid: string,
  { ago = 1, speed = 40, played = 1, place = { latitude: 32.78, longitude: -96.8 } }: Heard = {},
) {
  const before = (count: number | null) => (count === null ? null : new Date(NOW - minutes(count)))
  const row = { at: before(ago), speed_kmh: speed, ...place, played_at: before(played), player_seen_at: before(played) }
  await db
    .insertInto('truck_now')
    .values({ truck_uid, ...row })
    .onConflict((conflict) => conflict.column('truck_uid').doUpdateSet(row))
    .execute()
}
const stateOf = async (uid: string): Promise<LiveState | undefined> => (await liveTrucks(db, NOW, [uid]))[0]?.state

describe('a live truck', () => {
  test('has one state from its tracker, its player and its schedule', async () => {
    const truck = await addTruck()
    expect(await stateOf(truck)).toBe('silent')
    await hear(truck)
    expect(await stateOf(truck)).toBe('driving')
    await startOf(await addShift(truck))
    expect(await stateOf(truck)).toBe('driving')
    await hear(truck, { played: 60 })
    expect(await stateOf(truck)).toBe('darkScreen')
    await hear(truck, { ago: 30 })
    expect(await stateOf(truck)).toBe('playingSilent')
  })

  test('is seen by a client only while it is on a shift of theirs', async () => {
    const [own, foreign] = [await addTruck(), await addTruck()]
    const other = await world.addProgram({
      startsOn: '2020-01-01',
      endsOn: '2099-12-31',
      markets: [{ marketUid: market }],
    })
    await addShift(own)
    await addShift(foreign, other.uid)
    const visible = (await trucksOfClient(db, clientUid, NOW)).map(({ uid }) => uid)
    expect([visible.includes(own), visible.includes(foreign)]).toEqual([true, false])
  })
})

describe('the overview', () => {
  test('shows the shifts of today with their state and what they lack', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck)
    await hear(truck, { speed: 0, played: null })
    const find = async () =>
      (await call(fleet.shifts, { query: { pageSize: '200' } })).body.data.find(({ uid }) => uid === shift.uid)
    expect(await find()).toMatchObject({
      status: 'planned',
      isLate: true,
      state: 'notMoving',
      plays: 0,
      metres: null,
      ready: {
        artwork: null,
        clock: null,
        gps: null,
        player: false,
      },
    })
    // Printed boards have nothing to get ready.
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', truck).execute()
    expect(await find()).toMatchObject({ ready: null })
    await db.updateTable('truck').set({ kind: 'led' }).where('uid', '=', truck).execute()
    const late = await call(fleet.shifts, { query: { pageSize: '200', stage: 'late' } })
    expect(late.body.data.map(({ uid }) => uid)).toContain(shift.uid)
    await startOf(shift)
    expect(await find()).toMatchObject({ status: 'out', isLate: false, ready: null, state: 'parked' })
    const uidsOf = async (stage: ShiftStage) =>
      (await call(fleet.shifts, { query: { pageSize: '200', stage } })).body.data.map(({ uid }) => uid)
    expect(await uidsOf('out')).toContain(shift.uid)
    expect([...(await uidsOf('planned')), ...(await uidsOf('late')), ...(await uidsOf('done'))]).not.toContain(
      shift.uid,
    )
    const past = await call(fleet.shifts, { query: { day: '2020-01-02' } })
    expect(past.body.total).toBe(0)
  })

  test('counts trucks, shifts, plays and issues', async () => {
    const before = (await call(fleet.figures, {})).body.data
    const truck = await addTruck()
    await startOf(await addShift(truck))
    await hear(truck)
    const { day } = await db
      .selectFrom('market')
      .select(sql<string>`(now() at time zone zone)::date`.as('day'))
      .where('uid', '=', market)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('play_hour')
      .values({
        hour: sql<Date>`date_trunc('hour', now())`,
        truck_uid: truck,
        shift_uid: sql<string>`new_uid()`,
        program_uid: program,
        market_uid: market,
        day,
        side: 'rear',
        plays: 7,
        duration_ms: 7e4,
      })
      .execute()
    const { data } = (await call(fleet.figures, {})).body
    expect(data).toEqual({
      ...before,
      trucks: { ...before.trucks, moving: before.trucks.moving + 1 },
      // It began hours ago and is started only now.
      shifts: { ...before.shifts, out: before.shifts.out + 1, startedLate: before.shifts.startedLate + 1 },
      plays: before.plays + 7,
    })
    const { token } = await world.addUser('client', ['overview'], (await world.addClient()).uid)
    expect((await call(fleet.figures, {}, { token })).body.data).toMatchObject({
      trucks: {
        moving: 0,
        parked: 0,
        silent: 0,
      },
      shifts: {
        planned: 0,
        out: 0,
        late: 0,
        done: 0,
      },
      plays: 0,
      openIssues: 0,
    })
  })

  test('shows a truck’s track, to those who may see the truck', async () => {
    const truck = await addTruck()
    const today = new Date(NOW).toISOString().slice(0, 10)
    await sql`call ensure_week('position', ${today}::date)`.execute(db)
    const points = Array.from({ length: 1500 }, (_, n) => ({
      truck_uid: truck,
      latitude: 32 + n / 1e4,
      longitude: -96.8,
      speed_kmh: 30,
      at: new Date(Date.parse(`${today}T00:00:00Z`) + n * 1e3),
    }))
    await db.insertInto('position').values(points).execute()
    const { data } = (await call(fleet.track, { params: { uid: truck }, query: {} })).body
    expect(data.points.length).toBeGreaterThan(700)
    expect(data.points.length).toBeLessThanOrEqual(1000)
    expect(data.points.at(-1)?.[0]).toBeCloseTo(32.1499, 6)
    const { token } = await world.addUser('client', ['overview'], clientUid)
    expect((await call(fleet.track, { params: { uid: truck }, query: {} }, { token })).status).toBe(404)
  })
})

describe('an issue', () => {
  const open = async (truck: string) => (await call(fleet.issues, { query: { truck } })).body.data
  const watch = (after: number) => fleetWatch.look({ db, env: {}, now: NOW + minutes(after) })

  test('is raised once its cause has lasted, only once, and closed when the cause has been gone for a while', async () => {
    const truck = await addTruck()
    await startOf(await addShift(truck))
    await hear(truck, { ago: -30, played: -30, place: { latitude: 33.2, longitude: -96.8 } })
    await watch(0)
    expect(await open(truck)).toEqual([])
    await watch(9)
    expect(await open(truck)).toEqual([])
    await watch(11)
    await watch(12)
    const [issue] = await open(truck)
    expect(issue).toMatchObject({
      kind: 'outsideMarket',
      raisedBy: 'server',
      status: 'open',
      shift: { program: 'Summer', status: 'out' },
    })
    await hear(truck, { ago: -30, played: -30 })
    await watch(13)
    // It comes back for a moment: nothing flaps.
    await hear(truck, { ago: -30, played: -30, place: { latitude: 33.2, longitude: -96.8 } })
    await watch(15)
    await hear(truck, { ago: -30, played: -30 })
    await watch(17)
    expect(await open(truck)).toHaveLength(1)
    await watch(21)
    expect(await open(truck)).toEqual([])
    const { data } = (await call(fleet.issues, { query: { truck, status: 'resolved' } })).body
    expect(data.map(({ status, note }) => [status, note])).toEqual([['resolved', 'Resolved automatically.']])
  })

  test('is raised for missing GPS, plays and player, and not for printed boards', async () => {
    const [truck, printed] = [await addTruck(), await addTruck('printed')]
    await startOf(await addShift(truck))
    await startOf(await addShift(printed))
    await watch(0)
    await watch(2)
    expect((await open(truck)).map(({ kind }) => kind).toSorted()).toEqual(['noGps', 'noPlays', 'playerOffline'])
    expect((await open(printed)).map(({ kind }) => kind)).toEqual(['noGps'])
  })

  test('is taken up and resolved with a note; who may only look may not', async () => {
    const truck = await addTruck()
    await startOf(await addShift(truck))
    await watch(0)
    await watch(2)
    const [issue] = await open(truck)
    const body = {
      uid: issue?.uid ?? '',
      version: issue?.version ?? 0,
      status: 'inProgress' as const,
      note: 'Called the driver',
    }
    expect((await call(fleet.resolve, { body }, { token: people.sales.token })).status).toBe(403)
    const taken = (await call(fleet.resolve, { body })).body.data
    expect(taken).toMatchObject({ status: 'inProgress', note: 'Called the driver', resolvedAt: null })
    expect((await call(fleet.resolve, { body })).error.code).toBe('staleVersion')
    const done = await call(fleet.resolve, { body: { ...body, version: taken.version, status: 'resolved' } })
    expect(done.body.data).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String) })
    expect((await call(fleet.issue, { params: { uid: taken.uid } })).body.data).toEqual(done.body.data)
    const { data } = (await call(fleet.issueHistory, { params: { uid: taken.uid }, query: {} })).body
    expect(data[0]).toMatchObject({ by: 'The admin' })
  })
})
