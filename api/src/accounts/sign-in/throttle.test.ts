import { auth } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { hashPassword } from './passwords.ts'
import { countAttempt, type AttemptLimit } from './throttle.ts'

const world = await openWorld()
const { db } = world

const RIGHT = 'seven wet boots'
const rightHash = await hashPassword(RIGHT)

let street = 0
const newAddress = () => `10.0.0.${++street}`

async function addPerson() {
  const { uid, email } = await world.addUser('sales')
  await db.updateTable('user_account').set({ password_hash: rightHash }).where('uid', '=', uid).execute()
  return { email, address: newAddress() }
}

const signIn = (email: string, password: string, address = newAddress()) =>
  world.call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '', address })

describe('too many attempts', () => {
  const accountOf = (email: string) => ({ key: `login account:${email}`, free: 5 })
  const addressOf = (address: string) => ({ key: `login address:${address}`, free: 30 })

  /** Attempts that fail, without the time that a password takes. */
  async function fail(limit: AttemptLimit, times: number) {
    for (let n = 1; n <= times; n++) await countAttempt(db, [limit])
  }

  /** Makes a wait that has begun outlast the test, however slow the machine. */
  const prolong = async ({ key }: AttemptLimit) => {
    const { rows } = await sql`update throttle set blocked_until = blocked_until + interval '1 minute'
                                where key = ${key} and blocked_until > last_at returning key`.execute(db)
    expect(rows, 'the wait has begun').toHaveLength(1)
  }

  test('at one account are refused for a while that is told, from every address', async () => {
    const { email } = await addPerson()
    for (let n = 1; n <= 6; n++) expect((await signIn(email, 'wrong')).status, `attempt ${n}`).toBe(401)
    await prolong(accountOf(email))
    const refused = await signIn(email.toUpperCase(), RIGHT)
    expect([refused.status, refused.error.code]).toEqual([429, 'tooMany'])
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThanOrEqual(61)
    expect(refused.error.error).toBe(`Too many attempts. Please try again in ${seconds} seconds.`)
  })

  test('at an account that does not exist are refused the same way', async () => {
    await fail(accountOf('no-one@example.com'), 5)
    expect((await signIn('no-one@example.com', 'wrong')).status).toBe(401)
    await prolong(accountOf('no-one@example.com'))
    expect((await signIn('no-one@example.com', 'wrong')).status).toBe(429)
  })

  test('are waited for twice as long each time, up to 15 minutes', async () => {
    const limit = accountOf('impatient@example.com')
    await fail(limit, 5)
    const waits: number[] = []
    for (let n = 1; n <= 13; n++) {
      await countAttempt(db, [limit])
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
    const limit = accountOf('yesterday@example.com')
    await fail(limit, 6)
    await sql`update throttle set blocked_until = now() - interval '25 hours', last_at = now() - interval '25 hours'
               where key = ${limit.key}`.execute(db)
    await fail(limit, 6)
    await prolong(limit)
    await expect(countAttempt(db, [limit])).rejects.toMatchObject({ code: 'tooMany' })
  })

  test('from one address are refused whatever accounts they try', async () => {
    const { email, address } = await addPerson()
    await fail(addressOf(address), 30)
    expect((await signIn('someone@example.com', 'wrong', address)).status).toBe(401)
    await prolong(addressOf(address))
    expect((await signIn(email, RIGHT, address)).status).toBe(429)
    expect((await signIn(email, RIGHT)).status).toBe(200)
  })

  test('from all addresses of one IPv6 subscriber count together', async () => {
    const { email } = await addPerson()
    const network = addressOf('2001:db8:0:5::/64')
    await fail(network, 30)
    expect((await signIn('someone@example.com', 'wrong', '2001:db8:0:5::1')).status).toBe(401)
    await prolong(network)
    expect((await signIn(email, RIGHT, '2001:db8:0:5:ffff::2')).status).toBe(429)
    expect((await signIn(email, RIGHT, '2001:db8:0:6::2')).status).toBe(200)
  })

  test('from an address that must wait do not count against the accounts they name', async () => {
    const { email, address } = await addPerson()
    await fail(addressOf(address), 31)
    await prolong(addressOf(address))
    for (let n = 1; n <= 8; n++) expect((await signIn(email, 'wrong', address)).status).toBe(429)
    expect((await signIn(email, RIGHT)).status).toBe(200)
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

  test('that failed are forgotten when one succeeds', async () => {
    const { email, address } = await addPerson()
    await fail(addressOf(address), 3)
    for (let round = 1; round <= 2; round++) {
      await fail(accountOf(email), 5)
      expect((await signIn(email, RIGHT, address)).status, `round ${round}`).toBe(200)
    }
    const left = await db.selectFrom('throttle').select(['key', 'failures']).execute()
    expect(left.filter(({ key }) => key === accountOf(email).key)).toEqual([])
    expect(left.find(({ key }) => key === addressOf(address).key)?.failures).toBe(3)
  })
})
