import { programs, settings, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect, inTransaction } from '../../platform/db/connection.ts'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { keepRetention } from './retention.ts'

const world = await openWorld()
const { app, call, db } = world
const { signal } = new AbortController()
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }

const sweep = () => runJob(keepRetention, { db, blobs: app.blobs, env, log: () => {} }, { signal })

/** Moves the first entries of a record's history to the past, which only a restore may do. */
const makeOlder = (uid: string, entries: number, years: number) =>
  inTransaction(db, async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`update history set at = at - make_interval(years => ${years})
      where id in (select id from history where record_uid = ${uid} order by id limit ${entries})`.execute(db)
  })

async function addTruck(number: string) {
  const { data } = (await call(trucks.create, { body: { number, kind: 'led', state: 'active' } })).body
  const rename = async (note: string, version: number) =>
    call(trucks.update, { body: { number, kind: 'led', state: 'active', note, uid: data.uid, version } })
  await rename('first note', 1)
  await rename('second note', 2)
  return data.uid
}
const historyOf = async (uid: string) => (await call(trucks.history, { params: { uid }, query: {} })).body

async function change(values: object): Promise<void> {
  const { version, values: current } = (await call(settings.get, {})).body.data
  expect((await call(settings.update, { body: { ...current, ...values, version } })).status).toBe(200)
}

describe('the history of a record', () => {
  test('loses what is older than the setting, and says from when on changes are kept', async () => {
    const [old, young] = [await addTruck('H-1'), await addTruck('H-2')]
    await makeOlder(old, 2, 11)
    expect(await historyOf(old)).toMatchObject({ total: 3 })
    await sweep()
    const { data, total, keptSince } = await historyOf(old)
    expect([data.map(({ action }) => action), total]).toEqual([['changed'], 1])
    expect(data[0]?.fields).toEqual([{ field: 'note', old: 'first note', new: 'second note' }])
    expect(Date.parse(String(keptSince))).toBeLessThanOrEqual(Date.parse(String(data[0]?.at)))
    expect(Date.parse(String(keptSince))).toBeGreaterThan(Date.now() - 3_600_000)
    expect(await historyOf(young)).not.toHaveProperty('keptSince')
  })

  test('follows the setting, which has a minimum that the database keeps too', async () => {
    const uid = await addTruck('H-3')
    await makeOlder(uid, 1, 4)
    await sweep()
    expect((await historyOf(uid)).total).toBe(3)
    await change({ keepHistoryDays: 1095 })
    await sweep()
    expect((await historyOf(uid)).total).toBe(2)
    const { version, values } = (await call(settings.get, {})).body.data
    const refused = await call(settings.update, { body: { ...values, keepHistoryDays: 30, version } })
    expect(refused.error.fields).toEqual({ keepHistoryDays: 'Must be a whole number from 1095 to 7300.' })
    await makeOlder(uid, 1, 2)
    await expect(sql`delete from history where record_uid = ${uid}`.execute(db)).rejects.toThrow('only ever added to')
    await change({ keepHistoryDays: 3650 })
  })

  test('of a program that changed hands stays closed to its new client before that change', async () => {
    const program = await world.addProgram({ name: 'Moved' })
    const { uid: newClient } = await world.addClient()
    const { token } = await world.addUser('client', ['clients'], newClient)
    for (const more of [{ name: 'Secret of the first client' }, { client_uid: newClient }, { name: 'Moved again' }]) {
      await db.updateTable('client_program').set(more).where('uid', '=', program.uid).execute()
    }
    const seen = async () => {
      const { body } = await call(programs.history, { params: { uid: program.uid }, query: {} }, { token })
      const fields = body.data.flatMap((change) => change.fields.map(({ field }) => field))
      return { fields, isCut: 'keptSince' in body }
    }
    expect(await seen()).toEqual({ fields: ['name', 'client'], isCut: false })
    await makeOlder(program.uid, 1, 11)
    await sweep()
    expect(await seen()).toEqual({ fields: ['name', 'client'], isCut: false })
  })

  test('of settings says so too', async () => {
    await change({ keepWebLogDays: 31 })
    await change({ keepWebLogDays: 30 })
    const { uid } = await db
      .selectFrom('setting')
      .select('uid')
      .where('key', '=', 'keepWebLogDays')
      .executeTakeFirstOrThrow()
    expect((await call(settings.history, { query: {} })).body).not.toHaveProperty('keptSince')
    await makeOlder(uid, 1, 11)
    await sweep()
    expect((await call(settings.history, { query: {} })).body).toHaveProperty('keptSince')
  })
})

describe('the audit log', () => {
  test('is kept for as many days as the setting says', async () => {
    await sql`insert into audit_log (kind, at, subject) values
      ('signedIn', now() - interval '450 days', '450 days'), ('signedIn', now() - interval '350 days', '350 days')`.execute(
      db,
    )
    const left = async () => {
      await sweep()
      const rows = await db.selectFrom('audit_log').select('subject').where('subject', 'like', '% days').execute()
      return rows.map(({ subject }) => subject).toSorted()
    }
    await change({ keepAuditLogDays: 500 })
    expect(await left()).toEqual(['350 days', '450 days'])
    await change({ keepAuditLogDays: 400 })
    expect(await left()).toEqual(['350 days'])
  })
})

describe('old rows are deleted in pieces', () => {
  const other = connect(world.url, { max: 2 })
  afterAll(() => other.close())
  const before = sql`now() - interval '1 day'`
  const count = async () =>
    (
      await db
        .selectFrom('web_log')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n

  test('oldest first; a node that stops leaves the rest to the next run', async () => {
    await sql`insert into web_log (error_origin, at)
      select 'old', now() - make_interval(days => 2, secs => n) from generate_series(1, 12000) n`.execute(db)
    await sql`insert into web_log (error_origin) values ('new')`.execute(db)
    const stopping = new AbortController()
    const first = deleteOlder(db, 'web_log', { column: 'at', before, signal: stopping.signal })
    stopping.abort()
    await first
    expect(await count()).toBe(7001)
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from now() - min(at)))::int as days from web_log`.execute(db)
    expect(rows[0]?.days).toBeLessThan(2 * 86_400 + 7010)
    await Promise.all([
      deleteOlder(db, 'web_log', { column: 'at', before, signal }),
      deleteOlder(other.db, 'web_log', { column: 'at', before, signal }),
    ])
    expect(await db.selectFrom('web_log').select('error_origin').execute()).toEqual([{ error_origin: 'new' }])
  })

  test('a row that is refreshed at the same moment stays', async () => {
    await sql`insert into throttle values ('k', 1, now(), now() - interval '3 days')`.execute(db)
    const deleting = await inTransaction(other.db, async (held) => {
      await sql`update throttle set last_at = now() where key = 'k'`.execute(held)
      return [deleteOlder(db, 'throttle', { column: 'last_at', before, signal })]
    })
    await Promise.all(deleting)
    expect(await db.selectFrom('throttle').select('key').where('key', '=', 'k').execute()).toEqual([{ key: 'k' }])
  })
})
