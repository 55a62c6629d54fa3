import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { MAX_FEED_PLAYS, settings as settingCalls, webhooks } from '@roadshow/contract'
import { createOnCluster, dropOnCluster } from '@roadshow/test-kit/citus'
import { newNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { contextOf, jobsOf } from '../../src/app.ts'
import { distribute } from '../../src/live/cluster/index.ts'
import { letTimePass, olderCursor, Partner } from '../../src/outreach/feeds/test-partner.ts'
import { runJob } from '../../src/platform/jobs/runner.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import type { Job } from '../../src/platform/jobs/define-job.ts'
import { type JobName, jobTable } from '../../src/platform/jobs/job-table.ts'

const cluster = inject('cluster')

test.skipIf(cluster)(
  'tests of a demo on a Citus cluster are left out: no PostgreSQL of this machine has Citus',
  () => {},
)

const MINUTE = 60_000

describe.runIf(cluster)('a demo that is distributed while its node runs', async () => {
  if (!cluster) return
  const { nodes } = cluster
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = await createOnCluster(nodes, name)
  afterAll(() => dropOnCluster(nodes, name))
  await migrate(url)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-demo-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const node = await newNode({
    DATABASE_URL: url,
    DATA_DIR: folder,
    NODE_ENV: 'development',
    TLS_AT_PROXY: 'off',
    SIMULATOR: 'on',
    DEMO_PAST: 'short',
  })
  await node.start()
  afterAll(() => node.stop(), 2 * MINUTE)
  const world = await openWorld({ privateNetworks: ['127.0.0.1'] }, { url })
  const { app, db, call } = world

  const countPlays = async () =>
    Number((await sql<{ n: string }>`select count(*) as n from play`.execute(db)).rows[0]?.n)

  /** What the node has logged as an error since then. */
  const errorsSince = (at: number) =>
    node.log.split('\n').filter((line) => {
      if (!/^\{"level":[56]0/.test(line)) return false
      return (JSON.parse(line) as { time: number }).time >= at
    })

  let distributedAt = NaN
  beforeAll(async () => {
    await distribute({ url, workers: [], shards: 4, say: () => {} })
    distributedAt = Date.now()
    // Its past is recorded meanwhile.
    const hasPlays = async () => expect(await countPlays()).toBeGreaterThan(5000)
    await vi.waitFor(hasPlays, { timeout: 10 * MINUTE, interval: 1000 })
  }, 12 * MINUTE)

  test(
    'goes on: trucks and players send, and no job fails',
    async () => {
      /** What trucks and players of now have sent; the past is recorded beside it. */
      const sentOf = async (table: 'play' | 'position') => {
        const at = sql.ref(table === 'play' ? 'started_at' : 'at')
        const { rows } = await sql`
          select 1 from ${sql.table(table)} where ${at} > ${new Date(distributedAt)} limit 1`.execute(db)
        return rows.length
      }
      const runs = async () =>
        (
          await sql<{ job: string; outcome: string }>`
            select job, outcome from job_run where ended_at > ${new Date(distributedAt)} order by job`.execute(db)
        ).rows
      const often = Object.entries(jobTable).flatMap(([job, { every }]) =>
        /^(\d+(ms|s)|1m)$/.test(every) ? [job] : [],
      )
      await expect
        .poll(async () => (await runs()).map(({ job }) => job), { timeout: 4 * MINUTE, interval: 1000 })
        .toEqual(expect.arrayContaining(often))
      await expect.poll(() => sentOf('play'), { timeout: 3 * MINUTE, interval: 1000 }).toBe(1)
      await expect.poll(() => sentOf('position'), { timeout: 3 * MINUTE, interval: 1000 }).toBe(1)
      expect((await runs()).filter(({ outcome }) => outcome === 'failed')).toEqual([])
      expect(errorsSince(distributedAt)).toEqual([])
      expect(node.isRunning).toBe(true)
    },
    11 * MINUTE,
  )

  describe('then every job runs', () => {
    const errors: unknown[] = []
    const mailer = { send: async () => {} }
    const env = {
      brandName: 'Roadshow',
      publicUrl: 'http://localhost:3000',
      logLevel: 'silent',
      trustProxy: 0,
      checkReplies: true,
      dataDir: folder,
      // Most of the demo's past is old enough.
      archiveAfterDays: 3,
      privateNetworks: ['127.0.0.1'],
    }
    const context = contextOf({ db, blobs: app.blobs, mailer, env })
    const jobs = jobsOf(context)
    const log = (error: unknown) => void errors.push(error)
    const run = (job: Job) =>
      runJob(job, { ...context, log, limitMs: 20_000 }, { signal: new AbortController().signal })
    const runByName = (wanted: JobName) => run(jobs.find(({ name }) => name === wanted) as Job)

    let partner: Partner
    beforeAll(async () => {
      await node.stop()
      const { rows } = await sql<{ program: string; client: string }>`
        select p.uid as program, p.client_uid as client from client_program p
         where p.uid = (select program_uid from play where program_uid is not null and market_uid is not null
                         group by program_uid order by count(*) desc limit 1)`.execute(db)
      const [{ program, client: clientUid } = { program: '', client: '' }] = rows
      partner = new Partner(world, program, { limit: MAX_FEED_PLAYS })
      await call(webhooks.create, { body: { url: 'http://127.0.0.1:9/', events: ['play.batch'], clientUid } })
      await runByName('announce-plays')
      // Everything is graded again from now on.
      const { version, values } = (await call(settingCalls.get, {})).body.data
      const body = {
        ...values,
        version,
        outsideMarketByMetres: values.outsideMarketByMetres + 100,
        keepPositionsDays: 30,
      }
      const { status, text } = await call(settingCalls.update, { body })
      if (status !== 200) throw new Error(text)
    }, 4 * MINUTE)

    test.each(jobs.map((job) => [job.name, job] as const))(
      '%s',
      async (_, job) => {
        await run(job)
        await run(job)
        expect(errors.splice(0)).toEqual([])
      },
      4 * MINUTE,
    )

    test(
      'and partners get the plays that are announced',
      async () => {
        await letTimePass(world)
        // The last plays came before the webhook; for the announcements they came after it.
        for (const { program_uid: program, place } of await db.selectFrom('webhook_play_place').selectAll().execute()) {
          const feed = { kind: 'plays', program } as const
          await sql`update webhook_play_place set place = ${olderCursor(feed, olderCursor(feed, place))},
                    at = at - interval '40 minutes' where program_uid = ${program}`.execute(db)
        }
        await runByName('announce-plays')
        expect(errors.splice(0)).toEqual([])
        const batches = await db.selectFrom('outbound_event').select('data').where('type', '=', 'play.batch').execute()
        expect(batches.length).toBeGreaterThan(0)
        await partner.poll()
        expect(partner.counted.length).toBeGreaterThan(100)
      },
      5 * MINUTE,
    )
  })
})
