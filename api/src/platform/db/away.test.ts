import { once } from 'node:events'
import { type AddressInfo, connect as dial, createServer, type Socket } from 'node:net'
import { API_BASE, errorBody, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import type { Job } from '../jobs/define-job.ts'
import { JobRunner } from '../jobs/runner.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from './connection.ts'

const world = await openWorld()
const direct = new URL(world.url)

/** A line to the database that can be cut, and that can fall silent. */
function openLine() {
  const ends = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = dial(Number(direct.port), direct.hostname)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('data', (bytes) => other.write(bytes))
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      if (isSilent) end.pause()
    }
  })
  return {
    async restore(port = 0): Promise<number> {
      isSilent = false
      for (const end of ends) end.resume()
      if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
      return (server.address() as AddressInfo).port
    },
    silence(): void {
      isSilent = true
      for (const end of ends) end.pause()
    },
    cut(): void {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

const line = openLine()
const port = await line.restore()
const { db, close } = connect(Object.assign(new URL(world.url), { port }).href, { patienceMs: 1000 })
const env = { brandName: 'R', publicUrl: 'http://localhost', logLevel: 'silent', trustProxy: 0, checkReplies: true }
const app = await buildApp({ db, env, blobs: world.app.blobs, mailer: { send: async () => {} } })
afterEach(() => line.restore(port))
afterAll(async () => {
  await app.close()
  await close()
  line.cut()
})

const headers = { authorization: `Bearer ${world.people.admin.token}` }
const list = () => app.inject({ url: `${API_BASE}/${trucks.list.path}`, headers })
const create = (number: string) => {
  const payload = { number, kind: 'led', state: 'active' }
  return app.inject({ method: 'POST', url: `${API_BASE}/${trucks.create.path}`, payload, headers })
}
const ready = () => app.inject('/readyz')

type Answered = Awaited<ReturnType<typeof list>>

function expectAway(answer: Answered): void {
  expect([answer.statusCode, errorBody.parse(answer.json()).code]).toEqual([503, 'unavailable'])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}

async function expectBack(): Promise<void> {
  await line.restore(port)
  expect([(await list()).statusCode, (await ready()).statusCode]).toEqual([200, 200])
}

test('a database that goes away is answered with 503, and is used again when it is back', async () => {
  expect((await create('T-1')).statusCode).toBe(200)
  line.cut()
  const answers = [await list(), await create('T-2'), await ready()]
  for (const answer of answers) expectAway(answer)
  expect(answers[2]?.json()).toMatchObject({ error: 'The database does not answer.' })
  await expectBack()
  expect((await create('T-2')).statusCode).toBe(200)
})

test('what runs in the background goes on when it is back', async () => {
  const rounds: string[] = []
  const work = async () => {
    await sql`select 1`.execute(db)
    rounds.push('done')
  }
  const job: Job = { name: 'away-test', what: '', every: '10ms', runsOn: 'cluster', run: work }
  const runner = new JobRunner([job], { db, blobs: app.blobs, env, log: () => rounds.push('failed') })
  await runner.start()
  await vi.waitFor(() => expect(rounds).toContain('done'), { timeout: 10_000 })
  line.cut()
  await vi.waitFor(() => expect(rounds).toContain('failed'), { timeout: 10_000 })
  await line.restore(port)
  rounds.length = 0
  await vi.waitFor(() => expect(rounds).toContain('done'), { timeout: 10_000 })
  await runner.stop()
})

test('a database that falls silent is given up on within a bounded time', async () => {
  // Connections that were open before are among those that are asked.
  await Promise.all([list(), list(), list()])
  line.silence()
  const began = Date.now()
  for (const answer of await Promise.all([list(), create('T-3'), ready()])) expectAway(answer)
  expect(Date.now() - began).toBeLessThan(15_000)
  await expectBack()
})

test('a statement that takes long on a server that lives is waited for', async () => {
  const { db, close } = connect(world.url, { patienceMs: 2000 })
  afterAll(close)
  const { rows } = await sql`select pg_sleep(3)`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a call that waits too long for another user’s lock says to try again', async () => {
  const { db: hasty, close } = connect(world.url, { lockTimeoutMs: 50 })
  afterAll(close)
  const other = await buildApp({ db: hasty, env, blobs: world.app.blobs, mailer: { send: async () => {} } })
  afterAll(() => other.close())
  await world.db.transaction().execute(async (held) => {
    await sql`lock table truck in access exclusive mode`.execute(held)
    expectAway(await other.inject({ url: `${API_BASE}/${trucks.list.path}`, headers }))
  })
})

test('a node that stops says so at /readyz, and still answers what comes', async () => {
  app.readiness.notReady('This node is stopping.')
  const answer = await ready()
  expectAway(answer)
  expect(answer.json()).toMatchObject({ error: 'This node is stopping.' })
  expect((await list()).statusCode).toBe(200)
})
