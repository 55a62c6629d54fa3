import { auth } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { hashPassword } from './passwords.ts'
import { rememberNetwork } from './known-networks.ts'
import { attemptLimits, countAgainst, type AttemptLimit } from './throttle.ts'

const world = await openWorld()
const { db } = world

const RIGHT = 'seven wet boots'
const rightHash = await hashPassword(RIGHT)

let street = 0
const newAddress = () => `10.0.${Math.floor(++street / 250)}.${street % 250}`

async function addPerson() {
  const { uid, email } = await world.addUser('sales')
  await db.updateTable('user_account').set({ password_hash: rightHash }).where('uid', '=', uid).execute()
  return { uid, email, address: newAddress() }
}

const signIn = (email: string, password: string, address = newAddress()) =>
  world.call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '', address })

const limitsOf = (email: string, address: string) => ({
  network: { key: `login network:${address}`, free: 30 },
  pair: { key: `login pair:${address} ${email}`, free: 5 },
  subject: { key: `login subject:${email}`, free: 20 },
})

/** Attempts that fail, without the time that a password takes. */
async function fail(limit: AttemptLimit, times: number) {
  for (let n = 1; n <= times; n++) await countAgainst(db, [limit])
}

/** Makes a wait that has begun outlast the test, however slow the machine. */
const prolong = async ({ key }: AttemptLimit) => {
  const { rows } = await sql`update throttle set blocked_until = blocked_until + interval '1 minute'
                              where key = ${key} and blocked_until > last_at returning key`.execute(db)
  expect(rows, 'the wait has begun').toHaveLength(1)
}
const failuresOf = async ({ key }: AttemptLimit) =>
  (await db.selectFrom('throttle').select('failures').where('key', '=', key).executeTakeFirst())?.failures

describe('too many attempts', () => {
  test('at one account from one network are refused for a while that is told', async () => {
    const { email, address } = await addPerson()
    for (let n = 1; n <= 6; n++) expect((await signIn(email, 'wrong', address)).status, `attempt ${n}`).toBe(401)
    await prolong(limitsOf(email, address).pair)
    const refused = await signIn(email.toUpperCase(), RIGHT, address)
    expect([refused.status, refused.error.code]).toEqual([429, 'tooMany'])
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThanOrEqual(61)
    expect(refused.error.error).toBe(`Too many attempts. Please try again in ${seconds} seconds.`)
    expect((await signIn(email, RIGHT)).status).toBe(200)
  })

  test('at one account from many networks are refused from every network that it does not know', async () => {
    const { email } = await addPerson()
    const { subject } = limitsOf(email, '')
    for (let n = 1; n <= 20; n++) await countAgainst(db, Object.values(limitsOf(email, newAddress())))
    expect((await signIn(email, 'wrong')).status).toBe(401)
    await prolong(subject)
    expect((await signIn(email, RIGHT)).status).toBe(429)
    const waited = await failuresOf(subject)
    for (let n = 1; n <= 50; n++) expect((await signIn(email, 'wrong')).status).toBe(429)
    expect(await failuresOf(subject)).toBe(waited)
  })

  test('at an account that does not exist are refused the same way', async () => {
    const email = 'no-one@example.com'
    const { pair, subject } = limitsOf(email, '10.9.0.1')
    await fail(pair, 5)
    expect((await signIn(email, 'wrong', '10.9.0.1')).status).toBe(401)
    await prolong(pair)
    expect((await signIn(email, 'wrong', '10.9.0.1')).status).toBe(429)
    await fail(subject, 19)
    expect((await signIn(email, 'wrong')).status).toBe(401)
    await prolong(subject)
    expect((await signIn(email, 'wrong')).status).toBe(429)
  })

  test('are waited for twice as long each time, up to 15 minutes', async () => {
    const limit = limitsOf('impatient@example.com', '').subject
    await fail(limit, 20)
    const waits: number[] = []
    for (let n = 1; n <= 13; n++) {
      await countAgainst(db, [limit])
      const { rows } = await sql<{ wait: number }>`
        select extract(epoch from blocked_until - last_at)::float as wait from throttle where key = ${limit.key}`.execute(
        db,
      )
      waits.push(Math.round(rows[0]?.wait ?? NaN))
      await db
        .updateTable('throttle')
        .set({ blocked_until: new Date(0) })
        .where('key', '=', limit.key)
        .execute()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('are forgotten after a day', async () => {
    const limit = limitsOf('yesterday@example.com', '10.9.0.2').pair
    await fail(limit, 6)
    await sql`update throttle set blocked_until = now() - interval '25 hours', last_at = now() - interval '25 hours'
               where key = ${limit.key}`.execute(db)
    await fail(limit, 6)
    await prolong(limit)
    await expect(countAgainst(db, [limit])).rejects.toMatchObject({ code: 'tooMany' })
  })

  test('from one network are refused whatever accounts they try', async () => {
    const { email, address } = await addPerson()
    const { network } = limitsOf(email, address)
    await fail(network, 30)
    expect((await signIn('someone@example.com', 'wrong', address)).status).toBe(401)
    await prolong(network)
    expect((await signIn(email, RIGHT, address)).status).toBe(429)
    expect((await signIn(email, RIGHT)).status).toBe(200)
  })

  test('from all addresses of one IPv6 subscriber count together', async () => {
    const { email } = await addPerson()
    const { network } = limitsOf(email, '2001:db8:0:5::/64')
    await fail(network, 30)
    expect((await signIn('someone@example.com', 'wrong', '2001:db8:0:5::1')).status).toBe(401)
    await prolong(network)
    expect((await signIn(email, RIGHT, '2001:db8:0:5:ffff::2')).status).toBe(429)
    expect((await signIn(email, RIGHT, '2001:db8:0:6::2')).status).toBe(200)
  })

  test('from a network that must wait do not count against the accounts they name', async () => {
    const { email, address } = await addPerson()
    const { network, pair, subject } = limitsOf(email, address)
    await fail(network, 31)
    await prolong(network)
    for (let n = 1; n <= 8; n++) expect((await signIn(email, 'wrong', address)).status).toBe(429)
    expect([await failuresOf(pair), await failuresOf(subject)]).toEqual([undefined, undefined])
  })

  test('sent at the same moment are not let through together', async () => {
    const { email, address } = await addPerson()
    const start = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, 'wrong', address)))
    const seconds = (performance.now() - start) / 1000
    const compared = answers.filter(({ status }) => status === 401).length
    // Five are free and the sixth starts the wait; on a slow machine a wait may have passed meanwhile.
    expect(compared).toBeGreaterThanOrEqual(6)
    expect(compared).toBeLessThanOrEqual(6 + Math.floor(Math.log2(1 + seconds)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - compared)
  })

  test('with the right one among them never end in anything but yes, no or wait', async () => {
    const { email } = await addPerson()
    const tries = Array.from({ length: 20 }, (_, n) => signIn(email, n % 4 === 0 ? RIGHT : 'wrong'))
    for (const { status } of await Promise.all(tries)) expect([200, 401, 429]).toContain(status)
  })

  test('that failed in one’s own network are forgotten when one succeeds; those of strangers are not', async () => {
    const { email, address } = await addPerson()
    const { network, pair, subject } = limitsOf(email, address)
    await fail(network, 3)
    await fail(subject, 7)
    for (let round = 1; round <= 2; round++) {
      await fail(pair, 5)
      expect((await signIn(email, RIGHT, address)).status, `round ${round}`).toBe(200)
    }
    expect([await failuresOf(pair), await failuresOf(network), await failuresOf(subject)]).toEqual([undefined, 3, 7])
  })
})

describe('a stranger', () => {
  /** Tries an account from fifty networks until each must wait. */
  async function hammer(email: string) {
    const { subject } = limitsOf(email, '')
    for (let n = 1; n <= 50; n++)
      await countAgainst(db, Object.values(limitsOf(email, newAddress()))).catch(() => undefined)
    await prolong(subject)
  }

  test('who hammers an account from 50 networks does not keep its owner out where they signed in before', async () => {
    const { email, address } = await addPerson()
    expect((await signIn(email, RIGHT, address)).status).toBe(200)
    await hammer(email)
    expect((await signIn(email, RIGHT, address)).status).toBe(200)
    // Elsewhere, the right password waits like any other.
    expect((await signIn(email, RIGHT)).status).toBe(429)
  })

  test('gets no exception where the owner’s last sign-in was more than 60 days ago', async () => {
    const { uid, email, address } = await addPerson()
    await rememberNetwork(db, uid, address)
    await sql`update known_network set seen_at = now() - interval '61 days' where owner_uid = ${uid}`.execute(db)
    await hammer(email)
    expect((await signIn(email, RIGHT, address)).status).toBe(429)
  })

  test('in a known network still has five attempts, and then waits', async () => {
    const { uid, email, address } = await addPerson()
    await rememberNetwork(db, uid, address)
    const limits = await attemptLimits(db, { what: 'login', subject: email, ownerUid: uid, address })
    expect(limits.subject).toBeUndefined()
    await fail(limits.pair, 6)
    await prolong(limits.pair)
    expect((await signIn(email, RIGHT, address)).status).toBe(429)
  })

  test('who knew the old password is no longer known after a new one; the owner is, at once', async () => {
    const { uid, email, address } = await addPerson()
    const stranger = newAddress()
    await rememberNetwork(db, uid, stranger)
    const body = { token: await world.resetToken(uid), password: 'four wheels and a drum' }
    expect((await world.call(auth.passwordReset, { body }, { token: '', address })).status).toBe(200)
    await hammer(email)
    expect((await signIn(email, body.password, address)).status).toBe(200)
    expect((await signIn(email, body.password, stranger)).status).toBe(429)
  })

  const forgot = (email: string, address = newAddress()) =>
    world.call(auth.forgotPasswordMail, { body: { email } }, { token: '', address })
  const mailsTo = (email: string) => world.mails.filter(({ to }) => to === email)

  test('cannot use up the reset mails of an owner, nor fill their mailbox', async () => {
    const { uid, email, address } = await addPerson()
    await rememberNetwork(db, uid, address)
    const statuses: number[] = []
    for (let n = 1; n <= 6; n++) statuses.push((await forgot(email)).status)
    expect(statuses).toEqual(Array(6).fill(200))
    await prolong({ key: `reset subject:${email}`, free: 5 })
    for (let n = 1; n <= 20; n++) expect((await forgot(email)).status).toBe(429)
    for (let n = 1; n <= 4; n++) expect((await forgot(email, address)).status, `own ${n}`).toBe(200)
    await prolong({ key: `reset pair:${address} ${email}`, free: 3 })
    expect((await forgot(email, address)).status).toBe(429)
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(10), { timeout: 10_000 })
  })
})
