import { dropOfField, dropSentence, formatFullDay, notifications, programs, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fleetOf } from '../../live/players/test-fleet.ts'
import { storePlays } from '../../live/plays/index.ts'
import { regradeSince } from '../../live/plays/regrade-job.ts'
import { remeasureShifts } from '../../live/telemetry/remeasure.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { openOutreach } from './test-outreach.ts'

const world = await openWorld()
const { call, db, people } = world
const { addArtwork, addDevice, addMarket, addPosition, addShift, addTruck, aPlay } = fleetOf(world)
const { handle } = openOutreach(world)
const parquet = parquetOf(world.app)

const HOUR = 3_600_000
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 36 * HOUR
const DAY = new Date(NOON).toISOString().slice(0, 10)
const PLAYS = 225
const EVERY_MS = (4 * HOUR) / PLAYS
const at = (ms: number) => new Date(NOON + ms).toISOString()

/** A program with a shift of four hours and 225 plays in it. */
async function addDriven() {
  const [number, truckUid, marketUid] = ['T-4', await addTruck(), await addMarket()]
  const market = `Chicago ${marketUid}`
  await db
    .updateTable('truck')
    .set({ number: `${number} ${truckUid}` })
    .where('uid', '=', truckUid)
    .execute()
  await db.updateTable('market').set({ name: market }).where('uid', '=', marketUid).execute()
  const days = { startsOn: '2020-01-01', endsOn: '2099-12-31' }
  const program = await world.addProgram({ ...days, markets: [{ marketUid }] })
  const art = await addArtwork(program.uid)
  const { uid: shiftUid } = await addShift({
    truckUid,
    programUid: program.uid,
    marketUid,
    from: NOON,
    to: NOON + 4 * HOUR,
    artwork_set_uid: art.uid,
    status: 'completed',
    started_at: at(0),
    stopped_at: at(4 * HOUR),
  })
  const plays = Array.from({ length: PLAYS }, (_, n) => aPlay(art, { sequence: n + 1, startedAt: at(n * EVERY_MS) }))
  await storePlays(db, await addDevice(truckUid), plays)
  await grade()
  return { program, shiftUid, truckUid, truck: `${number} ${truckUid}`, market }
}

/** Runs the jobs as if all evidence had changed. */
async function grade() {
  while (await remeasureShifts(db));
  await regradeSince({ db, parquet }, '-infinity')
}

const dropsOf = async (uid: string) => {
  const { body } = await call(programs.history, { params: { uid }, query: {} })
  return body.data.flatMap(({ by, fields }) => fields.flatMap((field) => dropOfField(field, by) ?? []))
}
const noticesOf = async (token: string, programName: string) => {
  await handle()
  const { body } = await call(notifications.list, { query: { kind: ['playsDropped'] } }, { token })
  return body.data.filter(({ subject }) => subject.startsWith(`${programName} `))
}

async function shorten(shiftUid: string, plays: number) {
  const { version } = (await call(shifts.get, { params: { uid: shiftUid } })).body.data
  const body = {
    uid: shiftUid,
    version,
    startedAt: at(0),
    stoppedAt: at(plays * EVERY_MS - EVERY_MS / 2).replace(/\.\d+/, ''),
    reason: 'Typed wrong',
  }
  const { status, error } = await call(shifts.correctTimes, { body }, { token: people.sales.token })
  expect([status, error.error]).toEqual([200, undefined])
}

test('plays that a shorter shift loses are in the history of the program, and the office is notified once', async () => {
  const { program, shiftUid, truck, market } = await addDriven()
  const clientUser = await world.addUser('client', undefined, program.client.uid)
  expect(await dropsOf(program.uid)).toEqual([])
  await shorten(shiftUid, 207)
  await grade()
  const drops = await dropsOf(program.uid)
  expect(drops).toEqual([
    {
      localDate: DAY,
      market,
      before: { plays: 225, verified: 0, seconds: 14_400, metres: 0 },
      after: { plays: 207, verified: 0, seconds: 13_216, metres: 0 },
      cause: 'end',
      by: 'The sales',
      truck,
      shift: shiftUid,
    },
  ])
  const sentence = `Plays of ${formatFullDay(DAY)} in ${market} fell from 225 to 207 and hours fell from 4 to 3.7 because The sales changed the end of ${truck}’s shift.`
  expect(drops.map(dropSentence)).toEqual([sentence])

  // The job runs again, by nothing new and as a whole: it adds nothing.
  await grade()
  await sql`insert into evidence_change (truck_uid, first_at, last_at)
            select truck_uid, started_at, stopped_at from shift where uid = ${shiftUid}`.execute(db)
  await grade()
  expect(await dropsOf(program.uid)).toHaveLength(1)
  for (const { token } of [people.admin, people.sales]) {
    expect(await noticesOf(token, program.name)).toEqual([
      expect.objectContaining({
        subject: `${program.name} lost 18 plays`,
        text: sentence,
        path: `/schedule/program-schedule?open=${shiftUid}`,
      }),
    ])
  }

  // The client learns neither who nor which shift, and correcting it makes no drop.
  expect(await noticesOf(clientUser.token, program.name)).toEqual([])
  const read = await call(programs.history, { params: { uid: program.uid }, query: {} }, { token: clientUser.token })
  expect(read.text).not.toContain('figures')
  expect(read.text).not.toContain(shiftUid)
  await shorten(shiftUid, 225)
  await grade()
  expect(await dropsOf(program.uid)).toHaveLength(1)

  // A small loss is in the history, and the office is not bothered with it.
  await shorten(shiftUid, 223)
  await grade()
  expect((await dropsOf(program.uid)).map(({ after }) => after.plays)).toEqual([223, 207])
  expect(await noticesOf(people.admin.token, program.name)).toHaveLength(1)
})

const verifiedPlays = async (programUid: string) => {
  const { rows } = await sql<{ sum: number }>`
    select sum(verified)::int as sum from play_hour where program_uid = ${programUid}`.execute(db)
  return rows[0]?.sum
}

test('a shift that goes to another program lowers the first one only', async () => {
  const { program, shiftUid } = await addDriven()
  const other = await addDriven()
  const values = { program_uid: other.program.uid, changed_by: people.admin.uid }
  await db.updateTable('shift').set(values).where('uid', '=', shiftUid).execute()
  await grade()
  expect(await dropsOf(program.uid)).toEqual([
    expect.objectContaining({
      cause: 'otherProgram',
      by: 'The admin',
      before: { plays: 225, verified: 0, seconds: 14_400, metres: 0 },
      after: { plays: 0, verified: 0, seconds: 0, metres: 0 },
      shift: shiftUid,
    }),
  ])
  expect(await dropsOf(other.program.uid)).toEqual([])
})

test('grades that new data take away are a drop if they do not come back within an hour', async () => {
  const { program, truckUid } = await addDriven()
  const drive = async (latitude: number) => {
    await sql`delete from position where truck_uid = ${truckUid}`.execute(db)
    for (let n = 0; n <= 48; n++) await addPosition(truckUid, at((n * HOUR) / 12), { latitude, longitude: -96.8 })
    await grade()
  }
  await drive(32.78)
  const verified = (await verifiedPlays(program.uid)) ?? 0
  expect(verified).toBeGreaterThan(50)
  await sql`delete from figure_change`.execute(db)
  await drive(40)
  expect(await verifiedPlays(program.uid)).toBe(0)
  expect(await dropsOf(program.uid)).toEqual([])
  await sql`update figure_change set since = since - interval '2 hours'`.execute(db)
  await grade()
  expect((await dropsOf(program.uid)).map(({ cause, by, before, after }) => ({ cause, by, before, after }))).toEqual([
    expect.objectContaining({
      cause: 'data',
      by: null,
      before: expect.objectContaining({ plays: 225, verified }),
      after: expect.objectContaining({ plays: 225, verified: 0 }),
    }),
  ])
  expect(await noticesOf(people.admin.token, program.name)).toEqual([
    expect.objectContaining({
      subject: `${program.name} lost ${verified} verified plays`,
      path: `/client-programs?open=${program.uid}&tab=history`,
    }),
  ])
})

test('hours and miles fall without plays too: by cancelling, and by another shift that takes the hours', async () => {
  const [truckUid, marketUid] = [await addTruck(), await addMarket()]
  const program = await world.addProgram({ startsOn: '2020-01-01', endsOn: '2099-12-31', markets: [{ marketUid }] })
  const ended = (from: number, to: number) => ({
    truckUid,
    programUid: program.uid,
    marketUid,
    from: NOON + from * HOUR,
    to: NOON + to * HOUR,
    status: 'completed' as const,
    started_at: at(from * HOUR),
    stopped_at: at(to * HOUR),
  })
  for (let n = 0; n <= 240; n++)
    await addPosition(truckUid, at((n * HOUR) / 60), { latitude: 32.78 + n / 1000, longitude: -96.8 })
  const { uid: shiftUid } = await addShift(ended(0, 4))
  await grade()
  // It left two hours before its plan.
  const { programUid, ...taking } = { ...ended(4, 6), started_at: at(2 * HOUR) }
  const other = await world.addProgram({ startsOn: '2020-01-01', endsOn: '2099-12-31', markets: [{ marketUid }] })
  await addShift({ ...taking, programUid: other.uid })
  await grade()
  const [taken] = await dropsOf(programUid)
  expect(taken).toMatchObject({
    cause: 'added',
    before: { plays: 0, seconds: 14_400 },
    after: { plays: 0, seconds: 7200 },
  })
  const [before, after] = [taken?.before.metres ?? 0, taken?.after.metres ?? 0]
  expect(after / before).toBeCloseTo(0.5, 1)
  const values = { status: 'cancelled' as const, reason: 'Rain', changed_by: people.admin.uid }
  await db.updateTable('shift').set(values).where('uid', '=', shiftUid).execute()
  await grade()
  expect((await dropsOf(programUid))[0]).toMatchObject({
    cause: 'canceled',
    by: 'The admin',
    before: { seconds: 7200, metres: after },
    after: { seconds: 0, metres: 0 },
  })
  expect((await noticesOf(people.admin.token, program.name)).map(({ subject }) => subject)).toEqual([
    `${program.name} lost 2 h`,
    `${program.name} lost 2 h`,
  ])
})
