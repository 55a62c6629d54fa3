import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { API_BASE, trucks } from '@roadshow/contract'
import { programOf } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { keepRoomForSignIns } from '../src/accounts/sign-in/keep-room.ts'
import { openFactors } from '../src/accounts/second-factors/test-factors.ts'
import { findOrCreateKey } from '../src/outreach/push/keys.ts'
import { startEmbedded } from '../src/platform/db/embedded/server.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { withClient } from '../src/platform/db/with-client.ts'

/** A small file system of its own, which another program can fill; undefined where only root may mount one. */
async function mountSmall(): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-full-'))
  try {
    execFileSync(programOf('mount'), ['-t', 'tmpfs', '-o', 'size=400m', 'none', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rmdir(folder)
    return undefined
  }
}

const folder = await mountSmall()
// oxlint-disable-next-line no-console
if (!folder) console.warn('Only root can mount a file system: the test of a full disk was left out.')

/** A server that has worked for a while: it keeps written pieces of its log to write them again. */
async function startServer(dir: string) {
  const server = await startEmbedded({ dir: path.join(dir, 'postgres') })
  await migrate(server.url)
  await withClient(server.superuserUrl, async (client) => {
    for (let n = 0; n < 6; n++) await client.query(`select pg_logical_emit_message(true, 'a', 'b'), pg_switch_wal()`)
    await client.query('checkpoint')
  })
  return server
}

const server = folder ? await startServer(folder) : undefined
afterAll(async () => {
  await server?.stop()
  if (!folder) return
  execFileSync(programOf('umount'), [folder])
  await rmdir(folder)
})

const freeBytes = async () => {
  const { bavail, bsize } = await statfs(folder ?? '')
  return bavail * bsize
}

describe.skipIf(!folder)('a full disk of the database', async () => {
  const world = await openWorld({}, server && { url: server.url })
  const { app, call, db } = world
  const factors = openFactors(world)
  const filler = path.join(folder ?? '', 'of-another-program')

  test('people sign in and read, with a second factor too, and saves are refused with a sentence', async () => {
    const [plain, careful] = [await factors.addPerson('sales'), await factors.addPerson('admin')]
    const { code } = await factors.addCodeApp(careful)
    await call(trucks.create, { body: { number: 'T-1', kind: 'led', state: 'active' } })
    // What a node does when it starts and each day.
    await findOrCreateKey(db)
    await keepRoomForSignIns(db)
    await Promise.all([1, 2].map(() => sql`select pg_sleep(0.2)`.execute(db)))
    // PostgreSQL removes this file now and then, and the next connection has to write it.
    const files = await readdir(folder ?? '', { recursive: true })
    for (const name of files.filter((each) => each.endsWith('pg_internal.init')))
      await rm(path.join(folder ?? '', name))
    await writeFile(filler, Buffer.alloc(await freeBytes()))
    expect(await freeBytes()).toBe(0)
    await expect(withClient(server?.url ?? '', async () => {})).rejects.toThrow('No space left on device')
    const lists = await Promise.all(Array.from({ length: 10 }, () => call(trucks.list, { query: {} })))
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))

    const create = (number: number) =>
      call(trucks.create, { body: { number: `F-${number}`, kind: 'led', state: 'active' } })
    let saved = 0
    // Room that is left inside of tables takes the first ones.
    while (saved < 2000 && (await create(saved)).status === 200) saved++
    const refused = await create(saved)
    expect([refused.status, refused.error?.error]).toEqual([
      503,
      'There is no room left to save anything. Nothing of this was saved; what is there can still be read.',
    ])

    const statuses: number[] = []
    let token = ''
    for (let n = 0; n < 200; n++) {
      const { status, body } = await factors.signIn(plain.email)
      statuses.push(status)
      token = body?.data?.token ?? token
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    const { token: pending } = await factors.pending(careful.email)
    expect((await factors.finish(pending, { code: code() })).status).toBe(200)
    const { count } = await db
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'signedIn')
      .executeTakeFirstOrThrow()
    expect(count).toBe(201)

    // Whatever is read by a plain call, as who has just signed in.
    const routes = app.kernel.routes.filter(({ method, url }) => method === 'GET' && !/[:*]/.test(url))
    const failed: string[] = []
    for (const { url } of routes.filter((each) => each.url.startsWith(API_BASE))) {
      const { statusCode } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      if (statusCode >= 500) failed.push(`${url} ${statusCode}`)
    }
    expect(routes.length).toBeGreaterThan(50)
    expect(failed).toEqual([])

    await rm(filler)
    expect((await create(saved)).status).toBe(200)
  }, 240_000)
})
