import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { webhookDeliveries, webhooks } from '@roadshow/contract'
import { TestClient } from '@roadshow/test-kit/client'
import { newNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordEvents } from '../../platform/outbox/index.ts'
import { accept, answerWith, type Received, Receiver } from './test-receiver.ts'

const world = await openWorld()
const { db } = world
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-webhooks-'))
const settings = {
  DATABASE_URL: world.url,
  DATA_DIR: folder,
  RATE_LIMIT: '0',
  SECRET_KEY: randomBytes(32).toString('base64'),
  OUTBOUND_PRIVATE_NETWORKS: '127.0.0.0/8',
}
const nodes = [await newNode(settings), await newNode(settings)] as const
const client = new TestClient(nodes[1].url, { token: world.people.admin.token })
const receivers: Receiver[] = []

// One after the other: both would make the same keys of the first start.
beforeAll(async () => {
  for (const node of nodes) await node.start()
}, 240_000)

afterAll(async () => {
  client.close()
  for (const receiver of receivers) receiver.close()
  for (const node of nodes) await node.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

/** An endpoint with a receiver of its own. */
async function addReceiver(answer = accept) {
  const receiver = await new Receiver().open()
  receivers.push(receiver)
  receiver.answer = answer
  const { status, text, body } = await client.call(webhooks.create, {
    body: { url: receiver.url, events: ['photo.approved'] },
  })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return { receiver, uid: body.data.webhook.uid }
}

const OBJECTS = 8
const EACH = 5
const names = Array.from({ length: OBJECTS * EACH }, (_, index) => `${index % OBJECTS}-${Math.floor(index / OBJECTS)}`)

/** Things happen to some objects, one after the other to each. */
const happen = () =>
  recordEvents(
    db,
    names.map((name) => ({ type: 'photo.approved', object: `photo ${name.split('-')[0]}`, data: { name } })),
  )

const nameOf = ({ event }: Received) => String(event.data['name'])

/** The names of each object in the order in which they came. */
const orderOf = (received: readonly Received[]) =>
  Object.fromEntries(
    Array.from({ length: OBJECTS }, (_, index) => [
      index,
      received.map(nameOf).filter((name) => name.startsWith(`${index}-`)),
    ]),
  )
const wholeOrder = orderOf(names.map((name) => ({ event: { data: { name } } }) as unknown as Received))

async function statesOf(uid: string) {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from message where target = ${uid} group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** As if the waits between attempts were over. */
const skipWaits = (uid: string) =>
  sql`update message set next_at = now() where target = ${uid} and state = 'waiting'`.execute(db)

const patiently = { timeout: 90_000, interval: 200 }
const end = (uid: string) => client.call(webhooks.end, { params: { uid } })

test('two nodes send each event once to each endpoint and in its order, whatever the other receivers do', async () => {
  const good = await addReceiver()
  const failing = await addReceiver(answerWith(500))
  const hanging = await addReceiver(() => {})
  const slow = await addReceiver((_received, reply) => void setTimeout(() => reply.end('in the end'), 300))
  const closing = await addReceiver((_received, _reply, request) => void request.socket.destroy())
  const large = await addReceiver((_received, reply) => void reply.end(Buffer.alloc(10 * 1024 * 1024, 'a')))
  const redirecting = await addReceiver(answerWith(307, { location: 'http://10.0.0.1/internal' }))
  await happen()

  for (const { receiver, uid } of [good, slow, large]) {
    await vi.waitFor(async () => expect(await statesOf(uid)).toEqual({ sent: names.length }), patiently)
    expect(receiver.received.map(nameOf).toSorted()).toEqual(names.toSorted())
    expect(orderOf(receiver.received)).toEqual(wholeOrder)
  }
  for (const { uid } of [failing, hanging, closing, redirecting])
    expect(await statesOf(uid)).toEqual({ waiting: names.length })

  const problemsOf = async (uid: string) => {
    const { body } = await client.call(webhookDeliveries.list, { query: { webhookUid: uid, pageSize: '200' } })
    return new Set(body.data.map(({ problem }) => problem).filter((problem) => problem !== null))
  }
  await vi.waitFor(async () => {
    expect(await problemsOf(failing.uid)).toEqual(new Set(['It answered 500 Internal Server Error.']))
    expect(await problemsOf(closing.uid)).toEqual(new Set(['The connection was closed before an answer came.']))
    expect(await problemsOf(hanging.uid)).toEqual(new Set(['No answer came in time.']))
    expect([...(await problemsOf(redirecting.uid))].join(' ')).toMatch(/answers 307 and redirects/)
  }, patiently)

  // The failing receiver is repaired: everything arrives, the first of each object under the ids it had.
  const tried = new Set(failing.receiver.received.map(({ id }) => id))
  failing.receiver.received.length = 0
  failing.receiver.answer = accept
  await vi.waitFor(async () => {
    await skipWaits(failing.uid)
    expect(await statesOf(failing.uid)).toEqual({ sent: names.length })
  }, patiently)
  expect(orderOf(failing.receiver.received)).toEqual(wholeOrder)
  const arrived = new Set(failing.receiver.received.map(({ id }) => id))
  expect([...tried].filter((id) => !arrived.has(id))).toEqual([])
  for (const { uid } of [good, failing, hanging, slow, closing, large, redirecting]) await end(uid)
}, 300_000)

test('a killed node loses nothing, and only what was under way at that moment comes twice, under the same id', async () => {
  const held = new Map<Received, ServerResponse>()
  const { receiver, uid } = await addReceiver((received, reply) => void held.set(received, reply))
  await happen()
  // Both nodes have as many under way as one endpoint gets at a time.
  const open = () => [...held].filter(([, reply]) => !reply.destroyed).map(([received]) => received)
  await vi.waitFor(() => expect(open()).toHaveLength(4), patiently)
  const underWay = new Set(open().map(({ id }) => id))
  await nodes[0].stop('SIGKILL')
  await vi.waitFor(() => expect(open().length).toBeLessThanOrEqual(2), patiently)
  receiver.answer = accept
  // On a slow machine a node may have given up waiting for an answer: such a request is sent again as well.
  const answered = new Set(open())
  const unanswered = [...held.keys()].filter((received) => !answered.has(received))
  for (const received of answered) held.get(received)?.end()
  const messages = [...underWay].map((id) => id.replace('msg_', ''))
  const isWaiting = sql`uid = any(${messages}::uuid[]) and state = 'waiting'`
  const waiting = async () => (await sql`select from message where ${isWaiting}`.execute(db)).rows.length
  await vi.waitFor(async () => expect(await waiting()).toBe(underWay.size - answered.size), patiently)
  // The killed node's messages are free once its leases have ended.
  await sql`update message set leased_until = now() - interval '1 second' where ${isWaiting}`.execute(db)
  await vi.waitFor(async () => {
    await skipWaits(uid)
    expect(await statesOf(uid)).toEqual({ sent: names.length })
  }, patiently)

  const times = (requests: readonly Received[]) => {
    const counts = new Map(receiver.received.map(({ id }) => [id, 0]))
    for (const { id } of requests) counts.set(id, (counts.get(id) ?? 0) + 1)
    return counts
  }
  const all = times(receiver.received)
  const lost = times(unanswered)
  expect(all.size).toBe(names.length)
  for (const [id, count] of all) expect([id, count]).toEqual([id, 1 + (lost.get(id) ?? 0)])
  expect([...underWay].filter((id) => lost.get(id)).length).toBeGreaterThanOrEqual(2)
  const firsts = receiver.received.filter(
    ({ id }, index) => receiver.received.findIndex((each) => each.id === id) === index,
  )
  expect(orderOf(firsts)).toEqual(wholeOrder)
}, 200_000)
