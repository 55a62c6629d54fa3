import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat, symlink, truncate } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { adLog, API_BASE, pops, sdReport } from '@roadshow/contract'
import { readWithSheetJs } from '@roadshow/test-kit/workbook-readers'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, dayAgo, daysAgo } from '../src/live/plays/archive/test-archive.ts'
import { DALLAS, northOf } from '../src/live/players/test-fleet.ts'
import { remeasureShifts } from '../src/live/telemetry/index.ts'
import { makeBackup } from '../src/platform/backup/make.ts'
import { restoreBackup } from '../src/platform/backup/restore.ts'
import { contentOf, emptyDatabase } from '../src/platform/backup/test-databases.ts'

// Every answer about plays is the same after they were archived, after a backup of them was restored, and after
// the command has brought them back.

const world = await openWorld()
const { db, call } = world
const { addTruck, aPlay, playsOf, store, grade, archive, adLogOf, rowsLeft, errors } = archiveOf(world)
const root = await mkdtemp(path.join(os.tmpdir(), 'roadshow-archived-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const HOUR = 3_600_000
const truck = await addTruck([100, 60])
const span = { program: truck.programUid, from: dayAgo(110), to: dayAgo(0) }

/** A visit to a shop in the third hour of each shift, which was shown on the older day only. */
async function addVisits(): Promise<string> {
  const { uid: set_uid } = await db
    .insertInto('address_set')
    .values({ program_uid: truck.programUid, name: 'Shops' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const { uid: address_uid } = await db
    .insertInto('sd_address')
    .values({ set_uid, label: 'Shop', located_by: 'given', position: 0, radius_m: 1500, ...northOf(DALLAS, 300) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  await db.updateTable('shift').set({ address_set_uid: set_uid }).where('truck_uid', '=', truck.truckUid).execute()
  for (const days of [100, 60]) {
    const entered = daysAgo(days) + 20 * HOUR + 60_000
    await sql`
      insert into shift_approach (shift_uid, address_uid, entered_at, left_at, nearest_m, is_due)
      select uid, ${address_uid}, ${new Date(entered)}, ${new Date(entered + 600_000)}, 40, true from shift
       where truck_uid = ${truck.truckUid} and starts_at = ${new Date(daysAgo(days) + 18 * HOUR)}`.execute(db)
  }
  const shown = aPlay(truck.art, { startedAt: new Date(daysAgo(100) + 20 * HOUR + 90_000).toISOString() })
  await store(truck, [{ ...shown, addressUid: address_uid }])
  return address_uid
}

/** The rows of the workbook as lines, without its last one, which says when it was made. */
async function workbookLines(): Promise<string[]> {
  const { rawPayload } = await world.app.inject({
    url: `${API_BASE}/${adLog.list.path}?${new URLSearchParams({ ...span, format: 'xlsx' })}`,
    headers: { authorization: `Bearer ${world.people.admin.token}` },
  })
  const [sheet] = Object.values(readWithSheetJs(rawPayload))
  const rows = sheet?.rows.filter(([day]) => day !== null && !String(day).startsWith('#')) ?? []
  return rows.map((row) => row.map((cell) => cell ?? '').join(','))
}

async function csvLines(): Promise<string[]> {
  const { text } = await call(adLog.list, { query: { ...span, format: 'csv' } })
  return text
    .replace('\ufeff', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('"#'))
}

let address = ''

/** Everything that the reports tell. */
async function answers() {
  const sd = { ...span, market: truck.marketUid }
  const { document } = (await call(pops.preview, { params: { uid: truck.programUid } })).body.data
  const { publishedAt: _, ...pop } = document
  return {
    log: await adLogOf(truck),
    workbook: await workbookLines(),
    places: (await call(sdReport.list, { query: sd })).body.data,
    summary: (await call(sdReport.summary, { query: sd })).body.data,
    visits: (await call(sdReport.approaches, { query: { ...sd, address } })).body.data,
    pop,
  }
}

let before: Awaited<ReturnType<typeof answers>>

beforeAll(async () => {
  await store(truck, [...playsOf(truck, 100), ...playsOf(truck, 60), ...playsOf(truck, 2)])
  address = await addVisits()
  while (await remeasureShifts(db));
  await grade()
  before = await answers()
}, 60_000)

test('the ad log, its files, the SD report and the POP say the same about archived plays', async () => {
  expect(before.places).toMatchObject([{ approaches: 2, missed: 1, plays: 1 }])
  expect(before.visits.map(({ plays, isMissed }) => [plays, isMissed])).toEqual([
    [0, true],
    [1, false],
  ])
  expect(before.pop.figures.verifiedPlays).toBeGreaterThan(0)
  await archive()
  expect([errors, await rowsLeft()]).toEqual([[], 40])
  expect(await answers()).toEqual(before)
}, 60_000)

test('a workbook of new and archived days has the cells of the CSV file', async () => {
  const lines = await workbookLines()
  expect(lines.length).toBeGreaterThan(40)
  expect(lines).toEqual(await csvLines())
}, 60_000)

test('a POP of archived plays is published with the same figures', async () => {
  const { version } = (await call(pops.get, { params: { uid: truck.programUid } })).body.data
  const published = await call(pops.publish, { body: { uid: truck.programUid, version, note: '' } })
  expect(published.status).toBe(200)
  expect((await answers()).pop.figures).toEqual(before.pop.figures)
  expect(await rowsLeft()).toBe(40)
}, 60_000)

/** Runs `npm run archive -- …` as it runs once everything is built. */
async function command(url: string, dataDir: string, ...args: string[]) {
  const program = fileURLToPath(new URL('../dist/bundled/archive.js', import.meta.url))
  // oxlint-disable-next-line node/no-process-env
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
    return { code: 0, said: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout + stderr }
  }
}

test('a backup holds the archive, and the command verifies, lists and restores it', async () => {
  const blobs = await db.selectFrom('play_archive').select('blob').orderBy('rows', 'desc').execute()
  const [to, dataDir] = [path.join(root, 'backup'), path.join(root, 'data')]
  const made = await makeBackup({ url: world.url, blobFolder: world.folder, to, say: () => {} })
  const whole = await contentOf(world.url)
  const url = await emptyDatabase(world.url)
  const blobFolder = path.join(dataDir, 'blobs')
  await restoreBackup({ from: to, openDatabase: async () => url, blobFolder, say: () => {} })
  expect(made.blobs?.count).toBeGreaterThanOrEqual(blobs.length)
  expect((await contentOf(url)).content).toEqual(whole.content)

  const verified = await command(url, dataDir, 'verify')
  expect(verified.said).toContain(`The archive is complete: ${blobs.length} files with 81 plays`)
  expect(verified.code).toBe(0)
  const listed = await command(url, dataDir, 'list')
  for (const { blob } of blobs) expect(listed.said).toContain(blob)
  expect(await command(url, dataDir, 'mend')).toEqual({
    code: 1,
    said: expect.stringContaining('Usage: npm run archive -- verify | list | restore') as string,
  })

  const [damaged, lost] = [blobs[0]?.blob ?? '', blobs[1]?.blob ?? '']
  const damagedFile = path.join(blobFolder, damaged)
  const { size } = await stat(damagedFile)
  await truncate(damagedFile, size - 1)
  await rename(path.join(blobFolder, lost), path.join(root, 'kept'))
  const broken = await command(url, dataDir, 'verify')
  expect(broken.code).toBe(1)
  expect(broken.said).toContain(`${damaged} cannot be read`)
  expect(broken.said).toContain(`${lost} cannot be read`)
  expect(broken.said).toContain(`2 of ${blobs.length} files`)

  // Nothing is brought back by half.
  const refused = await command(url, dataDir, 'restore')
  expect(refused.code).toBe(1)
}, 120_000)

test('the command brings every play back into the database', async () => {
  const dataDir = path.join(root, 'own')
  await mkdir(dataDir)
  await symlink(world.folder, path.join(dataDir, 'blobs'))
  const restored = await command(world.url, dataDir, 'restore')
  expect(restored.said).toContain('All plays are in the database.')
  expect(restored.code).toBe(0)
  expect(await rowsLeft()).toBe(121)
  expect((await command(world.url, dataDir, 'verify')).said).toContain('The archive is complete: 0 files')
  const { pop: _pop, ...told } = await answers()
  const { pop: _before, ...same } = before
  expect(told).toEqual(same)
}, 60_000)
