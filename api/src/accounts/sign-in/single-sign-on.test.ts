import { generateKeyPairSync } from 'node:crypto'
import { API_BASE, auth, singleSignOn } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openSession } from './queries.ts'
import { openSignOnWorld, PASSWORD, tokenOf } from './test-sign-on.ts'

const world = await openSignOnWorld({ roles: [{ value: 'dispatch', role: 'sales' }] })
const { db, provider, TestBrowser, addPerson, me } = world
const isStaff = { claims: { roles: ['dispatch'] } }

describe('while the identity provider is away', () => {
  test('signing in with it says so, and passwords go on working', async () => {
    const { email } = await addPerson({ role: 'sales' })
    const answer = await world.call(singleSignOn.begin, { body: { next: '/' } }, { token: '' })
    expect([answer.status, answer.error.error]).toEqual([
      503,
      "The company sign-in can't be reached right now. Please try again in a minute.",
    ])
    const byPassword = await world.call(auth.authenticate, { body: { email, password: PASSWORD, clientType: 'web' } })
    expect(byPassword.status).toBe(200)
  })

  test('it is found as soon as it is back, without a restart', async () => {
    await provider.start()
    const { name } = await addPerson(isStaff)
    expect((await new TestBrowser().signIn(name)).status).toBe(200)
  })
})

describe('a sign-in', () => {
  test('opens a session that says how it was made, and leads to the page that was asked for', async () => {
    const { name, email } = await addPerson(isStaff)
    const answer = await new TestBrowser().signIn(name, '/trucks?search=T-1')
    expect(answer.body.data).toMatchObject({ step: 'signedIn', next: '/trucks?search=T-1', user: { email } })
    expect((await me(tokenOf(answer))).body.data.email).toBe(email)
    const session = await db
      .selectFrom('session as s')
      .innerJoin('user_account as u', 'u.uid', 's.user_uid')
      .select('s.made_by')
      .where('u.email', '=', email)
      .executeTakeFirstOrThrow()
    expect(session.made_by).toBe('singleSignOn')
  })

  test('is bound to its browser by a cookie that no script reads and no other site sends', async () => {
    const answer = await world.call(singleSignOn.begin, { body: { next: '/' } }, { token: '' })
    expect(answer.headers['set-cookie']).toMatch(
      /^singleSignOn=[\w-]{43}; Path=\/api\/v1\/authentication\/single-sign-on; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    const random = expect.stringMatching(/^[\w-]{43}$/) as string
    expect(Object.fromEntries(new URL(answer.body.data.url).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: random,
      state: random,
      nonce: random,
    })
  })

  test('leaves nothing in the database that would help to finish it', async () => {
    const browser = new TestBrowser()
    const url = new URL(await browser.begin())
    const flows = await db.selectFrom('single_sign_on_flow').selectAll().execute()
    const kept = JSON.stringify(flows)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(kept).not.toContain(url.searchParams.get(name))
    }
    expect(kept).not.toContain(browser.cookie.split('=')[1])
  })

  test.each(['//elsewhere.com', 'https://elsewhere.com/', '/login', 'javascript:alert(1)'])(
    'does not lead to %s afterwards',
    async (next) => {
      const { name } = await addPerson(isStaff)
      expect((await new TestBrowser().signIn(name, next)).body.data).toMatchObject({ next: '/' })
    },
  )

  test('that the person breaks off says so', async () => {
    const browser = new TestBrowser()
    const answer = await browser.finish(await browser.visit(await browser.begin()))
    expect([answer.status, answer.error.code]).toEqual([401, 'singleSignOnCanceled'])
  })
})

describe('an attacker', () => {
  const refused = [401, 'singleSignOnExpired']
  const outcome = ({ status, error }: { status: number; error: { code?: string } }) => [status, error.code]

  test('cannot let a victim’s browser finish the attacker’s sign-in', async () => {
    const [attacker, victim] = [new TestBrowser(), new TestBrowser()]
    const { name } = await addPerson(isStaff)
    const callback = await attacker.visit(await attacker.begin(), name)
    expect(outcome(await victim.finish(callback))).toEqual(refused)
    // The same while the victim has a sign-in of their own under way, which goes on.
    const own = await victim.begin()
    expect(outcome(await victim.finish(callback))).toEqual(refused)
    expect((await victim.finish(await victim.visit(own, name))).status).toBe(200)
  })

  test('cannot use a callback twice', async () => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const callback = await browser.visit(await browser.begin(), name)
    const answers = await Promise.all([browser.finish(callback), browser.finish(callback), browser.finish(callback)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    expect(outcome(await browser.finish(callback))).toEqual(refused)
  })

  test('cannot use a stolen code in a sign-in of their own: the code belongs to another verifier', async () => {
    const [victim, attacker] = [new TestBrowser(), new TestBrowser()]
    const { name } = await addPerson(isStaff)
    const stolen = new URLSearchParams(await victim.visit(await victim.begin(), name))
    const state = new URL(await attacker.begin()).searchParams.get('state') ?? ''
    const callback = new URLSearchParams({ ...Object.fromEntries(stolen), state }).toString()
    expect(outcome(await attacker.finish(callback))).toEqual([401, 'singleSignOnFailed'])
    expect((await victim.finish(stolen.toString())).status).toBe(200)
  })

  test.each([
    ['another state', (callback: URLSearchParams) => callback.set('state', 'x'.repeat(43))],
    ['no state', (callback: URLSearchParams) => callback.delete('state')],
  ])('with %s is refused before the code is used', async (_, tamper) => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const callback = new URLSearchParams(await browser.visit(await browser.begin(), name))
    const changed = new URLSearchParams(callback)
    tamper(changed)
    expect(outcome(await browser.finish(changed.toString()))).toEqual(refused)
    expect((await browser.finish(callback.toString())).status).toBe(200)
  })

  test.each([
    ['names another provider', (callback: URLSearchParams) => callback.set('iss', 'https://evil.example.com')],
    ['names no provider', (callback: URLSearchParams) => callback.delete('iss')],
    ['has no code', (callback: URLSearchParams) => callback.delete('code')],
    ['has another code', (callback: URLSearchParams) => callback.set('code', 'x'.repeat(43))],
  ])('with a callback that %s is refused', async (_, tamper) => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const callback = new URLSearchParams(await browser.visit(await browser.begin(), name))
    tamper(callback)
    expect(outcome(await browser.finish(callback.toString()))).toEqual([401, 'singleSignOnFailed'])
  })

  test('with a code that was given for another nonce is refused', async () => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const url = new URL(await browser.begin())
    url.searchParams.set('nonce', 'x'.repeat(43))
    expect(outcome(await browser.finish(await browser.visit(url.href, name)))).toEqual([401, 'singleSignOnFailed'])
  })

  test('with a code that was given for another challenge is refused', async () => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const url = new URL(await browser.begin())
    url.searchParams.set('code_challenge', 'x'.repeat(43))
    expect(outcome(await browser.finish(await browser.visit(url.href, name)))).toEqual([401, 'singleSignOnFailed'])
  })

  test('who comes after ten minutes is too late', async () => {
    const browser = new TestBrowser()
    const { name } = await addPerson(isStaff)
    const callback = await browser.visit(await browser.begin(), name)
    await db
      .updateTable('single_sign_on_flow')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(outcome(await browser.finish(callback))).toEqual(refused)
  })
})

describe('signing out', () => {
  async function signIn() {
    const { name } = await addPerson(isStaff)
    const browser = new TestBrowser()
    return { name, browser, token: tokenOf(await browser.signIn(name)) }
  }

  test('leads through the provider’s own sign-out and back to the login page', async () => {
    const { browser, token } = await signIn()
    const { body } = await world.call(auth.logout, {}, { token })
    expect((await me(token)).status).toBe(401)
    const url = new URL(body.data.continueAt ?? '')
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await browser.visitor.signOut(url.href)).toBe('http://localhost:1/login')
  })

  test('keeps the ID token unreadable for everyone but the browser', async () => {
    const { token } = await signIn()
    const kept = await db.selectFrom('single_sign_on_session').select('sealed_id_token').execute()
    for (const { sealed_id_token: sealed } of kept) expect(sealed.toString('latin1')).not.toContain('eyJ')
    expect((await world.call(auth.logout, {}, { token })).body.data.continueAt).toContain('id_token_hint=eyJ')
  })

  test('after a password leads nowhere else', async () => {
    const { email } = await addPerson({ role: 'sales' })
    const { body } = await world.call(auth.authenticate, { body: { email, password: PASSWORD, clientType: 'web' } })
    expect((await world.call(auth.logout, {}, { token: body.data.token })).body.data).toEqual({ done: true })
  })

  /** As a provider sends it: a form. */
  const logOut = (logoutToken: string) =>
    world.app.inject({
      method: 'POST',
      url: `${API_BASE}/${singleSignOn.backChannelLogout.path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: logoutToken }).toString(),
    })

  test('at the provider ends the sessions of that browser here, and no other', async () => {
    const { name, browser, token } = await signIn()
    const elsewhere = tokenOf(await new TestBrowser().signIn(name))
    const other = await signIn()
    await browser.visitor.signOut((await world.call(auth.logout, {}, { token: elsewhere })).body.data.continueAt ?? '')
    const logoutToken = provider.logoutTokens.at(-1) ?? ''
    expect((await logOut(logoutToken)).statusCode).toBe(200)
    expect([await me(token), await me(other.token)].map(({ status }) => status)).toEqual([401, 200])
    const { end_reason: reason } = await db
      .selectFrom('session')
      .select('end_reason')
      .where('end_reason', '=', 'singleSignOnEnded')
      .executeTakeFirstOrThrow()
    expect(reason).toBe('singleSignOnEnded')
    expect((await logOut(logoutToken)).statusCode).toBe(400)
  })

  test('a person at the provider ends all sessions they opened with it, and not those with a password', async () => {
    const { name, email } = await addPerson({ role: 'sales', isInvited: true })
    const first = tokenOf(await new TestBrowser().signIn(name))
    const second = tokenOf(await new TestBrowser().signIn(name))
    const uid = (await me(first)).body.data.userUid
    const byPassword = await openSession(db, uid, { address: '127.0.0.1', userAgent: 'test' })
    expect((await logOut(await provider.signLogoutToken({ sub: name }))).statusCode).toBe(200)
    const states = [await me(first), await me(second), await me(byPassword)].map(({ status }) => status)
    expect(states, email).toEqual([401, 401, 200])
  })

  const anotherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const now = Math.floor(Date.now() / 1000)
  const forged: [string, (sub: string) => Promise<string>][] = [
    ['that another key signed', (sub) => provider.signLogoutToken({ sub }, anotherKey)],
    ['for another client', (sub) => provider.signLogoutToken({ sub, aud: 'another-client' })],
    ['of another provider', (sub) => provider.signLogoutToken({ sub, iss: 'https://evil.example.com' })],
    ['with a nonce: an ID token', (sub) => provider.signLogoutToken({ sub, nonce: 'x' })],
    ['without the event of a logout', (sub) => provider.signLogoutToken({ sub, events: { other: {} } })],
    ['without events', (sub) => provider.signLogoutToken({ sub, events: undefined })],
    ['with null for events', (sub) => provider.signLogoutToken({ sub, events: null })],
    ['for no one', () => provider.signLogoutToken({})],
    ['without an id', (sub) => provider.signLogoutToken({ sub, jti: undefined })],
    ['without an end', (sub) => provider.signLogoutToken({ sub, exp: undefined })],
    ['that has expired', (sub) => provider.signLogoutToken({ sub, iat: now - 300, exp: now - 120 })],
    ['of an hour ago that never expires', (sub) => provider.signLogoutToken({ sub, iat: now - 3600, exp: now + 9e6 })],
    ['without a signature', async (sub) => `${encoded({ alg: 'none' })}.${payloadOf(sub)}.`],
    ['signed with the public key as a secret', async (sub) => `${encoded({ alg: 'HS256' })}.${payloadOf(sub)}.x`],
    ['that is none', async () => 'not-a-token'],
  ]
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const payloadOf = (sub: string) =>
    encoded({ iss: provider.issuer, aud: 'roadshow', sub, iat: now, exp: now + 120, jti: 'x', events: event })

  test('is not done by a logout token that is forged', async () => {
    const { name, token } = await signIn()
    for (const [how, forge] of forged) {
      const answer = await logOut(await forge(name))
      expect([answer.statusCode, answer.json<{ code: string }>().code], how).toEqual([400, 'logoutTokenRefused'])
    }
    expect((await me(token)).status).toBe(200)
    expect((await logOut(await provider.signLogoutToken({ sub: name }))).statusCode).toBe(200)
    expect((await me(token)).status).toBe(401)
  })

  test('is not done by a person’s own ID token', async () => {
    const { name, token } = await signIn()
    const victim = tokenOf(await new TestBrowser().signIn(name))
    const { continueAt = '' } = (await world.call(auth.logout, {}, { token })).body.data
    const answer = await logOut(new URL(continueAt).searchParams.get('id_token_hint') ?? '')
    expect(answer.statusCode).toBe(400)
    expect((await me(victim)).status).toBe(200)
  })
})

describe('a provider that answers nonsense', () => {
  test('is refused with a sentence and never with an error of ours', async () => {
    const browser = new TestBrowser()
    const { name } = await addPerson({ claims: { email: 42, email_verified: 'yes', roles: { a: 1 }, name: ['x'] } })
    const answer = await browser.signIn(name)
    expect([answer.status, answer.error.code]).toEqual([403, 'singleSignOnUnverified'])
  })

  test('that goes away between two steps is named, and nothing else fails', async () => {
    const { name } = await addPerson(isStaff)
    const browser = new TestBrowser()
    const callback = await browser.visit(await browser.begin(), name)
    await provider.stop()
    const answer = await browser.finish(callback)
    expect([answer.status, answer.error.code]).toEqual([503, 'singleSignOnAway'])
    await provider.start()
    expect((await new TestBrowser().signIn(name)).status).toBe(200)
  })
})
