import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  adLog,
  API_BASE,
  delivery,
  impressions,
  metersBetween,
  type RowOf,
  settings,
  shifts,
  type TrackPoint,
  type TrafficSegment,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFixes, remeasureShifts, storeTelemetry } from '../live/telemetry/index.ts'
import { finishImpressions } from '../proof/impressions/index.ts'
import { recordHistory } from './history.ts'
import { loadDemo } from './index.ts'

const SCRIPT = fileURLToPath(new URL('../../../docs/recount/recount.py', import.meta.url))
const run = promisify(execFile)
const MINUTE = 60_000

const world = await openWorld()
const { app, call, db } = world
const folders: string[] = []
let token = ''

/** What the script prints. */
interface Recount {
  plays: number
  meters: number
  seconds: number
  impressions: number[]
  pace: number | null
  lines: { uid: string; delivered: number; expected: number; pace: number | null; state: string }[]
  shifts: { uid: string; plays: number; meters: number | null; source: string | null; impressions: number[] | null }[]
}

interface ChosenShift {
  uid: string
  truck: string
  device: string
  source: string
  from: number
  to: number
}

let led = ''
let printed = ''

/** The program with the most shifts of such trucks that are over, of the last twelve days. */
async function programWith(kind: 'led' | 'printed', other = ''): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    select s.program_uid as uid from shift s join truck t on t.uid = s.truck_uid and t.kind = ${kind}
      join booked_line b on b.program_uid = s.program_uid
     where s.status = 'completed' and s.starts_at > s.created_at - interval '12 days'
       and s.ends_at < s.created_at - interval '1 day' and s.program_uid::text <> ${other}
     group by 1 having count(distinct s.uid) > 3 order by count(distinct s.uid) desc, 1 limit 1`.execute(db)
  return rows[0]?.uid ?? ''
}

/** Completed shifts of a program with positions, of trucks of a kind, by start. */
async function drivenShifts(program: string, kind: 'led' | 'printed'): Promise<ChosenShift[]> {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
  const { rows } = await sql<ChosenShift>`
    select s.uid, s.truck_uid as truck, t.geotab_device_id as device, k.source, ${ms('k.starts_at')} as "from", ${ms('k.ends_at')} as "to"
      from shift s join truck t on t.uid = s.truck_uid and t.kind = ${kind}
      join shift_track k on k.shift_uid = s.uid and k.gps_metres > 20000
     where s.program_uid = ${program} and s.status = 'completed' order by s.starts_at, s.uid`.execute(db)
  return rows
}

async function fixesOf({ truck, from, to }: ChosenShift): Promise<TrackPoint[]> {
  return (await readFixes(db, [truck], { from, to })).get(truck) ?? []
}

/** Adds fixes three miles to the north of where the truck was driving, two seconds apart. */
async function addJump(shift: ChosenShift, count: number, share: number): Promise<void> {
  const fixes = await fixesOf(shift)
  const isDriving = (fix: TrackPoint, index: number) => {
    const [next = fix, , last = fix] = fixes.slice(index + 1, index + 4)
    return index >= fixes.length * share && next.at > fix.at + 6000 && metersBetween(next, last) > 100
  }
  const place = fixes.find(isDriving)
  if (!place) throw new Error('The truck does not drive.')
  const jumped = Array.from({ length: count }, (_, index) => ({
    ...place,
    at: place.at + 1 + index * 2000,
    latitude: place.latitude + 0.045,
    truck: shift.device,
  }))
  const cursor = { entity: `jump ${shift.uid} ${share}`, from: undefined, to: '1' }
  await storeTelemetry(db, { fixes: jumped, statuses: [], readings: [], cursor, now: Date.now() })
}

const measureAgain = async ({ truck, from, to }: ChosenShift): Promise<void> => {
  // Days are put together from what is stored.
  await sql`delete from truck_day_track
             where truck_uid = ${truck} and day between ${new Date(from)}::timestamptz::date and ${new Date(to)}::timestamptz::date`.execute(
    db,
  )
  await sql`insert into miles_due (truck_uid, starts_at, ends_at) values (${truck}, ${new Date(from)}, ${new Date(to)})`.execute(
    db,
  )
  while (await remeasureShifts(db, { at: Date.now() }));
}

/** Loses the twenty minutes in which the truck came the farthest, or the shortest way. */
async function addSilence(shift: ChosenShift, which: 'farthest' | 'shortest'): Promise<void> {
  const fixes = await fixesOf(shift)
  const windows = fixes.slice(20).flatMap((from, index) => {
    const to = fixes.slice(index + 21).find(({ at }) => at >= from.at + 20 * MINUTE)
    return to ? [{ from, to, meters: metersBetween(from, to) }] : []
  })
  const ordered = windows.toSorted((one, other) => one.meters - other.meters)
  const lost = which === 'farthest' ? ordered.at(-1) : ordered[0]
  if (!lost) throw new Error('The shift is too short.')
  await sql`delete from position where truck_uid = ${shift.truck} and at > ${new Date(lost.from.at)}
               and at < ${new Date(lost.to.at)}`.execute(db)
  await measureAgain(shift)
}

/** Loses the odometer around a shift, or has it count 30% too much from the shift on. */
async function spoilOdometer(shift: ChosenShift, how: 'lost' | 'wrong'): Promise<void> {
  const { truck, from, to } = shift
  if (how === 'lost')
    await sql`delete from odometer_reading where truck_uid = ${truck} and at > ${new Date(from - 13 * 60 * MINUTE)}
                 and at < ${new Date(to + 13 * 60 * MINUTE)}`.execute(db)
  else
    await sql`
      update odometer_reading r set metres = b.metres + (r.metres - b.metres) * 1.3
        from (select max(metres) as metres from odometer_reading where truck_uid = ${truck} and at <= ${new Date(from)}) b
       where r.truck_uid = ${truck} and r.at > ${new Date(from)}`.execute(db)
  await measureAgain(shift)
}

/** A road that is counted, along a part of a drive. */
async function countRoadOf(shift: ChosenShift): Promise<void> {
  const line = (await fixesOf(shift))
    .slice(20, 60)
    .map(({ latitude, longitude }): TrafficSegment['line'][number] => [longitude, latitude])
  const feature = { type: 'Feature', properties: { aadt: 43_210 }, geometry: { type: 'LineString', coordinates: line } }
  const { versions, inputs } = (await call(impressions.methods, {}, { token })).body.data
  const body = {
    basedOn: versions[0]?.version ?? 0,
    note: 'A counted road',
    inputs,
    traffic: 'replace' as const,
    trafficFile: JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
  }
  expect((await call(impressions.addMethod, { body }, { token })).status).toBe(200)
}

async function loadRecentShifts(): Promise<void> {
  await db.deleteFrom('session').execute()
  await db.deleteFrom('user_account').execute()
  await loadDemo(db, app.blobs)
  token = (await world.addUser('admin')).token
  led = await programWith('led')
  printed = await programWith('printed', led)
  await sql`
    delete from shift where starts_at < created_at and not (
      program_uid = any(${[led, printed]}::uuid[]) and starts_at > created_at - interval '12 days'
      and ends_at < created_at - interval '1 day')`.execute(db)
  await recordHistory({ db, signal: new AbortController().signal }, 'all')
}

/** Shifts that were made hard to measure. */
let hard: Record<'jump' | 'longJump' | 'silence' | 'stop' | 'dark' | 'wrongOdometer' | 'printedJump', ChosenShift>

async function chooseHardShifts(): Promise<typeof hard & { counted: ChosenShift }> {
  const driven = await drivenShifts(led, 'led')
  const [jump, longJump, silence, stop, dark, counted] = driven
  const [printedJump] = await drivenShifts(printed, 'printed')
  const wrongOdometer = driven.findLast(
    ({ source, truck }) =>
      source === 'odometer' && truck !== jump?.truck && truck !== longJump?.truck && truck !== silence?.truck,
  )
  if (!jump || !longJump || !silence || !stop || !dark || !counted || !wrongOdometer || !printedJump)
    throw new Error('The demo has too few shifts.')
  return { jump, longJump, silence, stop, dark, counted, wrongOdometer, printedJump }
}

beforeAll(async () => {
  await loadRecentShifts()
  const { counted, ...others } = await chooseHardShifts()
  hard = others
  await addSilence(hard.silence, 'farthest')
  await addSilence(hard.stop, 'shortest')
  for (const shift of [hard.jump, hard.longJump, hard.silence, hard.printedJump]) await spoilOdometer(shift, 'lost')
  await spoilOdometer(hard.wrongOdometer, 'wrong')
  await addJump(hard.jump, 1, 0.4)
  await addJump(hard.jump, 2, 0.8)
  // Just as many as are believed: the way back is lost by it.
  await addJump(hard.longJump, 3, 0.5)
  await addJump(hard.printedJump, 1, 0.5)
  for (const table of ['play', 'play_hour'] as const)
    await db.deleteFrom(table).where('shift_uid', '=', hard.dark.uid).execute()
  const { version, values } = (await call(settings.get, {}, { token })).body.data
  await call(settings.update, { body: { ...values, showImpressions: true, version } }, { token })
  await countRoadOf(counted)
  for (const program of [led, printed]) await finishImpressions(db, program)
}, 1_800_000)

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const detailsOf = async (program: string): Promise<RowOf<typeof shifts.details>[]> =>
  (await call(shifts.details, { query: { program, pageSize: '200' } }, { token })).body.data

/** Downloads what docs/recount/README.md lists, by calls. */
async function downloadFiles(program: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recount-'))
  folders.push(folder)
  await mkdir(path.join(folder, 'tracks'))
  const keep = async (name: string, url: string) => {
    const answer = await app.inject({ url: `${API_BASE}/${url}`, headers: { authorization: `Bearer ${token}` } })
    expect(`${name} ${answer.statusCode}`).toBe(`${name} 200`)
    await writeFile(path.join(folder, name), answer.rawPayload)
  }
  const listed = `program-schedule/details/run?program=${program}`
  const found = await detailsOf(program)
  // Two pages, as an auditor gets them of a longer program.
  const pages = [1, 2].map((page) => `${listed}&page=${page}&pageSize=${Math.ceil(found.length / 2)}`)
  for (const [index, page] of pages.entries()) await keep(`shifts-${index + 1}.json`, page)
  for (const { uid } of found) await keep(`tracks/${uid}.json`, `program-schedule/${uid}/track`)
  await keep('plays.csv', `ad-log-report/run?program=${program}&format=csv`)
  await keep('delivery.json', `client-programs/${program}/delivery`)
  await keep('settings.json', 'settings')
  const { versions } = (await call(impressions.methods, {}, { token })).body.data
  await keep('method.json', `impressions/methods/${versions[0]?.version}/json`)
  return folder
}

async function recount(folder: string, script = SCRIPT): Promise<Recount> {
  const { stdout } = await run('python3', [script, folder], { maxBuffer: 1e8 }).catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? new Error('This test needs Python. Install the Debian package python3.', { cause: error }) : error
  })
  return JSON.parse(stdout) as Recount
}

describe.each(['led', 'printed'] as const)('from the files of a program with %s trucks', (kind) => {
  let program = ''
  let counted: Recount
  let details: RowOf<typeof shifts.details>[] = []
  const shown = (uid: string) => details.find((shift) => shift.uid === uid)

  beforeAll(async () => {
    program = kind === 'led' ? led : printed
    details = await detailsOf(program)
    counted = await recount(await downloadFiles(program))
  }, 600_000)

  test('the script finds the shifts that took place, with their miles to the meter and their source', async () => {
    const worked = (await call(shifts.details, { query: { program, tookPlace: 'yes', pageSize: '200' } }, { token }))
      .body
    expect(counted.shifts.map(({ uid }) => uid).toSorted()).toEqual(worked.data.map(({ uid }) => uid).toSorted())
    expect(counted.shifts.length).toBeGreaterThan(3)
    for (const { uid, meters, source } of counted.shifts) {
      const { distance = null } = shown(uid) ?? {}
      expect([uid, source]).toEqual([uid, distance?.source ?? null])
      expect(meters ?? -1).toBeCloseTo(distance?.metres ?? -1, 6)
    }
    const { metres, seconds } = (await call(shifts.workTotals, { query: { program } }, { token })).body.data
    expect([counted.meters, counted.seconds]).toEqual([metres, seconds])
    expect(counted.meters).toBeGreaterThan(100_000)
  })

  test('the plays of each shift and of the program', async () => {
    for (const { uid, plays } of counted.shifts) expect([uid, plays]).toEqual([uid, shown(uid)?.plays.count])
    const { total } = (await call(adLog.summary, { query: { program } }, { token })).body.data
    expect(counted.plays).toBe(total.plays)
  })

  test('the impressions of each shift and of the program, to the digit', async () => {
    for (const { uid, impressions: found } of counted.shifts) {
      const { impressions: estimate } = (await call(impressions.shift, { params: { uid } }, { token })).body.data
      expect([uid, found]).toEqual([uid, estimate && [estimate.low, estimate.likely, estimate.high]])
    }
    const { total } = (await call(impressions.program, { params: { uid: program } }, { token })).body.data ?? {}
    expect(counted.impressions).toEqual([total?.low, total?.likely, total?.high])
    // Printed trucks earn nothing at night.
    expect(total?.likely).toBeGreaterThan(kind === 'led' ? 1000 : -1)
  })

  test('what is delivered and expected of each booked line, and the pace', async () => {
    const { lines, pace } = (await call(delivery.program, { params: { uid: program } }, { token })).body.data
    expect(counted.lines).toEqual(
      lines.map(({ line, delivered, expected, pace, state }) => ({ uid: line.uid, delivered, expected, pace, state })),
    )
    expect(counted.pace).toBe(pace)
    expect(lines.length).toBeGreaterThan(0)
  })
})

describe('the shifts need every rule', () => {
  let folder = ''
  let counted: Recount
  let script = ''

  beforeAll(async () => {
    folder = await downloadFiles(led)
    counted = await recount(folder)
    script = await readFile(SCRIPT, 'utf8')
  }, 600_000)

  test('there are miles by GPS and by odometer, a silence that was driven, and an LED shift without plays', async () => {
    const of = ({ uid }: ChosenShift) => counted.shifts.find((shift) => shift.uid === uid)
    const { jump, longJump, silence, wrongOdometer, dark } = hard
    const byGps = [jump, longJump, silence, wrongOdometer]
    expect(byGps.map((shift) => of(shift)?.source)).toEqual(byGps.map(() => 'gps'))
    expect(counted.shifts.map(({ source }) => source)).toContain('odometer')
    expect(of(dark)).toMatchObject({ plays: 0, impressions: [0, 0, 0] })
    const { estimated_metres } = await db
      .selectFrom('shift_track')
      .select('estimated_metres')
      .where('shift_uid', '=', silence.uid)
      .executeTakeFirstOrThrow()
    expect(estimated_metres).toBeGreaterThan(1000)
  })

  test.each([
    ['jumps by reach', ' = 50, 500, 5, 1.5, 45, 3, 0.15', ' = 50, 500, 5, 15, 45, 3, 0.15'],
    ['the top speed', ' = 50, 500, 5, 1.5, 45, 3, 0.15', ' = 50, 500, 5, 1.5, 4.5, 3, 0.15'],
    ['three that agree', ' = 50, 500, 5, 1.5, 45, 3, 0.15', ' = 50, 500, 5, 1.5, 45, 4, 0.15'],
    ['standing', ' = 50, 500, 5, 1.5, 45, 3, 0.15', ' = 40, 500, 5, 1.5, 45, 3, 0.15'],
    ['an odometer that disagrees', ' = 50, 500, 5, 1.5, 45, 3, 0.15', ' = 50, 500, 5, 1.5, 45, 3, 0.5'],
    ['silences', ' = 300_000,', ' = 3_000_000,'],
    ['counted roads', ', 1609.344, 30', ', 1609.344, -1'],
    ['plays of LED trucks', ' or (kind == "led" and not plays)', ''],
    ['the hours of a shift', 'min(end, fix[0]) - max(start, step[0])', 'fix[0] - step[0]'],
  ])('%s', async (_, rule, otherwise) => {
    expect(script).toContain(rule)
    const changed = path.join(folder, 'changed.py')
    await writeFile(changed, script.replace(rule, otherwise))
    expect(await recount(folder, changed)).not.toEqual(counted)
  })

  test('the script fits on two pages', () => expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(150))
})
