import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../db/connection.ts'
import { type Job, intervalMs } from './define-job.ts'
import { JobRunner, runJob } from './runner.ts'

const { app, db, url } = await openWorld()
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const errors: unknown[] = []
const resources = { db, blobs: app.blobs, env, log: (error: unknown) => errors.push(error) }

/** A job that is not in the table. */
const aJob = (job: Omit<Job, 'what'>): Job => ({ what: '', ...job })

async function start(job: Job) {
  const runner = new JobRunner([job], resources)
  afterAll(() => runner.stop())
  await runner.start()
  return runner
}

test('long work ends when the node stops, and stopping waits for it', async () => {
  let isWorking = false
  const runner = await start(
    aJob({
      name: 'long',
      every: '1ms',
      runsOn: 'node',
      async run({ signal }) {
        isWorking = true
        await sleep(3_600_000, undefined, { signal }).catch(() => {})
        isWorking = false
      },
    }),
  )
  await vi.waitFor(() => expect(isWorking).toBe(true), { timeout: 10_000 })
  await runner.stop()
  expect(isWorking).toBe(false)
})

test('a failure is logged, and the job is tried again', async () => {
  let tries = 0
  errors.length = 0
  const run = async () => Promise.reject(new Error(`try ${++tries}`))
  const runner = await start(aJob({ name: 'failing', every: '1ms', runsOn: 'node', run }))
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), { timeout: 10_000 })
  await runner.stop()
  expect(errors.slice(0, 2)).toEqual([new Error('try 1'), new Error('try 2')])
})

test('a failure that passes by itself is a line when it begins and one when it is over, by the name of the job', async () => {
  const logged: unknown[][] = []
  let failure: Error | undefined = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  let runs = 0
  const job = aJob({
    name: 'waiting',
    every: '1ms',
    runsOn: 'node',
    async run({ log }) {
      runs++
      // One piece that fails is no success of the run.
      if (failure && runs % 2) log(failure)
      else if (failure) throw failure
    },
  })
  const log = (event: unknown, { job, level }: { job?: string; level?: string } = {}) =>
    logged.push([event, job, level])
  const runner = new JobRunner([job], { ...resources, log })
  afterAll(() => runner.stop())
  await runner.start()
  await vi.waitFor(() => expect(runs).toBeGreaterThan(5), { timeout: 10_000 })
  failure = undefined
  await vi.waitFor(() => expect(logged).toHaveLength(2), { timeout: 10_000 })
  const before = runs
  await vi.waitFor(() => expect(runs).toBeGreaterThan(before + 3), { timeout: 10_000 })
  await runner.stop()
  expect(logged).toEqual([
    ['The job waiting waits: connect ECONNREFUSED.', 'waiting', 'warn'],
    [expect.stringMatching(/^The job waiting works again after \d+ s\.$/), 'waiting', undefined],
  ])
})

test('work that stops with the node is no failure', async () => {
  errors.length = 0
  let isWorking = false
  const runner = await start(
    aJob({
      name: 'stopped',
      every: '1ms',
      runsOn: 'cluster',
      async run({ signal }) {
        isWorking = true
        await sleep(3_600_000, undefined, { signal })
      },
    }),
  )
  await vi.waitFor(() => expect(isWorking).toBe(true), { timeout: 10_000 })
  await runner.stop()
  expect(errors).toEqual([])
})

test('a job never overlaps itself', async () => {
  let [running, most, runs] = [0, 0, 0]
  async function run() {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
    runs++
  }
  const runner = await start(aJob({ name: 'slow', every: '1ms', runsOn: 'node', run }))
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2), { timeout: 10_000 })
  await runner.stop()
  expect(most).toBe(1)
})

describe('at the start', () => {
  test('a job that must run first has run before the node listens', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    await start(aJob({ name: 'first', every: '1h', runsOn: 'node', atStart: 'wait', run }))
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('a failure of that job is logged and the node starts', async () => {
    errors.length = 0
    const run = async () => Promise.reject(new Error('not yet'))
    await start(aJob({ name: 'first-fails', every: '1h', runsOn: 'node', atStart: 'wait', run }))
    expect(errors).toEqual([new Error('not yet')])
  })

  test('every other job waits for its interval', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    await start(aJob({ name: 'later', every: '1h', runsOn: 'node', run }))
    await sleep(50)
    expect(run).not.toHaveBeenCalled()
  })
})

test('a notification wakes a job; one that arrives during a run causes another run', async () => {
  const runs: (() => void)[] = []
  const run = () => new Promise<void>((resolve) => runs.push(resolve))
  const job = aJob({ name: 'woken', every: '1h', runsOn: 'node', wakeOn: ['something'], run })
  const runner = await start(job)
  const { subscriptions } = runner.sockets()
  subscriptions['something']?.()
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 10_000 })
  subscriptions['something']?.()
  subscriptions['something']?.()
  runs[0]?.()
  await vi.waitFor(() => expect(runs).toHaveLength(2), { timeout: 10_000 })
  runs[1]?.()
  await sleep(50)
  expect(runs).toHaveLength(2)
})

test('jobs of the same interval do not all begin in the same instant', async () => {
  const starts: number[] = []
  const run = async () => void starts.push(performance.now())
  const jobs = Array.from({ length: 24 }, (_, n) => aJob({ name: `spread ${n}`, every: '400ms', runsOn: 'node', run }))
  const runner = new JobRunner(jobs, resources)
  afterAll(() => runner.stop())
  await runner.start()
  await vi.waitFor(() => expect(starts.length).toBeGreaterThanOrEqual(24), { timeout: 10_000 })
  await runner.stop()
  expect((starts[23] ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(100)
})

describe('one node at a time', () => {
  const other = connect(url)
  afterAll(() => other.close())
  const { signal } = new AbortController()
  const beside = { ...resources, db: other.db }

  /** A job that works until it is released or aborted. */
  function workingJob(name: string, entry: Partial<Job> = {}) {
    const work = { runs: 0, isAborted: false, release: () => {} }
    const job = aJob({
      name,
      every: '1h',
      runsOn: 'cluster',
      ...entry,
      run: async ({ signal }) => {
        work.runs++
        await new Promise<void>((resolve) => {
          work.release = resolve
          signal.addEventListener('abort', () => resolve())
        })
        work.isAborted = signal.aborted
      },
    })
    return { job, work }
  }

  test.each([{}, { watermark: true }] as const)('runs a job of the cluster: %o', async (entry) => {
    const { job, work } = workingJob(`alone ${JSON.stringify(entry)}`, entry)
    const first = runJob(job, resources, { signal })
    await vi.waitFor(() => expect(work.runs).toBe(1), { timeout: 10_000 })
    expect(await runJob(job, beside, { signal })).toBe('skipped')
    // Nor does the same node run it twice.
    expect(await runJob(job, resources, { signal })).toBe('skipped')
    expect(work.runs).toBe(1)
    work.release()
    expect(await first).toBe('done')
    const second = runJob(job, beside, { signal })
    await vi.waitFor(() => expect(work.runs).toBe(2), { timeout: 10_000 })
    work.release()
    expect(await second).toBe('done')
  })

  test('a node of the version before holds the lock of a job by a transaction', async () => {
    const { job, work } = workingJob('of two versions')
    await other.db.transaction().execute(async (held) => {
      await sql`select pg_try_advisory_xact_lock(hashtext('job of two versions'))`.execute(held)
      expect(await runJob(job, resources, { signal })).toBe('skipped')
    })
    expect(work.runs).toBe(0)
  })

  test('a running job has no transaction open', async () => {
    const { job, work } = workingJob('without a transaction', { watermark: true })
    const running = runJob(job, resources, { signal })
    await vi.waitFor(() => expect(work.runs).toBe(1), { timeout: 10_000 })
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and (xact_start is not null or backend_xmin is not null)`.execute(other.db)
    expect(rows).toEqual([])
    work.release()
    await running
  })

  test('the loss of the connection that holds the locks aborts their runs, and the next run opens another', async () => {
    const { job, work } = workingJob('loses its lock')
    const first = runJob(job, resources, { signal })
    await vi.waitFor(() => expect(work.runs).toBe(1), { timeout: 10_000 })
    await sql`
      select pg_terminate_backend(l.pid) from pg_locks l
       where l.locktype = 'advisory' and l.objid = hashtext('job loses its lock')::bigint & 4294967295
         and l.database = (select oid from pg_database where datname = current_database())`.execute(other.db)
    await first
    expect(work.isAborted).toBe(true)
    const second = runJob(job, resources, { signal })
    await vi.waitFor(() => expect(work.runs).toBe(2), { timeout: 10_000 })
    work.release()
    expect([await second, work.isAborted]).toEqual(['done', false])
  })
})

describe('a backlog', () => {
  const backlogJob = (name: string, run: Job['run']) =>
    aJob({ name, every: '1h', runsOn: 'node', atStart: 'run', backlog: 'atOnce', run })

  test('ends when its time is up, and goes on in another run at once', async () => {
    const { signal } = new AbortController()
    let left = 3
    const runs: number[] = []
    const job = backlogJob('limited', async ({ timeUp }) => {
      runs.push(left)
      while (left > 0 && !timeUp.aborted) {
        left--
        await sleep(50)
      }
    })
    expect(await runJob(job, { ...resources, limitMs: 1 }, { signal })).toBe('more')
    expect(left).toBe(2)
    const runner = new JobRunner([job], { ...resources, limitMs: 1 })
    afterAll(() => runner.stop())
    await runner.start()
    await vi.waitFor(() => expect(left).toBe(0), { timeout: 10_000 })
    await runner.stop()
    expect(runs.slice(0, 3)).toEqual([3, 2, 1])
  })

  test('does not go on when the node stops', async () => {
    let runs = 0
    const job = backlogJob('stopped', async ({ timeUp }) => {
      runs++
      await sleep(3_600_000, undefined, { signal: timeUp }).catch(() => {})
    })
    const runner = new JobRunner([job], resources)
    await runner.start()
    await vi.waitFor(() => expect(runs).toBe(1), { timeout: 10_000 })
    await runner.stop()
    expect(runs).toBe(1)
  })
})

test.each([
  ['1ms', 1],
  ['30s', 30_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
] as const)('an interval of %s has %i ms', (interval, ms) => expect(intervalMs(interval)).toBe(ms))
