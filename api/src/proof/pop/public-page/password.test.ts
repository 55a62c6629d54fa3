import { pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePages } from '@roadshow/test-kit/pages'
import { openWorld } from '@roadshow/test-kit/world'
import { buildApp } from '../../../app.ts'
import { openPops } from '../test-pop.ts'

const world = await openWorld()
const { db, call, people } = world
const { addPop, addPhoto, publish, popOf, austin } = await openPops(world)
const { pages, removePages } = await writePages()
const app = await buildApp({
  db,
  pages,
  blobs: world.app.blobs,
  mailer: { send: async () => undefined },
  env: {
    brandName: 'Roadshow',
    publicUrl: 'http://localhost:3000',
    contactEmail: 'hello@example.com',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
  },
})
afterAll(async () => {
  await app.close()
  await removePages()
})

const PASSWORD = 'seven wet boots'
let uid = ''
let key = ''
const open = (url: string, cookie = '') => app.inject({ url, headers: { ...(cookie && { cookie }) } })
const enter = (password: string, { url = '/programs/Secret%20Tour', ip = '10.1.0.1' } = {}) =>
  app.inject({
    method: 'POST',
    url,
    remoteAddress: ip,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ password }).toString(),
  })
const setPassword = async (password: string | null, token = people.admin.token) =>
  call(pops.setPassword, { body: { uid, version: (await popOf(uid)).version, password } }, { token })
const passOf = ({ headers }: { headers: { 'set-cookie'?: string | string[] | undefined } }) =>
  [headers['set-cookie'] ?? ''].flat()[0]?.split(';', 1)[0] ?? ''

beforeAll(async () => {
  const pop = await addPop([austin], { popUrl: 'Secret Tour', name: 'Secret Tour' })
  uid = pop.uid
  key = (await addPhoto(uid, austin)).key
  await publish(uid)
  await setPassword(PASSWORD)
})

const files = () => [
  '/api/v1/public/pop/Secret%20Tour/document',
  '/api/v1/public/pop/Secret%20Tour/pdf',
  `/api/v1/public/pop/Secret%20Tour/pictures/${key}/small`,
  '/api/v1/public/pop/Secret%20Tour/share-image/1',
  '/api/v1/public/miles-driven?popUrl=Secret%20Tour',
  '/api/v1/public/market-miles-driven?popUrl=Secret%20Tour',
]

describe('a page with a password', () => {
  test('shows nothing of itself without it: neither the page nor any of its files', async () => {
    for (const url of ['/programs/Secret%20Tour', '/pop/secret%20tour']) {
      const { statusCode, body, headers } = await open(url)
      expect([statusCode, headers['cache-control']]).toEqual([403, 'private, no-store'])
      expect(body).toContain('Enter the password')
      expect(body).not.toMatch(/Secret Tour|og:image/)
      expect(body).not.toContain((await popOf(uid)).client.name)
    }
    for (const url of files()) {
      const { statusCode, json } = await open(url)
      expect([url, statusCode, json<{ code: string }>().code]).toEqual([url, 403, 'pageLocked'])
    }
    expect((await popOf(uid)).views).toBe(0)
  })

  test('opens with it, without a script, for this page only', async () => {
    const entered = await enter(PASSWORD)
    expect([entered.statusCode, entered.headers['location']]).toEqual([303, '/programs/Secret%20Tour'])
    expect(String(entered.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(String(entered.headers['set-cookie'])).not.toContain(uid)
    const pass = passOf(entered)
    const page = await open('/programs/Secret%20Tour', pass)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(page.body).toContain('<h1>Secret Tour</h1>')
    for (const url of files().filter((each) => !each.endsWith('/pdf') && !each.includes('share-image'))) {
      const { statusCode, headers } = await open(url, pass)
      expect([url, statusCode]).toEqual([url, 200])
      expect(headers['cache-control'] ?? 'no-store').not.toContain('public')
    }
    // Its PDF is not made yet.
    expect((await open('/api/v1/public/pop/Secret%20Tour/pdf', pass)).statusCode).toBe(503)
    const other = await addPop([austin], { popUrl: 'Other Tour', name: 'Other Tour' })
    await addPhoto(other.uid, austin)
    await publish(other.uid)
    const { version } = await popOf(other.uid)
    await call(pops.setPassword, { body: { uid: other.uid, version, password: PASSWORD } })
    expect((await open('/programs/Other%20Tour', pass)).statusCode).toBe(403)
  })

  test('ends the passes of the password before when it gets another one, and needs none once it is removed', async () => {
    const pass = passOf(await enter(PASSWORD))
    expect((await open('/programs/Secret%20Tour', pass)).statusCode).toBe(200)
    await setPassword('eight dry shoes')
    expect((await open('/programs/Secret%20Tour', pass)).statusCode).toBe(403)
    expect((await enter(PASSWORD)).statusCode).toBe(403)
    await setPassword(null)
    const anyone = await open('/programs/Secret%20Tour')
    expect([anyone.statusCode, anyone.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect((await enter('anything')).statusCode).toBe(303)
    await setPassword(PASSWORD)
    // The same word is hashed otherwise, so old passes stay ended.
    expect((await open('/programs/Secret%20Tour', pass)).statusCode).toBe(403)
  })

  test('refuses passes that were made up or have expired', async () => {
    const pass = passOf(await enter(PASSWORD))
    const [name = '', value = ''] = pass.split('=')
    const [expires = '', signature = ''] = value.split('.')
    for (const forged of [
      '',
      'x',
      `${expires}.`,
      `${Number(expires) + 60}.${signature}`,
      `1.${signature}`,
      `NaN.${signature}`,
    ])
      expect([forged, (await open('/programs/Secret%20Tour', `${name}=${forged}`)).statusCode]).toEqual([forged, 403])
  })

  test('counts wrong passwords and makes a network wait', async () => {
    const wrong = await enter('wrong', { ip: '10.7.0.1' })
    expect([wrong.statusCode, wrong.body.includes('Wrong password. Please try again.')]).toEqual([403, true])
    for (let n = 0; n < 9; n++) await enter('wrong', { ip: '10.7.0.1' })
    // The wait outlasts the test, however slow the machine.
    await sql`update throttle set blocked_until = now() + interval '1 minute' where key like 'popPage pair:10.7.0.1 %'`.execute(
      db,
    )
    const limited = await enter(PASSWORD, { ip: '10.7.0.1' })
    expect(limited.statusCode).toBe(429)
    expect(limited.body).toContain('Too many attempts')
    expect((await enter(PASSWORD, { ip: '10.7.0.2' })).statusCode).toBe(303)
  })

  test('takes anything that a form can send without failing', async () => {
    for (const payload of ['', 'password', 'password=%', `password=${'x'.repeat(3000)}`, 'a=b&password=1&password=2']) {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/pop/Secret%20Tour',
        remoteAddress: `10.8.0.${payload.length % 250}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
      expect([payload.slice(0, 20), statusCode]).toEqual([payload.slice(0, 20), 403])
    }
    expect((await enter(PASSWORD, { url: '/programs/Nobody', ip: '10.9.0.1' })).statusCode).toBe(303)
  })
})

test('staff sets the password, the history says when, and its hash is in no record', async () => {
  for (const token of [people.driver.token, people.client.token])
    expect((await setPassword('not for you', token)).status).toBe(403)
  const short = await setPassword('short')
  expect([short.status, short.error.fields]).toEqual([400, { password: 'Use at least 8 characters.' }])
  const stale = await call(pops.setPassword, { body: { uid, version: 1, password: PASSWORD } })
  expect(stale.status).toBe(409)
  await setPassword(PASSWORD, people.sales.token)
  const { body } = await call(pops.history, { params: { uid }, query: {} })
  const told = JSON.stringify(body)
  expect(told).toContain('passwordSetAt')
  expect(told).not.toMatch(/argon2|seven wet boots/)
  const document = await open(
    '/api/v1/public/pop/Secret%20Tour/document',
    passOf(await enter(PASSWORD, { ip: '10.6.0.1' })),
  )
  expect(document.body).not.toMatch(/password/i)
})

test('an address without a page says so in the brand’s look, with whom to ask, and the same for withdrawn pages', async () => {
  const unknown = await open('/programs/Nobody')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.body).toContain('This page is not available')
  expect(unknown.body).toContain('<b>Roadshow</b>')
  expect(unknown.body).toContain('href="mailto:hello@example.com"')
  const { version } = await popOf(uid)
  await call(pops.withdraw, { body: { uid, version } })
  const withdrawn = await open('/programs/Secret%20Tour')
  expect([withdrawn.statusCode, withdrawn.body]).toEqual([404, unknown.body])
})
