import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTrackers } from '../src/live/trackers/test-trackers.ts'

const run = promisify(execFile)
const page = await readFile(new URL('../../docs/trackers.md', import.meta.url), 'utf8')
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, command = '']) => command)

const world = await openWorld()
const { addSource, addTruck } = openTrackers(world)
const [osmand, traccar, json] = [await addSource('osmand'), await addSource('traccar'), await addSource('json')]
const van = await addTruck('VAN-1', osmand.uid)
const truck = await addTruck('861234567890123', traccar.uid)
const unit = await addTruck('UNIT-7', json.uid)
const folder = await mkdtemp(path.join(tmpdir(), 'roadshow-docs-'))
afterAll(() => rm(folder, { recursive: true }))
await writeFile(
  path.join(folder, 'day.gpx'),
  `<gpx><trk><trkseg><trkpt lat="32.78" lon="-96.79"><time>${new Date(Date.now() - 60_000).toISOString()}</time></trkpt></trkseg></trk></gpx>`,
)
const environment = {
  ...process.env,
  SERVER: await world.openNode(() => []),
  OSMAND_KEY: osmand.key,
  TRACCAR_KEY: traccar.key,
  JSON_KEY: json.key,
  SESSION: world.people.admin.token,
  TRUCK_UID: van,
}

const placesOf = async (uid: string) =>
  (await sql`select 1 from position where truck_uid = ${uid} and at > now() - interval '5 minutes'`.execute(world.db))
    .rows.length

test('docs/trackers.md has a command for each form', () => expect(commands).toHaveLength(6))

test.each(commands)('a command of docs/trackers.md works as it stands: %s', async (command) => {
  const before = (await placesOf(van)) + (await placesOf(truck)) + (await placesOf(unit))
  // The next second: a position of the same moment would be known already.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const { stdout } = await run('sh', ['-c', command.replace(/^curl /, 'curl -sS --fail-with-body ')], {
    env: environment,
    cwd: folder,
  })
  expect(stdout).not.toContain('rejected')
  // A file is checked first and brings nothing yet.
  const brings = command.includes('"save":false') ? JSON.parse(stdout).data.fixes - 1 : 1
  expect((await placesOf(van)) + (await placesOf(truck)) + (await placesOf(unit)) - before).toBeGreaterThanOrEqual(
    brings,
  )
})
