import { randomUUID } from 'node:crypto'
import { API_BASE, auth, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { checkAccountMail } from './mail-check.ts'

const { app, call, db, mails, deliverMails } = await openWorld()

let count = 0

/** A user with a password. */
async function addPerson() {
  const email = `late-${++count}-${randomUUID()}@example.com`
  const values = { email, name: 'Dana Brooks', role: 'sales', modules: ['clients'], password_hash: 'set' }
  const { uid } = await db.insertInto('user_account').values(values).returning('uid').executeTakeFirstOrThrow()
  return { uid, email }
}

/** Asks for a reset while the mail server is away: its mail waits. */
async function forgot(email: string): Promise<void> {
  const url = `${API_BASE}/${auth.forgotPasswordMail.path}`
  const remoteAddress = `203.0.113.${++count}`
  expect((await app.inject({ method: 'POST', url, payload: { email }, remoteAddress })).statusCode).toBe(200)
  await app.kernel.backgroundDone()
}

/** Lets time pass for the links and mails of a user. */
async function letPass(uid: string, interval: string): Promise<void> {
  await sql`update password_reset set created_at = created_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval
             where user_uid = ${uid}`.execute(db)
  await sql`update message set created_at = created_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval,
                   next_at = next_at - ${interval}::interval, done_at = done_at - ${interval}::interval
             where user_uid = ${uid}`.execute(db)
}

const tokensTo = (email: string) =>
  mails.filter(({ to }) => to === email).map(({ text }) => /token=(\S+)/.exec(text)?.[1] ?? '')
const stateOf = async (token: string) =>
  (await call(auth.checkPasswordLink, { body: { token } }, { token: '' })).body.data.state
const messagesOf = (uid: string) =>
  db.selectFrom('message').select(['state', 'problem']).where('user_uid', '=', uid).orderBy('place').execute()

test('a reset mail that waited an hour for the mail server still works, for 30 minutes from when it was sent', async () => {
  const { uid, email } = await addPerson()
  await forgot(email)
  await letPass(uid, '1 hour')
  await deliverMails()
  const [token = ''] = tokensTo(email)
  expect(await stateOf(token)).toBe('valid')
  await letPass(uid, '29 minutes')
  expect(await stateOf(token)).toBe('valid')
  await letPass(uid, '2 minutes')
  expect(await stateOf(token)).toBe('expired')
})

test('a reset that was asked for more than two days ago is not mailed any more', async () => {
  const { uid, email } = await addPerson()
  await forgot(email)
  await letPass(uid, '49 hours')
  await deliverMails()
  expect(tokensTo(email)).toEqual([])
  expect(await messagesOf(uid)).toMatchObject([{ state: 'cancelled' }])
})

test('of several resets that wait only the newest is mailed; the others say why', async () => {
  const { uid, email } = await addPerson()
  for (let asked = 0; asked < 3; asked++) await forgot(email)
  await deliverMails()
  const tokens = tokensTo(email)
  expect(tokens).toHaveLength(1)
  expect(await stateOf(tokens[0] ?? '')).toBe('valid')
  const replaced = { state: 'cancelled', problem: 'The link in it was used, ended or replaced by a newer one.' }
  expect(await messagesOf(uid)).toEqual([replaced, replaced, { state: 'sent', problem: null }])
})

test('a mail is not sent to an address that the account no longer has, nor to a deleted account', async () => {
  const moved = await addPerson()
  await forgot(moved.email)
  await db
    .updateTable('user_account')
    .set({ email: `new-${moved.email}` })
    .where('uid', '=', moved.uid)
    .execute()
  const gone = await addPerson()
  await forgot(gone.email)
  // The call also sends what waits.
  expect((await call(users.remove, { params: { uid: gone.uid } })).status).toBe(200)
  expect([...tokensTo(moved.email), ...tokensTo(gone.email)]).toEqual([])
  expect(await messagesOf(moved.uid)).toEqual([
    { state: 'cancelled', problem: 'The account has another email address now.' },
  ])
  expect(await messagesOf(gone.uid)).toEqual([{ state: 'cancelled', problem: 'The account was deleted.' }])
})

test('a message to a user’s browser is sent as long as the account is there', async () => {
  const { uid: userUid } = await addPerson()
  const message = {
    uid: randomUUID(),
    channel: 'push' as const,
    kind: 'truckDark',
    recipient: 'Firefox on Linux',
    userUid,
    target: randomUUID(),
    createdAt: '2026-11-16T12:00:00.000Z',
    attempts: 1,
    payload: {},
  }
  expect(await checkAccountMail(db, message)).toBeUndefined()
  await call(users.remove, { params: { uid: userUid } })
  expect(await checkAccountMail(db, message)).toBe('The account was deleted.')
})
