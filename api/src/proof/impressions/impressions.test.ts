import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  API_BASE,
  defaultSettings,
  type ImpressionInputs,
  impressionMethod,
  impressions,
  settings,
  type TrackPoint,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { at, drive, saidBy } from '../../live/telemetry/test-fleet.ts'
import { remeasureShifts } from '../../live/telemetry/index.ts'
import { openPops } from '../pop/test-pop.ts'
import { finishImpressions } from './index.ts'
import { currentMethod, loadMethod } from './methods.ts'
import { storeImpressionsJob } from './shift-impressions.ts'
import { impressionsOf } from './rules.ts'

const world = await openWorld()
const { app, call, db, people } = world
const tried = await openPops(world)

async function turn(showImpressions: boolean): Promise<void> {
  const { version, values } = (await call(settings.get, {})).body.data
  // The day of the tests is kept, whenever they run.
  const changed = { ...values, showImpressions, keepPositionsDays: 3650, version }
  expect((await call(settings.update, { body: changed })).status).toBe(200)
}

const BY_DAY = { date: '2026-07-01', start: '15:00', end: '20:00' }
/** Twelve hours earlier. */
const BY_NIGHT = { date: '2026-07-01', start: '03:00', end: '08:00' }

/** A program with one shift from 3 to 8 PM (UTC), whose truck drives north at 15 m/s from 4 to 5 PM; or all of it by night. */
async function addDriven(popUrl: string, hours = BY_DAY) {
  const pop = await tried.addPop(undefined, { popUrl })
  const truck = await tried.addTruck()
  const driver = await world.addUser('driver')
  const placed = { programUid: pop.uid, marketUid: tried.austin, truckUid: truck.uid, driverUid: driver.uid }
  const shift = await tried.addShift({ ...placed, ...hours })
  const earlier = hours === BY_NIGHT ? 12 * 3_600_000 : 0
  const track = drive(at('16:00:00'), at('17:00:00')).map((fix) => ({ ...fix, at: fix.at - earlier }))
  await addPlays({ pop, truck, shift })
  return { pop, truck, shift, track }
}

/** An LED truck without a play would earn nothing. */
const addPlays = ({ pop, truck, shift }: { pop: { uid: string }; truck: { uid: string }; shift: string }) =>
  db
    .insertInto('play_hour')
    .values({
      hour: new Date(at('16:00:00')),
      truck_uid: truck.uid,
      shift_uid: shift,
      program_uid: pop.uid,
      market_uid: tried.austin,
      day: '2026-07-01',
      side: 'rear',
      plays: 3,
      duration_ms: 24_000,
    })
    .execute()

const ofShift = async (uid: string, token = people.admin.token) =>
  (await call(impressions.shift, { params: { uid } }, { token })).body.data
const ofProgram = async (uid: string) => (await call(impressions.program, { params: { uid } })).body.data

const fileOf = (version: number, format: string, token = people.admin.token) =>
  app.inject({
    url: `${API_BASE}/impressions/methods/${version}/${format}`,
    headers: { authorization: `Bearer ${token}` },
  })

describe('the versions that come with the product', () => {
  test('is complete, and its hash is that of its text', async () => {
    const { document, sha256 } = await loadMethod(db, 1)
    expect(createHash('sha256').update(document).digest('hex')).toBe(sha256)
    expect(JSON.stringify(impressionMethod.parse(JSON.parse(document)))).toBe(document)
    const answer = await fileOf(1, 'json')
    expect(answer.body).toBe(document)
    const csv = (await fileOf(1, 'csv')).body
    expect(csv).toContain('"Daily traffic, Every market",Interstates,80000,vehicles a day,"Assumption: round numbers')
    expect(csv).toContain(`SHA-256 ${sha256}`)
  })

  test('the second has the inputs of the first and rules in which low and high are bounds', async () => {
    const [first, second] = [await loadMethod(db, 1), await loadMethod(db, 2)]
    expect([first.rules, second.rules]).toEqual([1, 2])
    const { inputs, traffic } = impressionMethod.parse(JSON.parse(first.document))
    const { note } = impressionMethod.parse(JSON.parse(second.document))
    expect(note).toContain('Low and high are bounds')
    expect(second.document).toBe(JSON.stringify({ version: 2, note, inputs, traffic }))
    expect(createHash('sha256').update(second.document).digest('hex')).toBe(second.sha256)
    const [before, after] = [(await fileOf(1, 'csv')).body, (await fileOf(2, 'csv')).body]
    expect(before).toContain('Rules,Version,1,')
    expect(before).not.toContain('Low and high')
    expect(after).toContain('Low and high,People in a vehicle,1 person to 120%,of the likely value,docs/impressions.md')
  })

  test('gives the result of the worked example', async () => {
    const text = await readFile(new URL('../../../../docs/impressions.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| (\d\d:\d\d:\d\d) +\| ([\d.]+) \| (-[\d.]+) \| (\d+) +\|$/gm)]
    const fixes = rows.map(([, time, latitude, longitude, mph]): TrackPoint => {
      return {
        at: at(time ?? ''),
        latitude: Number(latitude),
        longitude: Number(longitude),
        speedKmh: Number(mph) * 1.609344,
      }
    })
    expect(fixes).toHaveLength(11)
    const [, low, likely, high] = /low (\d+), likely (\d+), high (\d+)\./.exec(text) ?? []
    const shift = {
      fixes,
      hours: [{ from: at('19:00:00'), to: at('19:30:00') }],
      zone: 'America/Chicago',
      marketUid: tried.austin,
      truckKind: 'led' as const,
      hasPlays: true,
    }
    expect(impressionsOf(shift, await currentMethod(db))).toMatchObject({
      low: Number(low),
      likely: Number(likely),
      high: Number(high),
    })
  })

  test('never changes', async () => {
    await expect(sql`update impression_method set note = 'x'`.execute(db)).rejects.toThrow('only ever added to')
    await expect(sql`delete from impression_method`.execute(db)).rejects.toThrow('only ever added to')
  })
})

describe('the estimate of a shift', () => {
  test('is not there while impressions are off, which they are at first', async () => {
    expect(defaultSettings.showImpressions).toBe(false)
    const { pop, truck, shift, track } = await addDriven('off')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    expect(await ofShift(shift)).toEqual({ isOn: false, impressions: null })
    expect(await ofProgram(pop.uid)).toBeNull()
    expect(await db.selectFrom('shift_impression').select('shift_uid').execute()).toEqual([])
  })

  test('is stored with its method, and is the same in any order, doubled and late', async () => {
    await turn(true)
    const whole = await addDriven('whole')
    await tried.hear({ fixes: saidBy(whole.truck.device, whole.track) })
    await finishImpressions(db, whole.pop.uid)
    const { impressions: expected } = await ofShift(whole.shift)
    // 33.6 mph for an hour: 20,000 vehicles, 6 % of them in this hour, 0.675 of them see the truck, 1.5 people each.
    expect(expected).toMatchObject({ low: 49, likely: 1215, high: 15_746, countedSeconds: 3600, method: 2 })
    const late = await addDriven('late')
    const half = late.track.filter((_, index) => index % 2 === 0)
    await tried.hear({ fixes: saidBy(late.truck.device, half.toReversed()) })
    await finishImpressions(db, late.pop.uid)
    expect((await ofShift(late.shift)).impressions).not.toBeNull()
    await tried.hear({ fixes: saidBy(late.truck.device, [...late.track, ...half]) })
    await finishImpressions(db, late.pop.uid)
    const { computedAt: _, ...numbers } = (await ofShift(late.shift)).impressions ?? {}
    expect(expected).toMatchObject(numbers)
    expect(await ofProgram(late.pop.uid)).toMatchObject({
      total: { likely: 1215, shifts: 1, shiftsWithout: 0, methods: [{ version: 2 }] },
      markets: [{ marketUid: tried.austin, market: 'Austin', likely: 1215 }],
    })
  })

  test('comes once a shift that was not stopped leaves the truck to it', async () => {
    await turn(true)
    const { pop, truck, shift, track } = await addDriven('after-another')
    const driver = await world.addUser('driver')
    const placed = { programUid: pop.uid, marketUid: tried.austin, truckUid: truck.uid, driverUid: driver.uid }
    const before = await tried.addShift({ ...placed, date: '2026-07-01', start: '08:00', end: '12:00' })
    const change = (uid: string, values: object) => db.updateTable('shift').set(values).where('uid', '=', uid).execute()
    await change(before, { status: 'out', started_at: new Date(at('08:00:00')), stopped_at: null })
    // It was driven, but not reported.
    await change(shift, { status: 'planned', started_at: null, stopped_at: null })
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toBeNull()
    // The job has seen everything until now.
    await sql`insert into job_watermark (job, done_until) values ('impressions', clock_timestamp())`.execute(db)
    await change(before, { status: 'completed', stopped_at: new Date(at('12:00:00')) })
    await remeasureShifts(db)
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ likely: 1215 })
    await sql`delete from job_watermark where job = 'impressions'`.execute(db)
  })

  test('is missing without positions, which is not zero', async () => {
    const { pop, shift } = await addDriven('silent')
    await finishImpressions(db, pop.uid)
    expect(await ofShift(shift)).toEqual({ isOn: true, impressions: null })
    expect(await ofProgram(pop.uid)).toMatchObject({ total: { likely: 0, shifts: 0, shiftsWithout: 1, methods: [] } })
  })

  test('follows the hours of its shift', async () => {
    const { pop, truck, shift, track } = await addDriven('shorter')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    await db.updateTable('shift').set({ stopped_at: '2026-07-01T16:30:00Z' }).where('uid', '=', shift).execute()
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ countedSeconds: 1790 })
  })

  test('follows the kind of its truck', async () => {
    // By night a printed truck is not seen.
    const { pop, truck, shift, track } = await addDriven('rebuilt', BY_NIGHT)
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    const lit = (await ofShift(shift)).impressions
    expect(lit).toMatchObject({ countedSeconds: 3600 })
    const become = async (kind: string) => {
      await db.updateTable('truck').set({ kind }).where('uid', '=', truck.uid).execute()
      await finishImpressions(db, pop.uid)
      const { computedAt: _, ...found } = (await ofShift(shift)).impressions ?? {}
      return found
    }
    expect(await become('printed')).not.toMatchObject({ likely: lit?.likely })
    expect(lit).toMatchObject(await become('led'))
  })

  test('follows the plays of an LED truck, and one without any earns nothing', async () => {
    const { pop, truck, shift, track } = await addDriven('dark')
    const setPlays = (plays: number) =>
      db.updateTable('play_hour').set({ plays }).where('shift_uid', '=', shift).execute()
    await setPlays(0)
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    const nothing = { low: 0, likely: 0, high: 0, countedSeconds: 0, isWithoutPlays: true }
    expect((await ofShift(shift)).impressions).toMatchObject(nothing)
    expect(await ofProgram(pop.uid)).toMatchObject({ total: { likely: 0, high: 0, shifts: 1, shiftsWithout: 0 } })
    // The job has seen everything until now; its player was offline.
    await sql`insert into job_watermark (job, done_until) values ('impressions', clock_timestamp())`.execute(db)
    await setPlays(3)
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ likely: 1215, isWithoutPlays: false })
    await setPlays(0)
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject(nothing)
    await sql`delete from job_watermark where job = 'impressions'`.execute(db)
  })

  test('of an LED truck whose player was offline comes with the next run of the job', async () => {
    const { pop, truck, shift, track } = await addDriven('offline')
    const setPlays = (plays: number) =>
      db.updateTable('play_hour').set({ plays }).where('shift_uid', '=', shift).execute()
    await setPlays(0)
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ likely: 0 })
    await setPlays(3)
    const { signal } = new AbortController()
    const context = { db, now: Date.now(), since: new Date().toISOString(), signal, timeUp: signal }
    await storeImpressionsJob.run(context as never)
    expect((await ofShift(shift)).impressions).toMatchObject({ likely: 1215 })
  })

  test('of an earlier version is kept once its positions are gone, and made again while they are there', async () => {
    const { pop, truck, shift, track } = await addDriven('earlier-version')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    const { impressions: byNewest } = await ofShift(shift)
    const earlier = { low: 364, likely: 1215, high: 4860, method_version: 1, rules_version: 1, has_plays: null }
    await db.updateTable('shift_impression').set(earlier).where('shift_uid', '=', shift).execute()
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ low: byNewest?.low, method: 2 })
    await db.updateTable('shift_impression').set(earlier).where('shift_uid', '=', shift).execute()
    await db
      .updateTable('shift_track')
      .set({ starts_at: '2010-07-01T15:00:00Z' })
      .where('shift_uid', '=', shift)
      .execute()
    await finishImpressions(db, pop.uid)
    expect(await ofProgram(pop.uid)).toMatchObject({ total: { low: 364, high: 4860, methods: [{ version: 1 }] } })
  })

  test('stays when its positions are gone', async () => {
    const { pop, truck, shift, track } = await addDriven('old')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    const before = (await ofShift(shift)).impressions
    await db
      .updateTable('shift_track')
      .set({ starts_at: '2010-07-01T15:00:00Z' })
      .where('shift_uid', '=', shift)
      .execute()
    await sql`delete from position where truck_uid = ${truck.uid} and at between '2026-07-01' and '2026-07-02'`.execute(
      db,
    )
    await db.updateTable('shift_impression').set({ due_at: new Date() }).where('shift_uid', '=', shift).execute()
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toEqual(before)
  })

  test('is for staff and for the client of the program only', async () => {
    const { pop, shift } = await addDriven('whose')
    const { client_uid } = await db
      .selectFrom('client_program')
      .select('client_uid')
      .where('uid', '=', pop.uid)
      .executeTakeFirstOrThrow()
    const own = await world.addUser('client', ['pop', 'clients'], client_uid)
    const other = await world.addUser('client', ['pop', 'clients'], (await world.addClient()).uid)
    const driver = await world.addUser('driver', ['pop', 'schedule'])
    const statusFor = async ({ token }: { token: string }) => [
      (await call(impressions.shift, { params: { uid: shift } }, { token })).status,
      (await call(impressions.program, { params: { uid: pop.uid } }, { token })).status,
    ]
    expect(await statusFor(own)).toEqual([200, 200])
    expect(await statusFor(other)).toEqual([404, 404])
    expect(await statusFor(driver)).toEqual([403, 403])
    expect((await fileOf(1, 'json', own.token)).statusCode).toBe(200)
    expect((await fileOf(1, 'json', driver.token)).statusCode).toBe(403)
    expect((await call(impressions.methods, {}, { token: own.token })).status).toBe(403)
  })
})

describe('a new version of the method', () => {
  const newest = async () => (await call(impressions.methods, {})).body.data
  const add = (given: object, inputs: Partial<ImpressionInputs> = {}) =>
    newest().then((current) =>
      call(impressions.addMethod, {
        body: {
          basedOn: current.versions[0]?.version ?? 0,
          note: 'Counts of our own',
          inputs: { ...current.inputs, ...inputs },
          traffic: 'keep',
          ...given,
        },
      }),
    )

  test('is added on top of the newest one, and shifts are estimated again by it', async () => {
    const { pop, truck, shift, track } = await addDriven('again')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    await finishImpressions(db, pop.uid)
    const added = await add({}, { occupancy: 3 })
    expect(added.body.data).toMatchObject({
      version: 3,
      note: 'Counts of our own',
      segments: 0,
      createdBy: 'The admin',
    })
    await finishImpressions(db, pop.uid)
    expect((await ofShift(shift)).impressions).toMatchObject({ likely: 2430, method: 3 })
    expect((await fileOf(1, 'json')).body).toContain('"occupancy":1.5')
    expect((await add({ basedOn: 1 })).status).toBe(409)
    expect((await fileOf(99, 'json')).statusCode).toBe(404)
  })

  test('takes counted roads, keeps them, and removes them', async () => {
    const { pop, truck, shift, track } = await addDriven('counted')
    await tried.hear({ fixes: saidBy(truck.device, track) })
    const line = Array.from({ length: 12 }, (_, index) => [-96.8, 32.78 + index * 0.05])
    const roads = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { aadt: 100_000 }, geometry: { type: 'LineString', coordinates: line } },
      ],
    }
    const counted = await add({ traffic: 'replace', trafficFile: JSON.stringify(roads) }, { occupancy: 1 })
    expect(counted.body.data).toMatchObject({ segments: 1 })
    await finishImpressions(db, pop.uid)
    // 100,000 × 6 % × 0.675; low × 0.8 × 0.5 × 0.8, high × 1.2 × 1.5 × 1.2 × 1.2.
    expect((await ofShift(shift)).impressions).toMatchObject({ low: 1296, likely: 4050, high: 10_498 })
    expect((await add({})).body.data.segments).toBe(1)
    expect((await add({ traffic: 'none' })).body.data.segments).toBe(0)
  })

  test.each([
    [
      'a file that is no GeoJSON',
      { traffic: 'replace', trafficFile: '{}' },
      {},
      { trafficFile: 'Must be a GeoJSON file with a FeatureCollection.' },
    ],
    ['no file', { traffic: 'replace' }, {}, { trafficFile: 'The file is not JSON.' }],
    [
      'hours that are no day',
      {},
      { hours: Array.from({ length: 24 }, () => ({ share: 0.06, isNight: false })) },
      { 'inputs.hours': 'The hours must add up to 100%, not 144%.' },
    ],
    ['no area for all other markets', {}, { areas: [] }, { 'inputs.areas': 'Add at least one area.' }],
    [
      'sides that see more than there is',
      {},
      {
        sides: {
          driverSide: { opposite: 0.9, same: 0.1 },
          passengerSide: { opposite: 0.2, same: 0.1 },
          rear: { opposite: 0, same: 0.1 },
        },
      },
      { 'inputs.sides': 'The sides must add up to at most 100% of the opposite direction.' },
    ],
    [
      'speeds in the wrong order',
      {},
      { speeds: { interstateFromMph: 30, principalArterialFromMph: 50 } },
      { 'inputs.speeds.interstateFromMph': 'Must be faster than a principal arterial.' },
    ],
  ])('refuses %s in words', async (_, given, inputs, fields) => {
    const refused = await add(given, inputs)
    expect([refused.status, refused.error.fields]).toEqual([400, fields])
  })

  test('refuses an area of a market that is not there', async () => {
    const { inputs } = await newest()
    const [area] = inputs.areas
    if (!area) throw new Error('No area.')
    const unknown = { ...area, name: 'Nowhere', marketUid: people.admin.uid }
    const refused = await add({}, { areas: [area, unknown] })
    expect(refused.error.fields).toEqual({ 'inputs.areas.1.marketUid': 'Market not found.' })
  })
})
