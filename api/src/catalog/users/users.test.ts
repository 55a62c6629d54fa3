import {
  auth,
  type BodyOf,
  type RecordChange,
  clients,
  credentials,
  defaultModules,
  roles,
  type User,
  type UserInput,
  users,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openSession } from '../../accounts/sign-in/index.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { addClient, call, db, people } = world

let count = 0
const aPerson = (more: Partial<UserInput> = {}): UserInput => ({
  name: `Person ${++count}`,
  email: `person-${count}@example.com`,
  phone: '',
  role: 'driver',
  modules: [...defaultModules.driver],
  clientUid: null,
  payRates: [],
  photoFileUid: null,
  ...more,
})

const add = async (more: Partial<UserInput> = {}): Promise<User> => {
  const answer = await call(users.create, { body: aPerson(more) })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** A saved user as the form would send it back. */
const inputOf = ({ userUid, version, client, photo, ...user }: User): BodyOf<typeof users.update> => {
  const { name, email, phone, role, modules, payRates } = user
  return {
    userUid,
    version,
    name,
    email,
    phone,
    role,
    modules,
    payRates,
    clientUid: client?.uid ?? null,
    photoFileUid: photo?.uid ?? null,
  }
}

const change = (user: User, more: Partial<UserInput>, token = people.admin.token) =>
  call(users.update, { body: { ...inputOf(user), ...more } }, { token })

const fresh = async ({ userUid }: Pick<User, 'userUid'>) =>
  (await call(users.get, { params: { uid: userUid } })).body.data
const historyOf = async ({ userUid }: User): Promise<RecordChange[]> =>
  (await call(users.history, { params: { uid: userUid }, query: {} })).body.data
const isSignedIn = async (token: string) => (await call(auth.me, {}, { token })).status === 200
const namesOf = async (query: Parameters<typeof call<typeof users.list>>[1]['query']) =>
  (await call(users.list, { query: { pageSize: '200', ...query } })).body.data.map(({ name }) => name)

const rate = (validFrom: string, dollars: number) => ({
  validFrom,
  payHalfDay: dollars * 100,
  payEightHours: dollars * 150,
  payTwelveHours: dollars * 200,
})

describe('a user', () => {
  test('is added, gets a mail with a link to set a password, and signs in with it', async () => {
    const { userUid, email } = await add({
      name: 'Noa Park',
      email: 'Noa.Park@Example.com',
      phone: '+1 (214) 555-0100',
    })
    expect(email).toBe('noa.park@example.com')
    const mail = world.mails.findLast(({ to }) => to === email)
    expect(mail).toMatchObject({ kind: 'welcome', subject: 'Your Roadshow account' })
    expect(mail?.text).toContain('Hello Noa Park')
    expect(mail?.text).toContain('The admin created')
    const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const password = 'four wheels good'
    expect((await call(auth.passwordReset, { body: { token, password } }, { token: '' })).status).toBe(200)
    const signIn = await call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '' })
    expect(signIn.body.data.user).toMatchObject({ userUid, role: 'driver' })
    expect((await fresh({ userUid })).lastSeen).not.toBeNull()
  })

  test('is mailed once however often the same request is sent', async () => {
    const [body, headers] = [aPerson(), { 'idempotency-key': 'add-this-user' }]
    const first = await call(users.create, { body }, { headers })
    const again = await call(users.create, { body }, { headers })
    expect(again.text).toBe(first.text)
    expect(world.mails.filter(({ to }) => to === body.email)).toHaveLength(1)
  })

  test('who was invited gets another link, which ends the first, a few times', async () => {
    const { userUid, email, isInvited } = await add({ name: 'Ivy Lane' })
    expect(isInvited).toBe(true)
    const resend = () => call(users.resendInvitation, { params: { uid: userUid } })
    expect((await resend()).status).toBe(200)
    const [first = '', second = ''] = world.mails
      .filter(({ to }) => to === email)
      .map(({ text }) => /token=(\S+)/.exec(text)?.[1] ?? '')
    const stateOf = async (token: string) =>
      (await call(auth.checkPasswordLink, { body: { token } }, { token: '' })).body.data.state
    expect([await stateOf(first), await stateOf(second)]).toEqual(['unknown', 'valid'])
    const noted = await db
      .selectFrom('audit_log')
      .select('actor_uid')
      .where('kind', '=', 'invitationResent')
      .where('subject', '=', email)
      .execute()
    expect(noted).toEqual([{ actor_uid: world.people.admin.uid }])

    const statuses = []
    for (let asked = 0; asked < 6; asked++) statuses.push((await resend()).status)
    expect(statuses.at(-1)).toBe(429)
    expect(world.mails.filter(({ to }) => to === email).length).toBeLessThan(8)
  })

  test('who has a password is not invited again', async () => {
    const { userUid } = await add({ name: 'Ike Lane' })
    await db.updateTable('user_account').set({ password_hash: 'set' }).where('uid', '=', userUid).execute()
    expect((await fresh({ userUid })).isInvited).toBe(false)
    const { status, error } = await call(users.resendInvitation, { params: { uid: userUid } })
    expect([status, error.code]).toEqual([409, 'notInvited'])
  })

  test('is found by name, email and phone, and by role, module and client', async () => {
    const acme = await addClient('Findable Inc')
    await add({ name: 'Zoe Findme', phone: '555 777 1234' })
    await add({ name: 'Yan Findme', role: 'client', modules: ['pop', 'overview'], clientUid: acme.uid })
    expect(await namesOf({ search: 'findme' })).toEqual(['Yan Findme', 'Zoe Findme'])
    expect(await namesOf({ search: '777 zoe' })).toEqual(['Zoe Findme'])
    expect(await namesOf({ search: 'findme', role: ['client'] })).toEqual(['Yan Findme'])
    expect(await namesOf({ search: 'findme', module: ['payroll'] })).toEqual(['Zoe Findme'])
    expect(await namesOf({ search: 'findme', module: ['payroll', 'overview'], sort: '-name' })).toEqual([
      'Zoe Findme',
      'Yan Findme',
    ])
    expect(await namesOf({ client: [acme.uid] })).toEqual(['Yan Findme'])
  })

  test('sorts by when they were last seen, those never seen at the end', async () => {
    const [early, late, never] = [
      await add({ name: 'Seen A' }),
      await add({ name: 'Seen B' }),
      await add({ name: 'Seen C' }),
    ]
    for (const [user, at] of [
      [early, '2026-01-01'],
      [late, '2026-02-01'],
    ] as const) {
      await db.updateTable('user_account').set({ seen_at: at }).where('uid', '=', user.userUid).execute()
    }
    expect(await namesOf({ search: 'seen', sort: '-lastSeen' })).toEqual(['Seen B', 'Seen A', 'Seen C'])
    expect((await fresh(never)).lastSeen).toBeNull()
  })

  test('being seen is no change: no version, no history', async () => {
    const { uid } = await world.addUser('sales')
    const user = await fresh({ userUid: uid })
    expect([user.version, user.lastSeen === null, (await historyOf(user)).length]).toEqual([1, false, 1])
  })

  test('keeps its rates by day, newest first, and tells in its history which came and went', async () => {
    const [old, now] = [rate('2025-01-01', 100), rate('2026-01-01', 120)]
    const user = await add({ payRates: [old, now] })
    expect(user.payRates).toEqual([now, old])
    const raised = rate('2026-01-01', 130)
    const { body } = await change(user, { payRates: [raised, rate('2026-06-01', 150)] })
    expect(body.data.payRates.map(({ validFrom }) => validFrom)).toEqual(['2026-06-01', '2026-01-01'])
    const told = (await historyOf(user)).flatMap(({ fields, by }) => fields.map((field) => ({ ...field, by })))
    const rates = told.filter(({ field }) => field === 'payRates')
    expect(rates.every(({ by }) => by === 'The admin')).toBe(true)
    expect(rates).toHaveLength(5)
    expect(rates).toContainEqual(
      expect.objectContaining({
        old: expect.objectContaining({ validFrom: '2025-01-01', halfDayCents: 10_000 }),
        new: null,
      }),
    )
  })

  test('with an old version changes nothing and answers 409', async () => {
    const user = await add()
    expect((await change(user, { name: 'First' })).status).toBe(200)
    const second = await change(user, { name: 'Second', payRates: [rate('2026-01-01', 1)] })
    expect([second.status, second.error.code]).toEqual([409, 'staleVersion'])
    expect(await fresh(user)).toMatchObject({ name: 'First', payRates: [], version: 2 })
  })

  test('is exported with what the list shows', async () => {
    await add({ name: 'Ex Ported', payRates: [rate('2020-01-01', 120)] })
    const { text } = await call(users.list, { query: { search: 'ex ported', format: 'csv' } })
    expect(text).toContain('Ex Ported,person-')
    expect(text).toContain(',120,180,240,')
  })
})

describe('what is wrong is said at its field, and nothing changes', () => {
  const wrong: [string, object, string][] = [
    ['no name', { name: ' ' }, 'name'],
    ['no address in the email', { email: 'nobody' }, 'email'],
    ['a word as phone', { phone: 'call me' }, 'phone'],
    ['an unknown role', { role: 'owner' }, 'role'],
    ['an unknown module', { modules: ['pop', 'everything'] }, 'modules.1'],
    ['a client user without a client', { role: 'client' }, 'clientUid'],
    ['a driver with a client', { clientUid: '01900000-0000-7000-8000-000000000000' }, 'clientUid'],
    ['a client that is not', { role: 'client', clientUid: '01900000-0000-7000-8000-000000000000' }, 'clientUid'],
    ['two rates from one day', { payRates: [rate('2026-01-01', 1), rate('2026-01-01', 2)] }, 'payRates'],
    ['a rate of a day that is not', { payRates: [rate('2026-02-30', 1)] }, 'payRates.0.validFrom'],
    ['half a cent', { payRates: [{ ...rate('2026-01-01', 1), payHalfDay: 0.5 }] }, 'payRates.0.payHalfDay'],
    ['negative pay', { payRates: [{ ...rate('2026-01-01', 1), payEightHours: -1 }] }, 'payRates.0.payEightHours'],
    ['a photo of someone else', { photoFileUid: '01900000-0000-7000-8000-000000000000' }, 'photoFileUid'],
    ['a password', { passwordHash: 'x' }, 'passwordHash'],
  ]
  test.each(wrong)('%s', async (_, more, field) => {
    const user = await add()
    const sent = aPerson(more)
    const [created, changed] = [await call(users.create, { body: sent }), await change(user, more)]
    for (const { status, error } of [created, changed])
      expect([status, Object.keys(error.fields ?? {})]).toEqual([400, [field]])
    expect(await fresh(user)).toEqual(user)
    expect(await namesOf({ search: sent.email })).toEqual([])
  })

  test('the email of another user', async () => {
    const [one, other] = [await add(), await add()]
    const answer = await change(one, { email: other.email.toUpperCase() })
    expect([answer.status, answer.error.code, answer.error.conflict]).toEqual([409, 'emailTaken', undefined])
    expect(answer.error.fields).toHaveProperty('email')
  })

  test('the same email twice at the same moment is one user', async () => {
    const bodies = [aPerson({ email: 'twice@example.com' }), aPerson({ email: 'twice@example.com' })]
    const answers = await Promise.all(bodies.map((body) => call(users.create, { body })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})

describe('deleting and restoring', () => {
  test('hides the user, ends their sessions and keeps their past; restoring brings back all but the sessions', async () => {
    const user = await add({ name: 'Gone Soon', payRates: [rate('2026-01-01', 100)] })
    await sql`update user_account set password_hash = 'kept' where uid = ${user.userUid}`.execute(db)
    const { token } = await sessionOf(user)
    expect((await call(users.remove, { params: { uid: user.userUid } })).body.data).toEqual({ userUid: user.userUid })
    expect(await isSignedIn(token)).toBe(false)
    expect(await namesOf({ search: 'gone soon' })).toEqual([])
    expect(await namesOf({ search: 'gone soon', deleted: ['shown'] })).toEqual(['Gone Soon'])
    expect((await fresh(user)).deletedAt).not.toBeNull()
    expect((await historyOf(user))[0]).toMatchObject({ action: 'deleted', by: 'The admin' })
    expect((await call(users.remove, { params: { uid: user.userUid } })).status).toBe(404)
    expect((await change(await fresh(user), { name: 'Ghost' })).status).toBe(409)

    const restored = await call(users.restore, { params: { uid: user.userUid } })
    expect(restored.body.data).toMatchObject({
      name: 'Gone Soon',
      deletedAt: null,
      payRates: [rate('2026-01-01', 100)],
    })
    expect(await isSignedIn(token)).toBe(false)
    const { rows } = await sql<{
      password_hash: string
    }>`select password_hash from user_account where uid = ${user.userUid}`.execute(db)
    expect(rows[0]?.password_hash).toBe('kept')
    expect((await historyOf(user))[0]?.action).toBe('restored')
    expect((await call(users.restore, { params: { uid: user.userUid } })).status).toBe(200)
  })

  test('the total counts deleted users only where they are shown', async () => {
    const user = await add()
    const totals = async () => [
      (await call(users.list, { query: {} })).body.total,
      (await call(users.list, { query: { deleted: 'shown' } })).body.total,
    ]
    const [shown = 0, all = 0] = await totals()
    await call(users.remove, { params: { uid: user.userUid } })
    expect(await totals()).toEqual([shown - 1, all])
  })

  test('the email of a deleted user offers the restore, with what it needs', async () => {
    const user = await add({ name: 'Come Back', email: 'back@example.com' })
    await call(users.remove, { params: { uid: user.userUid } })
    for (const headers of [{}, { 'idempotency-key': 'come-back' }]) {
      const answer = await call(users.create, { body: aPerson({ email: 'Back@example.com' }) }, { headers })
      expect([answer.status, answer.error.code]).toEqual([409, 'emailOfDeleted'])
      expect(answer.error.conflict).toEqual({ uid: user.userUid, name: 'Come Back' })
    }
    const restored = await call(users.restore, { params: { uid: user.userUid } })
    expect(restored.body.data.email).toBe('back@example.com')
  })

  test('no one deletes themselves', async () => {
    const answer = await call(users.remove, { params: { uid: people.admin.uid } })
    expect([answer.status, answer.error.code]).toEqual([409, 'ownAccount'])
    expect(await isSignedIn(people.admin.token)).toBe(true)
  })
})

const sessionOf = async ({ userUid }: Pick<User, 'userUid'>) => ({
  token: await openSession(db, userUid, { address: '10.0.0.7', userAgent: 'Firefox' }),
})

describe('rights', () => {
  test('another role ends the sessions; another module counts from the next call', async () => {
    const user = await add({ role: 'sales', modules: [] })
    const { token } = await sessionOf(user)
    expect((await call(clients.list, { query: {} }, { token })).status).toBe(403)
    const granted = (await change(user, { modules: ['clients'] })).body.data
    expect((await call(clients.list, { query: {} }, { token })).status).toBe(200)
    await change(granted, { role: 'driver' })
    expect(await isSignedIn(token)).toBe(false)
  })

  test('only an admin reaches users, whatever modules others hold', async () => {
    const user = await add()
    const params = { uid: user.userUid }
    const mine = await db
      .selectFrom('session')
      .select('uid')
      .where('user_uid', '=', people.admin.uid)
      .executeTakeFirstOrThrow()
    for (const role of roles.filter((each) => each !== 'admin')) {
      const { token } = await world.addUser(role, [...defaultModules.admin])
      const answers = await Promise.all([
        call(users.list, { query: {} }, { token }),
        call(users.list, { query: { format: 'csv' } }, { token }),
        call(users.get, { params }, { token }),
        call(users.create, { body: aPerson() }, { token }),
        change(user, { role: 'admin' }, token),
        call(users.remove, { params }, { token }),
        call(users.restore, { params }, { token }),
        call(users.forceLogout, { params }, { token }),
        call(users.sessions, { params }, { token }),
        call(
          credentials.endOfUser,
          { params: { uid: people.admin.uid, kind: 'session', credentialUid: mine.uid } },
          { token },
        ),
        call(users.history, { params, query: {} }, { token }),
      ])
      expect(
        answers.map(({ status }) => status),
        role,
      ).toEqual(answers.map(() => 403))
    }
    expect(await fresh(user)).toEqual(user)
  })

  test('an admin without the module Users does not reach them either', async () => {
    const { token } = await world.addUser('admin', ['overview'])
    expect((await call(users.list, { query: {} }, { token })).status).toBe(403)
  })

  test('passwords and their hashes are nowhere to be read', async () => {
    const user = await add()
    await sql`update user_account set password_hash = '$argon2id$secret' where uid = ${user.userUid}`.execute(db)
    const params = { uid: user.userUid }
    const texts = await Promise.all([
      call(users.get, { params }),
      call(users.list, { query: { pageSize: '200' } }),
      call(users.list, { query: { format: 'csv' } }),
      call(users.history, { params, query: {} }),
      call(users.sessions, { params }),
    ])
    for (const { text } of texts) expect(text).not.toMatch(/argon2|password|token/i)
  })
})

describe('inviting a client’s user', () => {
  test('is open to sales and admins, and makes a user of role client with its mail', async () => {
    const acme = await addClient('Invited Inc')
    for (const { token, role } of [people.sales, people.admin]) {
      const body = { clientUid: acme.uid, name: 'Ada Ray', email: `ada-${role}@example.com` }
      const { status, body: answer } = await call(users.invite, { body }, { token })
      expect([status, Object.keys(answer.data)]).toEqual([200, ['userUid', 'name', 'email']])
      expect(await fresh(answer.data)).toMatchObject({
        role: 'client',
        modules: ['pop'],
        client: { name: 'Invited Inc' },
      })
      expect(world.mails.findLast(({ to }) => to === body.email)?.kind).toBe('welcome')
    }
    const body = { clientUid: acme.uid, name: 'No', email: 'no@example.com' }
    for (const role of ['driver', 'client'] as const) {
      const { token } = await world.addUser(role, [...defaultModules.admin])
      expect((await call(users.invite, { body }, { token })).status).toBe(403)
    }
  })

  test('refuses a client that is gone, and tells sales nothing of deleted users', async () => {
    const acme = await addClient('Leaving Inc')
    await call(clients.remove, { params: { uid: acme.uid } })
    const body = { clientUid: acme.uid, name: 'Ada', email: 'ada-late@example.com' }
    const gone = await call(users.invite, { body }, { token: people.sales.token })
    expect([gone.status, Object.keys(gone.error.fields ?? {})]).toEqual([400, ['clientUid']])
    const deleted = await add({ email: 'deleted-contact@example.com' })
    await call(users.remove, { params: { uid: deleted.userUid } })
    const taken = await call(users.invite, { body: { ...body, email: deleted.email } }, { token: people.sales.token })
    expect([taken.status, taken.error.code, taken.error.conflict]).toEqual([409, 'emailTaken', undefined])
  })
})
