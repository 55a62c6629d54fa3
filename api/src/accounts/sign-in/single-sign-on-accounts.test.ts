import { auth, credentials, defaultModules, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { createPasswordLink } from './password-links.ts'
import { openSession } from './queries.ts'
import { openSignOnWorld, PASSWORD, tokenOf } from './test-sign-on.ts'

const world = await openSignOnWorld({
  roles: [
    { value: 'fleet-admins', role: 'admin' },
    { value: 'dispatch', role: 'sales' },
  ],
})
const { db, mails, provider, TestBrowser, addPerson, changeClaims, me } = world
await provider.start()

const outcome = ({ status, error }: { status: number; error: { code?: string } }) => [status, error.code]
const identitiesOf = (userUid: string) =>
  db.selectFrom('single_sign_on_identity').selectAll().where('user_uid', '=', userUid).execute()
const mailTo = (email: string) => mails.findLast(({ to }) => to === email)
const confirmTokenIn = (email: string) => /\/login\?confirm=([\w-]+)/.exec(mailTo(email)?.text ?? '')?.[1] ?? ''

describe('an account that has an owner', () => {
  test('is never opened silently: the browser learns what has to be confirmed, and nothing is linked', async () => {
    const { name, email, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    const pending = { step: 'confirm', email, accountName: 'Dana Brooks', ways: ['password', 'mail'] }
    expect((await browser.signIn(name)).body.data).toEqual(pending)
    expect((await browser.confirmation()).body.data).toEqual(pending)
    expect(await identitiesOf(uid)).toEqual([])
    // Again later, the same question.
    expect((await new TestBrowser().signIn(name)).body.data).toMatchObject({ step: 'confirm' })
  })

  test('is linked once its password was given, and from then on opens at once', async () => {
    const { name, email, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name, '/trucks')
    expect(outcome(await browser.confirmByPassword('not the password'))).toEqual([401, 'wrongPassword'])
    const confirmed = await browser.confirmByPassword(PASSWORD)
    expect(confirmed.body.data).toMatchObject({ step: 'signedIn', next: '/trucks', user: { email } })
    expect(await identitiesOf(uid)).toMatchObject([{ issuer: provider.issuer, subject: name, email }])
    expect(mailTo(email)?.text).toContain('From now on, signing in with Acme opens your Roadshow account.')
    expect(outcome(await browser.confirmByPassword(PASSWORD))).toEqual([401, 'singleSignOnExpired'])
    expect((await new TestBrowser().signIn(name)).body.data).toMatchObject({ step: 'signedIn' })
  })

  test('is not linked by a password that is replaced meanwhile', async () => {
    const { name, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    const { confirming } = await db.transaction().execute(async (owner) => {
      await sql`select from user_account where uid = ${uid} for no key update`.execute(owner)
      const confirming = browser.confirmByPassword(PASSWORD)
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect((await waiting.execute(db)).rows).toHaveLength(1), { timeout: 10_000 })
      await owner.updateTable('user_account').set({ password_hash: 'another' }).where('uid', '=', uid).execute()
      return { confirming }
    })
    expect(outcome(await confirming)).toEqual([401, 'wrongPassword'])
    expect(await identitiesOf(uid)).toEqual([])
  })

  test('is linked by a mailed link, in the browser that asked for it and nowhere else', async () => {
    const { name, email, uid } = await addPerson({ role: 'sales' })
    const [browser, other] = [new TestBrowser(), new TestBrowser()]
    await browser.signIn(name)
    expect((await browser.mailConfirmation()).status).toBe(200)
    const token = confirmTokenIn(email)
    expect(mailTo(email)?.text).toContain(`Someone signed in with Acme as ${email}`)
    expect(outcome(await other.confirmByMail(token))).toEqual([401, 'singleSignOnExpired'])
    await other.begin()
    expect(outcome(await other.confirmByMail(token))).toEqual([401, 'singleSignOnExpired'])
    expect(outcome(await browser.confirmByMail('x'.repeat(43)))).toEqual([401, 'singleSignOnExpired'])
    expect(await identitiesOf(uid)).toEqual([])
    expect((await browser.confirmByMail(token)).body.data).toMatchObject({ step: 'signedIn' })
    expect(outcome(await browser.confirmByMail(token))).toEqual([401, 'singleSignOnExpired'])
    expect(await identitiesOf(uid)).toHaveLength(1)
  })

  test('cannot be confirmed by the cookie alone', async () => {
    const { name, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    expect(outcome(await browser.confirmByMail('undefined'))).toEqual([401, 'singleSignOnExpired'])
    expect(await identitiesOf(uid)).toEqual([])
  })

  test('whose address has changed meanwhile is not linked', async () => {
    const { name, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    await db
      .updateTable('user_account')
      .set({ email: `new-${name}@example.com` })
      .where('uid', '=', uid)
      .execute()
    expect(outcome(await browser.confirmByPassword(PASSWORD))).toEqual([401, 'singleSignOnExpired'])
  })

  test('waits for its owner for half an hour', async () => {
    const { name } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    await db
      .updateTable('single_sign_on_confirmation')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(outcome(await browser.confirmByPassword(PASSWORD))).toEqual([401, 'singleSignOnExpired'])
    expect(outcome(await browser.mailConfirmation())).toEqual([401, 'singleSignOnExpired'])
  })

  test('whose mail was late can be confirmed for half an hour after the mail was sent, in a browser that kept its cookie', async () => {
    const { name, email, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    const mailed = await browser.mailConfirmation()
    const [, seconds = '0'] = /Max-Age=(\d+)/i.exec(String(mailed.headers['set-cookie'])) ?? []
    expect(Number(seconds)).toBeGreaterThan(2 * 24 * 3600)
    const sentAgo = (minutes: number) =>
      sql`update message set done_at = now() - ${minutes} * interval '1 minute' where user_uid = ${uid} and kind = 'confirm-single-sign-on'`.execute(
        db,
      )
    // It waited an hour for the mail server.
    await sql`update single_sign_on_confirmation set expires_at = expires_at - interval '1 hour' where user_uid = ${uid}`.execute(
      db,
    )
    await sentAgo(31)
    expect(outcome(await browser.confirmByMail(confirmTokenIn(email)))).toEqual([401, 'singleSignOnExpired'])
    await sentAgo(29)
    expect((await browser.confirmByMail(confirmTokenIn(email))).body.data).toMatchObject({ step: 'signedIn' })
  })

  test('keeps nothing readable of the identity that waits', async () => {
    const { name } = await addPerson({ role: 'sales' })
    await new TestBrowser().signIn(name)
    const rows = await db.selectFrom('single_sign_on_confirmation').select('sealed_identity').execute()
    for (const { sealed_identity: sealed } of rows) expect(sealed.toString('latin1')).not.toContain(name)
  })

  test('is not found by an address that the provider has not verified', async () => {
    const { name, uid } = await addPerson({ role: 'admin', claims: { email_verified: false, roles: ['fleet-admins'] } })
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([403, 'singleSignOnUnverified'])
    expect(await identitiesOf(uid)).toEqual([])
  })

  test.each([
    [{ email_verified: true }, { email_verified: false }],
    [{ xms_edov: true, email_verified: true }, { email_verified: undefined }],
  ])('is not found by an address of one answer that another verifies: %j, %j', async (idTokenClaims, claims) => {
    const { name, uid } = await addPerson({ role: 'admin', claims: { ...claims, roles: ['fleet-admins'] } })
    provider.people.set(name, { claims: {}, ...provider.people.get(name), idTokenClaims })
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([403, 'singleSignOnUnverified'])
    expect(await identitiesOf(uid)).toEqual([])
  })

  test('guesses of its password count as any other', async () => {
    const { name } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    const answers = []
    for (let tries = 0; tries < 7; tries++) answers.push((await browser.confirmByPassword('wrong')).status)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('an account that was invited and never used', () => {
  test('opens at once, and the link of the invitation is of no more use', async () => {
    const { name, uid } = await addPerson({ role: 'sales', isInvited: true })
    const link = await createPasswordLink(db, uid, { kind: 'invitation' })
    tokenOf(await new TestBrowser().signIn(name))
    const body = { token: link?.token ?? '', password: PASSWORD }
    expect(outcome(await world.call(auth.passwordReset, { body }))).toEqual([400, 'resetTokenUsed'])
  })

  test('opens at once for the verified address, keeps its role, and ends with the address', async () => {
    const { name, uid } = await addPerson({ role: 'client', isInvited: true, claims: { roles: ['fleet-admins'] } })
    const token = tokenOf(await new TestBrowser().signIn(name))
    expect((await me(token)).body.data).toMatchObject({ userUid: uid, role: 'client' })
    // The address was a typo: the person behind it loses what the invitation gave.
    await db
      .updateTable('user_account')
      .set({ email: `right-${name}@example.com` })
      .where('uid', '=', uid)
      .execute()
    expect((await me(token)).status).toBe(401)
    expect(await identitiesOf(uid)).toEqual([])
  })
})

describe('a person without an account', () => {
  test('gets one with the role of the claim and its default modules', async () => {
    const { name, email } = await addPerson({ claims: { roles: ['others', 'dispatch'] } })
    const token = tokenOf(await new TestBrowser().signIn(name))
    const { data } = (await me(token)).body
    expect(data).toMatchObject({ email, name: 'Dana Brooks', role: 'sales' })
    expect(data.roleAccess.map(({ moduleKey }) => moduleKey)).toEqual(defaultModules.sales)
  })

  test('is refused without such a claim, and leaves no account', async () => {
    const { name, email } = await addPerson({ claims: { roles: ['others'] } })
    const answer = await new TestBrowser().signIn(name)
    expect([answer.status, answer.error.error]).toEqual([
      403,
      'There is no account for you here yet. Ask an administrator to invite you.',
    ])
    expect(await db.selectFrom('user_account').where('email', '=', email).select('uid').execute()).toEqual([])
  })

  test('who signs in twice at once gets one account', async () => {
    const { name, email } = await addPerson({ claims: { roles: ['dispatch'] } })
    const answers = await Promise.all([new TestBrowser().signIn(name), new TestBrowser().signIn(name)])
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(await db.selectFrom('user_account').where('email', '=', email).select('uid').execute()).toHaveLength(1)
  })

  test('whose account was deleted is refused, and gets no other one', async () => {
    const { name, uid } = await addPerson({ role: 'sales', claims: { roles: ['dispatch'] } })
    await world.call(users.remove, { params: { uid } })
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([403, 'accountDeleted'])
  })
})

describe('the role', () => {
  test('follows the claim at each sign-in, with the modules of the role, and ends older sessions', async () => {
    const { name } = await addPerson({ claims: { roles: ['dispatch'] } })
    const before = tokenOf(await new TestBrowser().signIn(name))
    changeClaims(name, { roles: ['fleet-admins'] })
    const after = tokenOf(await new TestBrowser().signIn(name))
    expect((await me(before)).status).toBe(401)
    const { data } = (await me(after)).body
    expect([data.role, data.roleAccess.length]).toEqual(['admin', defaultModules.admin.length])
  })

  test('that a claim gave ends with the claim, together with the sessions it opened', async () => {
    const { name } = await addPerson({ claims: { roles: ['dispatch'] } })
    const token = tokenOf(await new TestBrowser().signIn(name))
    changeClaims(name, { roles: [] })
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([403, 'singleSignOnNoRole'])
    expect((await me(token)).status).toBe(401)
  })

  test('that an invitation gave stays without a claim', async () => {
    const { name } = await addPerson({ role: 'driver', isInvited: true })
    const answers = [await new TestBrowser().signIn(name), await new TestBrowser().signIn(name)]
    for (const answer of answers) expect(answer.body.data).toMatchObject({ user: { role: 'driver' } })
  })

  test('of the last admin is not taken: a sentence says so, and all stays as it was', async () => {
    const { name } = await addPerson({ claims: { roles: ['fleet-admins'] } })
    const token = tokenOf(await new TestBrowser().signIn(name))
    const others = await db
      .updateTable('user_account')
      .set({ modules: [] })
      .where('role', '=', 'admin')
      .where('uid', '<>', (await me(token)).body.data.userUid)
      .returning('uid')
      .execute()
    changeClaims(name, { roles: ['dispatch'] })
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([409, 'lastAdminByClaim'])
    expect((await me(token)).body.data.role).toBe('admin')
    for (const { uid } of others) {
      const modules = [...defaultModules.admin]
      await db.updateTable('user_account').set({ modules }).where('uid', '=', uid).execute()
    }
  })
})

describe('the account itself', () => {
  test('can be deleted and restored, and opens again only when it is there', async () => {
    const { name, uid } = await addPerson({ role: 'sales', isInvited: true })
    const token = tokenOf(await new TestBrowser().signIn(name))
    await world.call(users.remove, { params: { uid } })
    expect((await me(token)).status).toBe(401)
    expect(outcome(await new TestBrowser().signIn(name))).toEqual([403, 'accountDeleted'])
    await world.call(users.restore, { params: { uid } })
    expect((await new TestBrowser().signIn(name)).status).toBe(200)
  })

  test('has its sign-ins, refusals and links in the audit log, without a token', async () => {
    const { name, email } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    await browser.mailConfirmation()
    const token = confirmTokenIn(email)
    await browser.confirmByMail(token)
    const entries = await db.selectFrom('audit_log').selectAll().where('subject', '=', email).orderBy('at').execute()
    expect(entries.map(({ kind }) => kind)).toEqual(['confirmationMailed', 'identityLinked', 'signedIn'])
    expect(JSON.stringify(entries)).not.toContain(token)
  })
})

describe('a linked identity', () => {
  const listed = async (token: string) =>
    (await world.call(credentials.own, {}, { token })).body.data.filter(({ kind }) => kind === 'singleSignOn')

  test('is in its owner’s list, and unlinked ends the sessions it opened and asks again', async () => {
    const { name, email, uid } = await addPerson({ role: 'sales' })
    const browser = new TestBrowser()
    await browser.signIn(name)
    const token = tokenOf(await browser.confirmByPassword(PASSWORD))
    const byPassword = await openSession(db, uid, { address: '127.0.0.1', userAgent: 'test' })
    const [identity] = await listed(byPassword)
    expect(identity).toMatchObject({ name: new URL(provider.issuer).host, detail: email, canEnd: true })
    const params = { kind: 'singleSignOn', uid: identity?.uid ?? '' } as const
    expect((await world.call(credentials.endOwn, { params }, { token: byPassword })).status).toBe(200)
    expect([await me(token), await me(byPassword)].map(({ status }) => status)).toEqual([401, 200])
    expect((await new TestBrowser().signIn(name)).body.data).toMatchObject({ step: 'confirm' })
  })

  test('that is the only way in stays, unless an admin takes it away', async () => {
    const { name, uid } = await addPerson({ role: 'sales', isInvited: true })
    const token = tokenOf(await new TestBrowser().signIn(name))
    const [identity] = await listed(token)
    const params = { kind: 'singleSignOn', uid: identity?.uid ?? '' } as const
    expect(outcome(await world.call(credentials.endOwn, { params }, { token }))).toEqual([409, 'lastWayIn'])
    expect((await me(token)).status).toBe(200)
    const ofUser = { uid, kind: 'singleSignOn', credentialUid: identity?.uid ?? '' } as const
    expect((await world.call(credentials.endOfUser, { params: ofUser })).status).toBe(200)
    expect((await me(token)).status).toBe(401)
  })

  test('of another user is out of reach', async () => {
    const [mine, theirs] = [
      await addPerson({ role: 'sales', isInvited: true }),
      await addPerson({ role: 'sales', isInvited: true }),
    ]
    const token = tokenOf(await new TestBrowser().signIn(mine.name))
    const other = tokenOf(await new TestBrowser().signIn(theirs.name))
    const [identity] = await listed(other)
    const params = { kind: 'singleSignOn', uid: identity?.uid ?? '' } as const
    expect((await world.call(credentials.endOwn, { params }, { token })).status).toBe(404)
    expect((await me(other)).status).toBe(200)
  })
})

describe('where passwords are switched off', async () => {
  const off = await openSignOnWorld({ isPasswordSignInOff: true })
  await off.provider.start()

  test('none opens an account, resets one or sets one, and a sentence says why', async () => {
    const { email } = await off.addPerson({ role: 'sales' })
    const sentence = 'Passwords are not used here. Please sign in with your company account.'
    const answers = [
      await off.call(auth.authenticate, { body: { email, password: PASSWORD, clientType: 'web' } }),
      await off.call(auth.forgotPasswordMail, { body: { email } }),
      await off.call(auth.passwordReset, { body: { token: 'x', password: PASSWORD } }),
    ]
    for (const { status, error } of answers) expect([status, error.error]).toEqual([403, sentence])
    expect(off.mails).toEqual([])
  })

  test('an invitation names the company sign-in and no password', async () => {
    const email = 'invited-to-acme@example.com'
    const body = { name: 'Zoe Park', email, role: 'sales' as const, modules: ['clients' as const] }
    expect((await off.call(users.create, { body })).status).toBe(200)
    const text = off.mails.findLast(({ to }) => to === email)?.text ?? ''
    expect(text).toContain('Sign in:\nhttp://localhost:1/login\n\nSign in with Acme and this email address.')
    expect(text).not.toMatch(/password|token/i)
  })

  test('an account’s owner confirms by mail, and people who are signed in stay so', async () => {
    const { name, email, uid } = await off.addPerson({ role: 'sales' })
    const earlier = await openSession(off.db, uid, { address: '127.0.0.1', userAgent: 'test' })
    const browser = new off.TestBrowser()
    expect((await browser.signIn(name)).body.data).toMatchObject({ step: 'confirm', ways: ['mail'] })
    expect(outcome(await browser.confirmByPassword(PASSWORD))).toEqual([403, 'passwordSignInOff'])
    await browser.mailConfirmation()
    const token = /confirm=([\w-]+)/.exec(off.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
    expect((await browser.confirmByMail(token)).body.data).toMatchObject({ step: 'signedIn' })
    expect((await off.me(earlier)).status).toBe(200)
  })
})
