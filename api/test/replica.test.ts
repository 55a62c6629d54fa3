import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adLog, API_BASE, type Endpoint, endpoints, publicPop, trucks, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { TestReplica } from '@roadshow/test-kit/replica'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { connect, type Db, inTransaction } from '../src/platform/db/connection.ts'
import { startEmbedded } from '../src/platform/db/embedded/server.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { openReplica, replicaLagBytes, replicaLagSeconds, replicaReads } from '../src/platform/db/replica.ts'
import { readsFromReplica } from '../src/platform/http/serve.ts'
import { ExternalServices } from '../src/platform/runtime/external-services.ts'
import { openPops } from '../src/proof/pop/test-pop.ts'
import { endpointName, neededQueries } from './samples.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-replica-'))
const primary = await startEmbedded({ dir: path.join(folder, 'primary') })
await migrate(primary.url)
const replica = await TestReplica.of(primary, path.join(folder, 'primary'), path.join(folder, 'replica'))
const onReplica = connect(replica.url)
const services = new ExternalServices()
const opened: ReturnType<typeof openReplica>[] = []
function openReads(db: Db) {
  const reads = openReplica(db, replica.url, services)
  opened.push(reads)
  return reads
}

// Before the world's own: hooks run in reverse order, and its app closes first.
afterAll(async () => {
  services.stop()
  for (const reads of opened) await reads.close()
  await onReplica.close()
  await replica.kill()
  await primary.stop()
  await rm(folder, { recursive: true })
})
const world = await openWorld({}, { url: primary.url, reads: openReads })
const { db, call, people } = world
const { addPop, addPhoto, publish, austin } = await openPops(world)

type Outcome = 'replica' | 'away' | 'behind' | 'busy' | 'failed'

async function outcomes(): Promise<Partial<Record<Outcome, number>>> {
  const { values } = await replicaReads.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
}

/** What work returns, and who answered the calls in it. */
async function answeredBy<T>(work: () => Promise<T>): Promise<[T, Partial<Record<Outcome, number>>]> {
  const before = await outcomes()
  const result = await work()
  const counts = Object.entries(await outcomes()).map(([name, count]) => [name, count - (before[name as Outcome] ?? 0)])
  return [result, Object.fromEntries(counts.filter(([, count]) => count !== 0)) as Partial<Record<Outcome, number>>]
}

let count = 0
const addTruck = async () => {
  const number = `Seen ${++count}`
  expect((await call(trucks.create, { body: { number, kind: 'led', state: 'active' } })).status).toBe(200)
  return number
}
const exportedTrucks = async (token = people.admin.token) => {
  const { status, text } = await call(trucks.list, { query: { search: 'Seen', format: 'csv' } }, { token })
  expect(status).toBe(200)
  return text
}
const exportTrucks = () => answeredBy(() => exportedTrucks())
const within = { timeout: 20_000, interval: 50 }
const isBack = () => vi.waitFor(async () => expect((await exportTrucks())[1]).toEqual({ replica: 1 }), within)

/** Its replay stands still during the work. */
async function heldBack(work: () => Promise<void>): Promise<void> {
  await replica.pause()
  try {
    await work()
  } finally {
    await replica.resume()
  }
  await isBack()
}

describe('with a replica', () => {
  test('reports, exports and public pages are answered by it, with the answers of the primary', async () => {
    const queryOf = await neededQueries(world)
    const plain = await buildApp({ db, blobs: world.app.blobs, mailer: { send: async () => {} }, env: environment })
    afterAll(() => plain.close())
    const pop = await addPop([austin], { popUrl: 'seen-tour', name: 'Seen tour' })
    await addPhoto(pop.uid, austin)
    expect((await publish(pop.uid)).status).toBe(200)
    const params: Record<string, string> = { popUrl: 'seen-tour', uid: pop.uid, programUid: pop.uid, size: 'large' }
    const isFile = ({ query }: Endpoint) => query?.shape['format']?.safeParse('csv').success === true
    const wanted = endpoints.flatMap((endpoint) => [
      ...(readsFromReplica(endpoint, { query: {} }) ? [{ endpoint, more: {} }] : []),
      ...(endpoint.method === 'GET' && isFile(endpoint) ? [{ endpoint, more: { format: 'csv' } }] : []),
    ])
    const statuses: number[] = []
    for (const { endpoint, more } of wanted) {
      const url = `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')}`
      const query = { ...queryOf(endpoint), ...more }
      const request = { method: 'GET', url, query, headers: { authorization: `Bearer ${people.admin.token}` } } as const
      const expected = await plain.inject(request)
      const name = `${endpointName(endpoint)} ${JSON.stringify(more)}`
      // The last line of a file says when it was made.
      const bodyOf = (text: string) => text.replace(/exported [^;"]*/, '')
      await vi.waitFor(async () => {
        const [answer, by] = await answeredBy(() => world.app.inject(request))
        expect([name, answer.statusCode]).toEqual([name, expected.statusCode])
        // Each export adds a line to the audit log.
        const [found, wanted] = [answer.body, expected.body].map(bodyOf)
        expect([name, found]).toEqual([name, endpoint.path.startsWith('audit') ? found : wanted])
        expect([name, by]).toEqual([name, answer.statusCode === 200 ? { replica: 1 } : {}])
      }, within)
      statuses.push(expected.statusCode)
    }
    // The rest needs records that are not there.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(30)
  }, 120_000)

  test('every other call stays with the primary', async () => {
    const [{ status }, by] = await answeredBy(() => call(trucks.list, { query: {} }))
    expect([status, by]).toEqual([200, {}])
  })
})

const environment = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost:3000',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}

describe('a replica that is behind', () => {
  test('hides nothing from the one who saved it, from others, or on another node', async () => {
    const other = await buildApp({
      db,
      reads: openReads(db),
      blobs: world.app.blobs,
      mailer: { send: async () => {} },
      env: environment,
    })
    afterAll(() => other.close())
    const another = await world.addUser('admin')
    await heldBack(async () => {
      const number = await addTruck()
      // It has not reached the replica: an answer from there would lack it.
      const found = await onReplica.db.selectFrom('truck').select('uid').where('number', '=', number).execute()
      expect(found).toEqual([])
      const [file, by] = await exportTrucks()
      expect(file).toContain(number)
      expect(by).toEqual({ behind: 1 })
      expect(await exportedTrucks(another.token)).toContain(number)
      const elsewhere = await other.inject({
        url: `${API_BASE}/${trucks.list.path}`,
        query: { search: 'Seen', format: 'csv' },
        headers: { authorization: `Bearer ${people.admin.token}` },
      })
      expect(elsewhere.body).toContain(number)
      const key = await world.addKey()
      expect(await exportedTrucks(key.token)).toContain(number)
    })
    await vi.waitFor(async () => {
      const [file, by] = await exportTrucks()
      expect(file).toContain(`Seen ${count}`)
      expect(by).toEqual({ replica: 1 })
    }, within)
  })

  test('hides no published page, which has no session to remember anything', async () => {
    const pop = await addPop([austin], { popUrl: 'seen-page', name: 'Seen page' })
    await addPhoto(pop.uid, austin)
    await heldBack(async () => {
      const before = await call(publicPop.document, { params: { popUrl: 'seen-page' } }, { token: '' })
      expect(before.status).toBe(404)
      expect((await publish(pop.uid)).status).toBe(200)
      const [after, by] = await answeredBy(() =>
        call(publicPop.document, { params: { popUrl: 'seen-page' } }, { token: '' }),
      )
      expect([after.status, by]).toEqual([200, { behind: 1 }])
    })
  })

  test('keeps no right that was taken away: sessions and permissions are read on the primary', async () => {
    const user = await world.addUser('sales')
    expect((await call(adLog.programs, { query: {} }, { token: user.token })).status).toBe(200)
    await heldBack(async () => {
      await db
        .updateTable('user_account')
        .set({ modules: ['trucks'] })
        .where('uid', '=', user.uid)
        .execute()
      expect((await call(adLog.programs, { query: {} }, { token: user.token })).status).toBe(403)
      expect((await call(users.forceLogout, { params: { uid: user.uid } })).status).toBe(200)
      expect((await call(adLog.programs, { query: {} }, { token: user.token })).status).toBe(401)
    })
  })

  test('shows how far, in bytes and seconds', async () => {
    const valueOf = async (gauge: typeof replicaLagBytes) => (await gauge.get()).values[0]?.value
    await heldBack(async () => {
      await addTruck()
      await vi.waitFor(async () => {
        expect(await valueOf(replicaLagBytes)).toBeGreaterThan(0)
        expect(await valueOf(replicaLagSeconds)).toBeGreaterThan(0)
      }, within)
    })
    await vi.waitFor(async () => expect(await valueOf(replicaLagBytes)).toBe(0), within)
    expect(await valueOf(replicaLagSeconds)).toBe(0)
  })
})

describe('a replica that fails', () => {
  test('during a query, because the log has to go on: the primary answers', async () => {
    const [reads] = opened
    /** The lock is replayed, and the transaction that sleeps is in its way. */
    async function lockOnceAsleep(): Promise<void> {
      const asleep = sql`select from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`
      await vi.waitFor(async () => expect((await asleep.execute(onReplica.db)).rows).toHaveLength(1), within)
      await inTransaction(world.db, (db) => sql`lock table truck in access exclusive mode`.execute(db))
    }
    const failures: { code?: string; message?: string }[] = []
    const asked: boolean[] = []
    const [found, by] = await answeredBy(
      () =>
        reads?.read(async (db, isReplica) => {
          asked.push(isReplica)
          const read = () => db.selectFrom('truck').select('uid').execute()
          if (!isReplica) return (await read()).length
          return inTransaction(db, async (db) => {
            await db.selectFrom('truck').select('uid').execute()
            const [slept] = await Promise.all([sql`select pg_sleep(20)`.execute(db), lockOnceAsleep()])
            return slept.rows.length
          }).catch((error: unknown) => {
            failures.push(error as Error)
            throw error
          })
        }) ?? Promise.resolve(-2),
    )
    expect(failures[0]?.message).toMatch(/conflict with recovery/)
    expect([asked, by]).toEqual([[true, false], { failed: 1 }])
    expect(found).toBe((await db.selectFrom('truck').select('uid').execute()).length)
    await isBack()
  })

  test('by a statement that writes is not taken for away', async () => {
    const [reads] = opened
    const before = services.degraded.length
    await reads?.read((db) => sql`create temporary table if not exists written (a int)`.execute(db))
    expect(services.degraded).toHaveLength(before)
    expect((await exportTrucks())[1]).toEqual({ replica: 1 })
  })

  test('by dying costs no call, and it is used again by itself', async () => {
    await replica.kill()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await call(adLog.programs, { query: {} })).status),
    )
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(services.degraded.map(({ service }) => service)).toContain('replica')
    // The circuit is open: nothing waits for it any more.
    expect((await exportTrucks())[1]).toEqual({ away: 1 })

    const starting = replica.start()
    await vi.waitFor(async () => expect((await exportTrucks())[1]).toEqual({ replica: 1 }), within)
    await starting
    expect(services.degraded).toEqual([])
  }, 60_000)

  test('a server that is no standby of this database is never read', async () => {
    const watched = new ExternalServices()
    const wrong = openReplica(db, primary.url, watched)
    await vi.waitFor(() => expect(watched.degraded).toHaveLength(1), within)
    const { rows } = await wrong.read((db) => sql<{ one: number }>`select 1 as one`.execute(db))
    expect(rows).toEqual([{ one: 1 }])
    watched.stop()
    await wrong.close()
  })
})
