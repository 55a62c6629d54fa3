import { programs, settings, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { inTransaction } from '../../platform/db/connection.ts'

const world = await openWorld()
const { call, db, sweep } = world

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
