import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatTimeSpan } from './feeds.ts'
import { SimulatedFleet } from './fleet.ts'
import { type GeotabServer, startGeotabServer } from './geotab-server.ts'
import { HOUR, START, plannedTruck } from './test-plan.ts'

interface Reply {
  result?: unknown
  error?: { code: number; data: { type: string; requestIndex: number }; errors: { name: string }[] }
  jsonrpc: string
}
interface Page {
  data: { id: string; dateTime: string; device: { id: string } }[]
  toVersion: string
}

let fleet: SimulatedFleet
let geotab: GeotabServer
let now = START
let credentials: unknown

async function post(body: string): Promise<{ status: number; reply: Reply; headers: Headers }> {
  const response = await fetch(`${geotab.account.server}/apiv1`, { method: 'POST', body })
  const text = await response.text()
  return { status: response.status, reply: JSON.parse(text) as Reply, headers: response.headers }
}
const raw = (method: string, params: object) => post(JSON.stringify({ method, params }))
const call = async <T>(method: string, params: object): Promise<T> =>
  (await raw(method, { ...params, credentials })).reply.result as T
const feed = (params: object) => call<Page>('GetFeed', params)
const typeOf = ({ reply }: { reply: Reply }) => reply.error?.data.type
const authenticate = () => {
  const { database, user, password } = geotab.account
  return raw('Authenticate', { database, userName: user, password })
}

beforeAll(async () => {
  fleet = new SimulatedFleet('test', START)
  fleet.update([
    plannedTruck(),
    plannedTruck({ number: 'T-2', geotabId: 'b2' }),
    plannedTruck({ number: 'T-3', geotabId: 'b3', shifts: [] }),
  ])
  await fleet.catchUp(START + 3 * HOUR)
  geotab = await startGeotabServer({ fleet, now: () => now })
  const { reply } = await authenticate()
  credentials = (reply.result as { credentials: unknown }).credentials
})
afterAll(() => geotab.close())

describe('a feed', () => {
  test('gives everything since a moment, then goes on after its version without a gap or a double', async () => {
    const fromDate = new Date(START).toISOString()
    const whole = await feed({ typeName: 'LogRecord', search: { fromDate } })
    const pages: Page['data'] = []
    let page = await feed({ typeName: 'LogRecord', search: { fromDate }, resultsLimit: 100 })
    while (page.data.length > 0) {
      pages.push(...page.data)
      page = await feed({ typeName: 'LogRecord', fromVersion: page.toVersion, search: {}, resultsLimit: 100 })
      now += 2000
    }
    expect(whole.data.length).toBeGreaterThan(200)
    expect(pages).toEqual(whole.data)
    expect(whole.toVersion).toMatch(/^[0-9a-f]{16}$/)
    expect(page.toVersion).toBe(whole.toVersion)
  })

  test('starts from now without a version and a date', async () => {
    const { data, toVersion } = await feed({ typeName: 'LogRecord' })
    expect(data).toEqual([])
    expect((await feed({ typeName: 'LogRecord', fromVersion: toVersion })).data).toEqual([])
    fleet.advance(START + 3.1 * HOUR)
    const later = await feed({ typeName: 'LogRecord', fromVersion: toVersion })
    expect(later.data.length).toBeGreaterThan(0)
    expect(later.data[0]).toEqual({
      id: expect.any(String) as string,
      dateTime: expect.stringMatching(/Z$/) as string,
      device: { id: expect.stringMatching(/^b[12]$/) as string },
      latitude: expect.any(Number) as number,
      longitude: expect.any(Number) as number,
      speed: expect.any(Number) as number,
    })
  })

  test('of states has the newest of each device, and accepts no search', async () => {
    const all = await feed({ typeName: 'DeviceStatusInfo', fromVersion: '0'.repeat(16) })
    expect(all.data.map(({ device }) => device.id).toSorted()).toEqual(['b1', 'b2', 'b3'])
    const searching = { typeName: 'DeviceStatusInfo', search: { fromDate: new Date().toISOString() }, credentials }
    expect(typeOf(await raw('GetFeed', searching))).toBe('ArgumentException')
  })

  test('of readings can be narrowed to the odometer', async () => {
    const fromDate = new Date(START).toISOString()
    const search = { fromDate, diagnosticSearch: { id: 'DiagnosticOdometerId' } }
    const { data } = await feed({ typeName: 'StatusData', search })
    const all = await feed({ typeName: 'StatusData', search: { fromDate } })
    expect(data.length).toBeGreaterThan(10)
    expect(data.length).toBeLessThan(all.data.length)
    expect(
      new Set(data.map((each) => JSON.stringify((each as unknown as { diagnostic: unknown }).diagnostic))),
    ).toEqual(new Set(['{"id":"DiagnosticOdometerId"}']))
  })
})

describe('other calls', () => {
  test('Get pages by id, GetCountOf counts, ExecuteMultiCall does several at once', async () => {
    const first = await call<{ id: string; name: string }[]>('Get', { typeName: 'Device', resultsLimit: 2 })
    expect(first.map(({ name }) => name)).toEqual(['T-1', 'T-2'])
    const sort = { sortBy: 'id', sortDirection: 'asc', offset: 'b2' }
    expect(await call('Get', { typeName: 'Device', sort })).toMatchObject([{ id: 'b3' }])
    expect(await call('GetCountOf', { typeName: 'Device' })).toBe(3)
    const calls = [
      { method: 'GetCountOf', params: { typeName: 'Device' } },
      { method: 'Get', params: { typeName: 'DeviceStatusInfo' } },
    ]
    expect(await call('ExecuteMultiCall', { calls })).toMatchObject([3, [{}, {}, {}]])
    const broken = await raw('ExecuteMultiCall', { calls: [...calls, { method: 'Nonsense', params: {} }], credentials })
    expect(broken.reply.error?.data).toMatchObject({ type: 'MissingMethodException', requestIndex: 2 })
  })

  test('errors come inside HTTP 200, by their type', async () => {
    const unknown = await raw('Get', { typeName: 'Device', credentials: { sessionId: 'x' } })
    expect([unknown.status, typeOf(unknown)]).toEqual([200, 'InvalidUserException'])
    expect(unknown.reply).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32_000, errors: [{ name: 'InvalidUserException' }] },
    })
    expect((await post('{')).reply.error).toMatchObject({ code: -32_700, data: { type: 'JsonSerializerException' } })
    expect(typeOf(await raw('Get', { typeName: 'Zebra', credentials }))).toBe('ArgumentException')
    const wrong = await raw('Authenticate', { database: 'simulated', userName: 'nobody', password: 'x' })
    expect(typeOf(wrong)).toBe('InvalidUserException')
  })

  test('durations are written as .NET does', () => {
    expect(formatTimeSpan(3_661_000)).toBe('01:01:01')
    expect(formatTimeSpan(((4 * 24 + 16) * 3600 + 41 * 60 + 16) * 1000)).toBe('4.16:41:16')
  })
})

describe('limits and faults', () => {
  test('sixty feeds a minute, then OverLimitException with Retry-After', async () => {
    now += 120_000
    const asked = { typeName: 'StatusData', credentials }
    for (let index = 0; index < 60; index++) expect((await raw('GetFeed', asked)).reply.error).toBeUndefined()
    const refused = await raw('GetFeed', asked)
    expect([refused.status, typeOf(refused)]).toEqual([200, 'OverLimitException'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(typeOf(await raw('GetFeed', { typeName: 'LogRecord', credentials }))).toBeUndefined()
    now += 60_000
    expect((await raw('GetFeed', asked)).headers.get('x-rate-limit-remaining')).toBe('59')
  })

  test('ten authentications a minute', async () => {
    now += 120_000
    for (let index = 0; index < 10; index++) expect((await authenticate()).reply.result).toBeDefined()
    expect(typeOf(await authenticate())).toBe('OverLimitException')
  })

  test('faults befall as many calls as they are told to', async () => {
    now += 120_000
    const asked = { typeName: 'LogRecord', credentials }
    geotab.inject({ kind: 'dbUnavailable', times: 2, method: 'GetFeed' })
    expect(typeOf(await raw('GetFeed', asked))).toBe('DbUnavailableException')
    expect(typeOf(await raw('GetCountOf', { typeName: 'Device', credentials }))).toBeUndefined()
    expect(typeOf(await raw('GetFeed', asked))).toBe('DbUnavailableException')
    expect(typeOf(await raw('GetFeed', asked))).toBeUndefined()
    geotab.inject({ kind: 'html', times: 1 })
    await expect(raw('GetFeed', asked)).rejects.toThrow(SyntaxError)
    geotab.inject({ kind: 'overLimit', times: 1, seconds: 7 })
    expect((await raw('GetFeed', asked)).headers.get('retry-after')).toBe('7')
    geotab.inject({ kind: 'expiredSession', times: 1, typeName: 'LogRecord' })
    expect(typeOf(await raw('GetFeed', asked))).toBe('InvalidUserException')
    expect(typeOf(await raw('GetFeed', asked))).toBe('InvalidUserException')
    const { reply } = await authenticate()
    credentials = (reply.result as { credentials: unknown }).credentials
    expect(typeOf(await raw('GetFeed', { ...asked, credentials }))).toBeUndefined()
  })
})
