import {
  apiKeys,
  auditLog,
  auth,
  clients,
  credentials,
  type ModuleKey,
  modules,
  programs,
  settings,
  trucks,
  users,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { newApiKey, startOfApiKey } from '../../platform/http/api-key-token.ts'
import { hashToken } from '../../platform/http/session.ts'

const world = await openWorld()
const { db, call, addKey } = world

let count = 0
const newTruck = () => ({ number: `K-${++count}`, kind: 'led', state: 'active' }) as const

const listTrucks = (token: string) => call(trucks.list, { query: {} }, { token })
const outcome = ({ status, error }: Awaited<ReturnType<typeof listTrucks>>) => [status, error.code]
const read = async (uid: string) =>
  (await call(apiKeys.list, { query: { pageSize: '200' } })).body.data.find((key) => key.uid === uid)

describe('a key', () => {
  test('is shown once and stored only as a hash', async () => {
    const key = await addKey({ name: 'Shown once' })
    const stored = await sql<{ row: string }>`select k::text as row from api_key k where uid = ${key.uid}`.execute(db)
    expect(stored.rows[0]?.row).toContain(hashToken(key.token).toString('hex'))
    for (const text of [stored.rows[0]?.row, (await call(apiKeys.list, { query: {} })).text]) {
      expect(text).toContain(key.start)
      expect(text).not.toContain(key.token)
      expect(text).not.toContain(key.token.slice(3, 46))
    }
    const log = await call(auditLog.list, { query: { kind: ['keyCreated'] } })
    expect(log.body.data[0]).toMatchObject({ subject: `Shown once (${key.start}…)`, by: { name: 'The admin' } })
    expect(log.text).not.toContain(key.token)
  })

  test('shows when and from where it was last used', async () => {
    const key = await addKey()
    expect(await read(key.uid)).toMatchObject({ lastUsedAt: null, lastAddress: null, state: 'open' })
    await call(trucks.list, { query: {} }, { token: key.token, address: '203.0.113.7' })
    // The use is noted after the answer.
    await expect.poll(() => read(key.uid)).toMatchObject({ lastAddress: '203.0.113.7' })
    await call(trucks.list, { query: {} }, { token: key.token, address: '203.0.113.8' })
    expect(await read(key.uid)).toMatchObject({ lastAddress: '203.0.113.7' })
  })

  test('that is ended is ended for the next call, on every node, and says by whom', async () => {
    const key = await addKey()
    expect((await listTrucks(key.token)).status).toBe(200)
    const ended = await call(apiKeys.end, { params: { uid: key.uid } })
    expect(ended.body.data).toMatchObject({ state: 'ended', endReason: 'ended', endedBy: { name: 'The admin' } })
    expect(outcome(await listTrucks(key.token))).toEqual([401, 'keyInvalid'])
    // Ending it again changes and records nothing.
    const before = (await call(auditLog.list, { query: { kind: ['keyEnded'] } })).body.total
    expect((await call(apiKeys.end, { params: { uid: key.uid } })).body.data.endedAt).toBe(ended.body.data.endedAt)
    expect((await call(auditLog.list, { query: { kind: ['keyEnded'] } })).body.total).toBe(before)
  })

  test('is refused once it has expired, mistyped or made up', async () => {
    const expired = newApiKey()
    await db
      .insertInto('api_key')
      .values({
        name: 'Old',
        token_hash: hashToken(expired),
        token_start: startOfApiKey(expired),
        modules: ['trucks'],
        access: 'read',
        created_by: world.people.admin.uid,
        created_at: sql`now() - interval '2 days'`,
        expires_at: sql`now() - interval '1 second'`,
      })
      .execute()
    for (const token of [expired, newApiKey(), `${(await addKey()).token}x`, 'rk_']) {
      expect(outcome(await listTrucks(token))).toEqual([401, 'keyInvalid'])
    }
    const listed = (await call(apiKeys.list, { query: { state: ['expired'] } })).body.data
    expect(listed.map(({ name }) => name)).toEqual(['Old'])
  })

  test('only ever gets used and ended: the database refuses everything else', async () => {
    const { uid } = await addKey({ modules: ['trucks'] })
    const change = (set: object) => db.updateTable('api_key').set(set).where('uid', '=', uid).execute()
    await expect(change({ modules: ['trucks', 'users'] })).rejects.toThrow('only ever used and ended')
    await expect(change({ access: 'write' })).rejects.toThrow('only ever used and ended')
    await expect(change({ expires_at: sql`now() + interval '1 hour'` })).rejects.toThrow('only ever used and ended')
    await expect(db.deleteFrom('api_key').where('uid', '=', uid).execute()).rejects.toThrow('only ever used and ended')
    await call(apiKeys.end, { params: { uid } })
    await expect(change({ ended_at: null, ended_by: null, end_reason: null })).rejects.toThrow(
      'only ever used and ended',
    )
  })
})

describe('creating a key', () => {
  const body = { name: 'Refused', modules: ['trucks'] as ModuleKey[], access: 'read' as const, expiresInDays: 30 }
  const refused = async (given: object, token?: string) => {
    const answer = await call(apiKeys.create, { body: { ...body, ...given } }, token ? { token } : {})
    return [answer.status, Object.keys(answer.error.fields ?? {})]
  }

  test('refuses no name, no module, no end, more than a year, and writing for one client', async () => {
    const { uid: clientUid } = await world.addClient()
    expect(await refused({ name: ' ' })).toEqual([400, ['name']])
    expect(await refused({ modules: [] })).toEqual([400, ['modules']])
    expect(await refused({ expiresInDays: 366 })).toEqual([400, ['expiresInDays']])
    expect(await refused({ expiresInDays: 0 })).toEqual([400, ['expiresInDays']])
    expect(await refused({ expiresInDays: undefined })).toEqual([400, ['expiresInDays']])
    expect(await refused({ clientUid, modules: ['pop'], access: 'write' })).toEqual([400, ['access']])
    expect(await refused({ clientUid, modules: ['pop', 'payroll'] })).toEqual([400, ['modules']])
    expect(await refused({ clientUid: '01900000-0000-7000-8000-000000000000', modules: ['pop'] })).toEqual([
      400,
      ['clientUid'],
    ])
    const found = await db.selectFrom('api_key').select('uid').where('name', '=', 'Refused').execute()
    expect(found).toEqual([])
  })

  test('gives away no module that the admin does not hold', async () => {
    const half = await world.addUser('admin', ['users', 'trucks'])
    expect(await refused({ modules: ['trucks', 'payroll'] }, half.token)).toEqual([400, ['modules']])
    expect((await addKey({ modules: ['trucks'] }, half.token)).modules).toEqual(['trucks'])
  })

  test('is for admins with the module Users, never for a key', async () => {
    const everything = await addKey({ access: 'write' })
    for (const token of [world.people.sales.token, world.people.driver.token, world.people.client.token]) {
      expect((await call(apiKeys.create, { body }, { token })).status).toBe(403)
      expect((await call(apiKeys.list, { query: {} }, { token })).status).toBe(403)
    }
    const byKey = await call(apiKeys.create, { body }, { token: everything.token })
    expect([byKey.status, byKey.error.code]).toEqual([403, 'keyRefused'])
    const ending = await call(apiKeys.end, { params: { uid: everything.uid } }, { token: everything.token })
    expect([ending.status, ending.error.code]).toEqual([403, 'keyRefused'])
  })
})

describe('a key ends with the rights of its maker', () => {
  const changes = {
    'who is deleted': { set: { deleted_at: new Date() }, reason: 'makerDeleted' },
    'who is no admin any more': { set: { role: 'sales' }, reason: 'makerLostAccess' },
    'who lost the module Users': { set: { modules: modules.filter((m) => m !== 'users') }, reason: 'makerLostAccess' },
    'who lost a module of the key': { set: { modules: ['users', 'pop'] }, reason: 'makerLostAccess' },
  }
  test.each(Object.entries(changes))('%s', async (_, { set, reason }) => {
    const maker = await world.addUser('admin')
    const key = await addKey({ modules: ['trucks'] }, maker.token)
    expect((await listTrucks(key.token)).status).toBe(200)
    await db
      .updateTable('user_account')
      .set({ ...set, changed_by: world.people.admin.uid })
      .where('uid', '=', maker.uid)
      .execute()
    expect(outcome(await listTrucks(key.token))).toEqual([401, 'keyInvalid'])
    expect(await read(key.uid)).toMatchObject({ state: 'ended', endReason: reason, endedBy: { name: 'The admin' } })
  })

  test('and comes back with none of them', async () => {
    const maker = await world.addUser('admin')
    const key = await addKey({}, maker.token)
    await call(users.remove, { params: { uid: maker.uid } })
    await call(users.restore, { params: { uid: maker.uid } })
    expect(outcome(await listTrucks(key.token))).toEqual([401, 'keyInvalid'])
  })

  test('a module that the key does not use is nothing to it', async () => {
    const maker = await world.addUser('admin')
    const key = await addKey({ modules: ['trucks'] }, maker.token)
    await db
      .updateTable('user_account')
      .set({ modules: ['users', 'trucks'] })
      .where('uid', '=', maker.uid)
      .execute()
    expect((await listTrucks(key.token)).status).toBe(200)
  })

  test('a key for one client ends with the client', async () => {
    const { uid: clientUid } = await world.addClient()
    const key = await addKey({ clientUid, modules: ['clients'] })
    await call(clients.remove, { params: { uid: clientUid } })
    expect((await call(clients.list, { query: {} }, { token: key.token })).error.code).toBe('keyInvalid')
    expect(await read(key.uid)).toMatchObject({ endReason: 'clientDeleted' })
  })
})

describe('the user page', () => {
  test('lists the open keys that a user created, and ends each', async () => {
    const maker = await world.addUser('admin')
    const key = await addKey({ name: 'Of the maker', modules: ['trucks'] }, maker.token)
    const ended = await addKey({ name: 'Of the past' }, maker.token)
    await call(apiKeys.end, { params: { uid: ended.uid } })
    const open = async () =>
      (await call(credentials.ofUser, { params: { uid: maker.uid } })).body.data.filter(({ kind }) => kind === 'apiKey')
    expect(await open()).toMatchObject([
      { uid: key.uid, name: `Of the maker (${key.start}…)`, detail: 'Reads · Trucks · all clients', canEnd: true },
    ])
    const params = { uid: maker.uid, kind: 'apiKey' as const, credentialUid: key.uid }
    const other = await world.addUser('admin')
    expect((await call(credentials.endOfUser, { params: { ...params, uid: other.uid } })).status).toBe(404)
    expect((await call(credentials.endOfUser, { params })).status).toBe(200)
    expect(await open()).toEqual([])
    expect(outcome(await listTrucks(key.token))).toEqual([401, 'keyInvalid'])
    expect(await read(key.uid)).toMatchObject({ endReason: 'ended', endedBy: { uid: world.people.admin.uid } })
    expect((await call(credentials.endOfUser, { params })).status).toBe(404)
  })
})

describe('the scope of a key', () => {
  test('reading changes nothing, and writing stays within the modules', async () => {
    const [reads, writes] = [await addKey({ modules: ['trucks'] }), await addKey({ modules: ['pop'], access: 'write' })]
    for (const { token } of [reads, writes]) {
      const answer = await call(trucks.create, { body: newTruck() }, { token })
      expect([answer.status, answer.error.code]).toEqual([403, 'keyScope'])
    }
    expect((await listTrucks(reads.token)).status).toBe(200)
    expect(outcome(await listTrucks(writes.token))).toEqual([403, 'keyScope'])
  })

  test('a key for one client reaches that client’s rows and no other', async () => {
    const [own, other] = [await world.addProgram(), await world.addProgram()]
    const key = await addKey({ clientUid: own.client.uid, modules: ['clients'] })
    const listed = await call(programs.list, { query: {} }, { token: key.token })
    expect(listed.body.data.map(({ uid }) => uid)).toEqual([own.uid])
    expect((await call(programs.get, { params: { uid: own.uid } }, { token: key.token })).status).toBe(200)
    const foreign = await call(programs.get, { params: { uid: other.uid } }, { token: key.token })
    expect([foreign.status, foreign.error.code]).toEqual([404, 'notFound'])
    const all = await addKey({ modules: ['clients'] })
    expect((await call(programs.list, { query: {} }, { token: all.token })).body.total).toBeGreaterThan(1)
  })

  test('calls about a person, users and settings are for people', async () => {
    const { token } = await addKey({ access: 'write' })
    const answers = [
      await call(auth.me, {}, { token }),
      await call(auth.sessions, {}, { token }),
      await call(users.forceLogout, { params: { uid: world.people.sales.uid } }, { token }),
      await call(settings.update, { body: {} as never }, { token }),
    ]
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(answers.map(() => [403, 'keyRefused']))
    // Reading them takes the module.
    expect((await call(users.list, { query: {} }, { token })).status).toBe(200)
  })
})

describe('what a key does', () => {
  const byline = 'Key ‘Data warehouse’ (made by The admin)'

  test('stands in the history under the key and its maker', async () => {
    const { token } = await addKey({ access: 'write' })
    const { uid, version } = (await call(trucks.create, { body: newTruck() }, { token })).body.data
    await call(trucks.update, { body: { ...newTruck(), uid, version, note: 'by hand' } })
    const history = (await call(trucks.history, { params: { uid }, query: {} })).body.data
    expect(history.map(({ by, action }) => [by, action])).toEqual([
      ['The admin', 'changed'],
      [byline, 'created'],
    ])
  })

  test('stands there also for the parts of a record, and with an Idempotency-Key', async () => {
    const { token } = await addKey({ access: 'write' })
    const program = await world.addProgram()
    const market = await world.addMarket(`Key market ${++count}`)
    const answer = await call(
      programs.update,
      {
        body: {
          uid: program.uid,
          version: program.version,
          clientUid: program.client.uid,
          name: program.name,
          popUrl: program.popUrl,
          startsOn: program.startsOn,
          endsOn: program.endsOn,
          status: program.status,
          markets: [{ marketUid: market.uid }],
        },
      },
      { token, headers: { 'idempotency-key': 'one-of-a-key' } },
    )
    expect(answer.status).toBe(200)
    const [newest] = (await call(programs.history, { params: { uid: program.uid }, query: {} })).body.data
    expect(newest).toMatchObject({ by: byline, fields: [{ field: 'market' }] })
  })

  test('stands in the audit log, exports too', async () => {
    const { token } = await addKey()
    expect((await call(trucks.list, { query: { format: 'csv' } }, { token })).status).toBe(200)
    const exported = async () => (await call(auditLog.list, { query: { kind: ['exported'] } })).body.data[0]
    await expect
      .poll(exported)
      .toMatchObject({ by: { name: byline }, subject: expect.stringMatching(/^trucks.*csv$/) as string })
    const log = await call(auditLog.list, { query: { search: 'Data warehouse', kind: ['exported'] } })
    expect(log.body.total).toBe(1)
  })

  test('is done once under an Idempotency-Key, which is the key’s own', async () => {
    const [one, other] = [await addKey({ access: 'write' }), await addKey({ access: 'write' })]
    const create = (body: ReturnType<typeof newTruck>, token: string) =>
      call(trucks.create, { body }, { token, headers: { 'idempotency-key': 'shared-name' } })
    const body = newTruck()
    const [first, again] = [await create(body, one.token), await create(body, one.token)]
    expect([first.status, again.text]).toEqual([200, first.text])
    // The same name under another key is another request.
    const second = await create(newTruck(), other.token)
    expect([second.status, second.body.data.uid === first.body.data.uid]).toEqual([200, false])
    expect((await create(newTruck(), one.token)).error.code).toBe('keyReused')
  })

  test('leaves nothing behind when it is refused', async () => {
    const { token } = await addKey({ access: 'write' })
    const body = newTruck()
    await call(trucks.create, { body })
    expect((await call(trucks.create, { body }, { token })).error.code).toBe('numberTaken')
    const next = await call(trucks.create, { body: newTruck() })
    const [created] = (await call(trucks.history, { params: { uid: next.body.data.uid }, query: {} })).body.data
    expect(created?.by).toBe('The admin')
  })
})
