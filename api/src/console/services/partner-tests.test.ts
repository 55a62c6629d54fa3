import { apiKeys, messages, services, webhookDeliveries, webhooks } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DALLAS, fleetOf, northOf } from '../../live/players/test-fleet.ts'
import { storePlays } from '../../live/plays/index.ts'
import { letTimePass } from '../../outreach/feeds/test-partner.ts'
import { webhookChannel } from '../../outreach/webhooks/channel.ts'
import { answerWith, Receiver } from '../../outreach/webhooks/test-receiver.ts'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { sendDue } from '../../platform/outbox/index.ts'

const LOOPBACK = ['127.0.0.0/8']
const world = await openWorld({ privateNetworks: LOOPBACK })
const { db, call } = world
const receiver = await new Receiver().open()
const other = await new Receiver().open()

// What a node does all the time.
const stopping = new AbortController()
const channel = webhookChannel(db, outboundRequests({ privateNetworks: LOOPBACK, timeoutMs: 2000 }))
const log = (error: unknown) => {
  throw error
}
async function sendAllTheTime() {
  while (!stopping.signal.aborted) {
    await sendDue(channel, { db, signal: stopping.signal, log })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const sending = sendAllTheTime()
afterAll(async () => {
  stopping.abort()
  await sending
  receiver.close()
  other.close()
})

const testNow = async (key: string) => (await call(services.testConnection, { body: { key } })).body.data
const connection = async (key: string) =>
  (await call(services.connections, {})).body.data.find((each) => each.key === key)

describe('a test of webhooks', () => {
  const add = async (url: string) =>
    (await call(webhooks.create, { body: { url, events: ['photo.approved'] } })).body.data.webhook
  beforeEach(() => {
    receiver.received.length = 0
    receiver.answer = answerWith(200)
    other.answer = answerWith(200)
  })

  test('sends each active one a signed message and says what it answered', async () => {
    expect(await connection('webhooks')).toMatchObject({ state: 'off', turnOn: { step: 'addWebhook' } })
    const first = await add(receiver.url)
    const host = new URL(receiver.url).host
    expect(await testNow('webhooks')).toEqual({ isWorking: true, text: `${host} accepted a test.` })
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['webhook.test'])
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
    const log = (await call(webhookDeliveries.list, { query: { webhookUid: first.uid } })).body.data
    expect(log.map(({ event, state }) => [event, state])).toEqual([['webhook.test', 'sent']])
    expect(await connection('webhooks')).toMatchObject({ state: 'working', turnOn: null })

    await add(other.url)
    expect(await testNow('webhooks')).toEqual({ isWorking: true, text: '2 of 2 webhooks accepted a test.' })
  })

  test('names the one that refused, and counts neither for its health nor as undelivered', async () => {
    other.answer = answerWith(500)
    const text = `1 of 2 webhooks accepted a test. ${new URL(other.url).host}: It answered 500 Internal Server Error.`
    expect(await testNow('webhooks')).toEqual({ isWorking: false, text })
    expect(await connection('webhooks')).toMatchObject({ state: 'failing', lastError: text })
    const all = (await call(webhooks.list, { query: {} })).body.data
    expect(all.map(({ failures, failingSince, lastAcceptedAt }) => [failures, failingSince, lastAcceptedAt])).toEqual([
      [0, null, null],
      [0, null, null],
    ])
    expect((await call(messages.counts, {})).body.data.dead).toBe(0)
    expect((await call(messages.list, { query: { state: 'dead' } })).body.total).toBe(0)
    const log = (await call(webhookDeliveries.list, { query: { state: 'dead' } })).body.data
    expect(log.map(({ event, webhook }) => [event, webhook.url])).toEqual([['webhook.test', other.url]])
    await testNow('webhooks')
    other.answer = answerWith(200)
    expect(await testNow('webhooks')).toMatchObject({ isWorking: true })
    expect(await connection('webhooks')).toMatchObject({ state: 'working' })
  })

  test('leaves paused ones alone', async () => {
    for (const { uid } of (await call(webhooks.list, { query: {} })).body.data)
      await call(webhooks.pause, { params: { uid } })
    expect(await testNow('webhooks')).toEqual({
      isWorking: false,
      text: 'Every webhook is paused. Resume one under Webhooks.',
    })
    expect(receiver.received).toEqual([])
  })
})

describe('a test of feeds', () => {
  const addKey = (name: string, given: { clientUid?: string; modules?: ('overview' | 'trucks')[] } = {}) =>
    call(apiKeys.create, { body: { name, modules: ['overview'], access: 'read', expiresInDays: 30, ...given } })

  test('is offered once a key may read them', async () => {
    await addKey('Trucks only', { modules: ['trucks'] })
    expect(await connection('feeds')).toMatchObject({ state: 'off', canTest: false, turnOn: { step: 'addApiKey' } })
    expect((await call(services.testConnection, { body: { key: 'feeds' } })).status).toBe(400)
    await addKey('Warehouse')
    expect(await connection('feeds')).toMatchObject({ state: 'untried', canTest: true, turnOn: null })
    expect(await testNow('feeds')).toEqual({
      isWorking: false,
      text: 'The key “Warehouse” works, but the company has no program to read yet.',
    })
  })

  test('reads the first page with the rights of the key that was made last', async () => {
    const [fleet, now] = [fleetOf(world), Date.now()]
    const [acme, rival] = [await world.addClient('Acme'), await world.addClient('Rival')]
    const [truckUid, marketUid] = [await fleet.addTruck({ number: 'T-7' }), await fleet.addMarket()]
    const device = await fleet.addDevice(truckUid)
    const { uid: programUid } = await world.addProgram({ clientUid: acme.uid, name: 'Kettle Days' })
    const art = await fleet.addArtwork(programUid)
    const [from, to] = [now - 3 * 3_600_000, now - 3_600_000]
    const at = (ms: number) => new Date(ms).toISOString()
    await fleet.addShift({
      truckUid,
      programUid,
      marketUid,
      from,
      to,
      artwork_set_uid: art.uid,
      status: 'completed',
      started_at: at(from),
      stopped_at: at(to),
    })
    await fleet.addPosition(truckUid, at(from + 60_000), northOf(DALLAS, 1))
    expect(await testNow('feeds')).toEqual({
      isWorking: true,
      text: 'With the key “Warehouse”, the first page of Kettle Days has no plays yet: a play is there 5 minutes after it arrived. Routes: 1 shift.',
    })
    await storePlays(
      db,
      device,
      Array.from({ length: 5 }, (_, n) =>
        fleet.aPlay(art, { startedAt: at(from + (n + 1) * 60_000), durationMs: 8000, place: null }),
      ),
    )
    await letTimePass(world)
    const text =
      'With the key “Warehouse”, the first page of Kettle Days has 5 plays, and these are all. Routes: 1 shift.'
    expect(await testNow('feeds')).toEqual({ isWorking: true, text })
    expect(await connection('feeds')).toMatchObject({ state: 'working' })

    await addKey('Rival BI', { clientUid: rival.uid })
    expect(await testNow('feeds')).toEqual({
      isWorking: false,
      text: 'The key “Rival BI” works, but Rival has no program to read yet.',
    })
    const { uid } = await world.addProgram({ clientUid: rival.uid, name: 'Rival Days' })
    expect(uid).toBeTruthy()
    expect((await testNow('feeds')).text).toMatch(
      /^With the key “Rival BI”, the first page of Rival Days has no plays yet/,
    )
    const used = (await call(apiKeys.list, { query: {} })).body.data
    expect(used.map(({ lastUsedAt }) => lastUsedAt)).toEqual(used.map(() => null))
  })

  test('ends with its key', async () => {
    for (const { uid } of (await call(apiKeys.list, { query: {} })).body.data)
      await call(apiKeys.end, { params: { uid } })
    expect(await connection('feeds')).toMatchObject({ state: 'off' })
  })
})
