import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
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
const environment = {
  ...process.env,
  SERVER: await world.openNode(() => []),
  OSMAND_KEY: osmand.key,
  TRACCAR_KEY: traccar.key,
  JSON_KEY: json.key,
}

const placesOf = async (uid: string) =>
  (await sql`select 1 from position where truck_uid = ${uid} and at > now() - interval '5 minutes'`.execute(world.db))
    .rows.length

test('docs/trackers.md has a command for each form', () => expect(commands).toHaveLength(5))

test.each(commands)('a command of docs/trackers.md works as it stands: %s', async (command) => {
  const before = (await placesOf(van)) + (await placesOf(truck)) + (await placesOf(unit))
  // The next second: a position of the same moment would be known already.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const { stdout } = await run('sh', ['-c', command.replace(/^curl /, 'curl -sS --fail-with-body ')], {
    env: environment,
  })
  expect(stdout).not.toContain('rejected')
  expect((await placesOf(van)) + (await placesOf(truck)) + (await placesOf(unit))).toBeGreaterThan(before)
})
