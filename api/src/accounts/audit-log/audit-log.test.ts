import { type AuditKind, auditLog, auth, devices, payroll, trucks, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../sign-in/index.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, people } = world

const RIGHT = 'seven wet boots'
const rightHash = await hashPassword(RIGHT)

let street = 0
const newAddress = () => `10.3.0.${++street}`

async function addPerson() {
  const person = await world.addUser('sales')
  await db.updateTable('user_account').set({ password_hash: rightHash }).where('uid', '=', person.uid).execute()
  return { ...person, address: newAddress() }
}

const signIn = (email: string, password: string, address: string) =>
  world.call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '', address })

type Query = Parameters<typeof world.call<typeof auditLog.list>>[1]['query']
const entries = async (query: Query) => (await world.call(auditLog.list, { query: { sort: 'at', ...query } })).body.data
const told = async (query: Query) =>
  (await entries(query)).map(({ kind, by, subject, detail }) => [kind, by?.uid, subject, detail])

describe('the audit log tells', () => {
  test('who signed in and out, who tried to, from where and in which call', async () => {
    const { uid, email, address } = await addPerson()
    await signIn(email, 'wrong', address)
    await signIn('nobody@example.com', 'wrong', address)
    const { token } = (await signIn(email, RIGHT, address)).body.data
    await world.call(auth.logout, {}, { token, address })
    const found = await entries({ search: address })
    expect(found.map(({ kind, by, subject, detail }) => [kind, by?.uid, subject, detail])).toEqual([
      ['signInFailed', undefined, email, 'wrong password'],
      ['signInFailed', undefined, 'nobody@example.com', 'unknown account'],
      ['signedIn', uid, email, ''],
      ['signedOut', uid, email, ''],
    ])
    expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(4)
    for (const entry of found) {
      expect(entry).toMatchObject({ address, userAgent: expect.stringContaining('lightMyRequest') as string })
      expect(entry.requestId).not.toBe('')
      expect(JSON.stringify(entry)).not.toContain('wrong"')
    }
  })

  test('that attempts were refused, once a minute and not each of a flood', async () => {
    const address = newAddress()
    const key = `login network:${address}`
    await sql`insert into throttle values (${key}, 99, now() + interval '1 hour', now())`.execute(db)
    // All in the same minute.
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let n = 1; n <= 5; n++) expect((await signIn(`n${n}@example.com`, 'wrong', address)).status).toBe(429)
    vi.useRealTimers()
    expect(await told({ search: address, kind: 'signInThrottled' })).toEqual([
      ['signInThrottled', undefined, 'n1@example.com', ''],
    ])
  })

  test('who asked for a new password, and who set one', async () => {
    const { uid, email, address } = await addPerson()
    await world.call(auth.forgotPasswordMail, { body: { email } }, { token: '', address })
    const token = await world.resetToken(uid)
    await world.call(auth.passwordReset, { body: { token, password: 'a fresh password' } }, { token: '', address })
    expect(await told({ search: address })).toEqual([
      ['resetAsked', undefined, email, ''],
      ['passwordSet', uid, email, ''],
    ])
    expect(JSON.stringify(await entries({ search: address }))).not.toContain('fresh')
  })

  test('whose sessions were ended by whom', async () => {
    const { uid } = await addPerson()
    await world.call(users.forceLogout, { params: { uid } })
    const found = await told({ kind: 'sessionsEnded', by: people.admin.uid })
    expect(found).toEqual([['sessionsEnded', people.admin.uid, 'The sales', 'all, 1 open']])
  })

  test('who took which rows out', async () => {
    for (const number of ['A-1', 'A-2']) {
      await world.call(trucks.create, { body: { number, kind: 'led', state: 'active' } })
    }
    const address = newAddress()
    for (const format of ['csv', 'xlsx'] as const) {
      await world.call(trucks.list, { query: { format, search: 'A-', state: 'active' } }, { address })
    }
    await vi.waitFor(async () => expect(await entries({ search: address })).toHaveLength(2), { timeout: 10_000 })
    const day = new Date().toISOString().slice(0, 10)
    const detail = '2 rows; search: A-; state: Active'
    expect(await told({ search: address })).toEqual([
      ['exported', people.admin.uid, `trucks_${day}.csv`, detail],
      ['exported', people.admin.uid, `trucks_${day}.xlsx`, detail],
    ])
  })

  test('what was published and withdrawn', async () => {
    const program = await world.addProgram({ name: 'Shown and hidden' })
    const show = (version: number | null) =>
      sql`update pop set shown_version = ${version}, changed_by = ${people.sales.uid} where uid = ${program.uid}`
    await sql`insert into pop_version (program_uid, number, published_at, published_by, note, changes, document, sha256, opening)
      values (${program.uid}, 1, now(), ${people.sales.uid}, '', '{}', '{}', ${'a'.repeat(64)}, '{}')`.execute(db)
    await show(1).execute(db)
    await show(null).execute(db)
    expect(await told({ search: 'Shown and hidden' })).toEqual([
      ['popPublished', people.sales.uid, 'Shown and hidden', 'version: 1'],
      ['popWithdrawn', people.sales.uid, 'Shown and hidden', 'version: 1 → '],
    ])
  })

  test('what the history of users, devices and pay periods has of access and keys', async () => {
    const { uid } = await world.addUser('driver')
    const { data: user } = (await world.call(users.get, { params: { uid } })).body
    const person = { name: 'Renamed', email: user.email, role: 'driver' } as const
    await world.call(users.update, { body: { ...person, modules: user.modules, userUid: uid, version: user.version } })
    await world.call(users.update, {
      body: { ...person, modules: ['pop'], userUid: uid, version: user.version + 1 },
    })
    await world.call(users.remove, { params: { uid } })
    const kinds = async (query: Query) => (await entries(query)).map(({ kind }): AuditKind => kind)
    // A new name opens nothing.
    expect(await kinds({ search: 'Renamed' })).toEqual(['userAdded', 'accessChanged', 'userDeleted'])
    const [changed] = await entries({ search: 'Renamed', kind: 'accessChanged' })
    expect(changed?.detail).toBe('modules: ["schedule", "pop", "payroll", "userSchedule"] → ["pop"]')
    expect(changed?.by?.uid).toBe(people.admin.uid)

    const truck = (await world.call(trucks.create, { body: { number: 'D-1', kind: 'led', state: 'active' } })).body.data
    const macAddress = '02:00:00:00:00:01'
    const body = { truckUid: truck.uid, kind: 'player', macAddress } as const
    const device = (await world.call(devices.create, { body })).body.data
    const { code } = (await world.call(devices.code, { params: device })).body.data
    await world.call(devices.pair, { body: { macAddress, code } }, { token: '' })
    await world.call(devices.revoke, { params: device })
    await world.call(devices.remove, { params: device })
    expect(await kinds({ search: macAddress })).toEqual([
      'deviceCode',
      'devicePaired',
      'deviceRevoked',
      'deviceDeleted',
    ])

    const days = { from: '2020-03-02', to: '2020-03-08', cents: 0 }
    const period = (await world.call(payroll.approve, { body: days })).body.data
    const move = (version: number, state: 'locked' | 'approved', reason: string) =>
      world.call(payroll.move, { body: { uid: period.uid, version, state, reason } })
    await move(1, 'locked', '')
    await move(2, 'approved', 'A shift was missing')
    const moves = await entries({ search: '2020-03-02 to 2020-03-08' })
    expect(moves.map(({ kind }) => kind)).toEqual(['payPeriodMoved', 'payPeriodMoved', 'payPeriodMoved'])
    expect(moves.at(-1)?.detail).toBe('state: locked → approved; reason: A shift was missing')
  })
})

describe('an entry of the audit log', () => {
  test('can be neither changed nor deleted, nor the history', async () => {
    for (const table of ['audit_log', 'history']) {
      for (const statement of [`update ${table} set address = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(`${table} is only ever added to`)
      }
    }
  })

  test('that cannot be written keeps no one out', async () => {
    const { email, address } = await addPerson()
    await sql`alter table audit_log rename to audit_log_away`.execute(db)
    try {
      expect((await signIn(email, RIGHT, address)).status).toBe(200)
      expect((await signIn(email, 'wrong', address)).status).toBe(401)
    } finally {
      await sql`alter table audit_log_away rename to audit_log`.execute(db)
    }
  })
})

describe('the list', () => {
  test('is paged, filtered by day, newest first, and is a file', async () => {
    await sql`insert into audit_log (kind, at) values ('signedIn', now() - interval '399 days')`.execute(db)
    const { body } = await world.call(auditLog.list, { query: { pageSize: '2' } })
    expect(body.data).toHaveLength(2)
    expect(body.total).toBeGreaterThan(10)
    expect(String(body.data[0]?.at) >= String(body.data[1]?.at)).toBe(true)
    const today = new Date().toISOString().slice(0, 10)
    expect((await world.call(auditLog.list, { query: { from: today, to: today } })).body.total).toBe(body.total - 1)
    expect((await world.call(auditLog.list, { query: { to: '2020-01-01' } })).body.total).toBe(0)
    const file = await world.call(auditLog.list, { query: { format: 'csv', kind: 'signInThrottled' } })
    expect(file.text).toContain('# 1 row; what: Sign-in blocked: too many attempts')
  })

  test('is for admins', async () => {
    for (const role of ['sales', 'driver', 'client'] as const) {
      const { token } = await world.addUser(role, ['users', 'overview'])
      expect((await world.call(auditLog.list, { query: {} }, { token })).status).toBe(403)
    }
  })
})
