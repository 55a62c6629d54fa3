import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  API_BASE,
  auth,
  DAY_MS,
  driverApp,
  endpoint,
  errorLog,
  one,
  type ReplyOf,
  trucks,
  users,
} from '@roadshow/contract'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildApp, type Deps } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { limited as limitedCalls } from '../observability/metrics.ts'
import { memoryCounters } from './counters.ts'
import { serve } from './serve.ts'
import { exportSheet } from '../spreadsheet/sheet.ts'

const world = await openWorld()
const { db, people } = world

const env = {
  brandName: 'R',
  publicUrl: 'http://localhost',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}

async function appWith(more: Partial<Deps['env']> = {}, deps: Partial<Deps> = {}) {
  const app = await buildApp({
    db,
    env: { ...env, ...more },
    blobs: world.app.blobs,
    mailer: { send: async () => {} },
    ...deps,
  })
  afterAll(() => app.close())
  return app
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const urlOf = ({ path }: { path: string }) => `${API_BASE}/${path}`

describe('calls past the limit', () => {
  let house = 0
  const newAddress = () => `10.7.0.${++house}`
  /** A window of a minute must not end while a test counts in it. */
  const counters = () => {
    const own = memoryCounters()
    return { hit: (key: string, _windowMs: number, by?: number) => own.hit(key, 365 * DAY_MS, by) }
  }
  const limited = (callsPerMinute: number) => appWith({ callsPerMinute }, { counters: counters() })

  const putOff = async () => {
    const { values } = await limitedCalls.get()
    return values.find(({ labels }) => labels.limit === 'reports')?.value ?? 0
  }

  test('of an API key are refused as those of an account; its maker and other keys go on', async () => {
    const app = await limited(5)
    const [one, other] = [await world.addKey(), await world.addKey()]
    const list = async (token: string) =>
      (await app.inject({ url: urlOf(trucks.list), headers: bearer(token), remoteAddress: newAddress() })).statusCode
    for (let n = 1; n <= 5; n++) expect(await list(one.token), `call ${n}`).toBe(200)
    expect(await list(one.token)).toBe(429)
    expect([await list(other.token), await list(people.admin.token)]).toEqual([200, 200])
  })

  test('of an account are refused until the minute is over, whatever address they come from; others go on', async () => {
    const app = await limited(5)
    const me = (token: string) =>
      app.inject({ url: urlOf(auth.me), headers: bearer(token), remoteAddress: newAddress() })
    for (let n = 1; n <= 5; n++) expect((await me(people.sales.token)).statusCode, `call ${n}`).toBe(200)
    const refused = await me(people.sales.token)
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'tooMany' }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await me(people.admin.token)).statusCode).toBe(200)
  })

  test('of an address are refused before anybody is asked who they are, and /64 of IPv6 is one address', async () => {
    const app = await limited(2)
    const ask = async (remoteAddress: string) => (await app.inject({ url: urlOf(auth.me), remoteAddress })).statusCode
    for (let n = 1; n <= 8; n++) expect(await ask(`2001:db8:0:1::${n}`)).toBe(401)
    expect(await ask('2001:db8:0:1:ffff::9')).toBe(429)
    expect(await ask('2001:db8:0:2::1')).toBe(401)
    expect((await app.inject({ url: '/healthz', remoteAddress: '2001:db8:0:1::1' })).statusCode).toBe(200)
  })

  /** Calls whose path is sent exactly as it is written. */
  async function rawCalls(app: Awaited<ReturnType<typeof appWith>>) {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return async (path: string, method = 'GET') => {
      const asked = http.request({ port, host: '127.0.0.1', path, method, agent: false }).end()
      const [response] = (await once(asked, 'response')) as [http.IncomingMessage]
      response.resume()
      return response
    }
  }

  test.each(['/%61pi/v1/', 'http://elsewhere.example/api/v1/'])(
    'count however the path is written, and answers have the headers of the API: %s',
    async (base) => {
      const app = await limited(2)
      const ask = await rawCalls(app)
      for (let n = 1; n <= 8; n++) {
        const { statusCode, headers } = await ask(base + auth.me.path)
        expect(statusCode).toBe(401)
        expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      }
      expect((await ask(base + auth.me.path)).statusCode).toBe(429)
      expect((await ask(urlOf(auth.me))).statusCode).toBe(429)
    },
  )

  test('of no route count by the path that the answer is chosen by', async () => {
    const app = await limited(2)
    const ask = await rawCalls(app)
    const statusOf = async (url: string) => (await ask(url)).statusCode
    for (let n = 1; n <= 8; n++) expect(await statusOf(`${API_BASE}/nothing`)).toBe(404)
    for (const url of [`${API_BASE}/nothing`, `/${API_BASE}/nothing`, `http://elsewhere.example${API_BASE}/nothing`]) {
      expect(await statusOf(url), url).toBe(429)
    }
    expect(await statusOf('/nothing')).toBe(404)
  })

  test('of a public page and of its password count together, however the path is written', async () => {
    const app = await limited(10)
    const ask = await rawCalls(app)
    const open = async (url: string) => (await ask(url)).statusCode
    const enter = async (url: string) => (await ask(url, 'POST')).statusCode
    expect([await enter('/%70rograms/x'), await enter('/%70op/x')]).toEqual([303, 303])
    expect([await enter('/programs/x'), await open('//programs/x')]).toEqual([303, 404])
    const refused = ['/%70rograms/x', '/%70op/x', '/programs/not_a_name', 'http://elsewhere.example/programs/x']
    for (const url of refused) expect(await enter(url), url).toBe(429)
    for (const url of ['/programs/x', '/a/../pop/x', 'http://elsewhere.example/pop/x']) {
      expect(await open(url), url).toBe(429)
    }
  })

  test('are not hidden by a header that a proxy of ours did not write', async () => {
    const app = await limited(1)
    const ask = async (forwarded: string) =>
      (await app.inject({ url: urlOf(auth.me), remoteAddress: '10.8.0.1', headers: { 'x-forwarded-for': forwarded } }))
        .statusCode
    for (let n = 1; n <= 4; n++) expect(await ask(`198.51.100.${n}`)).toBe(401)
    expect(await ask('198.51.100.99')).toBe(429)
  })

  test('of what costs more have limits of their own', async () => {
    const app = await limited(100)
    const statuses = async (count: number, one: () => Promise<{ statusCode: number }>) => {
      const found: number[] = []
      for (let n = 1; n <= count; n++) found.push((await one()).statusCode)
      return found
    }
    const headers = bearer(people.admin.token)
    const file = () => app.inject({ url: `${urlOf(trucks.list)}?format=csv`, headers, remoteAddress: newAddress() })
    expect(await statuses(3, file)).toEqual([200, 200, 429])
    expect((await app.inject({ url: urlOf(users.list), headers })).statusCode).toBe(200)
    const reset = () =>
      app.inject({
        method: 'POST',
        url: urlOf(auth.passwordReset),
        payload: { token: 'x', password: 'a fresh password' },
        remoteAddress: '10.9.0.1',
      })
    expect(await statuses(3, reset)).toEqual([400, 400, 429])
    let house = 0
    const report = () =>
      app.inject({
        method: 'POST',
        url: urlOf(errorLog.report),
        payload: { errorOrigin: 'x', error: '' },
        remoteAddress: `2001:db8:0:9::${++house}`,
      })
    expect(await statuses(3, report)).toEqual([200, 200, 429])
    const page = () => app.inject({ url: '/pop/nothing', remoteAddress: '10.9.0.2' })
    expect((await statuses(41, page)).slice(38)).toEqual([404, 404, 429])
  })

  test('of a driver’s phone wait: acts past the limit are taken later, and dispatch’s metrics count them', async () => {
    const app = await limited(100)
    const { token } = await world.addUser('driver')
    const send = async (count: number) => {
      const acts = Array.from({ length: count }, (_, n) => ({ actId: `a${n}` }))
      const { statusCode, json } = await app.inject({
        method: 'POST',
        url: urlOf(driverApp.acts),
        headers: bearer(token),
        payload: { sentAt: new Date().toISOString(), acts },
        remoteAddress: newAddress(),
      })
      expect(statusCode).toBe(200)
      return json<ReplyOf<typeof driverApp.acts>>().data.results
    }
    const before = await putOff()
    expect((await send(3)).map(({ result }) => result)).toEqual(['rejected', 'rejected', 'rejected'])
    const [taken, later] = await send(2)
    expect([taken?.result, later]).toEqual([
      'rejected',
      {
        actId: 'a1',
        result: 'later',
        problem: null,
        reason: 'Too many reports within a minute. This one is taken when it is sent again.',
      },
    ])
    expect((await send(1))[0]?.result).toBe('later')
    expect((await putOff()) - before).toBe(2)
  })

  test('of files that take long are three at once, and one more when one is done or given up', async () => {
    const app = await limited(10_000)
    const long = endpoint({
      method: 'GET',
      path: 'odd/long',
      access: 'signedIn',
      summary: '',
      query: z.strictObject({ format: z.literal('csv') }),
      reply: one(z.null()),
    })
    async function* rows() {
      for (let n = 0; n < 5000; n++) yield 'x'.repeat(10_000)
    }
    serve(app, long, async () =>
      exportSheet('csv', { name: 'long', columns: { Text: (text: string) => text } }, rows(), {
        filters: [],
        zone: 'UTC',
        now: new Date(),
      }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const path = `${urlOf(long)}?format=csv`
    /** Asks for the file and reads nothing of it. */
    const begin = async (token: string) => {
      const asked = http.get({ port, host: '127.0.0.1', path, headers: bearer(token), agent: false })
      asked.on('error', () => {})
      const [response] = (await once(asked, 'response')) as [http.IncomingMessage]
      return { asked, status: response.statusCode }
    }
    const { token } = people.driver
    const open = [await begin(token), await begin(token), await begin(token)]
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await begin(token)).status).toBe(429)
    const other = await begin(people.sales.token)
    expect(other.status).toBe(200)
    open[0]?.asked.destroy()
    await vi.waitFor(
      async () => {
        const next = await begin(token)
        open.push(next)
        expect(next.status).toBe(200)
      },
      { timeout: 10_000 },
    )
    for (const { asked } of [...open, other]) asked.destroy()
  })

  test('are none where no limit is set', async () => {
    const app = await appWith({ callsPerMinute: 0 })
    for (let n = 1; n <= 50; n++) expect((await app.inject({ url: urlOf(auth.me) })).statusCode).toBe(401)
  })
})

test('counters count by key and window, from nothing in the next one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 })
  const counters = memoryCounters()
  const hit = (key: string, windowMs: number) => counters.hit(key, windowMs)
  expect([await hit('a', 1000), await hit('a', 1000), await hit('b', 1000), await hit('a', 2000)]).toEqual([1, 2, 1, 1])
  vi.setSystemTime(Date.now() + 1000)
  expect([await hit('a', 1000), await hit('a', 2000)]).toEqual([1, 2])
  vi.useRealTimers()
})

describe('pages of other origins', () => {
  const preflight = { origin: 'https://partner.example.com', 'access-control-request-method': 'PUT' }

  test('may not call unless they are named', async () => {
    const app = await appWith()
    for (const method of ['OPTIONS', 'GET'] as const) {
      const { headers } = await app.inject({ method, url: urlOf(auth.me), headers: preflight })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('may when they are, with a token of their own and never with cookies', async () => {
    const app = await appWith({ corsOrigins: ['https://partner.example.com'] })
    const asked = await app.inject({ method: 'OPTIONS', url: urlOf(trucks.update), headers: preflight })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers['access-control-allow-origin']).toBe('https://partner.example.com')
    expect(asked.headers['access-control-allow-methods']).toContain('PUT')
    expect(asked.headers['access-control-allow-headers']).toContain('authorization')
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
    const called = await app.inject({
      url: urlOf(auth.me),
      headers: { origin: preflight.origin, ...bearer(people.admin.token) },
    })
    expect([called.statusCode, called.headers['access-control-allow-origin']]).toEqual([200, preflight.origin])
    expect(called.headers.vary).toContain('origin')
    const written = { url: `/%61pi/v1/${auth.me.path}`, headers: { origin: preflight.origin } }
    expect((await app.inject(written)).headers['access-control-allow-origin']).toBe(preflight.origin)
    for (const origin of ['https://partner.example.com.evil.example', 'http://partner.example.com', 'null', '']) {
      const other = await app.inject({ url: urlOf(auth.me), headers: { origin } })
      expect(other.headers, origin).not.toHaveProperty('access-control-allow-origin')
    }
  })
})
