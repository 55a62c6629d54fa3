import { defaultModules, type Endpoint, endpoints, rowAccessOf, singleSignOn } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { endpointName, sampleBodies } from '../../../test/samples.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { expectRefusal, rawCalls, type Response } from './test-calls.ts'

const world = await openWorld()
const { send, lastWrite } = await rawCalls(world)
const samples = await sampleBodies(world)

// A call without a sample fails one test that says so, not all of them.
const takesBody = endpoints.filter(({ body }) => body)
const withBody = takesBody
  .map((endpoint) => [endpointName(endpoint), endpoint] as const)
  .filter(([name]) => samples[name])

const sendText = (endpoint: Endpoint, payload: string, type = 'application/json') =>
  send(endpoint, { payload, headers: { 'content-type': type } })

/** What a call answers besides 400, 401 and 409, because its own rules say so. */
const ownRefusals: Record<string, number[]> = {
  'POST blob-storage/get-upload-sas': [413, 415],
  'POST devices/pair': [403],
  'POST screen-pairings/claim': [429],
  // Its path names no device.
  'POST devices/{uid}/commands': [404],
  // Its path names no shift.
  'POST program-schedule/{uid}/messages': [404],
  'POST program-schedule/{uid}/time-answer': [404],
  // Its path names no issue.
  'POST issues/{uid}/comments': [404],
  // Its path names no program.
  'PUT client-programs/{uid}/rotation': [404],
  'PUT client-programs/{uid}/report-mails': [404],
  'PUT clients/{uid}/report-mails': [404],
  'POST client-programs/{uid}/proposals': [404],
  'POST client-programs/{uid}/proposals/preview': [404],
  // Its body names no import.
  'POST imports/undo': [404],
  // Its body names no issue.
  'POST overview/campaigns-behind/shifts': [404],
  // Its path names no player.
  'POST devices/{uid}/counter-jump': [404],
  // Its path names no market.
  'PUT markets/{uid}/zone': [404],
  // Its path names no truck.
  'POST truck-trackers/{uid}': [404],
  // Its path names no source.
  'PUT position-sources/{uid}': [404],
  'PUT position-sources/{uid}/account': [404],
  // Its path names no truck.
  'POST truck-trackers/{uid}/file': [404],
  // Its body names no connection.
  'POST services/connections/test': [404],
  // Its path names no webhook.
  'POST webhooks/{uid}/secret': [404],
  // A wrong password, and too many of them.
  'POST authentication/proof': [403, 429],
  // No provider is set up here.
  'POST authentication/single-sign-on/begin': [404],
  'POST authentication/single-sign-on/finish': [404],
  'POST authentication/single-sign-on/confirm-by-password': [404],
  'POST authentication/single-sign-on/confirm-by-mail': [404],
  'POST authentication/single-sign-on/back-channel-logout': [404],
}

/** The fields that a refusal names; files, which none of these calls sends, are no fields of the body. */
function namedIn({ files = {} }: Endpoint, response: Response): string[] {
  const { code, fields = {} } = response.json<{ code?: string; fields?: object }>()
  return code === 'badInput' ? Object.keys(fields).filter((field) => !(field in files)) : []
}

function expectTakenOrRefused(name: string, response: Response, what: string) {
  if (response.statusCode !== 200) expectRefusal(response, [400, 401, 409, ...(ownRefusals[name] ?? [])], what)
}

describe('every call that takes a body', () => {
  test('has a sample here that its contract takes', () => {
    expect(takesBody.map(endpointName).toSorted()).toEqual(Object.keys(samples).toSorted())
    for (const [name, { body }] of withBody) expect(body?.safeParse(samples[name]).error, name).toBeUndefined()
  })

  test.each(withBody)('%s refuses what is not JSON', async (_, endpoint) => {
    const before = await lastWrite()
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
      const response = await sendText(endpoint, text)
      expectRefusal(response, 400, text)
      expect(response.json(), text).toMatchObject({ code: 'badJson' })
    }
    expect(await lastWrite()).toBe(before)
  })

  test.each(withBody)('%s refuses JSON that is no object, and an empty one', async (_, endpoint) => {
    const before = await lastWrite()
    for (const text of ['[]', '[{}]', '"text"', '5', 'true', 'null', '{}', ''])
      expectRefusal(await sendText(endpoint, text), 400, text)
    expect(await lastWrite()).toBe(before)
  })

  test.each(withBody)('%s refuses other kinds of content', async (name, endpoint) => {
    const before = await lastWrite()
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
      const isForm =
        (endpoint.files !== undefined && type.startsWith('multipart/')) ||
        (endpoint === singleSignOn.backChannelLogout && type.endsWith('urlencoded'))
      expectRefusal(await sendText(endpoint, json, type), isForm ? 400 : 415, type)
    }
    expect(await lastWrite()).toBe(before)
  })

  test.each(withBody)(
    '%s refuses a body above its limit, which is a megabyte unless it says so',
    async (name, endpoint) => {
      const before = await lastWrite()
      // The length of the whole counts, in whichever field it is.
      const [field = ''] = Object.keys(samples[name] ?? {})
      const payload = { ...samples[name], [field]: 'x'.repeat((endpoint.maxBytes ?? 1_048_576) + 1) }
      expectRefusal(await send(endpoint, { payload }), 413, field)
      expect(await lastWrite()).toBe(before)
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

  // What the contract refuses is sent all together; what it takes may still be refused by the call's own rules.
  test.each(withBody)(
    '%s refuses or takes each wrong value of each field, and what it refuses changes nothing',
    async (name, endpoint) => {
      const payloads = Object.keys(samples[name] ?? {}).flatMap((field) =>
        wrong.map(([what, value]) => {
          const payload = { ...samples[name], [field]: value }
          return { what: `${field}: ${what}`, payload, isTaken: endpoint.body?.safeParse(payload).success }
        }),
      )
      let before = await lastWrite()
      for (const { what, payload } of payloads.filter(({ isTaken }) => !isTaken)) {
        const response = await send(endpoint, { payload })
        expect(response.statusCode, what).not.toBe(200)
        expectTakenOrRefused(name, response, what)
      }
      expect(await lastWrite()).toBe(before)
      for (const { what, payload } of payloads.filter(({ isTaken }) => isTaken)) {
        const response = await send(endpoint, { payload })
        const after = await lastWrite()
        expectTakenOrRefused(name, response, what)
        expect(response.statusCode === 200 || after === before, what).toBe(true)
        before = after
      }
    },
  )

  // __proto__ is refused by the parser, the others by the contract.
  test.each(withBody)('%s refuses fields it does not know', async (name, endpoint) => {
    const before = await lastWrite()
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
    expect(await lastWrite()).toBe(before)
    expect(({} as Record<string, unknown>)['role']).toBeUndefined()
  })

  test.each(withBody)('%s names the field that is missing', async (name, endpoint) => {
    const sample = samples[name] ?? {}
    const named = []
    for (const field of Object.keys(sample)) {
      const { [field]: _, ...rest } = sample
      const response = await send(endpoint, { payload: rest })
      expect(response.statusCode, field).toBeLessThan(500)
      const missing = namedIn(endpoint, response)
      if (missing.length === 0) continue
      expect(missing).toEqual([field])
      named.push(field)
    }
    expect(namedIn(endpoint, await send(endpoint, { payload: {} })).toSorted()).toEqual(named.toSorted())
  })
})

describe('who may not call is told so before the body is read', () => {
  const unread = ['{', 'x'.repeat(2_000_000)]
  const sendAs = (endpoint: Endpoint, payload: string, authorization: string) =>
    send(endpoint, { payload, headers: { 'content-type': 'application/json', authorization } })
  const guarded = withBody.filter(([, { access }]) => access !== 'public')
  const clientHolds = { role: 'client', modules: defaultModules.client } as const
  const closedToClients = guarded.filter(
    ([, { access }]) =>
      typeof access === 'object' &&
      'module' in access &&
      !rowAccessOf(clientHolds, [access.module].flat(), access.needs),
  )

  test.each(guarded)('%s without a token', async (_, endpoint) => {
    for (const payload of unread) expectRefusal(await sendAs(endpoint, payload, ''), 401, 'no token')
  })

  test.each(closedToClients)('%s as a client', async (_, endpoint) => {
    const authorization = `Bearer ${world.people.client.token}`
    for (const payload of unread) expectRefusal(await sendAs(endpoint, payload, authorization), 403, 'client')
  })
})
