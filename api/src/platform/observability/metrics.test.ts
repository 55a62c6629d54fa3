import { randomUUID } from 'node:crypto'
import { API_BASE, auth, trucks } from '@roadshow/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { fleetOf } from '../../live/players/test-fleet.ts'
import type { Job } from '../jobs/define-job.ts'
import { JobRunner } from '../jobs/runner.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { isLoopback } from '../http/address.ts'
import { newestFix, lastPoll, positionsStored } from '../../live/telemetry/metrics.ts'

const world = await openWorld()
const { app, call, db } = world

const read = async () => (await app.inject('/metrics')).body

/** The value of the line that begins so. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')
      .at(-1) ?? NaN,
  )

test('calls are timed by method, pattern of their route and status, and no address is told', async () => {
  const uid = randomUUID()
  const labels = [
    `route="${API_BASE}/trucks/:uid",status="404"`,
    `route="${API_BASE}/${trucks.list.path}",status="200"`,
    'route="(page)",status="404"',
  ]
  const counted = (text: string) =>
    labels.map((each) => valueOf(text, `roadshow_http_request_seconds_count{method="GET",${each}}`) || 0)
  const before = counted(await read())
  await call(trucks.get, { params: { uid } })
  await call(trucks.list, { query: { search: 'a-private-word' } })
  await app.inject(`/no/such/${uid}`)
  const text = await read()
  expect(counted(text)).toEqual(before.map((count) => count + 1))
  expect(text).not.toContain(uid)
  expect(text).not.toContain('a-private-word')
})

test('refused logins are counted', async () => {
  const before = valueOf(await read(), 'roadshow_logins_failed_total{reason="wrong"}') || 0
  await call(auth.authenticate, { body: { email: 'nobody@example.com', password: 'x', clientType: 'web' } })
  expect(valueOf(await read(), 'roadshow_logins_failed_total{reason="wrong"}')).toBe(before + 1)
})

test('the pool, the event loop and the process are told, by one family each', async () => {
  const text = await read()
  for (const line of [
    'roadshow_database_connections{state="idle"}',
    'roadshow_database_connections{state="waiting"}',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ]) {
    expect(valueOf(text, line), line).toBeGreaterThanOrEqual(0)
  }
  const families = text.split('\n').filter((line) => line.startsWith('# TYPE'))
  expect(new Set(families).size).toBe(families.length)
})

test('plays count once they are stored, repeats and refused ones do not; sockets while they are open', async () => {
  const fleet = fleetOf(world)
  const address = await fleet.openNode()
  const { art, device } = await fleet.addRunning()
  const stored = (text: string) => valueOf(text, 'roadshow_plays_stored_total')
  const open = (text: string) => valueOf(text, 'roadshow_sockets_open{client_type="player"}') || 0
  const before = await read()
  const player = await fleet.come(address, device)
  const play = fleet.aPlay(art)
  await player
    .timeout(20_000)
    .emitWithAck('player-plays', [play, fleet.aPlay(art), play, { ...play, side: 'none' } as never])
  const text = await read()
  expect(stored(text)).toBe(stored(before) + 2)
  expect(open(text)).toBe(open(before) + 1)
  player.disconnect()
  await vi.waitFor(async () => expect(open(await read())).toBe(open(before)), { timeout: 10_000 })
})

test('lags grow with time, and are gone where no one polls', async () => {
  lastPoll.forget()
  newestFix.forget()
  vi.useFakeTimers({ toFake: ['Date'] })
  lastPoll.at('LogRecord', Date.now() - 5000)
  lastPoll.at('LogRecord', Date.now() - 60_000)
  newestFix.at('position', Date.now() - 90_000)
  positionsStored.inc(3)
  const text = await read()
  vi.useRealTimers()
  expect(valueOf(text, 'roadshow_geotab_poll_lag_seconds{feed="LogRecord"}')).toBeCloseTo(5, 0)
  expect(valueOf(text, 'roadshow_geotab_position_lag_seconds{of="position"}')).toBeCloseTo(90, 0)
  lastPoll.forget()
  newestFix.forget()
  expect(await read()).not.toContain('lag_seconds{feed')
})

test('each round of a job is counted, with how it ended', async () => {
  let rounds = 0
  const failed: unknown[] = []
  async function work(): Promise<void> {
    if (++rounds === 1) throw new Error('once')
  }
  const job: Job = { name: 'test-job', what: '', every: '5ms', runsOn: 'node', run: work }
  const runner = new JobRunner([job], {
    db: world.db,
    blobs: app.blobs,
    env: { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' },
    log: (error) => failed.push(error),
  })
  await runner.start()
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(1), { timeout: 10_000 })
  await runner.stop()
  const text = await read()
  expect(valueOf(text, 'roadshow_job_runs_total{job="test-job",outcome="failed"}')).toBe(1)
  expect(valueOf(text, 'roadshow_job_runs_total{job="test-job",outcome="done"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'roadshow_job_done_timestamp_seconds{job="test-job"}')).toBeCloseTo(Date.now() / 1000, -1)
  expect(failed).toHaveLength(1)
})

test('this machine is told from the rest of the world', () => {
  const here = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']
  const other = ['8.8.8.8', '10.1.2.3', '192.168.1.1', 'fd00::1', '2001:db8::1', '::ffff:8.8.8.8', '', 'rubbish']
  expect(here.filter((address) => !isLoopback(address))).toEqual([])
  expect(other.filter((address) => isLoopback(address))).toEqual([])
})

test('without a token only this machine reads them, and never through a proxy', async () => {
  const from = async (remoteAddress: string, headers = {}) =>
    (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
  expect(await from('127.0.0.1')).toBe(200)
  expect(await from('::1', { host: '[::1]:3000' })).toBe(200)
  for (const address of ['192.168.1.7', '10.0.0.9', '8.8.8.8']) expect(await from(address), address).toBe(403)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    expect(await from('127.0.0.1', { [name]: '127.0.0.1' }), name).toBe(403)
  }
  // A page of another site whose name was made to lead here.
  expect(await from('127.0.0.1', { host: 'rebound.example.com' })).toBe(403)
})

async function appWith(more: { trustProxy?: number; metricsToken?: string }) {
  const env = { brandName: 'R', publicUrl: 'http://localhost', logLevel: 'silent', checkReplies: true, trustProxy: 0 }
  const other = await buildApp({
    db,
    blobs: app.blobs,
    mailer: { send: async () => {} },
    env: { ...env, ...more },
  })
  afterAll(() => other.close())
  return async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await other.inject({ url: '/metrics', headers, remoteAddress })).statusCode
}

test('behind a trusted proxy no address that it forwards is this machine', async () => {
  const status = await appWith({ trustProxy: 1 })
  for (const address of ['8.8.8.8', '10.0.0.9', '127.0.0.1', '::1']) {
    expect(await status({ 'x-forwarded-for': address }), address).toBe(403)
  }
})

test('with a token it is the token that counts, from anywhere', async () => {
  const metricsToken = 'a-token-of-the-operator'
  const status = await appWith({ metricsToken })
  expect(await status({ authorization: `Bearer ${metricsToken}` }, '8.8.8.8')).toBe(200)
  expect([await status({}), await status({ authorization: `Bearer ${metricsToken}x` })]).toEqual([403, 403])
})
