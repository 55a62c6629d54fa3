import { randomUUID } from 'node:crypto'
import { API_BASE, auth, calendar, errorBody, files, trucks } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildApp, redactPath } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { mailChannel } from '../mail/channel.ts'
import { sendDue } from '../outbox/index.ts'
import { createLogger, loggedError, loggedUrl } from './log.ts'

const world = await openWorld()
const { db, call, people } = world

const lines: string[] = []
const mails: string[] = []
beforeEach(() => void lines.splice(0))
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

const mailer = {
  send: async ({ text }: { text: string }) => {
    mails.push(text)
    throw Object.assign(new Error('The mail server is away.'), { command: 'DATA', mail: text })
  },
}

async function open(trustProxy: number, logSamplePercent = 100) {
  const env = {
    brandName: 'R',
    publicUrl: 'http://localhost',
    logLevel: 'debug',
    trustProxy,
    checkReplies: true,
    logSamplePercent,
  }
  const stream = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'debug', redactPath, stream })
  const app = await buildApp({ db, env, blobs: world.app.blobs, mailer, logger })
  afterAll(() => app.close())
  return app
}
const app = await open(0)
const behindProxy = await open(1)

const headers = { authorization: `Bearer ${people.admin.token}` }
const url = (path: string) => `${API_BASE}/${path}`
const tokenIn = (text: string) => /[?&]token=([\w-]+)|calendar[^\s]*\/([\w-]{20,})/.exec(text)?.slice(1).find(Boolean)

test('whatever is called, no secret is in the log', async () => {
  const password = 'a-secret-pass-word'
  const link = (await call(calendar.createLink, {})).body.data.url
  const upload = (
    await call(files.getUploadSas, { body: { purpose: 'artwork', name: 'a.png', contentType: 'image/png', size: 9 } })
  ).body.data.url
  const signature = new URL(upload, 'http://local').searchParams.get('signature') ?? ''
  const calls: InjectOptions[] = [
    { url: url(trucks.list.path), headers, query: { search: 'a-private-search' } },
    {
      method: 'POST',
      url: url(auth.authenticate.path),
      payload: { email: people.admin.email, password, clientType: 'web' },
    },
    { method: 'POST', url: url(auth.forgotPasswordMail.path), payload: { email: people.admin.email } },
    { method: 'POST', url: url(auth.passwordReset.path), payload: { token: 'a-reset-token', password } },
    { url: '/forgot-password?token=a-reset-token' },
    { url: '/forgot-password?a-bare-token' },
    { url: new URL(link).pathname },
    { url: new URL(link).pathname.replace('/', '//') },
    { method: 'PUT', url: upload, payload: 'x', headers: { 'content-type': 'application/octet-stream' } },
    { url: url(`files/${randomUUID()}?expires=1&signature=a-signature`) },
    { url: url(trucks.list.path), headers: { cookie: 'session=a-cookie', authorization: 'Bearer a-wrong-token' } },
    { url: '/metrics', headers: { authorization: 'Bearer a-wrong-token' } },
    { url: '/%E0%A4%A?token=a-reset-token' },
  ]
  for (const each of calls) await app.inject(each)
  await app.kernel.backgroundDone()
  const log = (error: unknown) => app.log.error(error)
  await sendDue(mailChannel({ mailer }), { db, signal: new AbortController().signal, log })
  await app.close()
  expect(mails).toHaveLength(1)
  const secrets = [
    password,
    people.admin.token,
    tokenIn(link) ?? '',
    signature,
    tokenIn(mails.join('')) ?? '',
    'a-private-search',
    'a-reset-token',
    'a-bare-token',
    'a-signature',
    'a-cookie',
    'a-wrong-token',
  ]
  expect(secrets.every((secret) => secret.length > 7)).toBe(true)
  const written = lines.join('')
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
  // And yet everything is told.
  expect(logged().filter(({ msg }) => msg === 'call').length).toBeGreaterThanOrEqual(calls.length - 1)
  const waiting = await db.selectFrom('message').select(['state', 'problem']).executeTakeFirst()
  expect(waiting).toEqual({ state: 'waiting', problem: 'The mail server is away.' })
})

test('an address is told by its path and by what it asks for, without the values', () => {
  const hide = (path: string) => path.replace(/secret/, '…')
  const told = (given: string) => loggedUrl(given, hide)
  expect(told('/a/secret')).toBe('/a/…')
  expect(told('/a/secret?page=2&search=x&search=y')).toBe('/a/…?page&search')
  expect(told('/a?token')).toBe('/a?…')
  expect(told(`/a?${'n'.repeat(500)}=1&=2`)).toBe('/a?…')
})

test('an error is told without the row that it is about', () => {
  const error = new DatabaseError('new row violates check constraint', 10, 'error')
  Object.assign(error, { code: '23514', table: 'user_account', detail: 'Failing row contains ($argon2id$…).' })
  const outer = new Error('outer', { cause: error })
  const told = JSON.stringify(loggedError(outer))
  expect(told).toContain('"table":"user_account"')
  expect(told).not.toContain('argon2id')
  expect(loggedError('just a word')).toEqual({ type: 'string', message: 'just a word' })
})

test('every answer says under which id the log knows it, and so does an error of ours', async () => {
  await sql`alter table truck rename to truck_away`.execute(db)
  const answer = await behindProxy.inject({ url: url(trucks.list.path), headers })
  await sql`alter table truck_away rename to truck`.execute(db)
  const { id } = errorBody.parse(answer.json())
  expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([500, id])
  const error = logged().find(({ msg }) => msg === 'internal error')
  expect(error).toMatchObject({ reqId: id, err: { code: '42P01' } })
  const bad = await behindProxy.inject('/%E0%A4%A')
  expect([bad.statusCode, typeof bad.headers['x-request-id']]).toEqual([400, 'string'])
})

test('the id of a trusted proxy is kept when it is short and plain, and no one else’s', async () => {
  const idOf = async (node: typeof app, given: string) =>
    (await node.inject({ url: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id']
  const stranger = await open(0)
  const plain = 'req-0123456789.abc'
  expect(await idOf(behindProxy, plain)).toBe(plain)
  const made = [
    await idOf(stranger, plain),
    await idOf(behindProxy, 'x'.repeat(65)),
    await idOf(behindProxy, 'a "quoted" id'),
    await idOf(behindProxy, 'short'),
  ]
  for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('of successful calls a sample is logged, of failed ones each', async () => {
  const quiet = await open(0, 0)
  await quiet.inject({ url: url(trucks.list.path), headers })
  await quiet.inject({ url: url(trucks.list.path) })
  // A call that took long is logged all the same.
  const quick = logged().filter(({ ms }) => Number(ms) < 1000)
  expect(quick.map(({ status, level }) => [status, level])).toEqual([[401, 30]])
})

test('health checks are details, and the line of a call names the user and the key that made it', async () => {
  const node = await open(0)
  await node.inject('/healthz')
  await node.inject({ url: url(trucks.list.path), headers })
  const { uid, token } = await world.addKey()
  await node.inject({ url: url(trucks.list.path), headers: { authorization: `Bearer ${token}` } })
  expect(logged().map(({ level, route, user, status }) => [level, route, user, status])).toEqual([
    [20, '/healthz', null, 200],
    [30, url(trucks.list.path), people.admin.uid, 200],
    [30, url(trucks.list.path), uid, 200],
  ])
})
