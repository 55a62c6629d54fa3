import { randomUUID } from 'node:crypto'
import { auditLog, auth, DELETE_THE_DEMO, inspectionItems, settings, setup, sources, trucks } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { GEOTAB_SOURCE } from '../../live/telemetry/index.ts'
import { connect } from '../../platform/db/connection.ts'
import { DEMO_LOCKS } from './empty-demo.ts'
import { emptyDemo, markDemo } from './index.ts'

const fresh = await openWorld()
const world = await openWorld()
const { call, db } = world
const { blobs } = world.app

const PASSWORD = 'seven green lanterns drift'
const wanted = { confirm: DELETE_THE_DEMO, name: 'Robin Vale', email: 'robin@vale.example', password: PASSWORD }
const ask = (more: object = {}) => call(setup.emptyDemo, { body: { ...wanted, ...more } })
const { signal } = new AbortController()
const empty = (more: object = {}) => emptyDemo({ db, blobs, signal, waitMs: 500, ...more })

/** How many rows each table has. */
async function rowsOf(given: typeof db): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
     order by 1`.execute(given)
  const counted: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(name)}`.execute(given)
    if (rows[0]?.n) counted[name] = rows[0].n
  }
  return counted
}

describe('data that are not the demo’s', () => {
  test('are never emptied, whoever asks', async () => {
    expect((await call(setup.standing, {})).body.data.demo).toBeNull()
    expect((await ask()).error.code).toBe('notTheDemo')
    expect(await empty()).toBe(false)
    expect(await db.selectFrom('user_account').selectAll().execute()).not.toEqual([])
  })

  test('neither is a demo on a server that runs in production', async () => {
    const production = await openWorld({ production: true })
    await markDemo(production.db)
    expect((await production.call(setup.standing, {})).body.data.demo).toBeNull()
    expect((await production.call(setup.emptyDemo, { body: wanted })).error.code).toBe('notTheDemo')
    expect(await emptyDemo({ db: production.db, blobs: production.app.blobs, signal })).toBe(false)
  })

  test('an existing account with an address of the demo makes no demo', async () => {
    await world.addUser('admin')
    await db
      .updateTable('user_account')
      .set({ email: 'admin@roadshow.example' })
      .where('uid', '=', world.people.sales.uid)
      .execute()
    expect((await ask()).error.code).toBe('notTheDemo')
  })
})

describe('the demo', () => {
  const blob = randomUUID().replaceAll('-', '')
  const foreign = randomUUID().replaceAll('-', '')
  beforeAll(async () => {
    await world.addProgram()
    for (const name of [blob, foreign]) await blobs.write(name, Buffer.from('picture'), 'image/png')
    await db
      .insertInto('stored_file')
      .values({
        blob_name: blob,
        purpose: 'logo',
        original_name: 'a.png',
        content_type: 'image/png',
        size_bytes: 7,
        stored_at: new Date(),
      })
      .execute()
    const { version, values } = (await call(settings.get, {})).body.data
    await call(settings.update, { body: { ...values, restGapHours: 3, version } })
    await call(trucks.create, { body: { number: 'T-1', kind: 'led', state: 'active' } })
    // What people of the demo added to the lists of the product goes with it.
    const item = { name: 'Ladder', nameEs: 'Escalera', position: 500, isActive: true, issueKind: 'other' as const }
    await call(inspectionItems.create, { body: { ...item, isOnEveryTruck: false } })
    await call(sources.create, { body: { name: 'Yard', kind: 'json' } })
    await db
      .updateTable('position_source')
      .set({ last_error: 'No answer.', last_error_at: new Date(), last_seen_at: new Date() })
      .where('uid', '=', GEOTAB_SOURCE)
      .execute()
    await markDemo(db)
  })

  test('is offered, and asks for the words and a good password', async () => {
    expect((await call(setup.standing, {})).body.data.demo).toBe('loaded')
    expect(Object.keys((await ask({ confirm: 'yes' })).error.fields ?? {})).toEqual(['confirm'])
    expect(Object.keys((await ask({ password: 'robin-vale-robin' })).error.fields ?? {})).toEqual(['password'])
    expect((await call(setup.standing, {})).body.data.demo).toBe('loaded')
  })

  test('waits for the simulator of every node, and goes on after a node was cut off', async () => {
    expect((await ask()).body.data).toEqual({ email: wanted.email })
    expect((await ask()).error.code).toBe('notTheDemo')
    expect((await call(setup.standing, {})).body.data.demo).toBe('emptying')
    const other = connect(world.url)
    await other.db.connection().execute(async (held) => {
      await sql`select pg_advisory_lock(hashtext(${DEMO_LOCKS[0]}))`.execute(held)
      await expect(empty()).rejects.toThrow('still at work')
      await sql`select pg_advisory_unlock(hashtext(${DEMO_LOCKS[0]}))`.execute(held)
    })
    await other.close()
    // The store is away in the middle of it: nothing but files is gone, and the next run does the rest.
    const away = { remove: vi.fn<() => Promise<never>>(async () => Promise.reject(new Error('away'))) }
    await expect(empty({ blobs: away })).rejects.toThrow('away')
    expect((await call(trucks.list, { query: {} })).body.total).toBe(1)
    expect(await Promise.all([empty({ waitMs: 20_000 }), empty({ waitMs: 20_000 })])).toContain(true)
    expect(await empty()).toBe(false)
  })

  test('leaves what a new database has, one admin and an entry of the audit log', async () => {
    const before = await rowsOf(fresh.db)
    const after = await rowsOf(db)
    const notes = ['history', 'list_change', 'known_network', 'session', 'user_account', 'audit_log']
    const rest = (counted: Record<string, number>) =>
      Object.fromEntries(Object.entries(counted).filter(([table]) => !notes.includes(table)))
    expect(rest(after)).toEqual(rest(before))
    expect(after).toMatchObject({ user_account: 1, audit_log: 1 })
    expect(after).not.toHaveProperty('session')
    const heard = await db.selectFrom('position_source').select(['kind', 'last_error', 'last_seen_at']).execute()
    expect(heard.map(({ kind }) => kind).toSorted()).toEqual(['file', 'geotab', 'phone', 'player'])
    for (const source of heard) expect(source).toMatchObject({ last_error: null, last_seen_at: null })
    expect([await blobs.size(blob), await blobs.size(foreign)]).toEqual([undefined, 7])
  })

  test('the admin who is left signs in, finds nothing, and is greeted', async () => {
    expect((await call(setup.standing, {})).status).toBe(401)
    const body = { email: wanted.email, password: PASSWORD, clientType: 'web' as const }
    const signedIn = await call(auth.authenticate, { body })
    const { token } = signedIn.body.data as { token: string }
    const mine = { token }
    expect((await call(setup.standing, {}, mine)).body.data).toEqual({
      greeting: 'company',
      isUnfinished: true,
      demo: null,
    })
    expect((await call(trucks.list, { query: {} }, mine)).body).toMatchObject({ data: [], total: 0 })
    expect((await call(settings.get, {}, mine)).body.data.values.restGapHours).toBe(10)
    const { data } = (await call(auditLog.list, { query: { kind: ['demoEmptied'] } }, mine)).body
    expect(data.map(({ kind, subject }) => [kind, subject])).toEqual([['demoEmptied', wanted.email]])
    await call(trucks.create, { body: { number: 'Mine', kind: 'led', state: 'active' } }, mine)
    expect((await call(trucks.list, { query: {} }, mine)).body.total).toBe(1)
  })
})
