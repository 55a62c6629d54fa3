import { type BodyOf, type User, users } from '@roadshow/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { openSession } from '../../accounts/sign-in/index.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

type Update = BodyOf<typeof users.update>

async function inputOf(uid: string, token: string): Promise<Update> {
  const { data } = (await call(users.get, { params: { uid } }, { token })).body
  const { userUid, version, name, email, phone, role, modules }: User = data
  return { userUid, version, name, email, phone, role, modules, clientUid: null, payRates: [], photoFileUid: null }
}

const change = async (uid: string, more: Partial<Update>, token = people.admin.token) =>
  call(users.update, { body: { ...(await inputOf(uid, token)), ...more } }, { token })

const setRole = (uid: string, role: string) =>
  db.updateTable('user_account').set({ role }).where('uid', '=', uid).execute()

const activeAdmins = async () => {
  const { rows } = await call(users.list, { query: { role: 'admin', module: 'users' } }).then(({ body }) => ({
    rows: body.data,
  }))
  return rows.map(({ userUid }) => userUid)
}

afterEach(async () => {
  await setRole(people.admin.uid, 'admin')
  people.admin.token = await openSession(db, people.admin.uid, { address: '127.0.0.1', userAgent: 'test' })
  for (const uid of await activeAdmins()) if (uid !== people.admin.uid) await setRole(uid, 'sales')
})

describe('the last active admin', () => {
  test.each<[string, Partial<Update>]>([
    ['demoted', { role: 'sales' }],
    ['locked out of the users', { modules: ['overview'] }],
  ])('is not %s', async (_, more) => {
    const answer = await change(people.admin.uid, more)
    expect([answer.status, answer.error.code]).toEqual([409, 'lastAdmin'])
    expect(await inputOf(people.admin.uid, people.admin.token)).toMatchObject({ role: 'admin' })
  })

  test('is not deleted by someone who is no such admin any more', async () => {
    const other = await world.addUser('admin')
    expect((await change(other.uid, { modules: ['overview'] })).status).toBe(200)
    expect((await call(users.remove, { params: { uid: people.admin.uid } }, { token: other.token })).status).toBe(403)
  })

  type Pair = { one: string; other: string; tokens: [string, string] }
  const both: [string, (pair: Pair) => Promise<{ status: number }[]>][] = [
    [
      'demote',
      async ({ one, other, tokens }) => {
        const [first, second] = [await inputOf(one, tokens[1]), await inputOf(other, tokens[0])]
        return Promise.all([
          call(users.update, { body: { ...first, role: 'driver' } }, { token: tokens[1] }),
          call(users.update, { body: { ...second, role: 'driver' } }, { token: tokens[0] }),
        ])
      },
    ],
    [
      'lock out',
      async ({ one, other, tokens }) => {
        const [first, second] = [await inputOf(one, tokens[1]), await inputOf(other, tokens[0])]
        return Promise.all([
          call(users.update, { body: { ...first, modules: [] } }, { token: tokens[1] }),
          call(users.update, { body: { ...second, modules: [] } }, { token: tokens[0] }),
        ])
      },
    ],
    [
      'delete',
      ({ one, other, tokens }) =>
        Promise.all([
          call(users.remove, { params: { uid: one } }, { token: tokens[1] }),
          call(users.remove, { params: { uid: other } }, { token: tokens[0] }),
        ]),
    ],
  ]

  test.each(both)('stays when two admins %s each other at the same moment', async (_, act) => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await world.addUser('admin'), await world.addUser('admin')]
      await setRole(people.admin.uid, 'sales')
      const answers = await act({ one: one.uid, other: other.uid, tokens: [one.token, other.token] })
      const statuses = answers.map(({ status }) => status)
      // The slower one is refused: as the last admin, or because the faster one has ended their session or rights.
      expect(
        statuses.filter((status) => status === 200),
        String(statuses),
      ).toHaveLength(1)
      expect(statuses.some((status) => [401, 403, 409].includes(status))).toBe(true)
      await setRole(people.admin.uid, 'admin')
      people.admin.token = await openSession(db, people.admin.uid, { address: '127.0.0.1', userAgent: 'test' })
      const left = (await activeAdmins()).filter((uid) => uid !== people.admin.uid)
      expect(left).toHaveLength(1)
      for (const uid of left) await setRole(uid, 'sales')
    }
  })
})
