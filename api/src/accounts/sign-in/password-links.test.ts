import { auth, calendar, credentials, DAY_MS, type User, users } from '@roadshow/contract'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { createPasswordLink } from './password-links.ts'

const world = await openWorld()
const { call, db, mails, resetToken } = world

const check = async (token: string) =>
  (await call(auth.checkPasswordLink, { body: { token } }, { token: '' })).body.data
const reset = async (token: string, password = 'four wheels and a drum') =>
  (await call(auth.passwordReset, { body: { token, password } }, { token: '' })).status
const forgot = (email: string, address: string) =>
  call(auth.forgotPasswordMail, { body: { email } }, { token: '', address })

/** The links mailed to an address so far, once there are that many. */
const linksTo = (email: string, count: number) =>
  vi.waitFor(
    () => {
      const found = mails.filter((mail) => mail.to === email && mail.text.includes('token='))
      expect(found).toHaveLength(count)
      return found.map(({ text, kind }) => ({ kind, token: /token=(\S+)/.exec(text)?.[1] ?? '' }))
    },
    { timeout: 10_000 },
  )

let count = 0
async function invite(given: { email?: string } = {}): Promise<User> {
  const email = given.email ?? `invited-${++count}@example.com`
  const body = { name: 'Ivo Lane', email, role: 'driver' as const, modules: ['schedule' as const] }
  return (await call(users.create, { body })).body.data
}
const changeEmail = async ({ userUid, version, name, role, modules }: User, email: string): Promise<User> => {
  const answer = await call(users.update, { body: { userUid, version, name, role, modules, email } })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const passwordOf = (uid: string) =>
  db.selectFrom('user_account').select('password_hash').where('uid', '=', uid).executeTakeFirstOrThrow()

describe('an invitation', () => {
  test('sent to a wrong address opens nothing once the address is corrected, and the right one gets its own', async () => {
    const user = await invite({ email: 'wrong-mailbox@example.com' })
    const [mistaken] = await linksTo('wrong-mailbox@example.com', 1)
    await changeEmail(user, 'right-mailbox@example.com')
    expect(await check(mistaken?.token ?? '')).toEqual({ state: 'unknown' })
    expect(await reset(mistaken?.token ?? '')).toBe(400)
    expect((await passwordOf(user.userUid)).password_hash).toBeNull()
    const [corrected] = await linksTo('right-mailbox@example.com', 1)
    expect(corrected?.kind).toBe('welcome')
    expect(await reset(corrected?.token ?? '')).toBe(200)
  })

  test('ends with the address in whatever way it is written', async () => {
    const { userUid, email } = await invite()
    const [link] = await linksTo(email, 1)
    await db
      .updateTable('user_account')
      .set({ email: `x${email}` })
      .where('uid', '=', userUid)
      .execute()
    // The old address coming back does not bring the link back.
    await db.updateTable('user_account').set({ email }).where('uid', '=', userUid).execute()
    expect(await reset(link?.token ?? '')).toBe(400)
  })

  test('stays good when a stranger asks for a reset, also twice at the same moment', async () => {
    const { userUid, email } = await invite()
    const [invitation] = await linksTo(email, 1)
    await Promise.all([forgot(email, '203.0.113.1'), forgot(email, '203.0.113.2')])
    // One of the two replaces the other, which is not mailed if it has not left yet.
    const links = await vi.waitFor(async () => {
      await world.deliverMails()
      const found = mails.filter((mail) => mail.to === email && mail.kind === 'forgot-password')
      expect(found.length).toBeGreaterThan(0)
      return found.map(({ text }) => ({ token: /token=(\S+)/.exec(text)?.[1] ?? '' }))
    })
    const open = await db
      .selectFrom('password_reset')
      .select(['kind', 'address'])
      .where('user_uid', '=', userUid)
      .where('used_at', 'is', null)
      .where('ended_at', 'is', null)
      .orderBy('kind')
      .execute()
    expect(open.map(({ kind }) => kind)).toEqual(['invitation', 'reset'])
    const { expires_at: end } = await db
      .selectFrom('password_reset')
      .select('expires_at')
      .where('user_uid', '=', userUid)
      .where('kind', '=', 'invitation')
      .executeTakeFirstOrThrow()
    expect(Date.parse(end)).toBeGreaterThan(Date.now() + 6 * DAY_MS)
    expect(await reset(invitation?.token ?? '')).toBe(200)
    // The password ends the resets that were asked for before it.
    for (const { token } of links) expect(await reset(token, 'another drum and wheels')).toBe(400)
  })

  test('does not come back with a deleted user; a restored one gets a new one', async () => {
    const { userUid, email } = await invite()
    const [first] = await linksTo(email, 1)
    await call(users.remove, { params: { uid: userUid } })
    await call(users.restore, { params: { uid: userUid } })
    const [, second] = await linksTo(email, 2)
    expect([await reset(first?.token ?? ''), await reset(second?.token ?? '')]).toEqual([400, 200])
  })
})

describe('a reset', () => {
  test('ends with the address it was mailed to, and a user with a password gets no other', async () => {
    const user = await invite()
    await db.updateTable('user_account').set({ password_hash: 'set' }).where('uid', '=', user.userUid).execute()
    const token = await resetToken(user.userUid)
    const current = (await call(users.get, { params: { uid: user.userUid } })).body.data
    await changeEmail(current, `moved-${user.email}`)
    expect(await reset(token)).toBe(400)
    expect(mails.filter(({ to }) => to === `moved-${user.email}`)).toEqual([])
  })

  test('and a new address at the same moment never leave a link in the old mailbox', async () => {
    const user = await invite()
    const [links] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => createPasswordLink(db, user.userUid))),
      changeEmail(user, `race-${user.email}`),
    ])
    const used = await Promise.all(
      links.map(async (link) => ({ to: link?.email, status: await reset(link?.token ?? '') })),
    )
    expect(used.filter(({ to, status }) => to === user.email && status !== 400)).toEqual([])
  })

  test('used while the address changes ends in one or the other, never in an error', async () => {
    const user = await invite()
    const token = await resetToken(user.userUid)
    const [status] = await Promise.all([reset(token), changeEmail(user, `other-${user.email}`)])
    expect([200, 400]).toContain(status)
  })
})

describe('a link looked at before a password is typed', () => {
  test('says that it is good and for whom, and hides most of the address', async () => {
    const { email } = await invite({ email: 'dana.brooks@example.com' })
    const [link] = await linksTo(email, 1)
    expect(await check(link?.token ?? '')).toEqual({ state: 'valid', kind: 'invitation', email: 'd•••@example.com' })
    expect(await check(link?.token ?? '')).toMatchObject({ state: 'valid' })
  })

  test('says that it was used, has expired, or is unknown, and nothing else', async () => {
    const { userUid } = await invite()
    const expired = await resetToken(userUid)
    await db.updateTable('password_reset').set({ expires_at: new Date() }).where('user_uid', '=', userUid).execute()
    expect(await check(expired)).toEqual({ state: 'expired' })
    const [replaced, used] = [await resetToken(userUid), await resetToken(userUid)]
    expect(await check(replaced)).toEqual({ state: 'unknown' })
    expect(await reset(used)).toBe(200)
    expect(await check(used)).toEqual({ state: 'used' })
    expect(await check('x'.repeat(43))).toEqual({ state: 'unknown' })
  })
})

describe('another email address', () => {
  const isSignedIn = async (token: string) => (await call(auth.me, {}, { token })).status === 200
  const calendarOf = async (token: string) => (await call(calendar.createLink, {}, { token })).body.data.url
  const read = async (url: string) => (await world.app.inject({ url: new URL(url).pathname })).statusCode

  test('given by an admin ends sessions and the calendar link of the old one', async () => {
    const { uid, token } = await world.addUser('driver')
    const url = await calendarOf(token)
    await changeEmail((await call(users.get, { params: { uid } })).body.data, `new-${uid}@example.com`)
    expect([await isSignedIn(token), await read(url)]).toEqual([false, 404])
    const { end_reason: reason } = await db
      .selectFrom('session')
      .select('end_reason')
      .where('user_uid', '=', uid)
      .executeTakeFirstOrThrow()
    expect(reason).toBe('emailChanged')
  })

  test('that an admin gives their own account leaves them signed in', async () => {
    const { uid, token } = await world.addUser('admin')
    const { name, role, modules, version } = (await call(users.get, { params: { uid } })).body.data
    const body = { userUid: uid, version, name, role, modules, email: `mine-${uid}@example.com` }
    expect((await call(users.update, { body }, { token })).status).toBe(200)
    expect(await isSignedIn(token)).toBe(true)
  })
})

describe('the open credentials of a user', () => {
  test('are listed by kind with dates and where from, without secrets, and end one by one', async () => {
    const { uid, email, token } = await world.addUser('driver')
    const url = (await call(calendar.createLink, {}, { token })).body.data.url
    await world.app.inject({ url: new URL(url).pathname, remoteAddress: '203.0.113.44' })
    await forgot(email, '203.0.113.45')
    await linksTo(email, 1)
    const listed = async () => (await call(credentials.ofUser, { params: { uid } })).body.data
    await vi.waitFor(async () => expect((await listed()).at(-1)?.lastUsedAt).not.toBeNull(), { timeout: 10_000 })
    const found = await listed()
    expect(found).toMatchObject([
      { kind: 'session', name: 'test', detail: 'Password', address: '127.0.0.1', isThisOne: false, canEnd: true },
      { kind: 'link', name: 'Password reset', detail: `Sent to ${email}`, address: '203.0.113.45', lastUsedAt: null },
      { kind: 'calendar', name: 'Own shifts', address: '203.0.113.44', expiresAt: null },
    ])
    const own = await call(credentials.own, {}, { token })
    expect(own.body.data.map(({ uid }) => uid)).toEqual(found.map(({ uid }) => uid))
    expect(own.body.data[0]).toMatchObject({ isThisOne: true, canEnd: false })
    expect(own.text).not.toContain(token)

    const other = await world.addUser('driver')
    for (const { kind, uid: credentialUid } of found.toReversed()) {
      const foreign = { uid: other.uid, kind, credentialUid }
      expect((await call(credentials.endOfUser, { params: foreign })).status).toBe(404)
      const params = { kind, uid: credentialUid }
      expect((await call(credentials.endOwn, { params }, { token: other.token })).status).toBe(404)
      expect((await call(credentials.endOfUser, { params: { uid, kind, credentialUid } })).status).toBe(200)
      expect((await call(credentials.endOfUser, { params: { uid, kind, credentialUid } })).status).toBe(404)
    }
    expect(await listed()).toEqual([])
    expect((await world.app.inject({ url: new URL(url).pathname })).statusCode).toBe(404)
    expect((await call(auth.me, {}, { token })).status).toBe(401)
    const noted = await db
      .selectFrom('audit_log')
      .select(['detail', 'subject', 'actor_uid'])
      .where('kind', '=', 'credentialEnded')
      .orderBy('at')
      .execute()
    expect(noted.map(({ detail }) => detail)).toEqual([
      'Calendar link: own shifts',
      `Password link: Password reset, sent to ${email}`,
      'Session: 127.0.0.1',
    ])
    expect(noted[0]).toMatchObject({ subject: 'The driver', actor_uid: world.people.admin.uid })
  })

  test('are ended by their owner, and a kind that does not exist is refused', async () => {
    const { uid, token } = await world.addUser('sales')
    await resetToken(uid)
    const [, link] = (await call(credentials.own, {}, { token })).body.data
    const params = { kind: 'link' as const, uid: link?.uid ?? '' }
    expect((await call(credentials.endOwn, { params }, { token })).status).toBe(200)
    expect((await call(credentials.endOwn, { params }, { token })).status).toBe(404)
    const unknown = { kind: 'crown' as 'link', uid: params.uid }
    expect((await call(credentials.endOwn, { params: unknown }, { token })).status).toBe(400)
  })
})
