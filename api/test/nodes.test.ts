import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { auth, calendar, CLIENT_TYPE, files, type Play, trucks, type UploadTarget, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../src/accounts/sign-in/index.ts'
import { aPicture } from '@roadshow/test-kit/media'
import { fleetOf, minutesAgo } from '../src/live/players/test-fleet.ts'
import { startGeotab } from '../src/live/telemetry/test-geotab.ts'
import { openTestSocket, TestClient, type TestSocket } from '@roadshow/test-kit/client'
import { newNode, startProxy, startRedis, type TestNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, people } = world
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-nodes-'))
const geotab = await startGeotab()
const redis = await startRedis(folder)

const settings = {
  DATABASE_URL: world.url,
  DATA_DIR: folder,
  REDIS_URL: redis.url,
  TRUST_PROXY: '1',
  RATE_LIMIT: '0',
  DRAIN_SECONDS: '4',
  GEOTAB_SERVER: geotab.account.server,
  GEOTAB_POLL_SECONDS: '1',
  GEOTAB_DATABASE: geotab.account.database,
  GEOTAB_USER: geotab.account.user,
  GEOTAB_PASSWORD: 'secret',
}
const [one, two] = [await newNode(settings), await newNode(settings)]
let proxy: Awaited<ReturnType<typeof startProxy>>
const clients: TestClient[] = []
const sockets: TestSocket[] = []

beforeAll(async () => {
  await Promise.all([one.start(), two.start()])
  proxy = await startProxy([one, two], folder)
}, 120_000)

afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  for (const client of clients) client.close()
  await Promise.all([one.stop('SIGKILL'), two.stop('SIGKILL'), proxy?.stop(), redis.stop(), geotab.close()])
  await rm(folder, { recursive: true })
})

function clientOf(url: string, token = people.admin.token, localAddress?: string): TestClient {
  const client = new TestClient(url, { token, ...(localAddress && { localAddress }) })
  clients.push(client)
  return client
}

async function openPage(url: string, { uid, token }: { uid: string; token: string }): Promise<TestSocket> {
  const handshake = { clientType: CLIENT_TYPE, userUid: uid, token }
  const page = openTestSocket(url, handshake, { reconnectionDelay: 100 })
  sockets.push(page)
  await new Promise<void>((resolve, reject) => {
    page.on('connect', resolve)
    page.on('connect_error', reject)
  })
  return page
}

const aTruck = () => ({ number: `N-${randomUUID().slice(-12)}`, kind: 'led', state: 'active' }) as const
const countOf = async (number: string) =>
  (await db.selectFrom('truck').select('uid').where('number', '=', number).execute()).length

describe('of two nodes', () => {
  test('a session that ends on one is ended on the other, its pages too', async () => {
    const user = await world.addUser('admin')
    const [here, there] = [clientOf(one.url, user.token), clientOf(two.url, user.token)]
    const page = await openPage(two.url, user)
    const told = new Promise<void>((resolve) => page.on('session-ended', resolve))
    expect((await there.call(auth.me, {})).status).toBe(200)
    expect((await here.call(auth.logout, {})).status).toBe(200)
    expect((await there.call(auth.me, {})).status).toBe(401)
    await told
    page.disconnect()
  })

  test('a session that expires loses its pages on both, and a module that is taken closes the live fleet on both', async () => {
    const [idle, user] = [await world.addUser('sales'), await world.addUser('sales')]
    const idlePages = await Promise.all([one, two].map(({ url }) => openPage(url, idle)))
    const told = idlePages.map((page) => new Promise((resolve) => page.on('session-ended', resolve)))
    await sql`update session set expires_at = now() where user_uid = ${idle.uid}`.execute(db)
    expect(await Promise.all(told)).toEqual(['expired', 'expired'])
    const pages = await Promise.all([one, two].map(({ url }) => openPage(url, user)))
    for (const page of pages) expect(await page.emitWithAck('get-all-geotab-stats')).toHaveProperty('trucks')
    const changed = pages.map((page) => new Promise<void>((resolve) => page.on('access-changed', resolve)))
    await db
      .updateTable('user_account')
      .set({ modules: ['pop'] })
      .where('uid', '=', user.uid)
      .execute()
    await Promise.all(changed)
    for (const page of pages) expect(await page.emitWithAck('get-all-geotab-stats')).toHaveProperty('error')
    for (const page of [...idlePages, ...pages]) page.disconnect()
  })

  test('attempts to sign in are counted together', async () => {
    const { email } = await world.addUser('sales')
    const tries = [one, two].map(({ url }) => clientOf(url, ''))
    const attempt = (count: number) =>
      tries[count % 2]?.call(auth.authenticate, { body: { email, password: 'not this one', clientType: CLIENT_TYPE } })
    const statuses: (number | undefined)[] = []
    // Five are free, and the next one makes everybody wait: here for longer than a busy machine takes.
    for (let count = 0; count < 6; count++) statuses.push((await attempt(count))?.status)
    await sql`update throttle set blocked_until = blocked_until + interval '1 minute'
               where key = ${`login pair:127.0.0.1 ${email}`}`.execute(db)
    for (let count = 6; count < 8; count++) statuses.push((await attempt(count))?.status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
  })

  test('the same Idempotency-Key creates once, wherever it arrives', async () => {
    const [truck, key] = [aTruck(), randomUUID()]
    const answers = await Promise.all(
      [one, two, one, two].map(({ url }) => clientOf(url).call(trucks.create, { body: truck }, { key })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await countOf(truck.number)).toBe(1)
  })

  test('so does a change, of which both tell the same', async () => {
    const truck = aTruck()
    const { uid, version } = (await clientOf(one.url).call(trucks.create, { body: truck })).body.data
    const [body, key] = [{ ...truck, uid, version, note: 'changed' }, randomUUID()]
    const answers = await Promise.all(
      [one, two, two, one].map(({ url }) => clientOf(url).call(trucks.update, { body }, { key })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.data.version).toBe(version + 1)
  })

  test('a file is announced on one, sent to the other, and read on both; so is a calendar', async () => {
    const [here, there] = [clientOf(one.url), clientOf(two.url)]
    const content = await aPicture('png')
    const announced = { purpose: 'artwork', name: 'art.png', contentType: 'image/png', size: content.length } as const
    const { fileUid, url }: UploadTarget = (await here.call(files.getUploadSas, { body: announced })).body.data
    const headers = { 'content-type': 'application/octet-stream' }
    expect(await there.raw({ method: 'PUT', path: `${url}&offset=0`, body: content, headers })).toMatchObject({
      status: 200,
    })
    const stored = await here.call(files.complete, { body: { fileUid } })
    expect(stored.status, stored.text).toBe(200)
    for (const node of [here, there]) {
      expect(await node.raw({ method: 'GET', path: stored.body.data.url })).toMatchObject({ status: 200 })
    }
    const link = (await here.call(calendar.createLink, {})).body.data.url
    expect(await there.raw({ method: 'GET', path: new URL(link).pathname })).toMatchObject({ status: 200 })
  })

  test('one asks MyGeotab', async () => {
    await vi.waitFor(() => expect(geotab.asked('LogRecord').length).toBeGreaterThan(2), { timeout: 10_000 })
    expect(geotab.asked('Authenticate')).toHaveLength(1)
  })
})

const PAUSE_MS = 20

/** A player that keeps what it played until it is told that it is stored, whichever node tells it. */
async function keepPlaying(until: AbortSignal) {
  const { addRunning, aPlay } = fleetOf(world)
  const { art, device } = await addRunning()
  const { macAddress, key } = device
  const soon = { reconnectionDelay: 50, reconnectionDelayMax: 500 }
  const socket = openTestSocket(proxy.url, { clientType: 'player', macAddress, key }, soon)
  sockets.push(socket)
  const reasons: string[] = []
  socket.on('disconnect', (reason) => reason !== 'io client disconnect' && reasons.push(reason))
  let sequence = 0
  const waiting = new Map<string, Play>()
  const stored = new Set<string>()
  while (!until.aborted || waiting.size > 0) {
    if (!until.aborted) {
      const play = aPlay(art, { sequence: ++sequence, startedAt: minutesAgo(sequence / 100) })
      waiting.set(play.playId, play)
    }
    const answer = (await socket
      .timeout(2000)
      .emitWithAck('player-plays', [...waiting.values()])
      .catch(() => undefined)) as { rows?: { id: string }[] } | undefined
    for (const { id } of answer?.rows ?? []) if (waiting.delete(id)) stored.add(id)
    await sleep(PAUSE_MS)
  }
  socket.disconnect()
  return { stored, reasons, device }
}

/** Someone who reads and writes without a pause, and never tries anything twice; what did not work. */
async function work(until: AbortSignal, { withKeys, created = [] }: { withKeys: boolean; created?: string[] }) {
  const client = clientOf(proxy.url)
  const failures: string[] = []
  while (!until.aborted) {
    const read = await client.call(trucks.list, { query: { pageSize: '5' } })
    if (read.status !== 200) failures.push(`GET ${read.status} ${read.text}`)
    const truck = aTruck()
    const written = await client.call(trucks.create, { body: truck }, withKeys ? { key: randomUUID() } : {})
    if (written.status === 200) created.push(truck.number)
    else failures.push(`POST ${written.status} ${written.text}`)
    // Steady rather than as fast as can be: the nodes need the processor too.
    await sleep(PAUSE_MS)
  }
  return { failures, created }
}

/** Half an upload to a node; what is given sends the rest and says how it was answered. */
async function beginUpload(node: TestNode): Promise<() => Promise<number | undefined>> {
  const content = Buffer.alloc(1000, 1)
  const announced = { purpose: 'artwork', name: 'art.mp4', contentType: 'video/mp4', size: content.length } as const
  const { url }: UploadTarget = (await clientOf(node.url).call(files.getUploadSas, { body: announced })).body.data
  const headers = { 'content-type': 'application/octet-stream', 'content-length': content.length }
  const sending = request(new URL(`${url}&offset=0`, node.url), { method: 'PUT', headers })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write(content.subarray(0, 500))
  return async () => {
    sending.end(content.subarray(500))
    return (await answered)[0].statusCode
  }
}

async function expectCreatedOnce(numbers: string[]): Promise<void> {
  expect(numbers.length).toBeGreaterThan(20)
  const rows = await db.selectFrom('truck').select('number').where('number', 'in', numbers).execute()
  expect(rows.map(({ number }) => number).toSorted()).toEqual(numbers.toSorted())
}

describe('behind the proxy', () => {
  test('the address of a caller is known, and cannot be made up', async () => {
    const password = 'a long enough password'
    const user = await world.addUser('admin')
    await db
      .updateTable('user_account')
      .set({ password_hash: await hashPassword(password) })
      .where('uid', '=', user.uid)
      .execute()
    const client = clientOf(proxy.url, '', '127.0.0.77')
    const signedIn = await client.raw({
      method: 'POST',
      path: '/api/v1/authentication/authenticate',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
      },
      body: JSON.stringify({
        email: user.email,
        password,
        clientType: CLIENT_TYPE,
      }),
    })
    expect(signedIn.status).toBe(200)
    const { body } = await clientOf(proxy.url).call(users.sessions, { params: { uid: user.uid } })
    expect(body.data.map(({ address }) => address)).toContain('127.0.0.77')
  })

  test('a large upload passes, and the figures of the nodes do not', async () => {
    const client = clientOf(proxy.url)
    const content = Buffer.alloc(8 * 1024 * 1024, 1)
    const announced = {
      purpose: 'artwork',
      name: 'art.mp4',
      contentType: 'video/mp4',
      size: 3 * content.length,
    } as const
    const { url }: UploadTarget = (await client.call(files.getUploadSas, { body: announced })).body.data
    const headers = { 'content-type': 'application/octet-stream' }
    for (const part of [0, 1, 2]) {
      const sent = await client.raw({
        method: 'PUT',
        path: `${url}&offset=${part * content.length}`,
        body: content,
        headers,
      })
      expect([sent.status, JSON.parse(sent.text)]).toMatchObject([
        200,
        { data: { received: (part + 1) * content.length } },
      ])
    }
    expect(await client.raw({ method: 'GET', path: '/metrics' })).toMatchObject({ status: 404 })
  })

  test('both nodes are restarted under load without a failed call or a lost play', async () => {
    const over = new AbortController()
    const [working, playing] = [
      Promise.all([1, 2].map(() => work(over.signal, { withKeys: false }))),
      keepPlaying(over.signal),
    ]
    const page = await openPage(proxy.url, people.admin)
    const closed: unknown[] = []
    page.on('disconnect', (reason) => closed.push(reason))
    for (const node of [one, two]) {
      const finishUpload = await beginUpload(node)
      node.signal('SIGTERM')
      await vi.waitFor(
        async () => {
          const answer = await fetch(`${node.url}/readyz`)
          expect([answer.status, answer.headers.get('connection'), await answer.text()]).toEqual([
            503,
            'close',
            expect.stringContaining('draining'),
          ])
        },
        { timeout: 10_000 },
      )
      // Longer than the node drains: what has begun is finished all the same.
      await sleep(5000)
      expect(await finishUpload()).toBe(200)
      expect(await node.ended()).toBe(0)
      await node.start()
      await vi.waitFor(async () => expect(await proxy.answering()).toContain(node), { timeout: 20_000 })
    }
    over.abort()
    const works = await working
    expect(works.flatMap(({ failures }) => failures)).toEqual([])
    await expectCreatedOnce(works.flatMap(({ created }) => created))
    const { stored, reasons, device } = await playing
    const rows = await db.selectFrom('play').select('play_id').where('device_uid', '=', device.uid).execute()
    expect(new Set(rows.map(({ play_id }) => play_id))).toEqual(stored)
    // Closed in a way after which the libraries come back by themselves.
    expect(new Set([...reasons, ...closed])).toEqual(new Set(['transport close']))
    await vi.waitFor(() => expect(page.connected).toBe(true), { timeout: 10_000 })
    // Anyone who stopped has handed MyGeotab over.
    expect(geotab.asked('Authenticate').length).toBeGreaterThan(1)
  }, 120_000)

  test('a node that is killed costs nothing that may be done twice, and of the rest a clear answer or the connection', async () => {
    const over = new AbortController()
    const created: string[] = []
    const [keyed, plain, playing] = [
      Promise.all([1, 2].map(() => work(over.signal, { withKeys: true, created }))),
      Promise.all([1, 2].map(() => work(over.signal, { withKeys: false }))),
      keepPlaying(over.signal),
    ]
    const createMore = async (count: number) => {
      const before = created.length
      await vi.waitFor(() => expect(created.length).toBeGreaterThan(before + count), { timeout: 20_000 })
    }
    await createMore(10)
    await one.stop('SIGKILL')
    await createMore(30)
    over.abort()
    const works = await keyed
    expect(works.flatMap(({ failures }) => failures)).toEqual([])
    await expectCreatedOnce(created)
    for (const failure of (await plain).flatMap(({ failures }) => failures)) {
      expect(failure).toMatch(/^POST (0 $|50[23] .*"code":"unavailable")/)
    }
    const { stored, device } = await playing
    const rows = await db.selectFrom('play').select('play_id').where('device_uid', '=', device.uid).execute()
    expect(new Set(rows.map(({ play_id }) => play_id))).toEqual(stored)
  }, 60_000)
})
