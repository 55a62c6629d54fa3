import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { contextOf, jobsOf } from '../src/app.ts'
import { intervalMs } from '../src/platform/jobs/define-job.ts'
import { jobTable } from '../src/platform/jobs/job-table.ts'

const { db, app } = await openWorld()

test('the table of jobs has those that run, each once', () => {
  const env = {
    brandName: '',
    publicUrl: 'http://localhost',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
  } as const
  const mailer = { send: async () => {} }
  const jobs = jobsOf(contextOf({ db, blobs: app.blobs, mailer, env }))
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(Object.keys(jobTable).toSorted())
})

test('every job runs once an hour at least: the alert of a job that is stuck waits for two', () => {
  const rare = Object.entries(jobTable).filter(([, { every }]) => intervalMs(every) > 3_600_000)
  expect(rare).toEqual([])
})
