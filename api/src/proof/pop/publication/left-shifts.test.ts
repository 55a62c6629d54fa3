import { DAY_MS, type PopDocument, pops } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fleetOf } from '../../../live/players/test-fleet.ts'
import { storePlays } from '../../../live/plays/index.ts'
import { findDifference, loadPopFigures } from './figures.ts'

const world = await openWorld()
const { call, db } = world
const { addArtwork, addDevice, addMarket, addShift, addTruck, aPlay } = fleetOf(world)

const HOUR = 3_600_000
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - 36 * HOUR
const at = (hours: number) => new Date(NOON + hours * HOUR).toISOString()

/** A program with two shifts of one truck and a play every six minutes of both. */
async function addDriven() {
  const [truckUid, marketUid] = [await addTruck(), await addMarket()]
  const days = { startsOn: '2020-01-01', endsOn: '2099-12-31' }
  const { uid: programUid } = await world.addProgram({ ...days, markets: [{ marketUid }] })
  const art = await addArtwork(programUid)
  const planned = { truckUid, programUid, marketUid, artwork_set_uid: art.uid }
  const done = (from: number, to: number) => ({
    ...planned,
    from: NOON + from * HOUR,
    to: NOON + to * HOUR,
    status: 'completed',
    started_at: at(from),
    stopped_at: at(to),
  })
  const kept = await addShift(done(0, 4))
  const left = await addShift(done(6, 10))
  const played = Array.from({ length: 40 }, (_, n) => [n * 0.1, 6 + n * 0.1]).flat()
  const plays = played.map((hours, n) => aPlay(art, { sequence: n + 1, startedAt: at(hours) }))
  await storePlays(db, await addDevice(truckUid), plays)
  return { programUid, kept: kept.uid, left: left.uid }
}

async function publishNow(programUid: string): Promise<{ total: number; days: number[] }> {
  const { version } = (await call(pops.get, { params: { uid: programUid } })).body.data
  const { status, error } = await call(pops.publish, { body: { uid: programUid, version, note: '' } })
  expect([status, error.error]).toEqual([200, undefined])
  const { document } = await db
    .selectFrom('pop_version')
    .select('document')
    .where('program_uid', '=', programUid)
    .executeTakeFirstOrThrow()
  const { figures, chapters } = JSON.parse(document) as PopDocument
  return { total: figures.plays, days: chapters.flatMap((chapter) => chapter.perDay.map(({ plays }) => plays)) }
}

const change = (uid: string, values: object) => db.updateTable('shift').set(values).where('uid', '=', uid).execute()

test.each<[string, number, (left: string) => Promise<unknown>]>([
  ['canceled', 40, (left) => change(left, { status: 'cancelled', reason: 'Rain', started_at: null, stopped_at: null })],
  ['a no-show', 40, (left) => change(left, { status: 'noShow', reason: 'Ill', started_at: null, stopped_at: null })],
  ['deleted', 40, (left) => change(left, { deleted_at: new Date() })],
  ['given another truck', 40, async (left) => change(left, { truck_uid: await addTruck() })],
  ['stopped earlier', 60, (left) => change(left, { stopped_at: at(8) })],
  ['never there before', 80, () => Promise.resolve()],
])('a page that is published at once after a shift was %s counts its plays as they are', async (_, plays, leave) => {
  const { programUid, left } = await addDriven()
  // The job has worked off everything until now.
  await sql`insert into job_watermark (job, done_until) values ('play-grades', now())
            on conflict (job) do update set done_until = excluded.done_until`.execute(db)
  await leave(left)
  const published = await publishNow(programUid)
  expect(published.total).toBe(plays)
  expect(published.days.reduce((sum, each) => sum + each, 0)).toBe(plays)
})

test('figures whose days do not add up are not published, and the refusal says which', async () => {
  const { programUid, kept } = await addDriven()
  await sql`update play_hour set day = day - 300 where shift_uid = ${kept}`.execute(db)
  expect(findDifference(await loadPopFigures(db, programUid))).toMatchObject({
    parts: { plays: 40 },
    whole: { plays: 80 },
  })
  const { version } = (await call(pops.get, { params: { uid: programUid } })).body.data
  const { status, error } = await call(pops.publish, { body: { uid: programUid, version, note: '' } })
  expect([status, error.code]).toEqual([409, 'figuresDiffer'])
  expect(error.error).toMatch(/don't add up: 80 plays, .* but its days have 40 plays/)
})
