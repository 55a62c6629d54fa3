import { auth, credentials, push, users } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openSession } from '../../accounts/sign-in/index.ts'
import { sendDue } from '../../platform/outbox/index.ts'
import { setSealingKey } from '../../platform/runtime/secret-box.ts'
import { pushChannel } from './channel.ts'
import { enqueuePush } from './enqueue.ts'
import { findOrCreateKey } from './keys.ts'
import { MOST_BROWSERS } from './queries.ts'
import { type TestBrowser, TestPushService } from './test-push-service.ts'

const env = { publicUrl: 'https://console.example.com', mailFrom: 'Roadshow <ops@example.com>' }
const privateNetworks = ['127.0.0.1']
const world = await openWorld({ ...env, privateNetworks })
const { db, call, addUser } = world
const service = await TestPushService.open()
afterAll(() => service.close())
service.publicKey = (await findOrCreateKey(db)).publicKey

beforeEach(async () => {
  await db.deleteFrom('message').execute()
  service.delivered.length = 0
})

const log = (error: unknown) => {
  throw error
}
const { signal } = new AbortController()
const channelOf = (networks: string[]) =>
  pushChannel({ db, env: { ...env, brandName: 'Roadshow', privateNetworks: networks } })
const deliver = (channel = channelOf(privateNetworks)) => sendDue(channel, { db, signal, log })

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36'
const subscribe = (token: string, browser: TestBrowser = service.openBrowser()) =>
  call(push.subscribe, { body: browser.subscription }, { token, headers: { 'user-agent': CHROME } })
const browsersOf = async (token: string) => (await call(push.browsers, {}, { token })).body.data.browsers
const messages = () => db.selectFrom('message').select(['state', 'problem', 'log', 'next_at']).execute()

const truckDark = { title: 'T-4 is dark', body: 'No plays for 10 min. Zoë drives it.', path: '/overview?issue=1' }
const send = (userUid: string, more: object = {}) =>
  enqueuePush(db, { kind: 'truckDark', userUid, push: { ...truckDark, ...more } })

/** A user with notifications on in one browser. */
async function openSubscriber(role: 'admin' | 'driver' | 'client' = 'driver') {
  const user = await addUser(role)
  const browser = service.openBrowser()
  const { uid } = (await subscribe(user.token, browser)).body.data
  return { ...user, browser, browserUid: uid }
}

describe('a notification', () => {
  test('arrives encrypted for the browser and signed with the key that it subscribed with', async () => {
    const driver = await openSubscriber()
    await send(driver.uid, { urgency: 'high', tag: 'issue 1', keepSeconds: 600 })
    await deliver()
    expect(service.errors).toEqual([])
    const [{ headers, text, claims, browser }] = service.delivered as [(typeof service.delivered)[0]]
    expect(browser).toBe(driver.browser)
    expect(JSON.parse(text)).toEqual({ ...truckDark, tag: 'issue 1', at: expect.any(String) as unknown })
    expect(headers).toMatchObject({ ttl: '600', urgency: 'high', 'content-encoding': 'aes128gcm' })
    expect(headers['topic']).toMatch(/^[\w-]{32}$/)
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:ops@example.com' })
    expect(await messages()).toMatchObject([{ state: 'sent' }])
    expect(await browsersOf(driver.token)).toMatchObject([
      { name: 'Chrome on Windows', isThisOne: true, acceptedAt: expect.any(String) as unknown },
    ])
  })

  test('goes to every browser of its user and to no one else', async () => {
    const [driver, other] = [await openSubscriber(), await openSubscriber()]
    const phone = service.openBrowser()
    await subscribe(await openSession(db, driver.uid, { address: '127.0.0.1', userAgent: 'test' }), phone)
    await send(driver.uid)
    await deliver()
    expect(new Set(service.delivered.map(({ browser }) => browser))).toEqual(new Set([driver.browser, phone]))
    expect(service.delivered.map(({ browser }) => browser)).not.toContain(other.browser)
  })

  test('with long words in many alphabets still fits', async () => {
    const driver = await openSubscriber()
    await send(driver.uid, { title: '🚚'.repeat(500), body: '🚚'.repeat(5000) })
    await deliver()
    expect(service.delivered).toHaveLength(1)
    const { title, body } = JSON.parse(service.delivered[0]?.text ?? '') as { title: string; body: string }
    expect([Array.from(title).length, Array.from(body).length]).toEqual([100, 300])
  })

  test.each([404, 410])('that the push service answers with %i ends the subscription', async (status) => {
    const driver = await openSubscriber()
    service.replies.push([status])
    await send(driver.uid)
    await deliver()
    expect(await messages()).toMatchObject([
      { state: 'dead', problem: `This browser no longer takes notifications (${status}).` },
    ])
    expect(await browsersOf(driver.token)).toEqual([])
  })

  test('is tried again when the push service says so, and then arrives once', async () => {
    const driver = await openSubscriber()
    service.replies.push([429, { 'retry-after': '120' }])
    await send(driver.uid)
    await deliver()
    const [waiting] = await messages()
    expect(waiting).toMatchObject({ state: 'waiting', problem: 'The push service answered 429' })
    expect(Date.parse(waiting?.next_at ?? '') - Date.now()).toBeGreaterThan(110_000)
    await db
      .updateTable('message')
      .set({ next_at: sql`now()` })
      .execute()
    await deliver()
    expect(await messages()).toMatchObject([{ state: 'sent' }])
    expect(service.delivered).toHaveLength(2)
  })

  test('that the push service took is sent once, though the database fails right after', async () => {
    const driver = await openSubscriber()
    await send(driver.uid)
    await sql`create function refuse_health() returns trigger language plpgsql as $$ begin raise 'Away.'; end $$`.execute(
      db,
    )
    await sql`create trigger refuse_health before update on push_subscription
      for each row execute function refuse_health()`.execute(db)
    const errors: unknown[] = []
    try {
      await sendDue(channelOf(privateNetworks), { db, signal, log: (error) => void errors.push(error) })
    } finally {
      await sql`drop function refuse_health cascade`.execute(db)
    }
    expect(errors).toMatchObject([{ message: 'Away.' }])
    expect(await messages()).toMatchObject([{ state: 'sent', log: [{ outcome: 'accepted' }] }])
    expect(service.delivered).toHaveLength(1)
  })

  test('never leaves for a private network unless it is allowed', async () => {
    const driver = await openSubscriber()
    await send(driver.uid)
    await deliver(channelOf([]))
    expect(service.delivered).toEqual([])
    expect(await messages()).toMatchObject([
      { state: 'waiting', problem: 'This address is in a private network, so nothing is sent to it.' },
    ])
  })

  test('that waits is canceled when its browser changes hands', async () => {
    const driver = await openSubscriber()
    await send(driver.uid)
    const next = await addUser('client')
    await subscribe(next.token, driver.browser)
    await deliver()
    expect(service.delivered).toEqual([])
    expect(await messages()).toMatchObject([
      { state: 'cancelled', problem: 'Notifications were turned off in this browser.' },
    ])
    expect([await browsersOf(driver.token), (await browsersOf(next.token)).length]).toEqual([[], 1])
  })

  test('that waits reaches a browser that has swapped its subscription meanwhile', async () => {
    const driver = await openSubscriber()
    await send(driver.uid)
    const swapped = service.openBrowser()
    expect((await subscribe(driver.token, swapped)).body.data.uid).toBe(driver.browserUid)
    await deliver()
    expect(service.delivered.map(({ browser }) => browser)).toEqual([swapped])
    expect(await messages()).toMatchObject([{ state: 'sent' }])
    expect(await browsersOf(driver.token)).toMatchObject([{ uid: driver.browserUid, isThisOne: true }])
  })

  test('is refused with the reason by a node with another SECRET_KEY', async () => {
    const driver = await openSubscriber()
    // The message is sealed with the new key, the subscription with the old one.
    setSealingKey(Buffer.alloc(32, 7))
    await send(driver.uid)
    await deliver()
    expect(await messages()).toMatchObject([
      { state: 'dead', problem: expect.stringContaining('SECRET_KEY') as unknown },
    ])
  })
})

test('the keys are made once, and all nodes share them', async () => {
  await db.deleteFrom('push_key').execute()
  const made = await Promise.all(Array.from({ length: 5 }, () => findOrCreateKey(db)))
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
  service.publicKey = made[0]?.publicKey ?? ''
  const { body } = await call(push.browsers, {})
  expect(body.data.publicKey).toBe(service.publicKey)
  const { rows } = await sql<{ key: string }>`select encode(sealed_private_key, 'escape') as key from push_key`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})

describe('a subscription', () => {
  test.each([
    ['plain HTTP', { endpoint: 'http://push.example.com/1' }, 'endpoint'],
    ['a private network', { endpoint: 'https://10.0.0.1/1' }, 'endpoint'],
    ['another scheme', { endpoint: 'file:///etc/passwd' }, 'endpoint'],
  ])('with %s is refused', async (_, change, field) => {
    const closed = await openWorldWithoutNetworks()
    const body = { ...service.openBrowser().subscription, ...change }
    const { status, error } = await closed.call(push.subscribe, { body })
    expect([status, Object.keys(error.fields ?? {})]).toEqual([400, [field]])
  })

  test('with a key that is no point on the curve is refused', async () => {
    const { endpoint, keys } = service.openBrowser().subscription
    const p256dh = Buffer.alloc(65, 4).toString('base64url')
    const { status, error } = await call(push.subscribe, { body: { endpoint, keys: { ...keys, p256dh } } })
    expect([status, error.fields]).toEqual([400, { 'keys.p256dh': "The browser's public key is malformed." }])
  })

  test('made again by the same browser stays one', async () => {
    const driver = await openSubscriber()
    await subscribe(driver.token, driver.browser)
    await subscribe(driver.token)
    expect(await browsersOf(driver.token)).toHaveLength(1)
  })

  test('beyond the most that a user can have takes the place of the least used one', async () => {
    const driver = await openSubscriber()
    for (let count = 0; count < MOST_BROWSERS; count++)
      await subscribe(await openSession(db, driver.uid, { address: '127.0.0.1', userAgent: 'test' }))
    const left = await browsersOf(driver.token)
    expect([left.length, left.some(({ uid }) => uid === driver.browserUid)]).toEqual([MOST_BROWSERS, false])
  })

  test('of a user who is signed in elsewhere is confirmed, and another user’s ends', async () => {
    const driver = await openSubscriber()
    const { endpoint } = driver.browser
    const confirm = async (token: string) =>
      (await call(push.confirm, { body: { endpoint } }, { token })).body.data.isOn
    const later = await openSession(db, driver.uid, { address: '127.0.0.1', userAgent: 'test' })
    expect(await confirm(later)).toBe(true)
    expect(await browsersOf(later)).toMatchObject([{ isThisOne: true }])
    const next = await addUser('driver')
    expect(await confirm(next.token)).toBe(false)
    expect(await confirm(driver.token)).toBe(false)
  })

  const endings: [what: string, end: (user: Awaited<ReturnType<typeof openSubscriber>>) => Promise<unknown>][] = [
    ['signing out', ({ token }) => call(auth.logout, {}, { token })],
    ['a forced sign-out', ({ uid }) => call(users.forceLogout, { params: { uid } })],
    ['deletion of the user', ({ uid }) => call(users.remove, { params: { uid } })],
    [
      'another role',
      ({ uid }) => db.updateTable('user_account').set({ role: 'sales' }).where('uid', '=', uid).execute(),
    ],
    [
      'another password',
      ({ uid }) => db.updateTable('user_account').set({ password_hash: 'other' }).where('uid', '=', uid).execute(),
    ],
    [
      'turning it off in Sign-in & access',
      ({ token, browserUid: uid }) => call(credentials.endOwn, { params: { kind: 'push', uid } }, { token }),
    ],
    [
      'signing out everywhere else',
      async ({ uid }) => {
        const token = await openSession(db, uid, { address: '127.0.0.1', userAgent: 'test' })
        return call(auth.endOtherSessions, {}, { token })
      },
    ],
  ]
  test.each(endings)('ends with %s', async (_, end) => {
    const driver = await openSubscriber()
    const rows = () => db.selectFrom('push_subscription').select('uid').where('user_uid', '=', driver.uid).execute()
    expect(await rows()).toHaveLength(1)
    await end(driver)
    expect(await rows()).toEqual([])
  })

  test('outlasts a session that only expires', async () => {
    const driver = await openSubscriber()
    await db
      .updateTable('session')
      .set({ ended_at: sql`now()`, end_reason: 'expired' })
      .where('user_uid', '=', driver.uid)
      .execute()
    await send(driver.uid)
    await deliver()
    expect(service.delivered).toHaveLength(1)
  })

  test('is among the user’s credentials, without its address or keys', async () => {
    const driver = await openSubscriber()
    const { text, body } = await call(credentials.own, {}, { token: driver.token })
    expect(body.data.filter(({ kind }) => kind === 'push')).toMatchObject([{ name: 'Chrome on Windows', canEnd: true }])
    expect(text).not.toContain(new URL(driver.browser.endpoint).pathname)
  })

  test('gets a test notification, of its own user only', async () => {
    const [driver, other] = [await openSubscriber(), await openSubscriber()]
    const params = { uid: driver.browserUid }
    expect((await call(push.test, { params }, { token: other.token })).status).toBe(404)
    const answers = [1, 2].map(() => call(push.test, { params }, { token: driver.token }))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    await deliver()
    expect([statuses.toSorted((a, b) => a - b), service.delivered.length]).toEqual([[200, 429], 1])
  })
})

let closedWorld: ReturnType<typeof openWorld> | undefined
/** The API as it is without OUTBOUND_PRIVATE_NETWORKS. */
const openWorldWithoutNetworks = () => (closedWorld ??= openWorld(env, { url: world.url }))
