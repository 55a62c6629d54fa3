import { auth, secondFactors, users } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openFactors, PASSWORD } from './test-factors.ts'

const world = await openWorld()
const { call, db } = world
const { signIn, addPerson, pending, finish, addCodeApp, addPasskey } = openFactors(world)

const reset = async ({ uid }: { uid: string }) => {
  const body = { token: await world.resetToken(uid), password: 'four wheels and a drum' }
  return (await call(auth.passwordReset, { body }, { token: '' })).status
}
const resetFactors = async ({ uid }: { uid: string }) =>
  (await call(users.resetFactors, { params: { uid } }, { token: world.people.admin.token })).status
const whoAmI = async (token: string) => (await call(auth.me, {}, { token })).status

const openSessions = ({ uid }: { uid: string }) =>
  db.selectFrom('session').select('uid').where('user_uid', '=', uid).where('ended_at', 'is', null).execute()
const pendingSignIns = ({ uid }: { uid: string }) =>
  db.selectFrom('pending_sign_in').select('user_uid').where('user_uid', '=', uid).execute()

/** Does something while another connection holds a lock. */
const whileLocked = <T>(lock: RawBuilder<unknown>, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (holder) => {
    await lock.execute(holder)
    return work()
  })

/** Settles once that many statements wait for a lock. */
const waitingForLocks = (count: number) =>
  vi.waitFor(
    async () => {
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      expect((await waiting.execute(db)).rows).toHaveLength(count)
    },
    { timeout: 10_000 },
  )

type Person = Awaited<ReturnType<typeof addPerson>>

/** Signs in with the right password; the change is made after the password was accepted, before there is a session. */
async function signInDuring(person: Person, change: () => Promise<unknown>) {
  const { answer } = await whileLocked(sql`lock table passkey in access exclusive mode`, async () => {
    const answer = signIn(person.email)
    await waitingForLocks(1)
    await change()
    return { answer }
  })
  return answer
}

describe('a right password opens nothing', () => {
  test('once another one was set meanwhile', async () => {
    const person = await addPerson()
    const { status, error } = await signInDuring(person, async () => expect(await reset(person)).toBe(200))
    expect([status, error.code]).toEqual([401, 'wrongPassword'])
    expect(await openSessions(person)).toEqual([])
    expect((await signIn(person.email, 'four wheels and a drum')).status).toBe(200)
  })

  test('and leads to no second step', async () => {
    const person = await addPerson()
    await addCodeApp(person)
    const { status, error } = await signInDuring(person, async () => expect(await reset(person)).toBe(200))
    expect([status, error.code]).toEqual([401, 'wrongPassword'])
    expect(error.secondFactor).toBeUndefined()
    expect(await pendingSignIns(person)).toEqual([])
  })

  test.each([
    ['another address', { email: 'another-mailbox@example.com' }],
    ['a deletion', { deleted_at: new Date() }],
  ])('after %s', async (_, change) => {
    const person = await addPerson()
    const { status, error } = await signInDuring(person, () =>
      db.updateTable('user_account').set(change).where('uid', '=', person.uid).execute(),
    )
    expect([status, error.code]).toEqual([401, 'wrongPassword'])
    expect(await openSessions(person)).toEqual([])
  })

  test('but does when nothing changed', async () => {
    const person = await addPerson()
    expect((await signInDuring(person, async () => {})).status).toBe(200)
  })
})

/** Makes a change while a sign-in is about to write its session: new sessions wait for a change of the required roles. */
async function changeDuring<T>(start: () => Promise<T>, change: () => Promise<number>) {
  const roles = sql`select pg_advisory_xact_lock(hashtext('second_factor_roles'))`
  const { signingIn, changing } = await whileLocked(roles, async () => {
    const signingIn = start()
    await waitingForLocks(1)
    const changing = change()
    await Promise.race([changing, waitingForLocks(2)])
    return { signingIn, changing }
  })
  return { answer: await signingIn, status: await changing }
}

describe('a change that ends sessions also ends the one that is about to open', () => {
  test('by a password', async () => {
    const person = await addPerson()
    const { answer, status } = await changeDuring(
      () => signIn(person.email, PASSWORD),
      () => reset(person),
    )
    expect(status).toBe(200)
    expect(await openSessions(person)).toEqual([])
    expect(await whoAmI(answer.body.data.token)).toBe(401)
  })

  test.each([
    ['another password', reset],
    ['a reset of the factors', resetFactors],
  ])('by a second factor: %s', async (_, change) => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    const { token } = await pending(person.email)
    const { answer, status } = await changeDuring(
      () => finish(token, { code: app.code() }),
      () => change(person),
    )
    expect(status).toBe(200)
    expect(await openSessions(person)).toEqual([])
    expect(await whoAmI(answer.body.data.token)).toBe(401)
  })

  test('by a passkey alone', async () => {
    const person = await addPerson()
    const { passkey } = await addPasskey(person)
    const options = (await call(secondFactors.challengeSignIn, {}, { token: '' })).body.data
    const body = { passkey: passkey.answer(options) }
    const { answer, status } = await changeDuring(
      () => call(secondFactors.signInWithPasskey, { body }, { token: '' }),
      () => resetFactors(person),
    )
    expect(status).toBe(200)
    expect(await openSessions(person)).toEqual([])
    expect(await whoAmI(answer.body.data.token)).toBe(401)
  })
})

test('a passkey that is removed while its answer is checked opens nothing', async () => {
  const person = await addPerson()
  const { passkey } = await addPasskey(person)
  const options = (await call(secondFactors.challengeSignIn, {}, { token: '' })).body.data
  const body = { passkey: passkey.answer(options) }
  const lockOwner = sql`select from user_account where uid = ${person.uid} for no key update`
  const { signingIn } = await db.transaction().execute(async (admin) => {
    await lockOwner.execute(admin)
    const signingIn = call(secondFactors.signInWithPasskey, { body }, { token: '' })
    await waitingForLocks(1)
    await admin.deleteFrom('passkey').where('user_uid', '=', person.uid).execute()
    return { signingIn }
  })
  const { status, error } = await signingIn
  expect([status, error.code]).toEqual([401, 'passkeyRefused'])
})
