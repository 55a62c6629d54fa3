import { API_BASE, services as calls } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { jobTable } from '../../platform/jobs/job-table.ts'
import { ExternalServices } from '../../platform/runtime/external-services.ts'

const world = await openWorld()
const services = new ExternalServices()
const env = { brandName: 'R', publicUrl: 'http://localhost', logLevel: 'silent', trustProxy: 0, checkReplies: true }
const node = await buildApp({ db: world.db, blobs: world.app.blobs, mailer: { send: async () => {} }, env, services })
afterAll(() => node.close())

const ask = (token: string) =>
  node.inject({ url: `${API_BASE}/${calls.away.path}`, headers: { authorization: `Bearer ${token}` } })

test('admins learn which services are away, since when and what it means, until they are back', async () => {
  const { admin } = world.people
  expect((await ask(admin.token)).json()).toEqual({ data: [] })
  const storage = services.watch({ name: 'storage', label: 'The file storage', effect: 'Files can’t be opened.' })
  storage.failed(new Error('connect ECONNREFUSED 10.0.0.9:443'))
  const [away] = (await ask(admin.token)).json<{ data: { since: string }[] }>().data
  expect(away).toMatchObject({ service: 'storage', label: 'The file storage', effect: 'Files can’t be opened.' })
  expect(Date.parse(away?.since ?? '')).toBeLessThanOrEqual(Date.now())
  storage.answered()
  expect((await ask(admin.token)).json()).toEqual({ data: [] })
})

test('admins see every job with its last run', async () => {
  await world.db
    .insertInto('job_run')
    .values({ job: 'sweep', ended_at: '2026-07-01T12:00:00Z', outcome: 'failed', seconds: 1.5 })
    .execute()
  const { body } = await world.call(calls.jobs, {})
  expect(body.data.map(({ name }) => name)).toEqual(Object.keys(jobTable))
  expect(body.data.find(({ name }) => name === 'sweep')).toMatchObject({
    everySeconds: 300,
    runsOn: 'cluster',
    lastRun: { outcome: 'failed', seconds: 1.5 },
  })
})

test('others do not', async () => {
  for (const role of ['sales', 'driver', 'client'] as const) {
    expect((await ask(world.people[role].token)).statusCode, role).toBe(403)
    expect((await world.call(calls.jobs, {}, { token: world.people[role].token })).status, role).toBe(403)
  }
})
