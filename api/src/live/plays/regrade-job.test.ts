import { DAY_MS } from '@roadshow/contract'
import { writeFile } from 'node:fs/promises'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runJob } from '../../platform/jobs/runner.ts'
import { noteEvidence } from '../evidence/index.ts'
import { DALLAS, minutesAgo } from '../players/test-fleet.ts'
import { archiveFailures } from './archive/metrics.ts'
import { archiveOf, daysAgo } from './archive/test-archive.ts'
import { regradeChangedEvidence } from './regrade-job.ts'

const world = await openWorld()
const { db, app } = world
const past = archiveOf(world)
const { addTruck, addRunning, addPosition, aPlay, playsOf, store, grade, archive } = past

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const { signal } = new AbortController()
const errors: unknown[] = []
const runGrading = () =>
  runJob(regradeChangedEvidence, { db, blobs: app.blobs, env, log: (error) => errors.push(error) }, { signal })

const doneUntil = async () => {
  const { done_until } = await db
    .selectFrom('job_watermark')
    .select('done_until')
    .where('job', '=', 'play-grades')
    .executeTakeFirstOrThrow()
  return Date.parse(done_until)
}
const failures = async () => (await archiveFailures.get()).values[0]?.value ?? 0

/** The notes about a truck that are newer than a moment. */
const notesSince = async (truckUid: string, since: string) => {
  const { rows } = await sql<{ from: number; to: number }>`
    select (extract(epoch from first_at) * 1000)::float8 as "from", (extract(epoch from last_at) * 1000)::float8 as "to"
      from evidence_change where truck_uid = ${truckUid} and changed_at > ${since}::timestamptz`.execute(db)
  return rows
}
const readClock = async () => (await sql<{ now: string }>`select now()::text as now`.execute(db)).rows[0]?.now ?? ''

test('an archived day that cannot be read waits, and all other plays are graded', async () => {
  const old = await addTruck([80])
  await store(old, playsOf(old, 80))
  await grade()
  await archive()
  const files = await db.selectFrom('play_archive').select('blob').execute()
  expect(files.length).toBeGreaterThan(0)
  for (const { blob } of files) await writeFile(app.blobs.localPath?.(blob) ?? '', 'This is no Parquet file.')
  // The last run was a while ago, and its notes are gone.
  await sql`delete from evidence_change`.execute(db)
  await sql`update job_watermark set done_until = now() - interval '10 minutes' where job = 'play-grades'`.execute(db)
  const { art, device, truckUid } = await addRunning()
  const play = aPlay(art, { startedAt: minutesAgo(30) })
  await store({ ...old, device: { ...device, truckUid }, truckUid }, [play])
  await addPosition(truckUid, minutesAgo(30), DALLAS)
  const gradeOf = async () =>
    (await db.selectFrom('play').select('grade').where('play_id', '=', play.playId).executeTakeFirstOrThrow()).grade
  expect(await gradeOf()).toBe('unverified')
  const stretch = { from: daysAgo(80) + DAY_MS / 2, to: daysAgo(80) + DAY_MS - 1 }
  await noteEvidence(db, [{ truckUid: old.truckUid, ...stretch }])
  const [watermark, counted, began] = [await doneUntil(), await failures(), await readClock()]

  await runGrading()
  expect(await gradeOf()).toBe('verified')
  expect(await doneUntil()).toBeGreaterThan(watermark)
  // It was tried once, and is counted, logged and noted for the next run.
  expect(await failures()).toBe(counted + 1)
  expect(errors.map(String)).toEqual([expect.stringContaining(`The plays of truck ${old.truckUid}`)])
  expect((errors[0] as Error).cause).toBeInstanceOf(Error)
  expect(await notesSince(old.truckUid, began)).toEqual([stretch])
  await runGrading()
  expect(errors).toHaveLength(2)
})
