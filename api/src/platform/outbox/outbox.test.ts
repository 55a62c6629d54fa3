import { DAY_MS } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect, inTransaction } from '../db/connection.ts'
import { runJob } from '../jobs/runner.ts'
import type { Channel, OutgoingMessage } from './channel.ts'
import { enqueue, type NewMessage } from './enqueue.ts'
import { type EventHandler, handleEvents, recordEvents } from './events.ts'
import type { Ended } from './rules.ts'
import { sendDue, sendMessages } from './sender.ts'

const { app, db, url } = await openWorld()
const errors: unknown[] = []
const log = (error: unknown) => void errors.push(error)
const { signal } = new AbortController()

const accepted: Ended = { outcome: 'accepted', answer: 'OK' }

/** A way out that answers as the test wants. */
function openChannel(answer: (message: OutgoingMessage) => Ended | Promise<Ended> = () => accepted) {
  const sent: OutgoingMessage[] = []
  const channel: Channel = {
    name: 'webhook',
    concurrency: 8,
    perTarget: 2,
    longestMs: 1000,
    async send(message) {
      sent.push(message)
      return answer(message)
    },
  }
  return { channel, sent, texts: () => sent.map(({ payload }) => (payload as { text: string }).text) }
}

const TARGET = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'

const messageOf = (text: string, more: Partial<NewMessage> = {}): NewMessage => ({
  kind: 'test',
  channel: 'webhook',
  recipient: 'https://partner.example',
  subject: text,
  payload: { text },
  target: TARGET,
  ...more,
})

const makeDue = () =>
  db
    .updateTable('message')
    .set({ next_at: sql`now()`, leased_until: null })
    .execute()
const rows = () =>
  db
    .selectFrom('message')
    .select(['subject', 'state', 'attempts', 'problem', 'log', 'payload'])
    .orderBy('place')
    .execute()

beforeEach(async () => {
  errors.length = 0
  await db.deleteFrom('message').execute()
  await db.deleteFrom('outbound_event').execute()
})

test('a message exists only if the transaction that causes it commits', async () => {
  await inTransaction(db, async (db) => {
    await enqueue(db, [messageOf('never')])
    throw new Error('The change fails.')
  }).catch(() => {})
  await inTransaction(db, async (db) => void (await enqueue(db, [messageOf('once')])))
  const { channel, texts } = openChannel()
  await sendDue(channel, { db, signal, log })
  await sendDue(channel, { db, signal, log })
  expect(texts()).toEqual(['once'])
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, log: [{ outcome: 'accepted', answer: 'OK' }] }])
})

test('a cause that happens again makes no second message', async () => {
  expect(await enqueue(db, [messageOf('first', { key: 'dark T-4' })])).toHaveLength(1)
  expect(await enqueue(db, [messageOf('second', { key: 'dark T-4' })])).toHaveLength(0)
  expect(await rows()).toMatchObject([{ subject: 'first' }])
})

test('payloads are unreadable in the database, and secrets are wiped when they have arrived', async () => {
  await enqueue(db, [messageOf('token=abc', { subject: 'Reset', isSecret: true })])
  expect((await rows())[0]?.payload?.toString('latin1')).not.toContain('abc')
  const { channel, texts } = openChannel()
  await sendDue(channel, { db, signal, log })
  expect(texts()).toEqual(['token=abc'])
  expect((await rows())[0]?.payload).toBeNull()
})

test('four senders on two nodes send 200 messages once each', async () => {
  const other = connect(url)
  await enqueue(
    db,
    Array.from({ length: 200 }, (_, n) => messageOf(`${n}`, { target: n % 2 ? TARGET : OTHER })),
  )
  const { channel, texts } = openChannel()
  await Promise.all([db, other.db, db, other.db].map((db) => sendDue(channel, { db, signal, log })))
  await other.close()
  expect(texts().toSorted()).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`).toSorted())
  expect(errors).toEqual([])
})

test('a failed message is tried again later, and says why it was late', async () => {
  await enqueue(db, [messageOf('late')])
  let isUp = false
  const { channel, sent } = openChannel(() => (isUp ? accepted : { outcome: 'failed', answer: '500 Oops' }))
  await sendDue(channel, { db, signal, log })
  await sendDue(channel, { db, signal, log })
  expect(sent).toHaveLength(1)
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 1, problem: '500 Oops' }])
  isUp = true
  await makeDue()
  await sendDue(channel, { db, signal, log })
  expect(await rows()).toMatchObject([
    { state: 'sent', attempts: 2, problem: '500 Oops', log: [{ outcome: 'failed' }, { outcome: 'accepted' }] },
  ])
})

test('a message of a node that was killed is sent by another once its lease has ended', async () => {
  await enqueue(db, [messageOf('orphan')])
  const killed = openChannel(() => new Promise(() => {}))
  const end = new AbortController()
  void sendDue(killed.channel, { db, signal: end.signal, log })
  await expect.poll(() => killed.sent.length).toBe(1)
  end.abort()
  const { channel, texts } = openChannel()
  await sendDue(channel, { db, signal, log })
  expect(texts()).toEqual([])
  await makeDue()
  await sendDue(channel, { db, signal, log })
  expect(texts()).toEqual(['orphan'])
})

test('an accepted message that could not be noted at first is not sent again', async () => {
  await enqueue(db, [messageOf('noted late')])
  await sql`create function refuse_note() returns trigger language plpgsql as $$ begin raise 'The database is away.'; end $$`.execute(
    db,
  )
  await sql`create trigger refuse_note before update on message for each row when (new.state = 'sent') execute function refuse_note()`.execute(
    db,
  )
  const { channel, texts } = openChannel()
  const heal = () => void sql`drop trigger if exists refuse_note on message`.execute(db)
  await sendDue(channel, { db, signal, log: heal })
  await makeDue()
  await sendDue(channel, { db, signal, log })
  expect(texts()).toEqual(['noted late'])
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1 }])
})

describe('of two messages that end together, one with', () => {
  /** Sends two messages whose attempts end at the same moment, so that they are noted together. */
  async function sendTwo(answer: Ended) {
    await enqueue(db, [messageOf('odd'), messageOf('fine', { target: OTHER })])
    let release = () => {}
    const bothSent = new Promise<void>((resolve) => (release = resolve))
    const { channel, sent } = openChannel(async ({ payload }) => {
      if (sent.length === 2) release()
      await bothSent
      return (payload as { text: string }).text === 'odd' ? answer : accepted
    })
    await sendDue(channel, { db, signal, log })
    return rows()
  }

  const cut = `${'x'.repeat(1999)}🚚`
  const kept = `${'x'.repeat(1999)}\ufffd`
  test.each<[what: string, answer: Ended, noted: object]>([
    [
      'a body that is cut within a character',
      { ...accepted, reply: { status: 200, body: cut } },
      { state: 'sent', log: [{ reply: { status: 200, body: kept } }] },
    ],
    [
      'a sentence that is cut within a character',
      { outcome: 'refused', answer: cut },
      { state: 'dead', problem: kept, log: [{ answer: kept }] },
    ],
    [
      'U+0000 in its answer',
      { outcome: 'failed', answer: 'Try \0later', reply: { status: 500, body: '\0' } },
      {
        state: 'waiting',
        problem: 'Try \ufffdlater',
        log: [{ answer: 'Try \ufffdlater', reply: { status: 500, body: '\ufffd' } }],
      },
    ],
    ['U+0000 in the reason', { outcome: 'cancelled', answer: '\0Gone' }, { state: 'cancelled', problem: '\ufffdGone' }],
    ...[1e30, Infinity].map((retryAfterMs): [string, Ended, object] => [
      `a wait of ${retryAfterMs} ms`,
      { outcome: 'failed', answer: 'Busy', retryAfterMs },
      { state: 'dead', problem: 'Busy' },
    ]),
  ])('%s: both are noted', async (_, answer, noted) => {
    expect(await sendTwo(answer)).toMatchObject([noted, { state: 'sent' }])
    expect(errors).toEqual([])
  })

  test('a note that the database refuses: the other is noted', async () => {
    await sql`create function refuse_odd() returns trigger language plpgsql as $$ begin raise 'Refused.'; end $$`.execute(
      db,
    )
    await sql`create trigger refuse_odd before update on message for each row
      when (new.subject = 'odd' and new.state = 'sent') execute function refuse_odd()`.execute(db)
    try {
      expect(await sendTwo(accepted)).toMatchObject([{ state: 'waiting' }, { state: 'sent', attempts: 1 }])
      expect(errors).toContainEqual(expect.objectContaining({ message: 'Refused.' }))
    } finally {
      await sql`drop function refuse_odd cascade`.execute(db)
    }
  })
})

test('messages with the same ordering leave in their order, also after a failure', async () => {
  const ordering = 'shift 1'
  await enqueue(
    db,
    ['a', 'b', 'c'].map((text) => messageOf(text, { ordering })),
  )
  await enqueue(db, [messageOf('free')])
  let isFirst = true
  const { channel, texts } = openChannel(({ payload }) => {
    if ((payload as { text: string }).text !== 'a' || !isFirst) return accepted
    isFirst = false
    return { outcome: 'failed', answer: 'Not now' }
  })
  await sendDue(channel, { db, signal, log })
  // Nothing orders the free one and the first of the others.
  expect(texts().toSorted()).toEqual(['a', 'free'])
  await makeDue()
  await sendDue(channel, { db, signal, log })
  expect(texts().slice(2)).toEqual(['a', 'b', 'c'])
})

test('a target that hangs holds up only its own messages', async () => {
  await enqueue(
    db,
    Array.from({ length: 20 }, (_, n) => messageOf(`hangs ${n}`)),
  )
  await enqueue(
    db,
    Array.from({ length: 20 }, (_, n) => messageOf(`works ${n}`, { target: OTHER })),
  )
  let release = () => {}
  const hanging = new Promise<void>((resolve) => (release = resolve))
  const { channel, sent } = openChannel(async ({ target }) => {
    if (target === TARGET) await hanging
    return accepted
  })
  const sending = sendDue(channel, { db, signal, log })
  const to = (target: string) => sent.filter((message) => message.target === target).length
  await expect.poll(() => to(OTHER)).toBe(20)
  expect(to(TARGET)).toBe(2)
  release()
  await sending
  expect(to(TARGET)).toBe(20)
})

test('while a channel is away messages wait untried and say so; what expires meanwhile is dead', async () => {
  await enqueue(db, [messageOf('waits'), messageOf('expired', { expiresAt: new Date(Date.now() - 1000) })])
  const { channel, sent } = openChannel()
  const resources = { db, blobs: app.blobs, env: { brandName: 'Roadshow', publicUrl: '' }, log }
  await runJob(sendMessages({ ...channel, away: () => 'The mail server is away.' }), resources, { signal })
  expect(sent).toEqual([])
  expect(await rows()).toMatchObject([
    { state: 'waiting', attempts: 0, problem: 'The mail server is away.' },
    { state: 'dead', problem: 'It could not be sent before it expired.' },
  ])
})

test('a message that is not due yet waits', async () => {
  await enqueue(db, [messageOf('tomorrow', { notBefore: new Date(Date.now() + DAY_MS) })])
  const { channel, sent } = openChannel()
  await sendDue(channel, { db, signal, log })
  expect(sent).toEqual([])
})

describe('what happened', () => {
  const resources = { db, blobs: app.blobs, env: { brandName: 'Roadshow', publicUrl: '' }, log }
  const run = (...handlers: EventHandler[]) => runJob(handleEvents(handlers), resources, { signal })

  test('becomes messages once, by every module that handles it', async () => {
    const handler = (name: string): EventHandler => ({
      types: ['shift.changed'],
      handle: async (db, event) => void (await enqueue(db, [messageOf(`${name} ${event.object}`)])),
    })
    await recordEvents(db, [
      { type: 'shift.changed', object: 'shift 1' },
      { type: 'other', object: 'shift 1' },
    ])
    await run(handler('one'), handler('two'))
    await run(handler('one'), handler('two'))
    expect((await rows()).map(({ subject }) => subject)).toEqual(['one shift 1', 'two shift 1'])
  })

  test('is handled again after a failure, before later events of the same object', async () => {
    const handled: unknown[] = []
    let isBroken = true
    const handler: EventHandler = {
      types: ['a'],
      async handle(db, { object, data }) {
        await enqueue(db, [messageOf(`${object} ${String(data['n'])}`)])
        if (isBroken && object === 'shift 1') throw new Error('Broken')
        handled.push(`${object} ${String(data['n'])}`)
      },
    }
    await recordEvents(
      db,
      [1, 2].map((n) => ({ type: 'a', object: 'shift 1', data: { n } })),
    )
    await recordEvents(db, [{ type: 'a', object: 'shift 2', data: { n: 3 } }])
    await run(handler)
    expect(handled).toEqual(['shift 2 3'])
    expect(errors).toEqual([new Error('Broken')])
    isBroken = false
    await db
      .updateTable('outbound_event')
      .set({ next_at: sql`now()` })
      .execute()
    await run(handler)
    expect(handled).toEqual(['shift 2 3', 'shift 1 1', 'shift 1 2'])
    expect((await rows()).map(({ subject }) => subject)).toEqual(handled)
  })
})
