import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveOf } from './test-archive.ts'
import { restoreArchive } from './thaw.ts'
import { verifyArchive } from './verify.ts'

const world = await openWorld()
const { db } = world
const { addTruck, playsOf, store, grade, archive, adLogOf, rowsLeft, errors, parquet } = archiveOf(world)
const stores = { db, parquet }
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roadshow-archiver-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const truck = await addTruck([100, 60])
let before: unknown

beforeAll(async () => {
  await store(truck, [...playsOf(truck, 100), ...playsOf(truck, 60), ...playsOf(truck, 2)])
  await grade()
  before = await adLogOf(truck)
}, 60_000)

/** Runs the archive in a process of its own; answers how it ended. */
async function runArchiver(moment: string): Promise<unknown[]> {
  const child = fork(testProgram('test-archiver'), [world.url, world.folder, dataDir, moment], { execArgv: [] })
  return once(child, 'exit')
}
const KILLED = [null, 'SIGKILL']

async function storedFiles(): Promise<string[]> {
  const names = await readdir(path.join(world.folder, 'plays'), { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(world.folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}
const recordedFiles = async () =>
  (await db.selectFrom('play_archive').select('blob').execute()).map(({ blob }) => blob).toSorted()

/** As when files that no day refers to have been kept for long enough. */
const endLeftovers = () => sql`update play_archive_leftover set remove_after = now() - interval '1 second'`.execute(db)

/** The next runs of the archive end with every play in a file, once, and with no file besides. */
async function expectWhole(): Promise<void> {
  await archive()
  expect(errors).toEqual([])
  expect(await rowsLeft()).toBe(40)
  expect(await adLogOf(truck)).toEqual(before)
  await endLeftovers()
  await world.sweep()
  expect(errors).toEqual([])
  expect(await storedFiles()).toEqual(await recordedFiles())
  expect(await verifyArchive(stores)).toMatchObject({ plays: 80, problems: [] })
}

describe('a node that is killed while it archives loses no play, counts none twice and leaves no file behind', () => {
  test.each([
    'the first file is written',
    'files are written, their record is missing',
    'everything is done but the commit',
    'a week is about to be dropped',
  ])(
    'when %s',
    async (moment) => {
      await restoreArchive(stores)
      expect(await runArchiver(moment)).toEqual(KILLED)
      expect(await adLogOf(truck)).toEqual(before)
      await expectWhole()
    },
    60_000,
  )

  test('when a leftover is removed but still noted', async () => {
    await restoreArchive(stores)
    await endLeftovers()
    expect(await runArchiver('a leftover is removed but still noted')).toEqual(KILLED)
    expect((await db.selectFrom('play_archive_leftover').select('blob').execute()).length).toBeGreaterThan(0)
    await expectWhole()
  }, 60_000)
})

test('a node that is killed while it brings plays back has them once', async () => {
  expect(await runArchiver('plays are back, all but the commit')).toEqual(KILLED)
  expect(await adLogOf(truck)).toEqual(before)
  await restoreArchive(stores)
  expect([await rowsLeft(), await recordedFiles()]).toEqual([120, []])
  expect(await adLogOf(truck)).toEqual(before)
}, 60_000)

test('a node that runs to its end archives everything and removes the working files of those that were killed', async () => {
  expect((await readdir(path.join(dataDir, 'parquet'))).length).toBeGreaterThan(0)
  expect(await runArchiver('')).toEqual([0, null])
  expect(await readdir(path.join(dataDir, 'parquet'))).toEqual([])
  await expectWhole()
}, 60_000)
