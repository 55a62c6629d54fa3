import { auth, messages, NIL_UUID, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { composeMail } from '../../platform/mail/compose.ts'

const { call, db, mails, people } = await openWorld()

beforeEach(async () => {
  await db.deleteFrom('message').execute()
})

const addMail = (email: string, paragraph = 'T-4 has shown no picture for 10 minutes.') =>
  enqueueMail(
    db,
    composeMail({ email, name: 'Ann', language: 'en' }, 'Roadshow', {
      kind: 'test',
      subject: `For ${email}`,
      paragraphs: [paragraph],
    }),
  ).then((uid) => uid ?? '')

const setState = (uid: string, set: ReturnType<typeof sql>) =>
  sql`update message set ${set} where uid = ${uid}`.execute(db)
const makeDead = (uid: string) =>
  setState(uid, sql`state = 'dead', done_at = now(), attempts = 3, problem = '550 No such mailbox'`)

const listed = async (query: Parameters<typeof call<typeof messages.list>>[1]['query'] = {}) =>
  (await call(messages.list, { query })).body.data.map(({ recipient, state }) => [recipient, state])
const get = async (uid: string) => (await call(messages.get, { params: { uid } })).body.data

describe('the list of messages', () => {
  test('shows newest first what waits, is late, was sent and was not delivered, and finds a recipient', async () => {
    const uids = []
    for (const name of ['sent', 'dead', 'late', 'waiting']) uids.push(await addMail(`${name}@example.com`))
    const [sent = '', dead = '', late = ''] = uids
    await setState(sent, sql`state = 'sent', done_at = now(), attempts = 1`)
    await makeDead(dead)
    await setState(late, sql`problem = 'The mail server can''t be reached.'`)
    expect(await listed()).toEqual([
      ['waiting@example.com', 'waiting'],
      ['late@example.com', 'late'],
      ['dead@example.com', 'dead'],
      ['sent@example.com', 'sent'],
    ])
    expect(await listed({ state: ['dead', 'late'] })).toEqual([
      ['late@example.com', 'late'],
      ['dead@example.com', 'dead'],
    ])
    expect(await listed({ state: ['waiting'] })).toEqual([['waiting@example.com', 'waiting']])
    expect(await listed({ search: 'sent@ex' })).toEqual([['sent@example.com', 'sent']])
    expect(await listed({ channel: ['webhook'] })).toEqual([])
    expect(await listed({ kind: ['test'], pageSize: '1', page: '2' })).toEqual([['late@example.com', 'late']])
    expect((await call(messages.counts, {})).body.data).toEqual({ waiting: 2, late: 1, dead: 1 })
  })

  test('is for admins only', async () => {
    for (const { token } of [people.sales, people.driver, people.client])
      expect((await call(messages.list, { query: {} }, { token })).status).toBe(403)
  })
})

test('the list is counted on its first page, and not again on each page behind it', async () => {
  for (const n of [1, 2, 3, 4]) await addMail(`counted${n}@example.com`)
  const totalOn = async (page: number, pageSize = 1) =>
    (await call(messages.list, { query: { search: 'counted', page: String(page), pageSize: String(pageSize) } })).body
      .total
  expect(await totalOn(1)).toBe(4)
  await addMail('counted5@example.com')
  expect([await totalOn(2), await totalOn(1), await totalOn(2)]).toEqual([4, 5, 5])
  // A page that shows the end needs no counting; one beyond it has no rows to count by.
  expect([await totalOn(1, 10), await totalOn(2, 3), await totalOn(9)]).toEqual([5, 5, 5])
})

describe('one message', () => {
  test('shows every attempt with its answer, and the mail as it was sent', async () => {
    const uid = await addMail('shown@example.com')
    const attempt = { at: '2026-11-16T12:00:00.000Z', ms: 41, outcome: 'failed', answer: '451 Try again later' }
    await setState(uid, sql`attempts = 1, log = ${JSON.stringify([attempt])}::jsonb`)
    const message = await get(uid)
    expect(message).toMatchObject({ recipient: 'shown@example.com', log: [attempt], isSecret: false })
    expect(message.mail?.text).toContain('no picture for 10 minutes')
    expect(message.mail?.html).toContain('no picture for 10 minutes')
    expect((await call(messages.get, { params: { uid: NIL_UUID } })).status).toBe(404)
  })

  test('never shows a link that opens an account', async () => {
    const { email } = people.sales
    await call(auth.forgotPasswordMail, { body: { email } }, { token: '' })
    const token = /token=(\S+)/.exec(mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
    expect(token).not.toBe('')
    const [entry] = (await call(messages.list, { query: { search: email } })).body.data
    const answer = await call(messages.get, { params: { uid: entry?.uid ?? '' } })
    expect(answer.body.data).toMatchObject({ isSecret: true, mail: null, state: 'sent' })
    // A link that has not arrived is as secret.
    const body = { name: 'Ivo Lane', email: 'not-delivered@example.com', role: 'driver' as const, modules: [] }
    await call(users.create, { body })
    expect((await call(messages.list, { query: { search: body.email } })).text).not.toContain('token=')
    expect(answer.text).not.toContain(token)
  })
})

describe('send again', () => {
  test('delivers a message that was given up, and is in the audit log', async () => {
    const uid = await addMail('again@example.com')
    await makeDead(uid)
    expect((await call(messages.sendAgain, { params: { uid } })).body.data).toMatchObject({ state: 'waiting' })
    expect(mails.filter(({ to }) => to === 'again@example.com')).toHaveLength(1)
    expect(await get(uid)).toMatchObject({ state: 'sent', attempts: 1 })
    const noted = await db
      .selectFrom('audit_log')
      .select(['subject', 'actor_uid'])
      .where('kind', '=', 'messageSentAgain')
      .execute()
    expect(noted).toEqual([{ subject: 'again@example.com', actor_uid: people.admin.uid }])
  })

  test('refuses a message that was sent or still waits', async () => {
    const uid = await addMail('once@example.com')
    const answer = await call(messages.sendAgain, { params: { uid } })
    expect([answer.status, answer.error.code]).toEqual([409, 'messageNotOver'])
    // The call has also sent what waited.
    expect(await get(uid)).toMatchObject({ state: 'sent' })
    expect((await call(messages.sendAgain, { params: { uid } })).status).toBe(409)
    expect(mails.filter(({ to }) => to === 'once@example.com')).toHaveLength(1)
  })

  test('of a link that has ended sends nothing and says why', async () => {
    const { email, uid: userUid } = people.driver
    const words = { kind: 'forgot-password', subject: 'Reset', paragraphs: ['Choose a new password.'] }
    const mail = composeMail({ email, name: 'Ann', language: 'en' }, 'Roadshow', words)
    const uid = (await enqueueMail(db, mail, { userUid, isSecret: true })) ?? ''
    await makeDead(uid)
    await call(messages.sendAgain, { params: { uid } })
    expect(mails.filter(({ to }) => to === email)).toEqual([])
    const problem = 'The link in it was used, ended or replaced by a newer one.'
    expect(await get(uid)).toMatchObject({ state: 'cancelled', problem })
  })
})

describe('cancel', () => {
  test('keeps a waiting message from being sent', async () => {
    const uid = await addMail('cancelled@example.com')
    const answer = await call(messages.cancel, { params: { uid } })
    expect(answer.body.data).toMatchObject({ state: 'cancelled', problem: 'The admin canceled it.' })
    expect(mails.filter(({ to }) => to === 'cancelled@example.com')).toEqual([])
    expect((await call(messages.cancel, { params: { uid } })).status).toBe(409)
  })

  test('refuses a message that a node is sending', async () => {
    const uid = await addMail('leaving@example.com')
    await setState(uid, sql`leased_until = now() + interval '1 minute'`)
    const answer = await call(messages.cancel, { params: { uid } })
    expect([answer.status, answer.error.code]).toEqual([409, 'messageNotWaiting'])
  })
})
