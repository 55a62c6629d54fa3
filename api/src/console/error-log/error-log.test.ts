import { API_BASE, errorLog } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db } = world

/** Reports are counted by address, so each test calls from one of its own. */
let house = 0
const newAddress = () => `10.1.0.${++house}`

type SentError = Parameters<typeof world.call<typeof errorLog.report>>[1]['body']

const report = (body: SentError, options: { token?: string; address?: string } = {}) =>
  world.call(
    errorLog.report,
    { body },
    { token: '', address: newAddress(), headers: { 'user-agent': 'Chromium' }, ...options },
  )

const kept = (uid: string) => db.selectFrom('web_log').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow()
const rowText = async (uid: string) =>
  (await sql<{ row: string }>`select w::text as row from web_log w where uid = ${uid}`.execute(db)).rows[0]?.row ?? ''
const countAll = async () => (await sql<{ n: number }>`select count(*) as n from web_log`.execute(db)).rows[0]?.n

describe('a report of the web app', () => {
  test('is kept before anybody has signed in', async () => {
    const error = { name: 'TypeError', message: 'x is undefined', stack: 'at <anonymous>:1:1\n at y' }
    const { status, body } = await report(
      { errorOrigin: 'window.error', error, meta: { path: '/login' } },
      { address: '10.9.9.9' },
    )
    expect(status).toBe(200)
    expect(await kept(body.data.uid)).toMatchObject({
      error_origin: 'window.error',
      error,
      meta: { path: '/login' },
      user_uid: null,
      session_uid: null,
      address: '10.9.9.9',
      user_agent: 'Chromium',
    })
  })

  test('names the user of the page’s session, whatever user it claims', async () => {
    const { uid, token } = world.people.driver
    const meta = { userUid: world.people.admin.uid }
    const { body } = await report({ errorOrigin: 'fetch', error: 'failed', meta }, { token })
    expect(await kept(body.data.uid)).toMatchObject({ user_uid: uid, meta, error: 'failed' })
  })

  test('sent by the server with the page’s token names its user and session, and keeps the token nowhere', async () => {
    const { uid, token } = await world.addUser('sales')
    const { body } = await report({
      errorOrigin: 'server',
      error: { message: 'failed' },
      meta: { userUid: uid },
      token,
    })
    const row = await kept(body.data.uid)
    const session = await db.selectFrom('session').select('uid').where('user_uid', '=', uid).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ user_uid: uid, session_uid: session.uid })
    expect(await rowText(body.data.uid)).not.toContain(token)
  })

  test('keeps the token nowhere also when the error itself repeats it', async () => {
    const { uid, token } = await world.addUser('sales')
    const error = { message: `GET /x?token=${token} failed`, headers: { authorization: `Bearer ${token}` } }
    const inBody = await report({ errorOrigin: 'server', error, meta: { token }, token })
    const asBearer = await report(
      { errorOrigin: `fetch ${token}`, error, meta: { cookie: `token=${token}` } },
      { token },
    )
    for (const { body } of [inBody, asBearer]) {
      expect((await kept(body.data.uid)).user_uid).toBe(uid)
      expect(await rowText(body.data.uid)).not.toContain(token)
    }
  })

  test('is kept without a user when its token names no live session', async () => {
    const { uid, token } = await world.addUser('sales')
    await db
      .updateTable('session')
      .set({ ended_at: new Date(), end_reason: 'forced' })
      .where('user_uid', '=', uid)
      .execute()
    for (const dead of [token, 'not-a-token', '']) {
      const { status, body } = await report({ errorOrigin: 'server', error: 'x', token: dead })
      expect(status).toBe(200)
      expect(await kept(body.data.uid)).toMatchObject({ user_uid: null, session_uid: null })
    }
  })

  test.each<[string, unknown]>([
    ['a sentence', 'it broke'],
    ['nothing', null],
    ['a number', 42],
    ['a list', [1, 'two', null]],
    ['a NUL', { message: 'a\u0000b', '\u0000': 1 }],
    ['half a character', '\ud83d broken \udc00'],
    ['markup and SQL', `<script>alert(1)</script>'; drop table web_log; --`],
    ['keys of every object', JSON.parse('{"toString": 1, "hasOwnProperty": {}}')],
  ])('may hold %s', async (_, error) => {
    const { status, body } = await report({ errorOrigin: 'window.error', error, meta: { note: error } })
    expect(status).toBe(200)
    expect(await kept(body.data.uid)).toMatchObject({ error, meta: { note: error } })
  })
})

describe('a report is refused', () => {
  test.each<[string, object, string]>([
    ['an error above 16,000 characters', { errorOrigin: 'x', error: 'e'.repeat(16_000) }, 'error'],
    ['a meta above 16,000 characters', { errorOrigin: 'x', error: 'e', meta: { more: 'm'.repeat(16_000) } }, 'meta'],
    ['an origin above 200 characters', { errorOrigin: 'x'.repeat(201), error: 'e' }, 'errorOrigin'],
    ['no error', { errorOrigin: 'x' }, 'error'],
    ['no origin', { error: 'e' }, 'errorOrigin'],
    ['a NUL in its origin', { errorOrigin: 'a\u0000b', error: 'e' }, 'errorOrigin'],
    ['a token of another length', { errorOrigin: 'x', error: 'e', token: 't'.repeat(201) }, 'token'],
    ['a user that is no text', { errorOrigin: 'x', error: 'e', meta: { userUid: 1 } }, 'meta.userUid'],
    ['an unknown field', { errorOrigin: 'x', error: 'e', level: 'fatal' }, 'level'],
  ])('with %s', async (_, body, field) => {
    const before = await countAll()
    const answer = await report(body as SentError)
    expect([answer.status, Object.keys(answer.error.fields ?? {})]).toEqual([400, [field]])
    expect(await countAll()).toBe(before)
  })

  test('when it is nested deeper than anything can read', async () => {
    const deep = (levels: number) => `{"errorOrigin":"x","error":${'['.repeat(levels)}${']'.repeat(levels)}}`
    for (const levels of [50, 200, 7900, 100_000]) {
      const answer = await world.app.inject({
        method: 'POST',
        url: `${API_BASE}/web-log/`,
        payload: deep(levels),
        headers: { 'content-type': 'application/json' },
        remoteAddress: newAddress(),
      })
      expect(answer.statusCode, `${levels} levels: ${answer.body}`).toBe(levels > 100 ? 400 : 200)
    }
  })

  test('from the 31st in a minute on from one address, and taken again a minute later', async () => {
    const [address, before] = [newAddress(), Number(await countAll())]
    for (let n = 1; n <= 30; n++)
      expect((await report({ errorOrigin: 'loop', error: n }, { address })).status).toBe(200)
    const refused = await report({ errorOrigin: 'loop', error: 31 }, { address })
    expect([refused.status, refused.headers['retry-after'], refused.error.code]).toEqual([429, '60', 'tooMany'])
    expect(await countAll()).toBe(before + 30)
    expect((await report({ errorOrigin: 'loop', error: 1 })).status).toBe(200)
    await sql`update web_log set at = at - interval '1 minute' where address = ${address}`.execute(db)
    expect((await report({ errorOrigin: 'loop', error: 32 }, { address })).status).toBe(200)
  })

  test('also when they all come at once, but for the few that are written at the same moment', async () => {
    const address = newAddress()
    const all = Array.from({ length: 80 }, (_, n) => report({ errorOrigin: 'loop', error: n }, { address }))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    const taken = statuses.filter((status) => status === 200).length
    const connections = 10
    expect(taken).toBeGreaterThanOrEqual(30)
    expect(taken).toBeLessThan(30 + connections)
    expect(statuses.filter((status) => status === 429)).toHaveLength(80 - taken)
  })
})

describe('the list of reports', () => {
  test('shows an admin the newest first, found by origin, error and user, and each of them whole', async () => {
    const { token } = world.people.driver
    const error = { message: 'the map broke', stack: 'at Map' }
    await report({ errorOrigin: 'map', error, meta: { path: '/overview' } }, { token })
    await report({ errorOrigin: 'map', error: 'plain words \u0000' })
    const { body } = await world.call(errorLog.list, { query: { search: 'map' } })
    expect(body).toMatchObject({ total: 2, data: [{ text: 'plain words \u0000' }, { text: 'the map broke' }] })
    expect(body.data[1]).toMatchObject({ user: { name: 'The driver' }, userAgent: 'Chromium' })
    expect((await world.call(errorLog.list, { query: { search: 'BROKE driver' } })).body.total).toBe(1)
    expect((await world.call(errorLog.list, { query: { search: 'map', sort: 'at' } })).body.data[0]?.text).toBe(
      'the map broke',
    )
    const whole = await world.call(errorLog.get, { params: { uid: body.data[1]?.uid ?? '' } })
    expect(whole.body.data).toMatchObject({ error, meta: { path: '/overview' } })
  })

  test('shows every kind of report, pages and exports them', async () => {
    for (const error of [null, 42, [1], { toString: 1 }, { message: { deep: true } }, { message: 'm'.repeat(1000) }]) {
      expect((await report({ errorOrigin: 'any kind', error })).status).toBe(200)
    }
    const { body } = await world.call(errorLog.list, { query: { search: 'any kind', pageSize: '4', page: '2' } })
    expect([body.total, body.data.length]).toEqual([6, 2])
    const file = await world.call(errorLog.list, { query: { search: 'any kind', format: 'csv' } })
    expect(file.text).toContain('# 6 rows; search: any kind')
  })

  test('is closed to everybody else', async () => {
    for (const role of ['sales', 'driver', 'client'] as const) {
      const { token } = await world.addUser(role, ['users', 'overview'])
      expect((await world.call(errorLog.list, { query: {} }, { token })).status).toBe(403)
      const params = { uid: '01900000-0000-7000-8000-000000000000' }
      expect((await world.call(errorLog.get, { params }, { token })).status).toBe(403)
    }
  })
})
