import { spawnSync } from 'node:child_process'
import { auditLog, users, webhookDeliveries, type WebhookInput, webhooks } from '@roadshow/contract'
import { hasProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { type EventHandler, handleEvents, recordEvents, sendDue } from '../../platform/outbox/index.ts'
import { webhookChannel } from './channel.ts'
import { WEBHOOK_PAUSED } from './health.ts'
import { sendToWebhooks } from './messages.ts'
import { answerWith, Receiver } from './test-receiver.ts'

const LOOPBACK = ['127.0.0.0/8']
const world = await openWorld({ privateNetworks: LOOPBACK })
const { app, db, call, addClient, addProgram, addUser } = world
const receiver = await new Receiver().open()
afterAll(() => receiver.close())

const errors: unknown[] = []
const log = (error: unknown) => void errors.push(error)
const { signal } = new AbortController()
const channel = webhookChannel(db, outboundRequests({ privateNetworks: LOOPBACK, timeoutMs: 500 }))

/** What the notifications of admins are made of. */
const pauses: unknown[] = []
const notePauses: EventHandler = {
  types: [WEBHOOK_PAUSED],
  handle: async (_db, { data }) => void pauses.push(data),
}

/** What a node does all the time: makes messages of events and sends what is due. */
async function work(expectedErrors: object[] = []) {
  const resources = { db, blobs: app.blobs, env: { brandName: 'Roadshow', publicUrl: 'https://x.test' }, log }
  await runJob(handleEvents([sendToWebhooks, notePauses]), resources, { signal })
  await sendDue(channel, { db, signal, log })
  expect(errors.splice(0)).toMatchObject(expectedErrors)
}

/** As if the wait until the next attempt were over. */
const skipWaits = () =>
  sql`update message set next_at = now() where state = 'waiting' and next_at < expires_at`.execute(db)

async function add(given: Partial<WebhookInput> = {}) {
  const body = { url: receiver.url, events: ['photo.approved' as const], ...given }
  return (await call(webhooks.create, { body })).body.data
}
const read = async (uid: string) => (await call(webhooks.get, { params: { uid } })).body.data
const deliveriesOf = async (webhookUid: string) =>
  (await call(webhookDeliveries.list, { query: { webhookUid, sort: 'at' } })).body.data
const details = async (uid: string) => (await call(webhookDeliveries.get, { params: { uid } })).body.data

function firstMessage() {
  const [message] = receiver.received
  if (!message) throw new Error('Nothing arrived.')
  return message
}

let count = 0
/** Something that happened to a photo of a client. */
const happen = (
  clientUid: string | null,
  {
    object = `photo ${++count}`,
    data = {},
    type = 'photo.approved',
  }: { object?: string; data?: object; type?: string } = {},
) => recordEvents(db, [{ type, object, clientUid, data: { n: ++count, ...data } }])

beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer = answerWith(200)
  await sql`update webhook set state = 'ended', ended_at = now(), end_reason = 'ended', paused_at = null, pause_reason = null, paused_by = null where state <> 'ended'`.execute(
    db,
  )
  await sql`delete from message where channel = 'webhook'`.execute(db)
})

const verifyInPython = `
import base64, hashlib, hmac, json, sys
given = json.load(sys.stdin)
key = base64.b64decode(given["secret"].removeprefix("whsec_"))
signed = f'{given["id"]}.{given["timestamp"]}.{given["body"]}'.encode()
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
fresh = abs(given["now"] - int(given["timestamp"])) <= 300
found = any(hmac.compare_digest(each, "v1," + expected) for each in given["signature"].split(" "))
print("accepted" if fresh and found else "refused")
`
const inPython = (secret: string, { headers, body }: (typeof receiver.received)[number], now = Date.now() / 1000) =>
  spawnSync('python3', ['-c', verifyInPython], {
    encoding: 'utf8',
    input: JSON.stringify({
      secret,
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      body,
      now,
    }),
  }).stdout.trim()

describe('a message', () => {
  test('arrives once, in the shape of Standard Webhooks, and its log has the answer', async () => {
    const client = await addClient()
    const { webhook } = await add()
    await happen(client.uid, { data: { photoUid: 'p' } })
    await work()
    await work()
    expect(receiver.received.map(({ event }) => event)).toEqual([
      {
        type: 'photo.approved',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        data: { n: expect.any(Number), photoUid: 'p', clientUid: client.uid },
      },
    ])
    const [delivery] = await deliveriesOf(webhook.uid)
    expect(delivery).toMatchObject({ state: 'sent', event: 'photo.approved', attempts: 1, problem: null })
    const { log: attempts, body, webhookId } = await details(delivery?.uid ?? '')
    expect(attempts).toEqual([
      {
        at: expect.any(String),
        ms: expect.any(Number),
        isAccepted: true,
        result: 'It answered 200 OK.',
        status: 200,
        answer: 'Answer 200',
      },
    ])
    expect([body, webhookId]).toEqual([receiver.received[0]?.body, receiver.received[0]?.id])
  })

  test('is accepted by the verifier of the library, which refuses a changed byte and an old time', async () => {
    const { secret } = await add()
    await happen(null)
    await work()
    const { headers, body } = firstMessage()
    const verifier = new Webhook(secret)
    expect(verifier.verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => verifier.verify(body.replace('photo', 'phot0'), headers)).toThrow(/signature/i)
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }
    expect(() => verifier.verify(body, old)).toThrow(/old/i)
  })

  test.runIf(hasProgram('python3'))(
    'is accepted by a verifier in Python without any package (left out without python3)',
    async () => {
      const { secret } = await add()
      await happen(null, { data: { name: 'Zoë’s café' } })
      await work()
      const message = firstMessage()
      expect(inPython(secret, message)).toBe('accepted')
      expect(inPython(secret, { ...message, body: message.body.replace('photo', 'phot0') })).toBe('refused')
      expect(inPython(secret, message, Date.now() / 1000 + 400)).toBe('refused')
      expect(inPython((await add()).secret, message)).toBe('refused')
    },
  )

  test('keeps its id over attempts, has the time of each, waits as asked, and is signed again', async () => {
    const { webhook, secret } = await add()
    receiver.answer = answerWith(503, { 'retry-after': '3600' })
    await happen(null)
    await work()
    const [waiting] = await deliveriesOf(webhook.uid)
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, problem: 'It answered 503 Service Unavailable.' })
    expect(Date.parse(waiting?.nextAt ?? '') - Date.now()).toBeGreaterThan(3_500_000)
    receiver.answer = answerWith(200)
    await skipWaits()
    await work()
    const [first, second] = receiver.received
    expect(second?.id).toBe(first?.id)
    expect(second?.body).toBe(first?.body)
    expect(() => new Webhook(secret).verify(second?.body ?? '', second?.headers ?? {})).not.toThrow()
    expect((await deliveriesOf(webhook.uid))[0]).toMatchObject({ state: 'sent', attempts: 2, problem: null })
  })

  test('that was accepted arrives once, though the database fails right after', async () => {
    const { webhook } = await add()
    await happen(null)
    await sql`create function refuse_health() returns trigger language plpgsql as $$ begin raise 'Away.'; end $$`.execute(
      db,
    )
    await sql`create trigger refuse_health before update on webhook
      for each row execute function refuse_health()`.execute(db)
    try {
      await work([{ message: 'Away.' }])
    } finally {
      await sql`drop function refuse_health cascade`.execute(db)
    }
    expect(await deliveriesOf(webhook.uid)).toMatchObject([{ state: 'sent', attempts: 1, problem: null }])
    await skipWaits()
    await work()
    expect(receiver.received).toHaveLength(1)
  })

  test('of one object waits for the earlier one; other objects go on', async () => {
    await add()
    receiver.answer = ({ event }, reply) => void reply.writeHead(event.data['name'] === 'a1' ? 500 : 200).end()
    const name = (name: string) => ({ object: `photo ${name[0]}`, data: { name } })
    for (const each of ['a1', 'a2', 'b1']) await happen(null, name(each))
    await work()
    expect(receiver.received.map(({ event }) => String(event.data['name'])).toSorted()).toEqual(['a1', 'b1'])
    receiver.answer = answerWith(200)
    await skipWaits()
    await work()
    expect(receiver.received.slice(2).map(({ event }) => event.data['name'])).toEqual(['a1', 'a2'])
  })
})

describe('an endpoint', () => {
  test('of one client gets that client’s events and no other', async () => {
    const [acme, other] = [await addClient(), await addClient()]
    await add({ clientUid: acme.uid })
    for (const clientUid of [acme.uid, other.uid, null]) await happen(clientUid)
    await work()
    expect(receiver.received.map(({ event }) => event.data['clientUid'])).toEqual([acme.uid])
  })

  test('gets nothing of a program that went to another client before it was sent', async () => {
    const [acme, other] = [await addClient(), await addClient()]
    const program = await addProgram({ clientUid: acme.uid })
    const { webhook } = await add({ clientUid: acme.uid })
    receiver.answer = answerWith(500)
    await happen(acme.uid, { data: { programUid: program.uid } })
    await work()
    await sql`update client_program set client_uid = ${other.uid} where uid = ${program.uid}`.execute(db)
    await skipWaits()
    await work()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(webhook.uid)).toMatchObject([
      { state: 'cancelled', problem: "It doesn't concern the client of the endpoint." },
    ])
  })

  test('gets only the events that it chose, and a client only those that clients see', async () => {
    await add({ events: ['pop.published'] })
    await happen(null)
    await work()
    expect(receiver.received).toEqual([])
    const { uid: clientUid } = await addClient()
    const refused = await call(webhooks.create, { body: { url: receiver.url, events: ['period.locked'], clientUid } })
    expect([refused.status, refused.error.fields]).toEqual([
      400,
      { events: 'Some of these events are not for clients.' },
    ])
  })

  test('never has a private address unless it is allowed', async () => {
    const refused = await call(webhooks.create, { body: { url: 'https://10.1.2.3/', events: ['pop.published'] } })
    expect(refused.error.fields).toEqual({ url: 'This address is in a private network, so nothing is sent to it.' })
    const { webhook } = await add()
    await sql`update webhook set url = 'https://169.254.169.254/latest/meta-data' where uid = ${webhook.uid}`.execute(
      db,
    )
    await happen(null)
    await work()
    expect(await deliveriesOf(webhook.uid)).toMatchObject([
      { state: 'waiting', problem: expect.stringMatching(/private network/) },
    ])
  })

  test('that answers 410 is paused, and admins learn it', async () => {
    const { webhook } = await add()
    receiver.answer = answerWith(410)
    await happen(null)
    await work()
    pauses.length = 0
    await work()
    expect(await read(webhook.uid)).toMatchObject({ state: 'paused', pauseReason: 'gone', pausedBy: null })
    expect(await deliveriesOf(webhook.uid)).toMatchObject([{ state: 'dead', problem: 'It answered 410 Gone.' }])
    expect(pauses).toMatchObject([{ webhookUid: webhook.uid, url: receiver.url, reason: 'gone' }])
  })

  test('that accepts nothing for two days is paused, and accepting something clears its record', async () => {
    const { webhook } = await add()
    receiver.answer = answerWith(500)
    await happen(null)
    await work()
    expect(await read(webhook.uid)).toMatchObject({ state: 'active', failures: 1 })
    receiver.answer = answerWith(200)
    await skipWaits()
    await work()
    expect(await read(webhook.uid)).toMatchObject({
      failures: 0,
      failingSince: null,
      lastAcceptedAt: expect.any(String),
    })
    receiver.answer = answerWith(500)
    await happen(null)
    await work()
    await sql`update webhook set failing_since = now() - interval '2 days' where uid = ${webhook.uid}`.execute(db)
    await skipWaits()
    await work()
    expect(await read(webhook.uid)).toMatchObject({ state: 'paused', pauseReason: 'failing' })
  })

  test.each(['send', 'cancel'] as const)(
    'that is paused keeps what happens; resuming it can %s that',
    async (waiting) => {
      const { webhook } = await add()
      await call(webhooks.pause, { params: { uid: webhook.uid } })
      for (const each of [1, 2]) await happen(null, { object: 'photo x', data: { each } })
      await work()
      expect(receiver.received).toEqual([])
      expect(await read(webhook.uid)).toMatchObject({
        state: 'paused',
        pauseReason: 'paused',
        waiting: 2,
        pausedBy: { name: 'The admin' },
      })
      expect(await deliveriesOf(webhook.uid)).toMatchObject([{ state: 'waiting', nextAt: null }, { state: 'waiting' }])
      await call(webhooks.resume, { params: { uid: webhook.uid }, body: { waiting } })
      await work()
      expect(receiver.received.map(({ event }) => event.data['each'])).toEqual(waiting === 'send' ? [1, 2] : [])
      const state = waiting === 'send' ? 'sent' : 'cancelled'
      expect(await deliveriesOf(webhook.uid)).toMatchObject([{ state }, { state }])
    },
  )

  test('signs with both secrets until the old one ends', async () => {
    const { webhook, secret: old } = await add()
    const { secret } = (await call(webhooks.rotateSecret, { params: { uid: webhook.uid }, body: { overlapHours: 24 } }))
      .body.data
    await happen(null)
    await work()
    const [both] = receiver.received
    for (const each of [old, secret])
      expect(() => new Webhook(each).verify(both?.body ?? '', both?.headers ?? {})).not.toThrow()
    await sql`update webhook set old_secret_until = now() where uid = ${webhook.uid}`.execute(db)
    await happen(null)
    await work()
    const after = receiver.received[1]
    expect(() => new Webhook(secret).verify(after?.body ?? '', after?.headers ?? {})).not.toThrow()
    expect(() => new Webhook(old).verify(after?.body ?? '', after?.headers ?? {})).toThrow(/signature/i)
  })

  test('shows its secret once and keeps it sealed', async () => {
    const { webhook, secret } = await add()
    const stored = await sql<{ row: string }>`select w::text as row from webhook w where uid = ${webhook.uid}`.execute(
      db,
    )
    const key = Buffer.from(secret.slice(6), 'base64')
    expect(key).toHaveLength(32)
    expect(stored.rows[0]?.row).not.toContain(key.toString('hex'))
    expect(stored.rows[0]?.row).not.toContain(Buffer.from(secret).toString('hex'))
    const texts = [
      await call(webhooks.list, { query: {} }),
      await call(auditLog.list, { query: { kind: ['webhookCreated'] } }),
    ]
    for (const { text } of texts) expect(text).not.toContain(secret.slice(6, 30))
    expect(texts[1]?.text).toContain(receiver.url)
  })

  test('ends with its maker’s access, and what waits for it is not sent', async () => {
    const maker = await addUser('admin')
    const body = { url: receiver.url, events: ['photo.approved' as const] }
    const { webhook } = (await call(webhooks.create, { body }, { token: maker.token })).body.data
    receiver.answer = answerWith(500)
    await happen(null)
    await work()
    await sql`update user_account set modules = array_remove(modules, 'pop') where uid = ${maker.uid}`.execute(db)
    expect(await read(webhook.uid)).toMatchObject({ state: 'ended', endReason: 'makerLostAccess' })
    await skipWaits()
    await work()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(webhook.uid)).toMatchObject([{ state: 'cancelled', problem: 'The endpoint has ended.' }])
    const second = (
      await call(webhooks.create, { body: { ...body, events: ['shift.changed'] } }, { token: maker.token })
    ).body.data
    await call(users.remove, { params: { uid: maker.uid } })
    expect(await read(second.webhook.uid)).toMatchObject({ state: 'ended', endReason: 'makerDeleted' })
  })

  test('cannot be given events of modules that its maker does not hold', async () => {
    const maker = await addUser('admin', ['users', 'pop'])
    const body = { url: receiver.url, events: ['period.locked' as const] }
    const refused = await call(webhooks.create, { body }, { token: maker.token })
    expect([refused.status, Object.keys(refused.error.fields ?? {})]).toEqual([400, ['events']])
  })

  test('is changed by those who read its newest version', async () => {
    const { webhook } = await add()
    const body = { uid: webhook.uid, version: 1, url: `${receiver.url}/new`, events: ['pop.published' as const] }
    expect((await call(webhooks.update, { body })).body.data).toMatchObject({ version: 2, events: ['pop.published'] })
    expect((await call(webhooks.update, { body })).error.code).toBe('staleVersion')
    await call(webhooks.end, { params: { uid: webhook.uid } })
    expect((await call(webhooks.update, { body: { ...body, version: 2 } })).error.code).toBe('webhookState')
  })
})

describe('an admin', () => {
  test('sends a test and sees the answer, also of a paused endpoint', async () => {
    const { webhook } = await add()
    await call(webhooks.pause, { params: { uid: webhook.uid } })
    const { uid } = (await call(webhooks.test, { params: { uid: webhook.uid } })).body.data
    receiver.answer = answerWith(404)
    await work()
    expect(receiver.received[0]?.event.type).toBe('webhook.test')
    expect(await details(uid)).toMatchObject({ state: 'dead', log: [{ status: 404, answer: 'Answer 404' }] })
    expect(await read(webhook.uid)).toMatchObject({ failures: 0 })
  })

  test('sends a message again under the same id', async () => {
    const { webhook } = await add()
    await happen(null)
    await work()
    const [delivery] = await deliveriesOf(webhook.uid)
    const params = { uid: delivery?.uid ?? '' }
    expect((await call(webhookDeliveries.sendAgain, { params })).body.data.state).toBe('waiting')
    expect((await call(webhookDeliveries.sendAgain, { params })).error.code).toBe('webhookState')
    await work()
    expect(receiver.received.map(({ id }) => id)).toEqual([delivery?.webhookId, delivery?.webhookId])
    expect((await details(params.uid)).log).toHaveLength(2)
    await call(webhooks.pause, { params: { uid: webhook.uid } })
    expect((await call(webhookDeliveries.sendAgain, { params })).error.error).toBe(
      'This webhook is paused. Resume it first.',
    )
  })
})
