import { type BodyOf, clientMails, clients, DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import type { Mail } from '../../platform/mail/mailer.ts'
import { openPayload } from '../../platform/outbox/index.ts'
import { openPops } from '../pop/test-pop.ts'
import { dueMonth } from './rules.ts'
import { checkReportMail, sendDueReports } from './send.ts'
import { unsubscribeReportUrl } from './unsubscribe.ts'

const world = await openWorld()
const { db, call, app, people } = world
const { addPop, addShift, addPlays, addTruck, austin } = await openPops(world)
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const { signal } = new AbortController()
// August 1, 8:30 AM in Austin.
const AUGUST = Date.parse('2026-08-01T13:30:00Z')
const run = (now: number) =>
  sendDueReports({ db, env, now, timeUp: signal, log: (error) => expect.unreachable(String(error)) })

const client = await world.addClient('Acme Month')
const program = await addPop([austin], {
  clientUid: client.uid,
  name: 'July only',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
})
const [truck, driver] = [await addTruck(), await world.addUser('driver')]
const given = { programUid: program.uid, marketUid: austin, truckUid: truck.uid }
const shiftUid = await addShift({ ...given, driverUid: driver.uid, date: '2026-07-03', start: '10:00', end: '18:00' })
await addPlays({ ...given, shiftUid, hour: '2026-07-03T17:00:00Z', plays: 42 })

type List = BodyOf<typeof clientMails.save>['recipients']
const monthly = (...emails: string[]): List => emails.map((email) => ({ email, occasions: ['monthly'] }))
const mailing = async (token = people.admin.token) =>
  (await call(clientMails.get, { params: { uid: client.uid } }, { token })).body.data
const save = async (recipients: List, token = people.admin.token) => {
  const before = (await mailing()).recipients.map(({ email }) => monthly(email)).flat()
  return call(clientMails.save, { params: { uid: client.uid }, body: { before, recipients } }, { token })
}
const send = (month: string, token = people.admin.token) =>
  call(clientMails.send, { params: { uid: client.uid }, body: { month } }, { token })

async function mails() {
  const { rows } = await sql<{ uid: string; kind: string; target: string; recipient: string; payload: Buffer }>`
    select m.uid, m.kind, m.target, m.recipient, m.payload from message m
      join report_recipient r on r.uid::text = m.target::text
     where r.client_uid = ${client.uid} order by m.created_at, m.recipient`.execute(db)
  return rows.map(({ payload, ...row }) => ({ ...row, mail: openPayload(payload, row.uid) as Mail }))
}

describe('the month that is due', () => {
  test.each([
    // It is over in New York, and not yet 8 AM of the first in Los Angeles.
    ['2026-08-01T12:00:00Z', undefined],
    ['2026-08-01T15:00:00Z', '2026-07'],
    ['2026-08-07T20:00:00Z', '2026-07'],
    // Given up after a week.
    ['2026-08-08T20:00:00Z', undefined],
    ['2027-01-01T20:00:00Z', '2026-12'],
    // The night of the first on which clocks go back.
    ['2026-11-01T16:00:00Z', '2026-10'],
  ])('at %s is %s', (now, month) => {
    expect(dueMonth(['America/New_York', 'America/Los_Angeles'], Date.parse(now))).toBe(month)
  })
})

test('recipients are chosen by the office and the client, seen by no other client, and refused with a reason', async () => {
  const own = await world.addUser('client', undefined, client.uid)
  expect((await save(monthly('ann@example.com'), own.token)).body.data.recipients).toEqual([
    { email: 'ann@example.com', occasions: ['monthly'], unsubscribedAt: null },
  ])
  for (const [{ token }, status] of [
    [people.client, 404],
    [people.driver, 403],
  ] as const) {
    expect((await save([], token)).status).toBe(status)
    expect((await send('2026-07', token)).status).toBe(status)
    expect((await call(clientMails.get, { params: { uid: client.uid } }, { token })).status).toBe(status)
  }
  expect((await save(monthly('nobody'))).error.fields).toEqual({ 'recipients.0.email': 'Not a valid email address.' })
  expect((await save(monthly('a@example.com', 'A@example.com'))).error.fields).toEqual({
    recipients: 'Name each address once.',
  })
  const weekly = [{ email: 'a@example.com', occasions: ['weekly'] }] as never
  expect((await save(weekly)).error.fields).toEqual({ 'recipients.0.occasions.0': 'Must be monthly.' })
  const late = { before: [], recipients: monthly('late@example.com') }
  expect((await call(clientMails.save, { params: { uid: client.uid }, body: late })).status).toBe(409)
})

test('the job mails the month once to each address, from several nodes at a time, and a month without programs not at all', async () => {
  await save(monthly('ann@example.com', 'bob@example.com'))
  await run(AUGUST - 3_600_000)
  expect(await mails()).toEqual([])
  await Promise.all([run(AUGUST), run(AUGUST), run(AUGUST)])
  await run(AUGUST + DAY_MS)
  const sent = await mails()
  expect(sent.map(({ recipient }) => recipient)).toEqual(['ann@example.com', 'bob@example.com'])
  expect(sent[0]?.mail.subject).toBe('Acme Month: report for Jul 1, 2026 – Jul 31, 2026')
  expect(sent[0]?.mail.text).toContain('Plays: 42')
  expect(sent[0]?.mail.text).not.toContain('The driver')
  expect(
    Buffer.from(sent[0]?.mail.attachments?.[0]?.base64 ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect((await mailing()).sent).toMatchObject([
    { occasion: 'monthly', period: '2026-07', isByHand: false, recipients: 2 },
  ])
  // No program ran in August.
  await run(Date.parse('2026-09-01T20:00:00Z'))
  expect(await mails()).toHaveLength(2)
})

test('Send now mails a month once in ten minutes, beside the one that was due', async () => {
  expect((await send('2026-07')).body.data).toEqual({ recipients: 2 })
  expect((await send('2026-07')).body.data).toEqual({ recipients: 0 })
  expect((await mailing()).sent.map(({ isByHand }) => isByHand)).toEqual([true, false])
  expect((await send('2026-08')).error.fields).toEqual({ month: 'No program ran in this month.' })
  expect((await send('2026-13')).status).toBe(400)
})

test('a recipient ends it with one click, and a removed one or a deleted client gets nothing that waits', async () => {
  const [first, second] = await mails()
  const pass = (each: typeof first) =>
    checkReportMail(db, { ...each, channel: 'mail' } as unknown as Parameters<typeof checkReportMail>[1])
  expect(await pass(first)).toBeUndefined()
  const url = unsubscribeReportUrl(env.publicUrl, first?.target ?? '').replace(env.publicUrl, '')
  expect((await app.inject({ url })).body).toContain('You get reports of Acme Month')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const clicked = await app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' })
  expect(clicked.body).toContain('You are unsubscribed')
  expect(await pass(first)).toBe('The recipient unsubscribed or was removed.')
  expect(await pass(second)).toBeUndefined()
  await save(monthly('ann@example.com'))
  expect(await pass(second)).toBe('The recipient unsubscribed or was removed.')
  expect((await send('2026-07')).error.fields).toEqual({
    month: 'No one gets this report. Add a recipient and save first.',
  })
  await save(monthly('cy@example.com'))
  const row = await db
    .selectFrom('report_recipient')
    .select('uid')
    .where('email', '=', 'cy@example.com')
    .executeTakeFirstOrThrow()
  const waiting = { kind: 'clientMonth', target: row.uid } as unknown as typeof first
  expect(await pass(waiting)).toBeUndefined()
  await db.updateTable('client').set({ deleted_at: new Date() }).where('uid', '=', client.uid).execute()
  expect(await pass(waiting)).toBe('The recipient unsubscribed or was removed.')
  await run(AUGUST)
  expect((await mails()).filter(({ recipient }) => recipient === 'cy@example.com')).toEqual([])
  expect((await call(clients.get, { params: { uid: client.uid } })).status).toBe(404)
})
