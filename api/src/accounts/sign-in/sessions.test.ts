import { auth, credentials, users } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openSession } from './queries.ts'

const world = await openWorld()
const { db } = world

const another = (uid: string) => openSession(db, uid, { address: '203.0.113.9', userAgent: 'Another browser' })
const whoAmI = async (token: string) => (await world.call(auth.me, {}, { token })).status
const sessionOf = (found: { uid: string } | undefined) => ({ kind: 'session' as const, uid: found?.uid ?? '' })
const mine = async (token: string) => (await world.call(auth.sessions, {}, { token })).body.data

test.each(['admin', 'sales', 'driver', 'client'] as const)(
  'a %s sees their own sessions, and ends one of them',
  async (role) => {
    const { uid, token } = await world.addUser(role)
    const other = await another(uid)
    const found = await mine(token)
    expect(new Set(found.map(({ userAgent, isThisOne, endedAt }) => `${userAgent} ${isThisOne} ${endedAt}`))).toEqual(
      new Set(['Another browser false null', 'test true null']),
    )
    const there = found.find(({ isThisOne }) => !isThisOne)
    const ended = await world.call(credentials.endOwn, { params: sessionOf(there) }, { token })
    expect([ended.status, await whoAmI(other), await whoAmI(token)]).toEqual([200, 401, 200])
    expect((await mine(token)).find(({ isThisOne }) => !isThisOne)?.endedAt).not.toBeNull()
  },
)

test('all others are ended at once, and this one stays', async () => {
  const { uid, token } = await world.addUser('driver')
  const others = [await another(uid), await another(uid)]
  const { body } = await world.call(auth.endOtherSessions, {}, { token })
  expect(body.data).toEqual({ ended: 2 })
  expect(await Promise.all([...others, token].map(whoAmI))).toEqual([401, 401, 200])
})

test('no one ends a session of someone else', async () => {
  const [one, other] = [await world.addUser('client'), await world.addUser('client')]
  const [session] = await mine(other.token)
  const answer = await world.call(credentials.endOwn, { params: sessionOf(session) }, { token: one.token })
  expect([answer.status, answer.error.code, await whoAmI(other.token)]).toEqual([404, 'notFound', 200])
  await world.call(auth.endOtherSessions, {}, { token: one.token })
  expect(await whoAmI(other.token)).toBe(200)
})

const reasons: [what: string, end: (uid: string) => Promise<unknown>, sentence: string][] = [
  [
    'signed out by an admin',
    (uid) => world.call(users.forceLogout, { params: { uid } }),
    'You were signed out by an administrator',
  ],
  ['deleted', (uid) => world.call(users.remove, { params: { uid } }), 'Your account was deleted.'],
  ['given another role', (uid) => change(uid, { role: 'sales' }), 'Your role was changed.'],
  [
    'given another email address',
    (uid) => change(uid, { email: `x-${uid}@example.com` }),
    'Your email address was changed.',
  ],
  [
    'away for too long',
    (uid) =>
      db
        .updateTable('session')
        .set({ expires_at: new Date(0) })
        .where('user_uid', '=', uid)
        .execute(),
    'You were signed out because your session expired.',
  ],
]
const change = (uid: string, values: { role?: string; email?: string }) =>
  db.updateTable('user_account').set(values).where('uid', '=', uid).execute()

test.each(reasons)('a user who was %s learns why with the next call', async (_, end, sentence) => {
  const { uid, token } = await world.addUser('driver')
  await end(uid)
  const answer = await world.call(auth.me, {}, { token })
  expect([answer.status, answer.error.code]).toEqual([401, 'signedOut'])
  expect(answer.error.error).toContain(sentence)
})

test('a token that never opened a session learns nothing', async () => {
  const answer = await world.call(auth.me, {}, { token: 'x'.repeat(43) })
  expect(answer.error).toEqual({ code: 'signedOut', error: 'Your session has ended. Please sign in again.' })
})
