import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adLog, auth, pops, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClient } from '@roadshow/test-kit/client'
import { buildEarlierVersion, lastCommitWith } from '@roadshow/test-kit/earlier-version'
import { newNode, type TestNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { hashPassword } from '../src/accounts/sign-in/index.ts'
import { neededQueries } from './samples.ts'
import { fleetOf } from '../src/live/players/test-fleet.ts'
import { migrationNames, readMigration } from '../src/platform/db/migration-files.ts'

// The first migration after which versions read what a newer schema declares.
const DECLARED_SINCE = '0025'
const declared = await Promise.all(
  (await migrationNames()).filter((name) => name >= DECLARED_SINCE).map(async (name) => readMigration(name)),
)
const oldest =
  declared
    .map(({ oldestNode }) => oldestNode)
    .toSorted()
    .at(-1) ?? ''
const commit = await lastCommitWith(oldest)
// oxlint-disable-next-line no-console
if (!commit) console.warn(`The last version with migration ${oldest} is not in the history: its test was left out.`)

describe.skipIf(!commit)('a node of the oldest version that the schema declares to work with', async () => {
  const world = await openWorld()
  const { db } = world
  const { addRunning, come, aPlay } = fleetOf(world)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-earlier-'))
  const settings = { DATABASE_URL: world.url, DATA_DIR: path.join(folder, 'data'), RATE_LIMIT: '0', DRAIN_SECONDS: '0' }
  const clients: TestClient[] = []
  let [earlier, current]: (TestNode | undefined)[] = []

  beforeAll(async () => {
    const entry = await buildEarlierVersion(commit ?? '', folder)
    earlier = await newNode(settings, entry)
    current = await newNode(settings)
    await Promise.all([earlier.start(), current.start()])
  }, 600_000)

  afterAll(async () => {
    for (const client of clients) client.close()
    await Promise.all([earlier?.stop('SIGKILL'), current?.stop('SIGKILL')])
    await rm(folder, { recursive: true })
  })

  /** The same user on both nodes, signed in at the earlier one. */
  async function signIn(): Promise<Record<'earlier' | 'current', TestClient>> {
    const { uid, email } = await world.addUser('admin')
    const password = 'seven wet boots'
    const password_hash = await hashPassword(password)
    await db.updateTable('user_account').set({ password_hash }).where('uid', '=', uid).execute()
    const client = (node: TestNode | undefined, token: string) => {
      const made = new TestClient(node?.url ?? '', { token })
      clients.push(made)
      return made
    }
    const body = { email, password, clientType: 'web' } as const
    const { token } = (await client(earlier, '').call(auth.authenticate, { body })).body.data
    return { earlier: client(earlier, token), current: client(current, token) }
  }

  test('starts beside the current one and is ready', async () => {
    for (const node of [earlier, current]) expect((await fetch(`${node?.url}/readyz`)).status).toBe(200)
  })

  test('writes records that the current one reads, and the other way around, with exact totals and history', async () => {
    const both = await signIn()
    const create = (client: TestClient) =>
      client.call(trucks.create, { body: { number: `W-${randomUUID().slice(-12)}`, kind: 'led', state: 'active' } })
    for (let n = 0; n < 20; n++) {
      for (const client of [both.earlier, both.current]) expect((await create(client)).status).toBe(200)
    }
    const made = (await create(both.earlier)).body.data
    const change = { ...made, note: 'Changed', homeMarketUid: null, pixelMapUid: null }
    const { uid, number, kind, state, note, version } = change
    expect((await both.earlier.call(trucks.update, { body: { uid, number, kind, state, note, version } })).status).toBe(
      200,
    )
    for (const client of [both.earlier, both.current]) {
      for (const page of ['1', '4']) {
        const { data, total } = (await client.call(trucks.list, { query: { page, pageSize: '10' } })).body
        expect([data.length, total]).toEqual([10, 41])
      }
      const history = (await client.call(trucks.history, { params: { uid }, query: {} })).body
      expect(history.data.map(({ action }) => action)).toEqual(['changed', 'created'])
    }
  })

  test('takes the plays of a player, which both count alike, and publishes them as a POP', async () => {
    const both = await signIn()
    const { art, device, programUid } = await addRunning()
    for (const node of [earlier, current]) {
      const player = await come(node?.url ?? '', device)
      const plays = [aPlay(art), aPlay(art), aPlay(art)]
      const { rows } = (await player.timeout(20_000).emitWithAck('player-plays', plays)) as {
        rows: { result: string }[]
      }
      expect(rows.map(({ result }) => result)).toEqual(['accepted', 'accepted', 'accepted'])
      player.disconnect()
    }
    const query = { program: programUid }
    for (const client of [both.earlier, both.current]) {
      expect((await client.call(adLog.list, { query })).body.total).toBe(6)
    }
    const uid = programUid
    const { version } = (await both.earlier.call(pops.get, { params: { uid } })).body.data
    const published = await both.earlier.call(pops.publish, {
      body: { uid, version, note: 'From the earlier version' },
    })
    expect([published.status, published.error]).toEqual([200, undefined])
    for (const client of [both.earlier, both.current]) {
      const { data } = (await client.call(pops.versions, { params: { uid } })).body
      expect(data).toMatchObject([{ number: 1, note: 'From the earlier version' }])
    }
  })

  test('answers every call that reads a list', async () => {
    const { earlier: client } = await signIn()
    const queryOf = await neededQueries(world)
    const lists = world.app.kernel.served.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    expect(lists.length).toBeGreaterThan(50)
    const failed: string[] = []
    for (const endpoint of lists) {
      const { status } = await client.call(endpoint, { query: queryOf(endpoint) } as never)
      if (status === 0 || status >= 500) failed.push(`${endpoint.path}: ${status}`)
    }
    expect(failed).toEqual([])
  }, 120_000)

  test('runs its jobs without a failure, and logs no error', async () => {
    const metrics = await (await fetch(`${earlier?.url}/metrics`)).text()
    expect(metrics).toMatch(/^roadshow_job_runs_total\{[^}]*outcome="done"[^}]*\} [1-9]/m)
    expect(metrics).not.toMatch(/^roadshow_job_runs_total\{[^}]*outcome="failed"[^}]*\} [1-9]/m)
    expect(earlier?.log).not.toContain('"level":50')
  })

  test('refuses the database once a migration declares that it needs newer nodes', async () => {
    await earlier?.stop()
    await sql`insert into kysely_migration (name, timestamp, oldest_node) values ('9999_contract', '2099', '9999')`.execute(
      db,
    )
    await expect(earlier?.start()).rejects.toThrow(
      /This database has the schema 9999_contract, but this version of the program knows only \d{4}_\w+\. Start the newer version\./,
    )
  }, 60_000)
})
