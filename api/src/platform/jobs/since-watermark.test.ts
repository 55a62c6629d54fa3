import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from '../db/connection.ts'
import type { Job } from './define-job.ts'
import { runJob } from './runner.ts'

const world = await openWorld()
const { db } = world
const other = connect(world.url)
afterAll(() => other.close())

/** Stores a row as transactions do: under the moment at which they began. */
const ROW = sql`insert into web_log (error_origin) values ('looked for')`
const rowsSince = async (since: string) =>
  (await sql`select uid from web_log where error_origin = 'looked for' and at > ${since}`.execute(db)).rows.length

const resources = { db, blobs: world.app.blobs, env: { brandName: '', publicUrl: '' }, log: () => {} }
const { signal } = new AbortController()

/** A job that says from when it looked and what it found. */
function looker(name: string, { on = db, answer = async (): Promise<unknown> => undefined } = {}) {
  const looks: { since: number; found: number }[] = []
  const job: Job = {
    name,
    what: '',
    every: '1h',
    runsOn: 'cluster',
    watermark: true,
    run: async ({ since }) => {
      looks.push({ since: Date.parse(since), found: await rowsSince(since) })
      return answer()
    },
  }
  return { looks, look: (ending = signal) => runJob(job, { ...resources, db: on }, { signal: ending }) }
}

test('each look goes on where the last one of any node ended, and a first one goes back a day', async () => {
  const [one, two] = [looker('onward'), looker('onward', { on: other.db })]
  const began = Date.now()
  for (const { look } of [one, two, one]) await look()
  const [first, second] = [one.looks[0]?.since ?? 0, two.looks[0]?.since ?? 0]
  expect(first).toBeGreaterThan(began - 86_460_000)
  expect(first).toBeLessThan(began - 86_340_000)
  expect(second).toBeGreaterThan(began - 10_000)
  expect(one.looks[1]?.since).toBeGreaterThanOrEqual(second)
})

test('what was under way at a look is seen by the next, however long it took', async () => {
  const { look, looks } = looker('patient')
  await look()
  const writing = await other.db.startTransaction().execute()
  await sql`select now()`.execute(writing)
  // Longer than the margin that every look has.
  await new Promise((resolve) => setTimeout(resolve, 6000))
  await look()
  await ROW.execute(writing)
  await look()
  await writing.commit().execute()
  await look()
  expect(looks.map(({ found }) => found)).toEqual([0, 0, 0, 1])
}, 20_000)

test('what fails or is aborted is done again from the same moment', async () => {
  const { look, looks } = looker('again')
  await expect(looker('again', { answer: () => Promise.reject(new Error('no luck')) }).look()).rejects.toThrow(
    'no luck',
  )
  await look(AbortSignal.abort())
  await look()
  expect(looks[1]?.since).toBe(looks[0]?.since)
})

test('what ends before its end is continued where it says', async () => {
  const doneUntil = '2026-01-02T03:04:05.000006Z'
  await sql`insert into job_watermark (job, done_until) values ('partly', '2026-01-01')`.execute(db)
  const { look, looks } = looker('partly', { answer: async () => ({ doneUntil }) })
  await look()
  await look()
  expect(looks.map(({ since }) => since)).toEqual([Date.parse('2026-01-01'), Date.parse(doneUntil)])
})

test('a node of the version before that is running the job is left alone, and keeps its watermark', async () => {
  const { look, looks } = looker('held')
  await look()
  await other.db.transaction().execute(async (held) => {
    await sql`select from job_watermark where job = 'held' for update`.execute(held)
    expect(await look()).toBe('skipped')
  })
  expect(looks).toHaveLength(1)
})
