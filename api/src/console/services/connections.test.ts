import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Connection, services, sources } from '@roadshow/contract'
import { TestIdentityProvider } from '@roadshow/test-kit/identity-provider'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../platform/db/embedded/server.ts'
import { connectionStateOf, newestEvidence } from './connections.ts'

/** A geocoder that knows one address, until it is away. */
let isGeocoderAway = false
const geocoder = createServer((_, response) => {
  if (isGeocoderAway) return void response.writeHead(503).end()
  response.setHeader('content-type', 'application/json').end('[{"lat":"38.8976","lon":"-77.0365"}]')
})
await new Promise<void>((ready) => geocoder.listen(0, '127.0.0.1', ready))
afterAll(() => geocoder.close())

const publicUrl = 'http://localhost:1'
const provider = new TestIdentityProvider({ port: await freePort(), publicUrl })
afterAll(() => provider.stop())
const world = await openWorld({
  publicUrl,
  singleSignOn: { ...provider.settings, name: 'Acme', scopes: 'openid email', roleClaim: 'roles', roles: [] },
  smtpUrl: 'smtp://mail.example:25',
  geocoderUrl: `http://127.0.0.1:${(geocoder.address() as AddressInfo).port}`,
  mapFile: '/nowhere/streets.pmtiles',
})
const plain = await openWorld()
const { db, call, people } = world

const list = async (of = world): Promise<Map<string, Connection>> =>
  new Map((await of.call(services.connections, {})).body.data.map((each) => [each.key, each]))
const testNow = async (key: string) => (await call(services.testConnection, { body: { key } })).body.data

describe('the connections', () => {
  test('name what the server talks to, with nothing made up', async () => {
    const all = await list(plain)
    expect([...all.values()].map(({ group, state }) => `${group} ${state}`)).toEqual([
      'trackers off',
      'trackers off',
      'trackers off',
      'storage untried',
      'mail off',
      'push off',
      'signOn off',
      'geocoder off',
      'map off',
      'webhooks off',
      'feeds off',
    ])
    expect(all.get('geocoder')).toMatchObject({ detail: 'Addresses are placed by ZIP code.', canTest: false })
  })

  test('that are off say how they are switched on, and which step begins it in the console', async () => {
    const all = [...(await list(plain)).values()].filter(({ state }) => state === 'off')
    expect(all.map(({ name, turnOn }) => [name, turnOn?.step])).toEqual([
      ['MyGeotab', 'connectGeotab'],
      ['Samsara', 'connectSamsara'],
      ['Traccar, OsmAnd and JSON', 'addSource'],
      ['Email', null],
      ['Push notifications', 'turnOnPush'],
      ['Single sign-on', null],
      ['Geocoder', null],
      ['Map file', null],
      ['Webhooks', 'addWebhook'],
      ['Feeds', 'addApiKey'],
    ])
    for (const { turnOn } of all) expect(turnOn?.text).toMatch(/^[A-Z].*\.$/)
    expect((await list(plain)).get('storage')?.turnOn).toBeNull()
  })

  test('are for admins', async () => {
    for (const role of ['sales', 'driver', 'client'] as const) {
      const { token } = people[role]
      expect((await call(services.connections, {}, { token })).status, role).toBe(403)
      expect((await call(services.testConnection, { body: { key: 'storage' } }, { token })).status, role).toBe(403)
    }
  })

  test('show what became of messages: the newest that was sent, and the problem of the newest that was not', async () => {
    const message = { kind: 'test', channel: 'mail', recipient: 'a@b.example', subject: 'x', payload: Buffer.from('x') }
    await db
      .insertInto('message')
      .values([
        { ...message, state: 'sent', done_at: '2026-07-01T12:00:00Z' },
        { ...message, state: 'dead', done_at: '2026-07-01T13:00:00Z', problem: 'The mailbox is full.' },
      ])
      .execute()
    expect((await list()).get('mail')).toMatchObject({
      state: 'failing',
      detail: 'mail.example:25',
      lastSuccessAt: '2026-07-01T12:00:00Z',
      lastError: 'The mailbox is full.',
    })
    await db
      .insertInto('message')
      .values({ ...message, state: 'sent', done_at: '2026-07-01T14:00:00Z' })
      .execute()
    expect((await list()).get('mail')).toMatchObject({ state: 'working', lastSuccessAt: '2026-07-01T14:00:00Z' })
  })
})

describe('a test', () => {
  test('of the storage writes, reads and deletes a file', async () => {
    expect(await testNow('storage')).toEqual({ isWorking: true, text: 'A file was written, read and deleted.' })
    expect((await list()).get('storage')).toMatchObject({ state: 'working', lastError: null })
  })

  test('of a storage that fails says what is wrong, and stays known until it works', async () => {
    const failing = vi.spyOn(world.app.blobs, 'write').mockRejectedValue(new Error('ENOSPC: no space left on device'))
    const text = 'ENOSPC: no space left on device.'
    try {
      expect(await testNow('storage')).toEqual({ isWorking: false, text })
    } finally {
      failing.mockRestore()
    }
    expect((await list()).get('storage')).toMatchObject({ state: 'failing', lastError: text })
    await testNow('storage')
    expect((await list()).get('storage')).toMatchObject({ state: 'working', lastError: text })
  })

  test('of the mail server sends an email to oneself', async () => {
    const { isWorking, text } = await testNow('mail')
    expect({ isWorking, text }).toEqual({
      isWorking: true,
      text: `The mail server took an email to ${people.admin.email}.`,
    })
  })

  test('of the geocoder asks for a known address', async () => {
    expect(await testNow('geocoder')).toMatchObject({ isWorking: true })
    isGeocoderAway = true
    expect(await testNow('geocoder')).toEqual({ isWorking: false, text: 'The geocoder answers 503.' })
    expect((await list()).get('geocoder')).toMatchObject({ state: 'failing', lastError: 'The geocoder answers 503.' })
  })

  test('of the identity provider reads its metadata and keys', async () => {
    expect(await testNow('signOn')).toMatchObject({ isWorking: false })
    await provider.start()
    const { isWorking, text } = await testNow('signOn')
    expect(text).toMatch(/ answers, with \d+ keys? for signatures\.$/)
    expect(isWorking).toBe(true)
    expect((await list()).get('signOn')).toMatchObject({ state: 'working' })
  })

  test('of a map file that is not there names it', async () => {
    const { isWorking, text } = await testNow('map')
    expect(isWorking).toBe(false)
    expect(text).toContain('/nowhere/streets.pmtiles')
  })

  test('of notifications asks to turn them on first', async () => {
    expect(await testNow('push')).toMatchObject({
      isWorking: false,
      text: expect.stringMatching(/^You get no/) as string,
    })
    expect((await list()).get('push')).toMatchObject({ state: 'off' })
  })

  test('of a tracker says how it does, and of something unknown nothing', async () => {
    const { source } = (await call(sources.create, { body: { name: 'Phones', kind: 'osmand' } })).body.data
    const key = `trackers ${source.uid}`
    const all = await list()
    expect(all.get(key)).toMatchObject({ name: 'Phones', state: 'untried' })
    expect([all.has('new source'), all.has('new samsara')]).toEqual([false, true])
    expect((await call(services.testConnection, { body: { key: 'new samsara' } })).status).toBe(400)
    expect(await testNow(key)).toEqual({ isWorking: false, text: 'No position has come from OsmAnd protocol yet.' })
    expect((await call(services.testConnection, { body: { key: 'moon' } })).status).toBe(404)
  })
})

test('a connection fails while its newest problem is newer than its newest success', () => {
  const early = '2026-07-01T12:00:00Z'
  const late = '2026-07-01T12:00:01.5Z'
  const none = { lastSuccessAt: null, lastError: null, lastErrorAt: null }
  expect(connectionStateOf(none)).toBe('untried')
  expect(connectionStateOf({ ...none, lastSuccessAt: early })).toBe('working')
  expect(connectionStateOf({ lastSuccessAt: early, lastError: 'No.', lastErrorAt: late })).toBe('failing')
  expect(connectionStateOf({ lastSuccessAt: late, lastError: 'No.', lastErrorAt: early })).toBe('working')
  expect(
    newestEvidence([
      { lastSuccessAt: early, lastError: 'Old.', lastErrorAt: early },
      { lastSuccessAt: late, lastError: null, lastErrorAt: null },
    ]),
  ).toEqual({ lastSuccessAt: late, lastError: 'Old.', lastErrorAt: early })
})
