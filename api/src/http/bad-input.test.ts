import { randomUUID } from 'node:crypto'
import { API_BASE, type Endpoint, endpoints, errorBody, trucks, defaultModules, reachOf } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { nameOf, sampleBodies } from '../test-samples.ts'
import { openWorld } from '../test-world.ts'

const world = await openWorld()
const { db } = world

const truck = (await world.call(trucks.create, { body: { number: 'T-0', kind: 'led', state: 'active' } })).body.data

const samples = await sampleBodies(world)

// A call without a sample fails one test that says so, not all of them.
const takesBody = endpoints.filter(({ body }) => body)
const withBody = takesBody.map((endpoint) => [nameOf(endpoint), endpoint] as const).filter(([name]) => samples[name])
const withQuery = endpoints.filter(({ query }) => query).map((endpoint) => [nameOf(endpoint), endpoint] as const)

let caller = 0
/** Each call from an address of its own, so that none is refused for being one too many. */
const send = (endpoint: Endpoint, more: Partial<InjectOptions> = {}, query = '') =>
  world.app.inject({
    method: endpoint.method,
    url: `${API_BASE}/${endpoint.path.replace(/\{\w+\}/g, truck.uid)}${query}`,
    remoteAddress: `10.0.${Math.floor(++caller / 250)}.${caller % 250}`,
    ...more,
    headers: { authorization: `Bearer ${world.people.admin.token}`, ...more.headers },
  })

const sendText = (endpoint: Endpoint, payload: string, type = 'application/json') =>
  send(endpoint, { payload, headers: { 'content-type': type } })

const { rows: tables } = await sql<{ name: string }>`
  select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('throttle') order by 1`.execute(
  db,
)

/** Everything the database holds, but for the counters of attempts. */
async function everything(): Promise<string> {
  const sums = tables.map(
    ({ name }) => `select '${name}', md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum from ${name} t`,
  )
  return JSON.stringify((await sql.raw(sums.join(' union all ')).execute(db)).rows)
}

type Response = Awaited<ReturnType<typeof send>>

function expectRefusal(response: Response, status: number | number[], what: string) {
  expect([status].flat(), `${what}: ${response.statusCode} ${response.body.slice(0, 200)}`).toContain(
    response.statusCode,
  )
  const { error } = errorBody.parse(response.json())
  expect(error, what).toMatch(/^[A-Z].*\.$/)
}

/** What a call answers besides 400, 401 and 409, because its own rules say so. */
const ownRefusals: Record<string, number[]> = {
  'POST blob-storage/get-upload-sas': [413, 415],
  'POST devices/pair': [403],
}

function expectTakenOrRefused(name: string, response: Response, what: string) {
  if (response.statusCode !== 200) expectRefusal(response, [400, 401, 409, ...(ownRefusals[name] ?? [])], what)
}

describe('every call that takes a body', () => {
  test('has a sample here that its contract takes', () => {
    expect(takesBody.map(nameOf).toSorted()).toEqual(Object.keys(samples).toSorted())
    for (const [name, { body }] of withBody) expect(body?.safeParse(samples[name]).error, name).toBeUndefined()
  })

  test.each(withBody)('%s refuses what is not JSON', async (_, endpoint) => {
    const before = await everything()
    for (const text of [
      '{',
      '}',
      'nope',
      `{'a':1}`,
      '{"a":1}{}',
      '{"a":undefined}',
      '\u0000',
      '<xml/>',
      '{"a":1e999999}x',
      '[1,]',
    ]) {
      expectRefusal(await sendText(endpoint, text), 400, text)
      expect((await sendText(endpoint, text)).json(), text).toMatchObject({ code: 'badJson' })
    }
    expect(await everything()).toBe(before)
  })

  test.each(withBody)('%s refuses JSON that is no object, and an empty one', async (_, endpoint) => {
    const before = await everything()
    for (const text of ['[]', '[{}]', '"text"', '5', 'true', 'null', '{}', ''])
      expectRefusal(await sendText(endpoint, text), 400, text)
    expect(await everything()).toBe(before)
  })

  test.each(withBody)('%s refuses other kinds of content', async (name, endpoint) => {
    const before = await everything()
    const json = JSON.stringify(samples[name])
    for (const type of [
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'nonsense',
    ]) {
      // Where forms are welcome, this one is merely broken.
      const isForm = endpoint.files !== undefined && type.startsWith('multipart/')
      expectRefusal(await sendText(endpoint, json, type), isForm ? 400 : 415, type)
    }
    expect(await everything()).toBe(before)
  })

  test.each(withBody)(
    '%s refuses a body above its limit, which is a megabyte unless it says so',
    async (name, endpoint) => {
      const before = await everything()
      for (const field of Object.keys(samples[name] ?? {})) {
        const payload = { ...samples[name], [field]: 'x'.repeat((endpoint.maxBytes ?? 1_048_576) + 1) }
        expectRefusal(await send(endpoint, { payload }), 413, field)
      }
      expect(await everything()).toBe(before)
    },
  )

  const wrong: [string, unknown][] = [
    ['a number', 12],
    ['a fraction', 1.5],
    ['a huge number', 1e300],
    ['a number beyond the column', 3_000_000_000],
    ['a negative number', -1],
    ['true', true],
    ['null', null],
    ['a list', []],
    ['a list of text', ['x']],
    ['an object', {}],
    ['an object with a prototype', JSON.parse('{"toString":"x","length":1}')],
    ['blank text', '   '],
    ['a NUL', 'a\u0000b'],
    ['a control character', 'a\u001bb'],
    ['half a character', '\ud800'],
    ['a megabyte of text', 'x'.repeat(1_000_000)],
    ['a megabyte of spaces', ' '.repeat(1_000_000)],
    ['SQL', `'; drop table truck; --`],
    ['a template', '${7*7}{{7*7}}'],
  ]

  test.each(withBody)(
    '%s refuses or takes each wrong value of each field, and what it refuses changes nothing',
    async (name, endpoint) => {
      let before = await everything()
      for (const field of Object.keys(samples[name] ?? {})) {
        for (const [what, value] of wrong) {
          const response = await send(endpoint, { payload: { ...samples[name], [field]: value } })
          const after = await everything()
          expectTakenOrRefused(name, response, `${field}: ${what}`)
          expect(response.statusCode === 200 || after === before, `${field}: ${what}`).toBe(true)
          before = after
        }
      }
    },
  )

  // __proto__ is refused by the parser, the others by the contract.
  test.each(withBody)('%s refuses fields it does not know', async (name, endpoint) => {
    const before = await everything()
    const sample = JSON.stringify(samples[name]).slice(0, -1)
    for (const field of [
      'colour',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '',
      '$where',
      'deleted_at',
    ]) {
      const response = await sendText(endpoint, `${sample},"${field}":"x"}`)
      expectRefusal(response, 400, field)
      expect(response.json(), field).toMatchObject({ fields: { [field]: 'Not a known field.' } })
    }
    for (const more of [
      '"__proto__":"x"',
      '"__proto__":{"role":"admin"}',
      '"constructor":{"prototype":{"role":"admin"}}',
    ]) {
      expectRefusal(await sendText(endpoint, `${sample},${more}}`), 400, more)
    }
    expect(await everything()).toBe(before)
    expect(({} as Record<string, unknown>)['role']).toBeUndefined()
  })

  test.each(withBody)('%s names the field that is missing', async (name, endpoint) => {
    const sample = samples[name] ?? {}
    const named = []
    for (const field of Object.keys(sample)) {
      const { [field]: _, ...rest } = sample
      const response = await send(endpoint, { payload: rest })
      expect(response.statusCode, field).toBeLessThan(500)
      const { code, fields = {} } = response.json<{ code?: string; fields?: object }>()
      if (code !== 'badInput') continue
      expect(Object.keys(fields)).toEqual([field])
      named.push(field)
    }
    expect(Object.keys((await send(endpoint, { payload: {} })).json<{ fields: object }>().fields).toSorted()).toEqual(
      named.toSorted(),
    )
  })
})

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
    const before = await everything()
    for (const query of unknown) expectRefusal(await send(endpoint, {}, `?${query}`), 400, query)
    expect(await everything()).toBe(before)
  })

  test.each(withQuery.filter(([, { query }]) => query?.shape['page']))(
    '%s refuses wrong pages',
    async (_, endpoint) => {
      const before = await everything()
      for (const query of badPages) expectRefusal(await send(endpoint, {}, `?${query}`), 400, query)
      expect(await everything()).toBe(before)
    },
  )

  const lists = withQuery.filter(([, { query }]) => query?.shape['sort'])

  test.each(lists)('%s refuses unknown orders, formats and searches', async (_, endpoint) => {
    const before = await everything()
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
    expect(await everything()).toBe(before)
  })

  test.each(lists)('%s takes any other search as text', async (_, endpoint) => {
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
      const response = await send(endpoint, {}, `?${new URLSearchParams({ search: text }).toString()}`)
      expect([response.statusCode, response.json()], text).toMatchObject([200, { page: 1 }])
    }
    // Bytes that are no UTF-8 are somebody's broken link, not our error.
    for (const query of ['search=%ff%fe', 'search=%', 'search=%zz', 'search=%C3%28']) {
      expect([200, 400]).toContain((await send(endpoint, {}, `?${query}`)).statusCode)
    }
  })

  test.each(lists)('%s answers the deepest page there can be', async (_, endpoint) => {
    const response = await send(endpoint, {}, '?page=1000000&pageSize=200')
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

  test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
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

describe('who may not call is told so before the body is read', () => {
  const unread = ['{', 'x'.repeat(2_000_000)]
  const sendAs = (endpoint: Endpoint, payload: string, authorization: string) =>
    send(endpoint, { payload, headers: { 'content-type': 'application/json', authorization } })
  const guarded = withBody.filter(([, { access }]) => access !== 'public')
  const clientHolds = { role: 'client', modules: defaultModules.client } as const
  const closedToClients = guarded.filter(
    ([, { access }]) =>
      typeof access === 'object' && 'module' in access && !reachOf(clientHolds, [access.module].flat(), access.needs),
  )

  test.each(guarded)('%s without a token', async (_, endpoint) => {
    for (const payload of unread) expectRefusal(await sendAs(endpoint, payload, ''), 401, 'no token')
  })

  test.each(closedToClients)('%s as a client', async (_, endpoint) => {
    const authorization = `Bearer ${world.people.client.token}`
    for (const payload of unread) expectRefusal(await sendAs(endpoint, payload, authorization), 403, 'client')
  })
})
