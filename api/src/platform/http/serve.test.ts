import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_BASE, auth, contract, endpoint, errorBody, one, trucks, uid } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { serve } from './serve.ts'
import { exportSheet } from '../spreadsheet/sheet.ts'

const world = await openWorld()
const { app, db } = world

/** Calls that misbehave, on the real app. */
const call = (path: string) =>
  ({ method: 'GET', access: 'public', summary: '', path, reply: one(z.strictObject({ uid })) }) as const
const odd = {
  wrongType: endpoint(call('odd/wrong-type')),
  tooMuch: endpoint(call('odd/too-much')),
  bare: endpoint(call('odd/bare')),
  broken: endpoint(call('odd/broken')),
  cutOff: endpoint(call('odd/cut-off')),
  long: endpoint({ ...call('odd/long'), query: z.strictObject({ format: z.enum(['csv', 'xlsx']) }) }),
}
const right = { data: { uid: '01900000-0000-7000-8000-000000000000' } }

function serveOdd(on: typeof app) {
  serve(on, odd.wrongType, async () => ({ data: { uid: 'one' } }))
  serve(on, odd.tooMuch, async () => ({ data: { ...right.data, passwordHash: 'secret' } }))
  serve(on, odd.bare, async () => right.data as unknown as typeof right)
  serve(on, odd.broken, async () => {
    throw new Error('secret: the password is hunter2')
  })
  serve(on, odd.cutOff, async ({ db }) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
    return right
  })
  serve(on, odd.long, async ({ db, query }) => {
    const statement = sql<{
      text: string
    }>`select gen_random_uuid() || repeat('x', 10000) as text from generate_series(1, 5000)`.compile(db)
    const rows = (async function* () {
      for await (const chunk of db.getExecutor().stream<{ text: string }>(statement, 50)) yield* chunk.rows
    })()
    const about = { filters: [], zone: 'UTC', now: new Date() }
    return exportSheet(query.format, { name: 'long', columns: { Text: ({ text }) => text } }, rows, about)
  })
}
serveOdd(app)

const env = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}
const buildWith = (settings: Partial<typeof env>) =>
  buildApp({ db, env: { ...env, ...settings }, blobs: app.blobs, mailer: { send: async () => {} } })

describe('a reply outside its contract', () => {
  test.each([odd.wrongType, odd.tooMuch, odd.bare])('of $path is caught where replies are checked', async (asked) => {
    const answer = await world.call(asked, {})
    expect([answer.status, answer.error.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('secret')
  })

  test('goes out where they are not', async () => {
    const unchecked = await buildWith({ checkReplies: false })
    serveOdd(unchecked)
    const answer = await unchecked.inject(`${API_BASE}/odd/wrong-type`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { uid: 'one' } }])
    await unchecked.close()
  })
})

describe('a call that fails', () => {
  test('inside says nothing of why, and gives an id', async () => {
    const answer = await world.call(odd.broken, {})
    expect(answer.status).toBe(500)
    expect(errorBody.parse(answer.error)).toEqual({
      error: 'Something went wrong',
      code: 'internal',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
  })

  test('because its connection was cut answers 503, and soon the next one works', async () => {
    const answer = await world.call(odd.cutOff, {})
    expect([answer.status, answer.error.code]).toEqual([503, 'unavailable'])
    // Until the pool has noticed, it may hand out the dead connection once more.
    await vi.waitFor(async () => expect((await world.call(auth.me, {})).status).toBe(200), { timeout: 10_000 })
  })

  test('to be understood says which call there is not', async () => {
    for (const url of [`${API_BASE}/nothing`, API_BASE, '/nothing']) {
      const answer = await app.inject(url)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Endpoint not found.', code: 'noSuchCall' }])
    }
  })
})

describe('every answer', () => {
  const asked = [
    ['a success', { url: `${API_BASE}/user/user-with-permissions`, token: true }, 200],
    ['a list', { url: `${API_BASE}/trucks/run`, token: true }, 200],
    ['a file', { url: `${API_BASE}/trucks/run?format=csv`, token: true }, 200],
    ['bad input', { url: `${API_BASE}/trucks/run?page=0`, token: true }, 400],
    ['no one signed in', { url: `${API_BASE}/trucks/run`, token: false }, 401],
    ['no such call', { url: `${API_BASE}/nothing`, token: false }, 404],
    ['an error of ours', { url: `${API_BASE}/odd/broken`, token: false }, 500],
    ['the documentation', { url: `${API_BASE}/docs`, token: false }, 200],
  ] as const

  test.each(asked)(
    '%s is kept by no cache and cannot be framed, sniffed or referred to',
    async (_, { url, token }, status) => {
      const { headers, statusCode } = await app.inject({
        url,
        headers: token ? { authorization: `Bearer ${world.people.admin.token}` } : {},
      })
      expect(statusCode).toBe(status)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
      const policy = String(headers['content-security-policy'])
      for (const rule of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'self'"]) {
        expect(policy).toContain(rule)
      }
      expect(policy).not.toMatch(/script-src[^;]*unsafe|default-src[^;]*unsafe/)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('server')
    },
  )

  test('insists on HTTPS only where the console is reached by it', async () => {
    const secure = await buildWith({ publicUrl: 'https://console.example.com' })
    const { headers } = await secure.inject(`${API_BASE}/docs`)
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
    await secure.close()
    expect((await app.inject(`${API_BASE}/docs`)).headers).not.toHaveProperty('strict-transport-security')
  })

  test('goes to the one whose token it was, in any spelling of Bearer and no other form', async () => {
    const { token } = world.people.admin
    const status = async (headers: Record<string, string>, query = '') =>
      (await app.inject({ url: `${API_BASE}/user/user-with-permissions${query}`, headers })).statusCode
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await status({ authorization: `bearer ${token}` })).toBe(200)
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer  ${token}`,
      `Bearer ${token} x`,
      `Bearer ${token.slice(0, -1)}`,
    ]) {
      expect(await status({ authorization }), authorization).toBe(401)
    }
    expect(await status({ cookie: `token=${token}` })).toBe(401)
    expect(await status({}, `?token=${token}`)).toBe(401)
  })
})

describe('the address that a call comes from', () => {
  const create = async (on: typeof app, number: string) => {
    const { data } = (
      await on.inject({
        method: 'POST',
        url: `${API_BASE}/trucks/`,
        payload: { number, kind: 'led', state: 'active' },
        headers: { authorization: `Bearer ${world.people.admin.token}`, 'x-forwarded-for': '203.0.113.7' },
        remoteAddress: '10.0.0.1',
      })
    ).json<{ data: { uid: string } }>()
    return (await world.call(trucks.history, { params: data, query: {} })).body.data[0]?.address
  }

  test('is what the connection says, and behind a proxy what the proxy says', async () => {
    const behindProxy = await buildWith({ trustProxy: 1 })
    expect(await create(app, 'T-1')).toBe('10.0.0.1')
    expect(await create(behindProxy, 'T-2')).toBe('203.0.113.7')
    await behindProxy.close()
  })
})

describe('health', () => {
  test('is alive and ready', async () => {
    expect((await app.inject('/healthz')).json()).toEqual({
      alive: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect((await app.inject('/readyz')).json()).toEqual({ ready: true })
  })

  test('is not ready before the database is migrated', async () => {
    await sql`alter table kysely_migration rename to kysely_migration_away`.execute(db)
    try {
      expect((await app.inject('/readyz')).statusCode).toBe(503)
    } finally {
      await sql`drop table if exists kysely_migration`.execute(db)
      await sql`alter table kysely_migration_away rename to kysely_migration`.execute(db)
    }
  })
})

describe('a download whose reader goes away', () => {
  test('stops reading, so that the next callers find a connection', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    for (const format of ['csv', 'xlsx']) {
      // More than the pool has connections.
      for (let n = 1; n <= 12; n++) {
        const request = http.get({ port, host: '127.0.0.1', path: `${API_BASE}/odd/long?format=${format}` })
        const [response] = (await once(request, 'response')) as [http.IncomingMessage]
        await once(response, 'readable')
        request.destroy()
      }
    }
    expect((await world.call(contract.auth.me, {})).status).toBe(200)
    const reading = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(db)
      return rows[0]?.n
    }
    await vi.waitFor(async () => expect(await reading()).toBe(0), { timeout: 5000 })
  })
})
