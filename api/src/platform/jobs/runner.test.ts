import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../db/connection.ts'
import { defineJob, type Job, intervalMs } from './define-job.ts'
import { JobRunner, runJob } from './runner.ts'

const { app, db, url } = await openWorld()
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const errors: unknown[] = []
const resources = { db, blobs: app.blobs, env, log: (error: unknown) => errors.push(error) }

async function start(job: Job) {
  const runner = new JobRunner([job], resources)
  afterAll(() => runner.stop())
  await runner.start()
  return runner
}

test('long work ends when the node stops, and stopping waits for it', async () => {
  let isWorking = false
  const runner = await start(
    defineJob({
      name: 'long',
      every: '1ms',
      lock: 'node',
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
  const runner = await start(defineJob({ name: 'failing', every: '1ms', lock: 'node', run }))
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), { timeout: 10_000 })
  await runner.stop()
  expect(errors.slice(0, 2)).toEqual([new Error('try 1'), new Error('try 2')])
})

test('a job never overlaps itself', async () => {
  let [running, most, runs] = [0, 0, 0]
  async function run() {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
    runs++
  }
  const runner = await start(defineJob({ name: 'slow', every: '1ms', lock: 'node', run }))
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2), { timeout: 10_000 })
  await runner.stop()
  expect(most).toBe(1)
})

describe('at the start', () => {
  test('a job that must run first has run before the node listens', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    await start(defineJob({ name: 'first', every: '1h', lock: 'node', atStart: 'wait', run }))
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('a failure of that job is logged and the node starts', async () => {
    errors.length = 0
    const run = async () => Promise.reject(new Error('not yet'))
    await start(defineJob({ name: 'first-fails', every: '1h', lock: 'node', atStart: 'wait', run }))
    expect(errors).toEqual([new Error('not yet')])
  })

  test('every other job waits for its interval', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    await start(defineJob({ name: 'later', every: '1h', lock: 'node', run }))
    await sleep(50)
    expect(run).not.toHaveBeenCalled()
  })
})

test('a notification wakes a job; one that arrives during a run causes another run', async () => {
  const runs: (() => void)[] = []
  const run = () => new Promise<void>((resolve) => runs.push(resolve))
  const job = defineJob({ name: 'woken', every: '1h', lock: 'node', wakeOn: ['something'], run })
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

test('of two nodes, one at a time runs a job of the cluster', async () => {
  const other = connect(url)
  afterAll(() => other.close())
  const { signal } = new AbortController()
  let [runs, release] = [0, () => {}]
  async function run() {
    runs++
    await new Promise<void>((resolve) => (release = resolve))
  }
  const job = defineJob({ name: 'alone', every: '1h', lock: 'cluster', run })
  const first = runJob(job, resources, { signal })
  await vi.waitFor(() => expect(runs).toBe(1), { timeout: 10_000 })
  await runJob(job, { ...resources, db: other.db }, { signal })
  expect(runs).toBe(1)
  release()
  await first
  const second = runJob(job, { ...resources, db: other.db }, { signal })
  await vi.waitFor(() => expect(runs).toBe(2), { timeout: 10_000 })
  release()
  await second
})

test('a job with a watermark gets the moment at which the last run stopped', async () => {
  const { signal } = new AbortController()
  const moments: string[] = []
  const run = async ({ since }: { since: string }) => void moments.push(since)
  const job = defineJob({ name: 'continues', every: '1h', lock: 'cluster', watermark: true, run })
  await runJob(job, resources, { signal })
  await runJob(job, resources, { signal })
  const [first, second] = moments.map((moment) => Date.parse(moment)) as [number, number]
  expect(second - first).toBeGreaterThan(23 * 3_600_000)
})

test.each([
  ['1ms', 1],
  ['30s', 30_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
] as const)('an interval of %s has %i ms', (interval, ms) => expect(intervalMs(interval)).toBe(ms))
