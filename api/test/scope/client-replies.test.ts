import {
  addresses,
  API_BASE,
  clientKeyModules,
  type Endpoint,
  endpoints,
  fleet,
  modules,
  programs,
  shifts,
  type ServerToWeb,
  type WebToServer,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, expect, test, vi } from 'vitest'
import { apiModules, contextOf, jobsOf } from '../../src/app.ts'
import { Receiver } from '../../src/outreach/webhooks/test-receiver.ts'
import type { Mail } from '../../src/platform/mail/mailer.ts'
import { runJob } from '../../src/platform/jobs/runner.ts'
import { findIdentities } from './test-identities.ts'
import { readerOf, readsOf, textOf } from './test-reads.ts'
import { openSharedTruck } from './test-shared-truck.ts'
import { leaveTraces } from './test-traces.ts'

const LOOPBACK = ['127.0.0.0/8']
const APP_ENV = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost:3000',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}
const world = await openWorld({ privateNetworks: LOOPBACK })
const { app, db, people } = world
const shared = await openSharedTruck(world)
const { acme } = shared
const receiver = await new Receiver().open()
afterAll(() => receiver.close())
const client = await world.addUser('client', modules, acme.clientUid)
await world.addUser('client', modules, shared.zyx.clientUid)
const traces = await leaveTraces(world, shared, receiver.url)
const read = readerOf(world, shared)
const node = await world.openNode((each) => apiModules.flatMap(({ sockets }) => sockets?.(each) ?? []))
const identities = await findIdentities(db, client.uid)

/** Records that a client knows by their uid. A player stands in the ids of its plays, and is no person. */
const KNOWN = [
  'address_set',
  'artwork_set',
  'booked_line',
  'campaign_link',
  'client',
  'client_program',
  'device',
  'market',
  'notification',
  'pixel_map',
  'pop',
  'pop_photo',
  'sales_proposal',
  'sd_address',
  'session',
  'shift',
  'stored_file',
  'truck',
  'truck_issue',
]

/** What stands in texts and belongs to drivers, staff or other accounts; uids of tables that clients know nothing of, too. */
class Scan {
  readonly leaks = new Set<string>()

  add(name: string, text: string): void {
    for (const secret of identities.namedIn(text)) this.leaks.add(`${name}: ${secret}`)
    for (const table of identities.tablesIn(text)) {
      if (!KNOWN.includes(table)) this.leaks.add(`${name}: a uid of ${table}`)
    }
  }
}

test('no call that a client can make names a driver, staff or their accounts, in no format, by session and by key', async () => {
  const scan = new Scan()
  const key = await world.addKey({ modules: [...clientKeyModules], clientUid: acme.clientUid })
  const counts = { session: 0, key: 0 }
  for (const [actor, token] of [['session', client.token] as const, ['key', key.token] as const]) {
    for (const endpoint of readsOf('client', modules)) {
      for (const { name, status, text } of await read(endpoint, token)) {
        if (status === 200) counts[actor]++
        scan.add(name, text)
      }
    }
  }
  expect([...scan.leaks]).toEqual([])
  expect(counts.session).toBeGreaterThan(200)
  expect(counts.key).toBeGreaterThan(100)
})

type History = typeof shifts.history | typeof fleet.issueHistory | typeof addresses.history | typeof programs.history

test('histories keep what the client sees of the records themselves', async () => {
  const fieldsOf = async (endpoint: History, uid: string) => {
    const { body } = await world.call(endpoint, { params: { uid }, query: {} }, { token: client.token })
    return new Set(body.data.flatMap(({ fields }) => fields.map(({ field }) => field)))
  }
  const shiftUid = shared.shifts.own[1] ?? ''
  expect([...(await fieldsOf(shifts.history, shiftUid))]).toEqual(
    expect.arrayContaining([
      'localDate',
      'startTime',
      'endTime',
      'zone',
      'truck',
      'market',

      'status',
      'startedAt',
    ]),
  )
  const ofIssues = await Promise.all(shared.issues.own.map((uid) => fieldsOf(fleet.issueHistory, uid)))
  expect([...new Set(ofIssues.flatMap((fields) => [...fields]))].toSorted()).toEqual([
    'kind',
    'openedAt',
    'photoFile',
    'raisedBy',
    'resolvedAt',
    'shift',
    'status',
    'text',
    'truck',
  ])
  expect([...(await fieldsOf(addresses.history, acme.setUid))]).toEqual(expect.arrayContaining(['address', 'name']))
  expect([...(await fieldsOf(programs.history, acme.programUid))]).toEqual(expect.arrayContaining(['market', 'name']))
})

test('the scan finds what staff read by the same calls: accounts, names, addresses and phones, also inside of ids', async () => {
  const scan = new Scan()
  for (const endpoint of readsOf('client', modules).filter(({ path }) => /issues|schedule\/details/.test(path))) {
    for (const { text } of await read(endpoint, people.admin.token)) scan.add('', text)
  }
  const { uid, name, phone } = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'phone'])
    .where('uid', '=', acme.driver.uid)
    .executeTakeFirstOrThrow()
  for (const secret of [uid, name, phone]) expect([...scan.leaks]).toContain(`: ${secret}`)
  const bytes = Buffer.from(uid.replaceAll('-', ''), 'hex')
  const hidden = [
    `"event ${uid} 1"`,
    `/x/${encodeURIComponent(name)}`,
    Buffer.concat([Buffer.from('xyz'), bytes]).toString('base64url'),
  ]
  for (const text of hidden) expect(identities.namedIn(text), text).not.toEqual([])
})

/** Pages and calls that are open to the world, as the client shares them. */
const sharedUrls = (): string[] => {
  const { popUrl, linkToken, proposalToken } = traces
  const params: Record<string, string> = { popUrl, number: '1', version: '1' }
  const tokens: [start: string, token: string][] = [
    ['shared-campaigns/', linkToken],
    ['shared-proposals/', proposalToken],
  ]
  const pathOf = ({ path }: Endpoint) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'token' ? (tokens.find(([start]) => path.startsWith(start))?.[1] ?? '') : (params[name] ?? ''),
    )
  const calls = endpoints.filter(
    ({ method, access, path }) => method === 'GET' && access === 'public' && /^(public|shared-)/.test(path),
  )
  const queries = `?popUrl=${popUrl}&market=${shared.market.uid}`
  return [
    `/pop/${popUrl}`,
    `/programs/${popUrl}`,
    `/c/${linkToken}`,
    `/o/${proposalToken}`,
    '/status',
    ...calls.map((endpoint) => `${API_BASE}/${pathOf(endpoint)}${endpoint.query ? queries : ''}`),
  ]
}

/** Runs jobs of a node, with mails going to a list. */
const mails: Mail[] = []
const deps = {
  db,
  blobs: app.blobs,
  mailer: { send: async (mail: Mail) => void mails.push(mail) },
  env: { ...APP_ENV, privateNetworks: LOOPBACK },
}
async function run(...names: string[]): Promise<void> {
  const jobs = jobsOf(contextOf(deps))
  const errors: unknown[] = []
  const resources = { ...deps, log: (error: unknown) => void errors.push(error) }
  for (const name of names) {
    const job = jobs.find((each) => each.name === name)
    if (!job) throw new Error(`No job is called ${name}.`)
    await runJob(job, resources, { signal: new AbortController().signal })
  }
  expect(errors).toEqual([])
}

test('no public page, link, document or PDF does', async () => {
  await run('pdfs')
  const scan = new Scan()
  const opened: string[] = []
  for (const url of sharedUrls()) {
    const answer = await traces.app.inject({ url })
    if (answer.statusCode === 200) opened.push(url)
    scan.add(url, textOf(answer))
  }
  expect([...scan.leaks]).toEqual([])
  const parts = ['/pop/', '/c/', '/o/', '/status', '/live', '/document', '/pdf', 'miles-driven', 'shared-proposals']
  for (const part of parts) expect(opened.join('\n'), part).toContain(part)
})

test('no socket does', async () => {
  const auth = { clientType: 'web', userUid: client.uid, token: client.token }
  const socket: Socket<ServerToWeb, WebToServer> = io(node, { transports: ['websocket'], reconnection: false, auth })
  const scan = new Scan()
  const heard = new Set<string>()
  socket.onAny((event: string, ...sent: unknown[]) => {
    heard.add(event)
    scan.add(event, JSON.stringify(sent))
  })
  const answer = await socket.emitWithAck('get-all-geotab-stats')
  expect(JSON.stringify(answer)).toContain(shared.truckUid)
  scan.add('get-all-geotab-stats', JSON.stringify(answer))
  await sql`update truck_now set at = now(), latitude = latitude + 0.01 where truck_uid = ${shared.truckUid}`.execute(
    db,
  )
  await sql`select pg_notify('trucks_moved', '')`.execute(db)
  await sql`update shift set note = 'moved' where uid = any(${shared.shifts.own}::uuid[])`.execute(db)
  await sql`update truck_issue set note = 'moved' where uid = any(${shared.issues.own}::uuid[])`.execute(db)
  await expect
    .poll(() => [...heard], { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['geotab-feed', 'issues-changed']))
  expect([...scan.leaks]).toEqual([])
  socket.disconnect()
})

test('no mail and no webhook to the client does', async () => {
  await sql`update play set received_at = received_at - interval '1 hour'`.execute(db)
  // An event is handled once no older transaction is open, whosever it is.
  const told = ['shift.changed', 'issue.opened', 'issue.resolved', 'pop.published']
  await vi.waitFor(
    async () => {
      await run('announce-plays', 'handle-events', 'send-mail', 'send-webhook')
      expect(receiver.received.map(({ event }) => event.type)).toEqual(expect.arrayContaining(told))
    },
    { timeout: 20_000, interval: 250 },
  )
  const scan = new Scan()
  const own = mails.filter(({ to }) => to === client.email || to === traces.buyer)
  // Readers unsubscribe by a link with their own uid.
  const { uid: buyerUid } = await db
    .selectFrom('report_recipient')
    .select('uid')
    .where('email', '=', traces.buyer)
    .executeTakeFirstOrThrow()
  for (const { to, subject, text, html = '' } of own) {
    const mail = [subject, text, html].join('\n')
    scan.add(`mail ${subject}`, to === traces.buyer ? mail.replaceAll(buyerUid, '') : mail)
  }
  for (const { event, body } of receiver.received) scan.add(`webhook ${event.type}`, body)
  expect([...scan.leaks]).toEqual([])
  expect(own).not.toEqual([])
})
