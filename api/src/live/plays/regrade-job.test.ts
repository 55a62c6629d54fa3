import { writeFile } from 'node:fs/promises'
import { DAY_MS, settings } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runJob } from '../../platform/jobs/runner.ts'
import { noteEvidence } from '../evidence/index.ts'
import { DALLAS, minutesAgo } from '../players/test-fleet.ts'
import { archiveFailures } from './metrics.ts'
import { archiveOf, dayAgo, daysAgo } from './archive/test-archive.ts'
import { storePlays } from './ingest.ts'
import { gradingProgress, regradeChangedEvidence } from './regrade-job.ts'

const world = await openWorld()
const { db, app } = world
const past = archiveOf(world)
const { addTruck, addRunning, addPosition, aPlay, playsOf, store, grade, archive } = past

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const errors: unknown[] = []
const runGrading = ({ limitMs = 60_000, signal = new AbortController().signal } = {}) =>
  runJob(regradeChangedEvidence, { db, blobs: app.blobs, env, limitMs, log: (error) => errors.push(error) }, { signal })

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

describe('a setting that concerns all plays', () => {
  const saveSetting = async (outsideMarketByMetres: number) => {
    const { version, values } = (await world.call(settings.get, {})).body.data
    await world.call(settings.update, { body: { ...values, version, outsideMarketByMetres } })
  }
  const countRows = async (table: 'evidence_change' | 'grading_backlog' | 'grading_due') =>
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  /** A truck with a play that no position proves yet. */
  async function addUnproved() {
    const { art, device, truckUid } = await addRunning()
    const play = aPlay(art, { startedAt: minutesAgo(30) })
    await storePlays(db, { ...device, truckUid }, [play])
    const isVerified = async () =>
      (await db.selectFrom('play').select('grade').where('play_id', '=', play.playId).executeTakeFirstOrThrow())
        .grade === 'verified'
    return { isVerified, prove: () => addPosition(truckUid, minutesAgo(30), DALLAS) }
  }

  test('is one row when it changes, and none when it is saved as it is', async () => {
    const notes = await countRows('evidence_change')
    const { outsideMarketByMetres } = (await world.call(settings.get, {})).body.data.values
    await saveSetting(outsideMarketByMetres)
    expect(await countRows('grading_backlog')).toBe(0)
    await saveSetting(outsideMarketByMetres + 1)
    await saveSetting(outsideMarketByMetres + 2)
    expect([await countRows('grading_backlog'), await countRows('evidence_change')]).toEqual([1, notes])
    await runGrading()
    expect(await countRows('grading_backlog')).toBe(0)
  })

  test('is worked through from the last day back, behind fresh plays, by runs that stop and go on', async () => {
    const truck = await addTruck([20, 10])
    for (const day of [20, 10]) await store(truck, playsOf(truck, day))
    await grade()
    // These days are graded wrongly now.
    await sql`update play set grade = 'unverified' where truck_uid = ${truck.truckUid} and grade = 'verified'`.execute(
      db,
    )
    const daysDone = async () => {
      const { rows } = await sql<{ day: string }>`
        select distinct (started_at at time zone 'UTC')::date as day from play
         where truck_uid = ${truck.truckUid} and grade = 'verified' order by 1 desc`.execute(db)
      return rows.map(({ day }) => day)
    }
    const waiting = async () => (await gradingProgress(db, { program: truck.programUid })).waiting
    await saveSetting(5000)
    expect(await waiting()).toBeGreaterThan(0)

    const [fresh, later] = [await addUnproved(), await addUnproved()]
    await fresh.prove()
    /** Runs that grade one day of a truck each. */
    async function runUntil(isReached: () => Promise<boolean>): Promise<void> {
      for (let runs = 0; runs < 20 && !(await isReached()); runs++)
        expect(await runGrading({ limitMs: 1 })).toBe('more')
    }
    await runUntil(fresh.isVerified)
    // Notes are read again for some seconds, until they are settled.
    await sql`delete from evidence_change`.execute(db)
    expect([await fresh.isVerified(), await daysDone()]).toEqual([true, []])

    const days = [dayAgo(9), dayAgo(10), dayAgo(19), dayAgo(20)]
    await runUntil(async () => (await daysDone()).length === 2)
    expect(await daysDone()).toEqual(days.slice(0, 2))

    // A node that is killed leaves its day to the next one; what it has done stays done.
    await runGrading({ signal: AbortSignal.abort() })
    await later.prove()
    await runUntil(later.isVerified)
    await sql`delete from evidence_change`.execute(db)
    expect([await later.isVerified(), await daysDone()]).toEqual([true, days.slice(0, 2)])
    expect(await waiting()).toBeGreaterThan(0)

    expect(await runGrading()).toBe('done')
    expect(await daysDone()).toEqual(days)
    expect([await waiting(), await countRows('grading_due'), await countRows('grading_backlog')]).toEqual([0, 0, 0])
  })
})

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
