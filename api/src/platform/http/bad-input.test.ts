import { randomUUID } from 'node:crypto'
import { API_BASE, endpoints, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { endpointName, neededQueries } from '../../../test/samples.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { expectRefusal, rawCalls } from './test-calls.ts'

const world = await openWorld()
const { send, lastWrite } = await rawCalls(world)
const needed = await neededQueries(world)
const withQuery = endpoints.filter(({ query }) => query).map((endpoint) => [endpointName(endpoint), endpoint] as const)

describe('every call that takes a query', () => {
  const badPages = [
    'page=0',
    'page=-1',
    'page=1e9',
    'page=1000000000',
    'page=1.5',
    'page=',
    'page=x',
    'page=1&page=2',
    'page[]=1',
    'page=%00',
    'pageSize=0',
    'pageSize=201',
    'pageSize=-1',
  ]
  const unknown = ['colour=red', 'constructor=1', 'toString=1', '__proto__=1', '__proto__[x]=1', 'Page=1', '=1']

  test.each(withQuery)('%s refuses what it does not know', async (_, endpoint) => {
    const before = await lastWrite()
    for (const query of unknown) expectRefusal(await send(endpoint, {}, `?${query}`), 400, query)
    expect(await lastWrite()).toBe(before)
  })

  test.each(withQuery.filter(([, { query }]) => query?.shape['page']))(
    '%s refuses wrong pages',
    async (_, endpoint) => {
      const before = await lastWrite()
      for (const query of badPages) expectRefusal(await send(endpoint, {}, `?${query}`), 400, query)
      expect(await lastWrite()).toBe(before)
    },
  )

  const lists = withQuery.filter(([, { query }]) => query?.shape['sort'])

  test.each(lists)('%s refuses unknown orders, formats and searches', async (_, endpoint) => {
    const before = await lastWrite()
    const sorts = [
      'sort=',
      'sort=uid',
      'sort=--number',
      'sort=number;drop table truck',
      'sort=1',
      'sort=__proto__',
      'sort=constructor',
    ]
    const searches = [
      'search=%00',
      'search=a%0Ab',
      `search=${'x'.repeat(201)}`,
      `search=${'x'.repeat(15_000)}`,
      'search=a&search=b',
    ]
    for (const query of [...sorts, ...searches, 'format=pdf', 'format=', 'format=csv&format=csv']) {
      expectRefusal(await send(endpoint, {}, `?${query}`), 400, query)
    }
    expect(await lastWrite()).toBe(before)
  })

  const searched = lists.filter(([, { query }]) => query?.shape['search'])
  test.each(searched)('%s takes any other search as text', async (_, endpoint) => {
    for (const text of [
      `'`,
      `';drop table truck;--`,
      '%',
      '_',
      '\\',
      '\\\\',
      '%%%',
      '"',
      '<b>',
      '$1',
      '?',
      '*',
      '(',
      '🚚',
      '\ud800',
      'İSTANBUL',
      ' a  b ',
      '%'.repeat(200),
    ]) {
      const response = await send(endpoint, {}, `?${new URLSearchParams({ ...needed(endpoint), search: text })}`)
      expect([response.statusCode, response.json()], text).toMatchObject([200, { page: 1 }])
    }
    // Bytes that are no UTF-8 are someone's broken link, not our error.
    for (const query of ['search=%ff%fe', 'search=%', 'search=%zz', 'search=%C3%28']) {
      expect([200, 400]).toContain((await send(endpoint, {}, `?${query}`)).statusCode)
    }
  })

  test.each(lists)('%s answers the deepest page there can be', async (_, endpoint) => {
    const query = new URLSearchParams({ ...needed(endpoint), page: '1000000', pageSize: '200' })
    const response = await send(endpoint, {}, `?${query}`)
    expect([response.statusCode, response.json()]).toMatchObject([200, { data: [], page: 1_000_000 }])
  })

  test('trucks/run refuses filters that cannot be', async () => {
    for (const query of [
      'state=on',
      'state=',
      'kind=LED',
      'market=Dallas',
      'market=%00',
      `market=${'x'.repeat(10_000)}`,
      'state=active&state=on',
    ]) {
      expectRefusal(await send(trucks.list, {}, `?${query}`), 400, query)
    }
    const many = Array.from({ length: 101 }, () => 'state=active').join('&')
    expectRefusal(await send(trucks.list, {}, `?${many}`), 400, '101 states')
  })
})

describe('every address', () => {
  test('that is no call answers 404, or 400 when it cannot be read', async () => {
    for (const path of [
      '',
      '..%2f..%2fetc',
      'x'.repeat(5000),
      'trucks//run',
      'TRUCKS/run',
      'trucks/run/x',
      '%',
      '%zz',
      '%00',
      '%c3%28',
    ]) {
      expectRefusal(await world.app.inject(`${API_BASE}/${path}`), [400, 404], path)
    }
  })

  test.each(endpoints.map((endpoint) => [endpointName(endpoint), endpoint] as const))(
    '%s answers no other method',
    async (_, endpoint) => {
      const served = new Set<string>(endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method))
      for (const method of ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'] as const) {
        if (!served.has(method)) expectRefusal(await send(endpoint, { method }), 404, method)
      }
    },
  )
})

describe('what a person types', () => {
  const texts = [
    `Robert'); drop table truck; --`,
    `1' or '1'='1`,
    '"; select pg_sleep(10); --',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt;&amp;',
    '{{7*7}} ${7*7} #{7*7}',
    '$1 $2 :name ?',
    '\\x00 \\u0000 \\',
    '%00 %s %n',
    '=HYPERLINK("http://x")',
    'Größe 日本 é 🚚',
    'null',
    '__proto__',
  ]

  test.each(texts)('%j is stored and comes back as the same text, in every field', async (text) => {
    const cut = (length: number) => text.slice(0, length).trim()
    const body = {
      number: cut(20),
      plate: cut(10).toUpperCase(),
      note: `${text}\n\t${text}`,
      kind: 'led',
      state: 'active',
    } as const
    const created = await world.call(trucks.create, { body })
    expect(created.status, created.text).toBe(200)
    const { uid, version } = created.body.data
    expect((await world.call(trucks.get, { params: { uid } })).body.data).toMatchObject(body)
    const changed = await world.call(trucks.update, { body: { ...body, note: text, uid, version } })
    expect(changed.body.data).toMatchObject({ ...body, note: text })
    const found = await world.call(trucks.list, { query: { search: text.slice(0, 200), pageSize: '200' } })
    expect(found.body.data.map((row) => row.uid)).toContain(uid)
    const { body: history } = await world.call(trucks.history, { params: { uid }, query: {} })
    expect(history.data[0]?.fields).toEqual([{ field: 'note', old: body.note, new: text }])
    await world.call(trucks.remove, { params: { uid } })
  })
})

describe('a DELETE with a JSON content type', () => {
  const remove = async (payload?: string) => {
    const { uid } = (
      await world.call(trucks.create, { body: { number: randomUUID().slice(0, 20), kind: 'led', state: 'active' } })
    ).body.data
    return world.app.inject({
      method: 'DELETE',
      url: `${API_BASE}/trucks/${uid}`,
      ...(payload !== undefined && { payload }),
      headers: { authorization: `Bearer ${world.people.admin.token}`, 'content-type': 'application/json' },
    })
  }

  test('and no body works', async () => expect((await remove()).statusCode).toBe(200))
  test('and an empty body works', async () => expect((await remove('')).statusCode).toBe(200))
  test('and an empty object works', async () => expect((await remove('{}')).statusCode).toBe(200))
})
