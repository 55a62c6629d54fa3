import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adLog, auth, CLIENT_TYPE, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestSocket, TestClient } from '@roadshow/test-kit/client'
import { hasProgram, newNode, startPooler, type TestNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { hashPassword } from '../src/accounts/sign-in/index.ts'
import { makeBackup } from '../src/platform/backup/make.ts'
import { connect } from '../src/platform/db/connection.ts'
import { CopyTransaction } from '../src/platform/db/copy.ts'

const isInstalled = hasProgram('pgbouncer')
// oxlint-disable-next-line no-console
if (!isInstalled) console.warn('PgBouncer is not installed: its tests were left out.')

describe.skipIf(!isInstalled)('PgBouncer', async () => {
  const world = await openWorld()
  const { db } = world
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-pooler-'))
  const stops: (() => Promise<unknown>)[] = []
  let node: TestNode
  let pooler: Awaited<ReturnType<typeof startPooler>>

  const startNode = async (databaseUrl: string) => {
    const started = await newNode({ DATABASE_URL: databaseUrl, DATA_DIR: path.join(folder, 'data'), RATE_LIMIT: '0' })
    stops.push(() => started.stop('SIGKILL'))
    await started.start()
    return started
  }

  beforeAll(async () => {
    // Nodes count on UTC, whatever the server's own zone.
    await sql
      .raw(`alter database "${new URL(world.url).pathname.slice(1)}" set timezone = 'America/Chicago'`)
      .execute(db)
    pooler = await startPooler(world.url, 'session', folder)
    node = await startNode(pooler.url)
  }, 120_000)

  afterAll(async () => {
    for (const stop of stops) await stop()
    await pooler?.stop()
    await rm(folder, { recursive: true })
  })

  describe('in session mode', () => {
    const clientOf = (token: string) => {
      const client = new TestClient(node.url, { token })
      stops.push(async () => client.close())
      return client
    }

    test('carries calls: signing in, writing, reading, exports by cursor and by COPY', async () => {
      const user = await world.addUser('admin')
      const password = 'seven wet boots'
      const password_hash = await hashPassword(password)
      await db.updateTable('user_account').set({ password_hash }).where('uid', '=', user.uid).execute()
      const body = { email: user.email, password, clientType: 'web' } as const
      const { token } = (await clientOf('').call(auth.authenticate, { body })).body.data
      const client = clientOf(token)
      const before = Date.now() - 60_000
      for (let n = 1; n <= 30; n++) {
        const created = await client.call(trucks.create, { body: { number: `P-${n}`, kind: 'led', state: 'active' } })
        expect(created.status).toBe(200)
      }
      const { data, total } = (await client.call(trucks.list, { query: { pageSize: '5', sort: '-updatedAt' } })).body
      expect([data.length, total]).toEqual([5, 30])
      expect(Date.parse(data[0]?.updatedAt ?? '')).toBeGreaterThan(before)
      const file = await client.call(trucks.list, { query: { format: 'csv' } })
      expect(file.text).toContain('P-30')
      const program = await world.addProgram()
      const log = await client.call(adLog.list, { query: { format: 'csv', program: program.uid } })
      expect([log.status, log.text.split('\n').length > 1]).toEqual([200, true])
    })

    test('carries notifications and jobs: a session that is due is ended by a job, and its page hears of it', async () => {
      const user = await world.addUser('admin')
      const page = openTestSocket(node.url, { clientType: CLIENT_TYPE, userUid: user.uid, token: user.token })
      stops.push(async () => page.disconnect())
      await new Promise<void>((resolve, reject) => {
        page.on('connect', resolve)
        page.on('connect_error', reject)
      })
      await sql`update session set expires_at = now() - interval '1 second' where user_uid = ${user.uid}`.execute(db)
      const reason = async () => {
        const ended = db.selectFrom('session').select('end_reason').where('user_uid', '=', user.uid)
        return (await ended.executeTakeFirstOrThrow()).end_reason
      }
      await vi.waitFor(async () => expect([await reason(), page.connected]).toEqual(['expired', false]), 20_000)
    })

    test('carries locks: a second node finds the database migrated and works beside the first', async () => {
      const second = await startNode(pooler.url)
      expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
    }, 120_000)

    test('carries a backup', async () => {
      const to = path.join(folder, 'backup')
      const { tables } = await makeBackup({ url: pooler.url, blobFolder: undefined, to, say: () => {} })
      expect(tables.find(({ name }) => name === 'truck')?.rows).toBe(30)
    })

    test('lets an export that is cut off end on the server too', async () => {
      const { db: pooled, close } = connect(pooler.url, { max: 2 })
      stops.push(close)
      const running = async () =>
        (
          await sql`select from pg_stat_activity
            where query like '%pg_sleep(600%' and state = 'active' and pid <> pg_backend_pid()`.execute(db)
        ).rows.length
      const reading = await CopyTransaction.begin(pooled, 'repeatable read read only')
      const copy = reading.copyOut([sql`select pg_sleep(600)`], 'csv')
      copy.on('error', () => {})
      await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: 10_000 })
      copy.destroy()
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 10_000 })
    })
  })

  test('in transaction mode is refused with a sentence that says what to set', async () => {
    const other = await startPooler(world.url, 'transaction', folder)
    stops.push(other.stop)
    await expect(startNode(other.url)).rejects.toThrow(
      /does not keep sessions\. In PgBouncer set pool_mode = session, or connect to PostgreSQL directly\./,
    )
  }, 60_000)
})
