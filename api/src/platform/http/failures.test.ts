import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { API_BASE, auth, type Endpoint, errorBody, trucks, errorLog } from '@roadshow/contract'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { connect } from '../db/connection.ts'
import { recognizeError } from './error-reply.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const uid = '01900000-0000-7000-8000-000000000000'
const truck = { number: 'T-1', kind: 'led', state: 'active' } as const

test('an error of ours answers 500 with an id and nothing about the inside', async () => {
  await sql`alter table truck rename to truck_away`.execute(world.db)
  const answers = [
    await world.call(trucks.list, { query: {} }),
    await world.call(trucks.get, { params: { uid } }),
    await world.call(trucks.create, { body: truck }),
    await world.call(trucks.list, { query: { format: 'xlsx' } }),
  ]
  for (const { status, error, text } of answers) {
    expect(status).toBe(500)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
    expect(errorBody.parse(error)).toEqual({ error: 'Something went wrong', code: 'internal', id })
    expect(text).not.toMatch(/relation|truck|select|\.ts|\.js|stack/i)
  }
  expect(new Set(answers.map(({ error }) => error.id)).size).toBe(answers.length)
})

/** Calls of every kind, each needing the database for something else. */
const calls: [Endpoint, object?][] = [
  [trucks.list],
  [trucks.get],
  [trucks.create, truck],
  [trucks.remove],
  [auth.me],
  [auth.logout],
  [auth.authenticate, { email: 'a@example.com', password: 'x', clientType: 'web' }],
  [auth.forgotPasswordMail, { email: 'a@example.com' }],
  [auth.passwordReset, { token: 'x', password: 'a fresh password' }],
  [errorLog.report, { errorOrigin: 'x', error: 'x' }],
]

async function expectUnavailable(url: string) {
  const { db, close } = connect(url)
  const env = {
    brandName: 'Roadshow',
    publicUrl: 'http://localhost',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
  }
  const app = await buildApp({ db, env, blobs: world.app.blobs, mailer: { send: async () => {} } })
  afterAll(async () => {
    await app.close()
    await close()
  })
  for (const [{ method, path }, payload] of calls) {
    const answer = await app.inject({
      method,
      url: `${API_BASE}/${path.replace(/\{\w+\}/g, uid)}`,
      ...(payload && { payload }),
      headers: { authorization: `Bearer ${world.people.admin.token}` },
    })
    expect([answer.statusCode, errorBody.parse(answer.json()).code], path).toEqual([503, 'unavailable'])
  }
  expect((await app.inject('/readyz')).statusCode).toBe(503)
  expect((await app.inject('/healthz')).statusCode).toBe(200)
}

test('a database that is away answers 503', () => expectUnavailable('postgres://nobody@127.0.0.1:1/none'))

test('a database that hangs up answers 503', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  await expectUnavailable(`postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`)
})

test.each([
  'connection to the remote node postgres@worker1:5432 failed with the following error: Connection refused',
  'failure on connection marked as essential: worker1:5432',
  'failed to COPY to shard 102030 on worker1:5432',
  'server closed the connection unexpectedly',
  'SSL SYSCALL error: EOF detected',
  'SSL connection has been closed unexpectedly',
  'could not receive data from server: Connection reset by peer',
  'could not send data to server: Broken pipe',
])('a coordinator that loses a worker asks to try again: %s', (message) => {
  const error = new DatabaseError(message, message.length, 'error')
  error.code = 'XX000'
  expect(recognizeError(error)).toMatchObject({ code: 'unavailable', status: 503 })
})
